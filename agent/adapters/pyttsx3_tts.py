"""Speech from the voices of the system, through pyttsx3 in a process that can be killed."""

import asyncio
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import soundfile

from agent.adapters.worker_lines import WorkerFailed, WorkerLines
from agent.domain.audio import AudioClip
from agent.domain.errors import SynthesisFailed
from agent.domain.language import Language, LocalizedText
from agent.policy.pronunciation import aloud

WORKER = (sys.executable, "-P", "-m", "agent.adapters.pyttsx3_worker")
"""`-P`: a folder named agent where the candidate happens to be is not ours."""
START_LIMIT_S = 60.0
INSTALL_VOICES = "sudo apt install espeak-ng, or pip install 'viva-interview[offline]'"
CLOSED = LocalizedText(en="the voice was closed", zh="语音已关闭")
NO_VOICE: Mapping[Language, LocalizedText] = {
    "en": LocalizedText(en="this system has no English voice", zh="系统没有英语语音"),
    "zh": LocalizedText(en="this system has no Chinese voice", zh="系统没有中文语音"),
}

_SHORTEST_S: dict[Language, float] = {"en": 0.015, "zh": 0.05}
_LONGEST_S: dict[Language, float] = {"en": 1.0, "zh": 2.0}
"""Seconds a letter or digit: speech outside these bounds is not the text (measured: .06, .25)."""


class Pyttsx3Synthesizer:
    """A `Synthesizer` for both languages; sentences are spoken one at a time.

    The worker starts with the first sentence. One that fails or hangs is killed, and the
    sentence tried once more with a new one.

    Args:
        wanted: Part of the name of the voice to speak with; None takes the best.
        limit_s: For one sentence of ordinary length; a longer text has more.
        command: Starts the worker; the folder for its files is added.
    """

    def __init__(
        self,
        wanted: str | None = None,
        limit_s: float = 15.0,
        command: Sequence[str] = WORKER,
    ) -> None:
        self._wanted = wanted
        self._limit_s = limit_s
        self._command = tuple(command)
        self._one_at_a_time = ThreadPoolExecutor(1, thread_name_prefix="pyttsx3")
        self._worker: _Worker | None = None
        self._closed = threading.Event()

    async def synthesize(self, text: str, language: Language) -> AudioClip:
        """Speak `text`; a text without letters and digits gives an empty clip.

        Raises:
            SynthesisFailed: No voice for the language, or the engine failed twice.
        """
        if not any(character.isalnum() for character in text):
            return AudioClip(np.zeros(0, np.float32))
        if self._closed.is_set():
            raise SynthesisFailed(CLOSED)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._one_at_a_time, self._speak, text, language)

    def voice(self, language: Language) -> str | None:
        """Return what the system calls its voice for `language`; None before it has spoken."""
        return self._chosen(self._worker, language) if self._worker else None

    async def offered(self, language: Language) -> tuple[str, ...]:
        """Return the names of the system's voices for `language`, best first.

        Raises:
            SynthesisFailed: The engine does not start.
        """
        loop = asyncio.get_running_loop()
        try:
            voices = await loop.run_in_executor(self._one_at_a_time, self._voices)
        except WorkerFailed as error:
            raise SynthesisFailed(
                LocalizedText(
                    en=f"the system's voice failed: {error}", zh=f"系统语音出错了：{error}"
                )
            ) from error
        return tuple(name for _, name in voices.get(language, ()))

    def close(self) -> None:
        """End the worker and remove its files; may be called again."""
        self._closed.set()
        if self._worker:
            self._worker.kill()
        self._one_at_a_time.shutdown()
        if self._worker:  # one that was just being started
            self._worker.kill()

    def _speak(self, text: str, language: Language) -> AudioClip:
        try:
            return self._speak_once(text, language)
        except WorkerFailed:
            if self._closed.is_set():
                raise SynthesisFailed(CLOSED) from None
        try:
            return self._speak_once(text, language)
        except WorkerFailed as error:
            raise SynthesisFailed(
                LocalizedText(
                    en=f"the system's voice failed twice: {error}", zh=f"系统语音两次出错：{error}"
                )
            ) from error

    def _speak_once(self, text: str, language: Language) -> AudioClip:
        worker = self._started()
        try:
            voice = self._chosen(worker, language)
            if voice is None:
                raise SynthesisFailed(NO_VOICE[language], INSTALL_VOICES)
            limit_s = self._limit_s + len(text) / 50
            return _checked(worker.speak(aloud(text), language, voice, limit_s), text, language)
        except WorkerFailed:
            worker.kill()
            self._worker = None
            raise

    def _started(self) -> "_Worker":
        if self._worker is None:
            self._worker = _Worker(self._command)
        return self._worker

    def _voices(self) -> "Voices":
        return self._started().voices()

    def _chosen(self, worker: "_Worker", language: Language) -> str | None:
        voices = worker.voices().get(language, ())
        wanted = (self._wanted or "").casefold()
        fitting = [voice for voice, name in voices if wanted in f"{name} {voice}".casefold()]
        return next(iter([*fitting, *(voice for voice, _ in voices)]), None)


Voices = Mapping[str, Sequence[tuple[str, str]]]
"""Ids and names of the voices of each language, best first."""


class _Worker:
    """One process, and the folder of its files."""

    def __init__(self, command: Sequence[str]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="viva-", ignore_cleanup_errors=True)
        self.lines = WorkerLines([*command, self._folder.name])
        self._voices: Voices | None = None

    def voices(self) -> Voices:
        """Return the voices of each language, when the engine has started."""
        if self._voices is None:
            self._voices = self.lines.answer(START_LIMIT_S)["voices"]
        return self._voices or {}

    def speak(self, text: str, language: Language, voice: str, limit_s: float) -> Path:
        """Speak into a file."""
        path = Path(self._folder.name) / "sentence.wav"
        path.unlink(missing_ok=True)
        self.lines.send({"text": text, "language": language, "voice": voice, "path": str(path)})
        self.lines.answer(limit_s)
        return path

    def kill(self) -> None:
        """End the process, wait for it, and remove its files."""
        self.lines.kill()
        self._folder.cleanup()


def _checked(path: Path, text: str, language: Language) -> AudioClip:
    """Read a file by its content (macOS writes AIFF whatever the name) and doubt its length."""
    try:
        samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    except (OSError, soundfile.SoundFileError) as error:
        raise WorkerFailed(f"no sound was written: {error}") from error
    path.unlink(missing_ok=True)
    mono = np.ascontiguousarray(samples.mean(axis=1), dtype=np.float32)
    clip = AudioClip(mono, int(rate))
    letters = sum(character.isalnum() for character in text)
    if not letters * _SHORTEST_S[language] <= clip.seconds <= letters * _LONGEST_S[language] + 3:
        raise WorkerFailed(f"{clip.seconds:.1f} s of sound for {letters} letters")
    if not np.any(np.abs(mono) > 1e-3):
        raise WorkerFailed("the sound is silent")
    return clip

"""The process that owns the pyttsx3 engine: requests on standard input, answers on the other end.

One JSON object a line. The worker begins with `{"voices": {"en": [[id, name], ...], "zh": ...}}`,
best first, or `{"error": why}`, answers `{"text", "language", "voice", "path"}` by `{"path"}` or
`{"error"}`, and ends with its standard input. pyttsx3 wants one engine and one thread for life,
prints to standard output, cannot be trusted after an exception, and may hang: hence a process of
its own, started as `python -m agent.adapters.pyttsx3_worker FOLDER`, that its owner can kill.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# pyttsx3 has no types.

import contextlib
import ctypes
import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

RATE_WPM = {"en": 170, "zh": 150}
"""Mandarin of eSpeak NG 1.52 through Whisper base: syllable errors 52% at 150, 59% at 210."""

KNOWN_VOICES = {
    "en": ("samantha", "zira", "aria", "jenny", "alex", "daniel", "david", "karen", "hazel"),
    "zh": ("tingting", "xiaoxiao", "huihui", "yaoyao", "kangkang", "lilian", "meijia"),
}
"""Names in macOS and Windows, best first: a language tag alone also fits their novelty voices."""
KNOWN_TAGS = {
    "en": ("en-us", "en-gb", "en"),
    "zh": ("zh-cn", "zh-hans-cn", "cmn", "zh", "zh-sg", "zh-tw"),
}
"""Language tags, best first; Cantonese (`yue`, `zh-hk`) is another language."""


class Voice(Protocol):
    """What pyttsx3 tells of a voice; `languages` holds text, or bytes in some versions."""

    id: str
    name: str | None
    languages: Sequence[str | bytes] | None


_IONG = {
    "jong1": "扃冂",
    "jong3": "炯窘迥",
    "qong1": "銎",
    "qong2": "穷琼邛茕穹蛩筇跫",
    "xong1": "兄凶胸匈汹",
    "xong2": "雄熊",
}
"""eSpeak NG 1.52 spells the final -iong out in English; -ong after j, q, x gives its sound."""
_RESPELT = str.maketrans(
    {character: f" {sound} " for sound, characters in _IONG.items() for character in characters}
)


def ranked_voices(voices: Iterable[Voice], language: str) -> list[tuple[str, str]]:
    """Return ids and names of the voices that speak `language` (`en` or `zh`), best first."""
    names, tags = KNOWN_VOICES[language], KNOWN_TAGS[language]
    ranked: list[tuple[int, int, str, str]] = []
    for voice in voices:
        words = re.findall("[a-z]+", f"{voice.name} {voice.id}".lower())
        name_rank = next((i for i, name in enumerate(names) if name in words), len(names))
        spoken = {_tag(tag) for tag in voice.languages or ()}
        tag_rank = next((i for i, tag in enumerate(tags) if tag in spoken), len(tags))
        if (name_rank, tag_rank) != (len(names), len(tags)):
            ranked.append((name_rank, tag_rank, voice.id, voice.name or voice.id))
    return [(place, name) for *_, place, name in sorted(ranked, key=lambda rank: rank[:2])]


def speakable(text: str, voice: str) -> str:
    """Return `text` as the engine reads it right, free of what it would take for commands."""
    text = text.encode("utf-8", "replace").decode()
    text = re.sub(r"[\x00-\x1f\x7f]", " ", text)
    text = text.replace("[[", "[ [").lstrip().removeprefix("<")  # macOS commands, Windows XML
    return text.translate(_RESPELT) if voice == "sit/cmn" else text


def load_espeak() -> None:
    """Make the bundled eSpeak NG findable for pyttsx3 when a Linux system has none."""
    if sys.platform != "linux":  # macOS and Windows have speech of their own
        return
    with contextlib.suppress(OSError):
        ctypes.CDLL("libespeak-ng.so.1")
        return
    with contextlib.suppress(ImportError):
        import espeakng_loader  # noqa: PLC0415 - only where the system has no library

        os.environ["ESPEAK_DATA_PATH"] = espeakng_loader.get_data_path()
        ctypes.CDLL(espeakng_loader.get_library_path(), mode=ctypes.RTLD_GLOBAL)


def never_stop_espeak() -> None:
    """Keep pyttsx3 from stopping what it has just begun.

    At the beginning of a run it asks whether eSpeak is busy, takes a thread that is still at the
    last command for a sentence to be stopped, and stops the new one: up to 25 of 1,000 files
    were empty on a busy machine. Nothing is ever stopped here but by the end of the process.
    """

    def stop(_: object) -> None:
        """Do nothing."""

    driver: Any = sys.modules.get("pyttsx3.drivers.espeak")
    if driver:
        driver.EspeakDriver.stop = stop


class Engine:
    """The one engine, and the voices that it really has."""

    def __init__(self) -> None:
        import pyttsx3  # noqa: PLC0415 - after `load_espeak`

        self._engine: Any = pyttsx3.init()
        never_stop_espeak()
        self._engine.runAndWait()  # until the first run properties are queued, not set
        self.voices = {language: self._usable(language) for language in KNOWN_TAGS}

    def save(self, text: str, language: str, voice: str, path: str) -> None:
        """Speak `text` into the file at `path`.

        Raises:
            RuntimeError: The engine does not take the voice.
        """
        if not self._takes(voice):
            raise RuntimeError(f"the voice {voice} could not be set")
        self._engine.setProperty("rate", RATE_WPM[language])
        self._engine.save_to_file(speakable(text, voice), path)
        self._engine.runAndWait()

    def _usable(self, language: str) -> list[tuple[str, str]]:
        voices = ranked_voices(self._engine.getProperty("voices"), language)
        return [(voice, name) for voice, name in voices if self._takes(voice)]

    def _takes(self, voice: str) -> bool:
        """Set a voice and read it back: one that is unknown is refused in silence."""
        self._engine.setProperty("voice", voice)
        return self._engine.getProperty("voice") == voice


def serve(requests: Iterable[str], answer: Callable[[dict[str, Any]], None]) -> None:
    """Answer requests until they end or the engine fails: after that it cannot be trusted."""
    try:
        load_espeak()
        engine = Engine()
    except Exception as error:  # noqa: BLE001 - whatever it is, the owner must be told
        answer({"error": f"pyttsx3 cannot start: {error}"})
        return
    answer({"voices": engine.voices})
    for line in requests:
        request = json.loads(line)
        try:
            engine.save(request["text"], request["language"], request["voice"], request["path"])
        except Exception as error:  # noqa: BLE001 - as above
            answer({"error": f"{type(error).__name__}: {error}"})
            return
        else:
            answer({"path": request["path"]})


def main() -> None:
    """Serve standard input; remove the folder of the sound files if its owner has not."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the owner to handle
    channel = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def answer(message: dict[str, Any]) -> None:
        channel.write(json.dumps(message) + "\n")
        channel.flush()

    with contextlib.suppress(BrokenPipeError):
        serve(sys.stdin, answer)
    shutil.rmtree(Path(sys.argv[1]), ignore_errors=True)


def _tag(language: str | bytes) -> str:
    text = language.decode("ascii", "ignore") if isinstance(language, bytes) else language
    return re.sub(r"[^a-z-]", "", text.lower().replace("_", "-"))


if __name__ == "__main__":
    main()

"""A natural Chinese voice for machines that have none: Kokoro, in a process of its own.

The network is about as fast as speech, so what is known ahead is rendered ahead, while the
candidate talks, and kept on the disk.
"""

import asyncio
import importlib.util
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from agent.adapters.kokoro.clips import ClipCache
from agent.adapters.kokoro.process import COMMAND, Dropped, KokoroProcess
from agent.adapters.kokoro.worker import PACKAGE, PARTS, VOICE
from agent.adapters.worker_lines import WorkerFailed
from agent.domain.audio import AudioClip
from agent.domain.errors import SynthesisFailed
from agent.domain.language import Language, LocalizedText
from agent.policy.voice_lines import spoken_pieces

VERSION = 2
"""Part of a clip's name; raised when the same text would sound differently."""
WAIT_S = 2.5
"""How long the listener waits for a sentence before another voice takes it."""
START_WAIT_S = 8.0
"""The same for the first sentence, while the network is loading."""

NOT_CHINESE = LocalizedText(en="the Kokoro voice speaks Chinese only", zh="Kokoro 语音只说中文")
NO_SOUND = LocalizedText(
    en="the Kokoro voice has no sound for this text", zh="Kokoro 语音读不出这段文字"
)
CLOSED = LocalizedText(en="the voice was closed", zh="语音已关闭")
TOO_LATE = LocalizedText(
    en="the Kokoro voice was not ready in time", zh="Kokoro 语音没能及时准备好"
)


@dataclass(eq=False)
class _Job:
    """A sentence to be rendered; `ahead`: nobody waits for it yet."""

    text: str
    ahead: bool
    dropped: bool = False
    clip: Future[AudioClip] = field(default_factory=Future[AudioClip])


class KokoroSynthesizer:
    """A `Synthesizer` for Chinese, with English terms in it.

    The process starts with the first sentence that is not at hand. One that fails is killed, and
    the sentence tried once more with a new one.

    Args:
        cache_folder: Where rendered sentences are kept.
        wait_s: Longest wait for a sentence; the time in which the last one is heard is added.
        command: Starts the process.
    """

    def __init__(
        self, cache_folder: Path, wait_s: float = WAIT_S, command: Sequence[str] = COMMAND
    ) -> None:
        self._clips = ClipCache(cache_folder)
        self._wait_s = wait_s
        self._worker = KokoroProcess(command)
        self._urgent: deque[_Job] = deque()
        self._ahead: deque[_Job] = deque()
        self._current: _Job | None = None
        self._changed = threading.Condition()
        self._paused = False
        self._closed = False
        self._heard_until_s = 0.0
        self._thread: threading.Thread | None = None

    @staticmethod
    def available() -> bool:
        """Whether the packages are installed, on a system without a Chinese voice of its own."""
        needed = (PACKAGE, *PARTS, "pypinyin", "hibari", "onnxruntime")
        return sys.platform == "linux" and all(map(importlib.util.find_spec, needed))

    def prepare(self, lines: Iterable[str]) -> None:
        """Render `lines` in the background, in their order; returns at once."""
        with self._changed:
            self._ahead.extend(_Job(line, ahead=True) for line in lines)
        self._begin()

    def pause(self) -> None:
        """Render nothing ahead until `resume`; what somebody waits for is rendered all the same."""
        with self._changed:
            self._paused = True
            self._give_way()

    def resume(self) -> None:
        """Go on rendering ahead."""
        with self._changed:
            self._paused = False
            self._changed.notify()

    def pieces(self, text: str, language: Language) -> tuple[str, ...]:
        """Cut `text` for speaking: sentences, and clauses where a sentence is not at hand."""
        return spoken_pieces(text, language, lambda piece: self._clips.has(_name(piece)))

    async def synthesize(self, text: str, language: Language) -> AudioClip:
        """Speak `text`; a text without letters and digits gives an empty clip.

        A sentence that comes too late is rendered to its end, for the next time.

        Raises:
            SynthesisFailed: The text is not Chinese, or it was not there in time.
        """
        if not any(character.isalnum() for character in text):
            return AudioClip(np.zeros(0, np.float32))
        if language != "zh":
            raise SynthesisFailed(NOT_CHINESE)
        clip = await asyncio.to_thread(self._clips.get, _name(text))
        if clip is None:
            clip = await self._rendered(text)
        if not len(clip.samples):
            raise SynthesisFailed(NO_SOUND)
        self._heard_until_s = max(time.monotonic(), self._heard_until_s) + clip.seconds
        return clip

    def close(self) -> None:
        """Kill the process; may be called again."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._worker.close()
        if self._thread is not None:
            self._thread.join()

    async def _rendered(self, text: str) -> AudioClip:
        job = self._ask_for(text)
        wait_s = self._wait_s if self._worker.ready else max(self._wait_s, START_WAIT_S)
        wait_s += max(0.0, self._heard_until_s - time.monotonic())
        try:
            return await asyncio.wait_for(asyncio.wrap_future(job.clip), wait_s)
        except TimeoutError as error:
            self._put_off(job)
            raise SynthesisFailed(TOO_LATE) from error
        except asyncio.CancelledError:
            self._put_off(job)
            raise

    def _ask_for(self, text: str) -> _Job:
        """Return the job that renders `text` now, before all that is rendered ahead."""
        with self._changed:
            if self._closed:
                raise SynthesisFailed(CLOSED)
            if self._current is not None and self._current.text == text:
                self._current.ahead = False
                return self._current
            job = _Job(text, ahead=False)
            self._urgent.append(job)
            self._give_way()
            self._changed.notify()
        self._begin()
        return job

    def _put_off(self, job: _Job) -> None:
        """Render `job` later: nobody waits for it any more."""
        with self._changed:
            if job in self._urgent:
                self._urgent.remove(job)
                self._ahead.appendleft(_Job(job.text, ahead=True))
            elif job is self._current:
                job.ahead, job.clip = True, Future()

    def _give_way(self) -> None:
        """Stop what is being rendered ahead."""
        if self._current is not None and self._current.ahead:
            self._current.dropped = True
            self._worker.drop()

    def _begin(self) -> None:
        with self._changed:
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._work, name="kokoro", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _next(self) -> _Job | None:
        """Wait for the next job; None when the voice was closed."""
        with self._changed:
            self._current = None
            while not self._closed:
                if self._urgent:
                    self._current = self._urgent.popleft()
                    return self._current
                if self._ahead and not self._paused:
                    self._current = self._ahead.popleft()
                    return self._current
                self._changed.wait()
        return None

    def _work(self) -> None:
        while (job := self._next()) is not None:
            try:
                clip = self._render(job)
            except Dropped:
                with self._changed:
                    self._ahead.appendleft(_Job(job.text, ahead=True))
            except WorkerFailed as error:
                _settle(
                    job,
                    SynthesisFailed(
                        LocalizedText(
                            en=f"the Kokoro voice failed: {error}", zh=f"Kokoro 语音出错了：{error}"
                        )
                    ),
                )
            else:
                _settle(job, clip)
        with self._changed:
            for job in self._urgent:
                _settle(job, SynthesisFailed(CLOSED))

    def _render(self, job: _Job) -> AudioClip:
        kept = self._clips.get(_name(job.text))
        if kept is not None:
            return kept
        try:
            clip = self._worker.speak(job.text, lambda: job.dropped)
        except WorkerFailed:
            if self._closed:
                raise
            clip = self._worker.speak(job.text, lambda: job.dropped)
        self._clips.put(_name(job.text), clip)
        return clip


def _settle(job: _Job, outcome: AudioClip | SynthesisFailed) -> None:
    clip = job.clip
    if not clip.set_running_or_notify_cancel():
        return
    if isinstance(outcome, AudioClip):
        clip.set_result(outcome)
    else:
        clip.set_exception(outcome)


def _name(text: str) -> str:
    return f"{VOICE} {VERSION} {text.strip()}"

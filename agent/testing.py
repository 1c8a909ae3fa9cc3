"""Scripted stand-ins for the ports: each records its calls and refuses an unscripted one."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from agent.domain.assessment import Assessment, GradingTask
from agent.domain.audio import BLOCK_SAMPLES, AudioClip, Samples
from agent.domain.chat import ChatRequest
from agent.domain.errors import ChatFailed, SynthesisFailed
from agent.domain.language import Language
from agent.policy.folding import tokens
from agent.policy.session_format import sound_path
from agent.ports import Reply, Segment, SessionRecord


class MemoryLog:
    """A `SessionLog` that keeps everything in memory.

    Attributes:
        records: What was appended, oldest first.
        sounds: The clips that were kept, by their path.
    """

    def __init__(self) -> None:
        self.records: list[SessionRecord] = []
        self.sounds: dict[str, AudioClip] = {}

    def append(self, record: SessionRecord) -> None:
        """Keep `record`."""
        self.records.append(record)

    def keep_sound(self, name: str, clip: AudioClip) -> str:
        """Keep `clip`."""
        path = sound_path(name)
        self.sounds[path] = clip
        return path


class ScriptedGrader:
    """A `Grader` that judges by the last answer's text.

    Attributes:
        tasks: What it was asked to judge, oldest first.
    """

    def __init__(self, verdicts: Mapping[str, Assessment | Exception]) -> None:
        self._verdicts = verdicts
        self.tasks: list[GradingTask] = []

    async def grade(self, task: GradingTask) -> Assessment:
        """Return or raise the verdict on the last answer, as one of its question and turn."""
        self.tasks.append(task)
        last = task.answers[-1]
        if last.answer.text not in self._verdicts:
            raise AssertionError(f"no verdict on {last.answer.text!r}")
        verdict = self._verdicts[last.answer.text]
        if isinstance(verdict, Exception):
            raise verdict
        return verdict.model_copy(update={"turn": last.turn, "question_id": task.question.id})


class ScriptedMicrophone:
    """A `Microphone` that yields the blocks of `sound`, then ends or fails.

    Attributes:
        opened: How often it was listened to; `closed`: how often the listening ended.
    """

    def __init__(self, sound: Samples, failure: Exception | None = None) -> None:
        self._sound = sound
        self._failure = failure
        self.opened = 0
        self.closed = 0

    async def blocks(self) -> AsyncIterator[Samples]:
        """Yield whole blocks; the last is filled with zeros."""
        self.opened += 1
        try:
            padded = np.pad(self._sound, (0, -len(self._sound) % BLOCK_SAMPLES))
            for block in padded.reshape(-1, BLOCK_SAMPLES):
                yield block.astype(np.float32)
            if self._failure is not None:
                raise self._failure
        finally:
            self.closed += 1


class LoudnessVad:
    """A `VoiceActivityDetector` to which whatever is loud is speech.

    Attributes:
        resets: How often the stream was forgotten.
    """

    def __init__(self, threshold: float = 0.01) -> None:
        self._threshold = threshold
        self.resets = 0

    def probability(self, window: Samples) -> float:
        """Return 1 for a loud window, 0 for a quiet one."""
        if window.shape != (BLOCK_SAMPLES,):
            raise ValueError(f"a window has shape ({BLOCK_SAMPLES},), not {window.shape}")
        return float(np.sqrt(np.mean(np.square(window))) > self._threshold)

    def reset(self) -> None:
        """Count the reset; there is nothing to forget."""
        self.resets += 1


class ScriptedTranscriber:
    """A `Transcriber` that gives its results in order.

    Attributes:
        calls: Seconds of sound, language and terms of each call, oldest first.
    """

    def __init__(self, results: Sequence[tuple[Segment, ...] | Exception]) -> None:
        self._results = list(results)
        self.calls: list[tuple[float, Language, tuple[str, ...]]] = []

    async def transcribe(
        self, samples: Samples, language: Language, terms: Sequence[str] = ()
    ) -> tuple[Segment, ...]:
        """Return or raise the next result."""
        self.calls.append((AudioClip(samples).seconds, language, tuple(terms)))
        if not self._results:
            raise AssertionError(f"call {len(self.calls)} is not in the script")
        result = self._results.pop(0)
        if isinstance(result, Exception):
            raise result
        return result


class ToneSynthesizer:
    """A `Synthesizer` that hums for a twentieth of a second a letter.

    Attributes:
        languages: What it can speak.
        failing: Texts that it cannot speak.
        spoken: What it was asked to say.
    """

    def __init__(
        self,
        languages: Sequence[Language] = ("en", "zh"),
        failing: Sequence[str] = (),
        sample_rate: int = 22_050,
    ) -> None:
        self.languages = languages
        self.failing = failing
        self.spoken: list[str] = []
        self._sample_rate = sample_rate

    async def synthesize(self, text: str, language: Language) -> AudioClip:
        """Hum `text`."""
        self.spoken.append(text)
        if language not in self.languages or text in self.failing:
            raise SynthesisFailed(f"no {language} voice for {text!r}")
        letters = sum(character.isalnum() for character in text)
        times = np.arange(letters * self._sample_rate // 20) / self._sample_rate
        return AudioClip(
            (0.3 * np.sin(2 * np.pi * 200 * times)).astype(np.float32), self._sample_rate
        )


class HeldSpeaker:
    """A `Speaker` whose every clip lasts until `release` is set.

    Attributes:
        started: The clips whose playing began. `stopped`: How many were cancelled.
        playing: Set while a clip is heard.
    """

    def __init__(self, failure: Exception | None = None, *, held: bool = False) -> None:
        self.started: list[AudioClip] = []
        self.stopped = 0
        self.playing = asyncio.Event()
        self.release = asyncio.Event()
        if not held:
            self.release.set()
        self._failure = failure

    async def play(self, clip: AudioClip) -> None:
        """Play `clip`."""
        self.started.append(clip)
        if self._failure is not None:
            raise self._failure
        self.playing.set()
        try:
            await self.release.wait()
        except asyncio.CancelledError:
            self.stopped += 1
            raise
        finally:
            self.playing.clear()


class WordEncoder:
    """A `SentenceEncoder` that knows words only: each adds one pseudo-random direction.

    Attributes:
        calls: The texts of every call.
    """

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return normalised sums of the words' directions, shape (len(texts), 64)."""
        self.calls.append(list(texts))
        rows = np.zeros((len(texts), 64), dtype=np.float32)
        for index, text in enumerate(texts):
            for word in tokens(text):
                seed = int.from_bytes(word.encode()[:8], "big")
                rows[index] += np.random.default_rng(seed).standard_normal(64, dtype=np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-9))


class ScriptedChat:
    """A `ChatModel` that gives its replies in order, cut into pieces.

    Attributes:
        requests: What it was asked, oldest first.
    """

    def __init__(self, *replies: str | ChatFailed, piece: int = 3) -> None:
        self._replies = list(replies)
        self._piece = piece
        self.requests: list[ChatRequest] = []

    async def stream(self, request: ChatRequest) -> AsyncIterator[str]:
        """Yield the next reply in pieces, or raise it."""
        reply = self._next(request)
        for start in range(0, len(reply), self._piece):
            await asyncio.sleep(0)
            yield reply[start : start + self._piece]

    async def structured(self, request: ChatRequest, shape: type[Reply]) -> Reply:
        """Return the next reply, a JSON text, as a `shape`, or raise it."""
        try:
            return shape.model_validate_json(self._next(request))
        except ValidationError as error:
            raise ChatFailed("malformed") from error

    def _next(self, request: ChatRequest) -> str:
        self.requests.append(request)
        if not self._replies:
            raise AssertionError("no reply is scripted")
        reply = self._replies.pop(0)
        if isinstance(reply, ChatFailed):
            raise reply
        return reply

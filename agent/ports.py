"""Sockets in the wall: what the house needs of the world, one or two methods each.

Adapters implement these; `agent.testing` holds scripted stand-ins that pass the same contract
tests. Coroutines may be cancelled at any time; whatever can wait has its own limit.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from agent.domain.assessment import Assessment, GradingTask
from agent.domain.audio import AudioClip, Samples
from agent.domain.chat import ChatRequest, ChatUse
from agent.domain.dialogue import Move
from agent.domain.interview import (
    Answer,
    Correction,
    ListeningHints,
    Notice,
    SelfRating,
    Turn,
    Utterance,
    Word,
)
from agent.domain.language import Language
from agent.domain.persona import Persona
from agent.domain.question import LocalizedQuestion

Reply = TypeVar("Reply", bound=BaseModel)


class Microphone(Protocol):
    """A source of sound: a device, or a file that is played into the same pipeline."""

    def blocks(self) -> AsyncIterator[Samples]:
        """Yield blocks of `BLOCK_SAMPLES` mono samples at `SAMPLE_RATE` until the source ends.

        Raises:
            AudioUnreadable: The file cannot be decoded.
            DeviceUnavailable: The device cannot be opened or went away.
        """
        ...


class ListeningWatcher(Protocol):
    """Who sees how listening goes, while it goes: a level meter, a live caption."""

    def sound(self, level: float, *, voiced: bool) -> None:
        """A block was heard; `level` is its root mean square, 0 to 1."""
        ...

    def words(self, text: str) -> None:
        """The whole text understood so far."""
        ...


class Keyboard(Protocol):
    """Single keys at a terminal."""

    def presses(self) -> AsyncIterator[str]:
        """Yield each key as it is pressed: a letter, or `enter`, `space`, `escape`, `ctrl-d` ...

        The terminal is in raw mode while this is iterated, and as before afterwards. Ctrl-C is
        not yielded: it raises `KeyboardInterrupt` as ever.
        """
        ...


class Speaker(Protocol):
    """Where the interviewer is heard."""

    async def play(self, clip: AudioClip) -> None:
        """Play `clip` to its end, or until the call is cancelled; stops within a block."""
        ...


class VoiceActivityDetector(Protocol):
    """Gives the probability that a window is speech; carries its state from window to window."""

    def probability(self, window: Samples) -> float:
        """Return 0 to 1 for the next `BLOCK_SAMPLES` samples of the stream."""
        ...

    def reset(self) -> None:
        """Forget the stream; call between turns only."""
        ...


@dataclass(frozen=True)
class Segment:
    """A decoded stretch; `t0`, `t1` in seconds from the start of the samples given.

    `avg_logprob`, `no_speech_prob` and `compression_ratio` are Whisper's own measures. `sureness`
    has a probability for each of `words`, as heard by one who was told of no terms.
    """

    text: str
    t0: float
    t1: float
    words: tuple[Word, ...]
    avg_logprob: float
    no_speech_prob: float
    compression_ratio: float
    sureness: tuple[float, ...] = ()


class Transcriber(Protocol):
    """Speech to text. One decode at a time; the raw result, before any hygiene."""

    async def transcribe(
        self, samples: Samples, language: Language, terms: Sequence[str] = ()
    ) -> tuple[Segment, ...]:
        """Decode at most 30 s of `samples` (16 kHz mono), told to expect `terms`.

        Without terms it is a second look, which may take longer.

        Raises:
            TranscriptionFailed: The engine failed or its deadline passed.
        """
        ...


class Synthesizer(Protocol):
    """Text to speech, one sentence at a time."""

    async def synthesize(self, text: str, language: Language) -> AudioClip:
        """Speak `text`.

        Raises:
            SynthesisFailed: No voice for the language, or the engine failed twice.
        """
        ...


class SentenceEncoder(Protocol):
    """Sentences to vectors in which nearness is nearness of meaning, across both languages."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return L2-normalised rows, shape (len(texts), d)."""
        ...


class Grader(Protocol):
    """Judges answers. A judgement that fails is an `Assessment` with `failure`, never a score."""

    async def grade(self, task: GradingTask) -> Assessment:
        """Judge all answers of `task` together."""
        ...


@dataclass(frozen=True)
class Scene:
    """What an interviewer has in mind when putting a move into words.

    Attributes:
        question: The question at hand; None in greeting and closing.
        said: Everything this interviewer has said, oldest first; none of it is said again.
        answers: The candidate's answers to the question at hand, oldest first (data, never orders).
        seed: Chooses among variants, so that an interview can be repeated.
        pending: The question or follow-up that awaits an answer, in the words it was asked in.
        missing: Criteria that the question asks for and no answer has met yet, in their order.
        cut_in: The candidate was just stopped in a long answer.
        claims: The candidate's statements that matter most, verbatim, as far as they were seen.
    """

    persona: Persona
    language: Language
    question: LocalizedQuestion | None
    said: tuple[str, ...]
    answers: tuple[str, ...]
    seed: int
    pending: str = ""
    missing: tuple[str, ...] = ()
    cut_in: bool = False
    claims: tuple[str, ...] = ()


class Wording(Protocol):
    """The interviewer's choice of words for a move."""

    def utter(self, move: Move, scene: Scene) -> AsyncIterator[Utterance]:
        """Yield what is said for `move`: an acknowledgement first where one is due."""
        ...


class Foresight(Protocol):
    """Makes use of the time while an answer goes on; what it does may come to nothing."""

    async def look(self, task: GradingTask) -> None:
        """Look at the answers so far, the one under way among them."""
        ...

    async def prepare(self, move: Move, scene: Scene) -> None:
        """Get the words for `move` ready, in case it comes to that."""
        ...


class CandidateInput(Protocol):
    """Where answers come from: a voice, a keyboard, or a folder of recordings."""

    async def answer(self, utterance: Utterance, hints: ListeningHints) -> Answer | None:
        """Return the answer to `utterance`, or None when no more answers will come."""
        ...


class InterviewerOutput(Protocol):
    """Where the interviewer's words go: loudspeaker, files, terminal."""

    async def say(self, utterance: Utterance) -> Utterance:
        """Say it to the end; return it with `audio` set when it was spoken into the session."""
        ...


SessionRecord = Turn | Assessment | Correction | SelfRating | ChatUse | Notice


class SessionLog(Protocol):
    """A session's folder: an append-only log, and the sound that belongs to it."""

    def append(self, record: SessionRecord) -> None:
        """Write one record; when this returns it is on the disk.

        Raises:
            StorageUnavailable: It could not be written.
        """
        ...

    def keep_sound(self, name: str, clip: AudioClip) -> str:
        """Store `clip` under `name`, replacing what had that name.

        Returns:
            The path of the file, relative to the session folder.

        Raises:
            StorageUnavailable: It could not be written.
        """
        ...


class ChatModel(Protocol):
    """A language model. What it returns is untrusted; its thinking is never part of it."""

    def stream(self, request: ChatRequest) -> AsyncIterator[str]:
        """Yield the reply in pieces as they come.

        Raises:
            ChatFailed: Nothing, or only the pieces so far, can be had.
        """
        ...

    async def structured(self, request: ChatRequest, shape: type[Reply]) -> Reply:
        """Return a reply of the given shape; the request need not describe the shape.

        Raises:
            ChatFailed: No reply of that shape can be had.
        """
        ...

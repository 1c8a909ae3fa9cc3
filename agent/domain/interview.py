"""An interview as it is held and as it is kept: what was said, by whom, and when."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from pydantic import Field

from agent.domain.company import Company
from agent.domain.dialogue import ProbeReason, UtteranceKind, Wish
from agent.domain.language import Frozen, Language
from agent.domain.persona import Persona
from agent.domain.question import Level, Question, Rung
from agent.domain.rubric import Frame, FrameId

SCHEMA_VERSION = 1
"""Of `session.json` and `turns.jsonl`; raised when old readers could misread a new file."""


class Word(NamedTuple):
    """A recognised word; `t0` and `t1` in seconds from the start of the answer's recording."""

    text: str
    t0: float
    t1: float


class Delivery(Frozen):
    """How an answer was spoken, measured from the sound.

    Attributes:
        seconds: Length of the recording.
        speech_s: Voiced part of it.
        first_word_s: From the start of listening to the first voiced sample.
        rate: Words (English) or characters (Chinese) a minute of speech; None when too short.
        pauses: (from, to) in seconds, within the answer.
        fillers: Filler words heard; None when not counted.
    """

    seconds: float
    speech_s: float
    first_word_s: float | None = None
    rate: float | None = None
    pauses: tuple[tuple[float, float], ...] = ()
    fillers: int | None = None


AnswerStatus = Literal["spoken", "typed", "silent", "doubtful", "unreadable", "signalled"]


class Answer(Frozen):
    """What the candidate answered.

    Attributes:
        text: The text that is graded, cleaned and with technical terms spelt right.
        raw_text: What the recogniser or the keyboard gave.
        status: `silent`: no speech. `doubtful`: speech that was not understood.
            `unreadable`: a recording that could not be decoded. `signalled`: no words, a key
            said what the candidate wanted.
        note: Why the status is not `spoken` or `typed`.
        source: Name of the scripted candidate's file.
        audio: The recording, relative to the session folder.
        wish: What a key asked for, whatever the words.
        cut_in: The interviewer took the turn because the answer had gone on for long.
    """

    text: str
    raw_text: str
    status: AnswerStatus
    note: str | None = None
    words: tuple[Word, ...] = ()
    delivery: Delivery | None = None
    source: str | None = None
    audio: str | None = None
    attachments: tuple[str, ...] = ()
    wish: Wish | None = None
    cut_in: bool = False

    @classmethod
    def typed(cls, text: str, source: str | None = None) -> "Answer":
        """Return what was typed; nothing typed is a silent answer."""
        text = text.strip()
        if not text:
            return cls(text="", raw_text="", status="silent", note="nothing typed", source=source)
        return cls(text=text, raw_text=text, status="typed", source=source)

    @classmethod
    def unreadable(cls, note: str, source: str | None = None) -> "Answer":
        """Return the answer that stands for a file which could not be read."""
        return cls(text="", raw_text="", status="unreadable", note=note, source=source)

    @classmethod
    def signalled(cls, wish: Wish) -> "Answer":
        """Return the answer that stands for a key."""
        return cls(text="", raw_text="", status="signalled", wish=wish)

    @property
    def understood(self) -> bool:
        """Whether there are words to grade."""
        return self.status in {"spoken", "typed"} and any(char.isalnum() for char in self.text)


@dataclass(frozen=True)
class ListeningHints:
    """What the ear should know about the answer that is to come.

    Attributes:
        still_missing: Criteria of the frame that no answer has met yet.
        speech_terms: Vocabulary of the question, in the interview's language, most wanted first.
        patience_s: Seconds of silence that this interviewer bears.
        cut_in_s: Seconds after which this interviewer takes the turn at the next pause between two
            sentences; None: never.
    """

    language: Language
    frame: FrameId
    still_missing: tuple[str, ...] = ()
    speech_terms: tuple[str, ...] = ()
    patience_s: float = 2.0
    cut_in_s: float | None = None


class Utterance(Frozen):
    """One thing the interviewer says.

    Attributes:
        reason: Why a probe was asked; `quote`: the candidate's words that set it off.
        audio: The synthesised speech, relative to the session folder.
        corrects: Number of the turn whose answer was misheard and is asked for once more.
        by_model: A language model chose the words.
    """

    kind: UtteranceKind
    text: str
    question_id: str | None = None
    reason: ProbeReason | None = None
    rung: Rung | None = None
    target: str | None = None
    quote: str | None = None
    audio: str | None = None
    corrects: int | None = None
    by_model: bool = False


class Turn(Frozen):
    """One thing the interviewer asked and the answer to it.

    Attributes:
        number: From 1, without gaps.
        lead_in: What was said just before the question: greeting, acknowledgement.
        at: When the answer was complete, ISO 8601 in UTC.
    """

    kind: Literal["turn"] = "turn"
    number: int = Field(ge=1)
    utterance: Utterance
    lead_in: tuple[Utterance, ...] = ()
    answer: Answer
    at: str = ""


class Correction(Frozen):
    """The candidate corrected what was understood; the turn keeps its original."""

    kind: Literal["correction"] = "correction"
    turn: int
    text: str
    at: str = ""


class SelfRating(Frozen):
    """How the candidate rates the own answers to a question, before seeing the grade."""

    kind: Literal["self_rating"] = "self_rating"
    question_id: str
    rating: int = Field(ge=1, le=5)
    at: str = ""


class Notice(Frozen):
    """Something the reader of a session should know: a device lost, the closing words."""

    kind: Literal["notice"] = "notice"
    code: str
    text: str
    utterance: Utterance | None = None
    at: str = ""


SessionStatus = Literal["running", "finished", "abandoned"]


class SessionManifest(Frozen):
    """`session.json`: all that is needed to read, regrade or continue a session by itself."""

    schema_version: int = SCHEMA_VERSION
    id: str
    status: SessionStatus = "running"
    created_at: str
    language: Language
    level: Level
    seed: int
    persona: Persona
    company: Company | None = None
    questions: tuple[Question, ...]
    rubric: tuple[Frame, ...]
    settings: dict[str, Any] = Field(default_factory=dict[str, Any])
    models: dict[str, str] = Field(default_factory=dict[str, str])

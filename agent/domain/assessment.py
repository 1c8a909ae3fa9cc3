"""Judgements: levels that stand on quotes, and what could not be judged."""

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from agent.domain.dialogue import ProbeReason, Wish
from agent.domain.interview import Answer
from agent.domain.language import Frozen
from agent.domain.question import LocalizedQuestion, Rung
from agent.domain.rubric import TOP_LEVEL, Dimension, Frame


class Evidence(Frozen):
    """A verbatim span of a transcript.

    Attributes:
        quote: The words.
        start: Offset of the first character in the answer's text; `end`: one past the last.
        turn: Number of the turn; None where there is only one answer.
        t0: Seconds into the answer's recording where the span begins; `t1`: where it ends.
    """

    quote: str
    start: int = Field(ge=0)
    end: int
    turn: int | None = None
    t0: float | None = None
    t1: float | None = None


class CriterionResult(Frozen):
    """A criterion's level; None, with the reason, when it could not be judged.

    Attributes:
        spread: The lowest and the highest level where several readings were taken together.
    """

    id: str
    level: int | None = Field(ge=0, le=TOP_LEVEL)
    reason: str
    evidence: tuple[Evidence, ...] = ()
    spread: tuple[int, int] | None = None


PointStatus = Literal["present", "partly", "absent", "contradicted"]


class KeyPointResult(Frozen):
    """Whether a key point was made. `coverage` is continuous, 0 to 1."""

    id: str
    status: PointStatus
    coverage: float = Field(ge=0, le=1)
    evidence: tuple[Evidence, ...] = ()


class MisconceptionResult(Frozen):
    """A misconception that was voiced, and why it is wrong."""

    id: str
    why: str
    evidence: tuple[Evidence, ...]


class Finding(Frozen):
    """Something in the answers that is worth a follow-up.

    Attributes:
        target: The criterion, key point or misconception it is about.
        evidence: The candidate's words that set it off; None when something is missing.
    """

    reason: ProbeReason
    rung: Rung
    target: str
    evidence: Evidence | None = None


class Variation(Frozen):
    """A blind judgement under one condition; `score` None when nothing was earned.

    Attributes:
        name: What was varied: `as_given`, `criteria_reversed`, `points_reversed`, `words_only`.
    """

    name: str
    score: float | None


AppealReason = Literal["same", "words", "grader", "rubric", "reading"]
"""Why an appeal came out as it did: nothing changed, the words were corrected, the grader or the
rubric is another, or the same answer was read differently."""


class Appeal(Frozen):
    """How a turn was graded again without the earlier grade in view.

    Attributes:
        earlier: The score that was appealed against; it stays in the log.
        variations: All blind judgements; the one in the middle is what the appeal comes to.
        reasons: Why the new score is not the earlier one, or that it is.
    """

    earlier: float | None
    variations: tuple[Variation, ...]
    reasons: tuple[AppealReason, ...]


class Assessment(Frozen):
    """The judgement of a question's answers up to a turn.

    It covers the whole branch: the answer to the question and those to its follow-ups. The last
    assessment of a turn wins; the last turn of a branch gives the question's result.

    Attributes:
        turn: Number of the turn; None in a batch.
        score: 0 to 100; None, with `reason`, when it was not earned.
        flags: Short names of what was noticed: `no_baseline`, `we_without_i`, `gave_up` ...
        findings: What could be asked about, those that stand on a quote first.
        claims: The statements that matter most, as a language model picked them out.
        wish: What the candidate wanted instead, in words that only a language model understood.
        failure: Why the grader could not judge; then there is no score.
        appeal: How it came about, where the candidate appealed.
    """

    kind: Literal["assessment"] = "assessment"
    turn: int | None = None
    question_id: str
    frame: str
    score: float | None = Field(ge=0, le=100)
    reason: str | None = None
    criteria: tuple[CriterionResult, ...] = ()
    key_points: tuple[KeyPointResult, ...] = ()
    misconceptions: tuple[MisconceptionResult, ...] = ()
    flags: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    claims: tuple[Evidence, ...] = ()
    wish: Wish | None = None
    grader: str
    rubric_version: str
    failure: str | None = None
    appeal: Appeal | None = None
    at: str = ""


@dataclass(frozen=True)
class BranchAnswer:
    """An answer within a branch, with the number of its turn (None in a batch)."""

    answer: Answer
    turn: int | None = None


@dataclass(frozen=True)
class GradingTask:
    """What a grader is asked to judge: one question, one frame, and every answer given to it."""

    question: LocalizedQuestion
    frame: Frame
    answers: tuple[BranchAnswer, ...]


Interval = tuple[float, float]
"""Where a score lies with a probability of nine in ten, 0 to 100."""
Band = Literal["strong_no", "no", "lean", "yes", "strong_yes"]
BANDS: tuple[Band, ...] = ("strong_no", "no", "lean", "yes", "strong_yes")
NoBandReason = Literal["nothing_judged", "too_few_questions", "too_little_said"]


class DimensionScore(Frozen):
    """A dimension's mean, 0 to 100, over `judged` criteria; None when nothing was judged."""

    dimension: Dimension
    score: float | None
    judged: int
    interval: Interval | None = None


class HireBand(Frozen):
    """What an interviewer who weighs as this persona does would say.

    Attributes:
        band: None, with `reason`, when too little was judged.
        low: The band at the lower end of the interval. `high`: at the upper end.
    """

    band: Band | None
    low: Band | None = None
    high: Band | None = None
    reason: NoBandReason | None = None


NoScoreReason = Literal["nothing_judged"]


class SessionScore(Frozen):
    """A session's result: means over what was judged, and what was not, with reasons.

    Attributes:
        interval: Of `overall`. `question_intervals`: of each of `questions`.
    """

    overall: float | None
    reason: NoScoreReason | None = None
    interval: Interval | None = None
    hire: HireBand | None = None
    dimensions: tuple[DimensionScore, ...] = ()
    questions: dict[str, float | None] = Field(default_factory=dict[str, float | None])
    question_intervals: dict[str, Interval | None] = Field(
        default_factory=dict[str, Interval | None]
    )

"""Judgements: levels that stand on quotes, and what could not be judged."""

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from agent.domain.dialogue import ProbeReason
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
    """A criterion's level; None, with the reason, when it could not be judged."""

    id: str
    level: int | None = Field(ge=0, le=TOP_LEVEL)
    reason: str
    evidence: tuple[Evidence, ...] = ()


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


class Assessment(Frozen):
    """The judgement of a question's answers up to a turn.

    It covers the whole branch: the answer to the question and those to its follow-ups. The last
    assessment of a turn wins; the last turn of a branch gives the question's result.

    Attributes:
        turn: Number of the turn; None in a batch.
        score: 0 to 100; None, with `reason`, when it was not earned.
        flags: Short names of what was noticed: `no_baseline`, `we_without_i`, `gave_up` ...
        findings: What could be asked about, those that stand on a quote first.
        failure: Why the grader could not judge; then there is no score.
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
    grader: str
    rubric_version: str
    failure: str | None = None
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


class DimensionScore(Frozen):
    """A dimension's mean, 0 to 100, over `judged` criteria; None when nothing was judged."""

    dimension: Dimension
    score: float | None
    judged: int


NoScoreReason = Literal["nothing_judged"]


class SessionScore(Frozen):
    """A session's result: means over what was judged, and what was not, with reasons."""

    overall: float | None
    reason: NoScoreReason | None = None
    dimensions: tuple[DimensionScore, ...] = ()
    questions: dict[str, float | None] = Field(default_factory=dict[str, float | None])

"""The report as a reader meets it: every figure and sentence chosen, none of it laid out yet."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agent.app.report_quotes import QuoteView
from agent.domain.coaching import RewritePart
from agent.policy.transcript_view import Segment

ResultState = Literal["scored", "unjudged", "failed", "ungraded", "unreached"]


@dataclass(frozen=True)
class ResultView:
    """A score, or what stands in its place: never a zero that was not earned."""

    state: ResultState
    score: float | None
    text: str
    reason: str = ""
    range: str = ""


@dataclass(frozen=True)
class CriterionView:
    """A criterion's level with the anchor of that level and of the next; `level` may be None."""

    name: str
    level: int | None
    reason: str
    anchor: str = ""
    next_anchor: str = ""
    quotes: tuple[QuoteView, ...] = ()


@dataclass(frozen=True)
class PointView:
    """A key point; `status` is its code, None when it was not judged."""

    statement: str
    status: str | None
    status_text: str
    quotes: tuple[QuoteView, ...] = ()


@dataclass(frozen=True)
class MistakeView:
    """A misconception and why it is wrong."""

    statement: str
    why: str
    quotes: tuple[QuoteView, ...] = ()


@dataclass(frozen=True)
class ProbeView:
    """A step of the ladder: what was asked next, why, and what the score was afterwards."""

    turn: int
    kind: str
    reason: str
    rung: str
    target: str
    quote: QuoteView | None
    after: str


@dataclass(frozen=True)
class SpokenView:
    """Something the interviewer said; `audio` is a link."""

    id: str
    kind: str
    text: str
    audio: str | None = None


@dataclass(frozen=True)
class TurnView:
    """One turn as it is shown.

    Attributes:
        status: The answer's status code; `status_text` its name when it needs saying.
        events: What else happened: corrected, stopped, asked for by a key.
        original: The answer before the candidate corrected it; empty when it stands.
        heard_as: What was recognised, where it differs from the text.
        delivery: Names and values of what was measured.
    """

    number: int
    asked: tuple[SpokenView, ...]
    text: tuple[Segment, ...]
    status: str
    status_text: str
    note: str
    events: tuple[str, ...]
    original: tuple[Segment, ...]
    heard_as: str
    attachments: tuple[str, ...]
    player: str
    audio: str | None
    delivery: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class StrengthView:
    """Something that was there; `level` is empty for a key point.

    Attributes:
        quote: The first that it stands on; `words`: as much of that as a line holds.
    """

    text: str
    level: str
    quote: QuoteView | None
    words: str


@dataclass(frozen=True)
class CoachingView:
    """What to make of a question's answers.

    Attributes:
        nothing: Why there is nothing to coach; the rest is empty then.
        change: The one change; `gain`: what it would bring.
        house: House words, on one line.
    """

    nothing: str
    there: tuple[StrengthView, ...]
    lacking: tuple[str, ...]
    change: str
    gain: str
    rewrite: tuple[RewritePart, ...]
    pitfalls: tuple[str, ...]
    house: str


@dataclass(frozen=True)
class QuestionView:
    """A question with its result, its turns, and what the result stands on.

    Attributes:
        depth: The highest rung that was answered with something that counts; empty for none.
        rating: How the candidate rated the own answers, 1 to 5.
        appeals: What each appeal came to.
    """

    anchor: str
    number: int | None
    prompt: str
    kind: str
    result: ResultView
    duration: str
    follow_ups: int
    flags: tuple[str, ...]
    criteria: tuple[CriterionView, ...]
    points: tuple[PointView, ...]
    mistakes: tuple[MistakeView, ...]
    ladder: tuple[ProbeView, ...]
    turns: tuple[TurnView, ...]
    outline: str
    depth: str = ""
    coaching: CoachingView | None = None
    rating: int | None = None
    appeals: tuple[str, ...] = ()

    @property
    def unjudged(self) -> Iterator[tuple[str, str]]:
        """Yield what could not be judged here, with the reason."""
        if self.result.state in {"unjudged", "failed", "ungraded"}:
            yield self.result.text, self.result.reason
        yield from (
            (item.name, item.reason)
            for item in self.criteria
            if item.level is None and item.reason != self.result.reason
        )
        yield from (
            (item.statement, item.status_text) for item in self.points if item.status is None
        )


@dataclass(frozen=True)
class DimensionView:
    """A dimension's mean; `score` None when nothing was judged in it."""

    name: str
    score: float | None
    text: str
    range: str = ""


@dataclass(frozen=True)
class ReportView:
    """The whole report.

    Attributes:
        facts: Names and values of the line under the title.
        disclaimer: Of the company that was rehearsed for; empty where there was none.
        unfinished: What to say of a session that did not come to its end, and the command.
        band: The hire band, or why there is none.
        rated: How the candidate's own ratings compare with the scores; empty where there is none.
        model: Names and values of what a language model did; empty where none took part.
        colophon: Names and values: graders, rubric, models, session.
    """

    language: str
    session_id: str
    heading: str
    facts: tuple[str, ...]
    disclaimer: str
    unfinished: tuple[str, str] | None
    overall: ResultView
    band: str
    dimensions: tuple[DimensionView, ...]
    rated: str
    questions: tuple[QuestionView, ...]
    notices: tuple[tuple[str, str], ...]
    model: tuple[tuple[str, str], ...]
    colophon: tuple[tuple[str, str], ...]

    @property
    def unjudged(self) -> tuple[tuple[QuestionView, str, str], ...]:
        """What could not be judged: the question, the thing, and the reason."""
        return tuple(
            (question, what, why) for question in self.questions for what, why in question.unjudged
        )

"""The graded transcript for a terminal: a page a turn, each line with what it is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from agent.app.report_figures import whole
from agent.app.report_quotes import QuoteView
from agent.app.report_texts import label
from agent.app.report_texts import words as words_in
from agent.app.report_view import QuestionView, ReportView, TurnView
from agent.domain.assessment import Assessment
from agent.domain.language import Language
from agent.domain.rubric import TOP_LEVEL
from agent.policy.folding import printable
from agent.policy.transcript_view import Segment
from agent.ports import SessionRecord


@dataclass(frozen=True)
class Line:
    """A line of a page.

    Attributes:
        name: Who speaks, or what is told; empty where the text speaks for itself.
        style: A style of rich.
    """

    name: str
    text: str
    style: str = ""


@dataclass(frozen=True)
class Page:
    """A turn: what was asked and why, the answer, its score and the words it rests on."""

    turn: int
    lines: tuple[Line, ...]


def title(view: ReportView, language: Language) -> tuple[Line, ...]:
    """Return what stands before the first page."""
    t = words_in(language)
    lines = [Line("", " · ".join([view.heading, *view.facts]), "bold")]
    overall = f"{view.overall.text} {view.overall.reason}".strip()
    lines.append(Line(t["overall"], overall, "bold"))
    lines += [Line(item.name, item.text) for item in view.dimensions]
    if view.unfinished:
        lines.append(Line("", " ".join(view.unfinished), "yellow"))
    return tuple(_clean(lines))


def pages(
    view: ReportView, records: Sequence[SessionRecord], language: Language
) -> tuple[Page, ...]:
    """Return the pages of a session, in the order of its turns."""
    judged = {item.turn: item for item in records if isinstance(item, Assessment) and item.turn}
    found = [
        Page(turn.number, tuple(_clean(_lines(turn, question, judged, language))))
        for question in view.questions
        for turn in question.turns
    ]
    return tuple(sorted(found, key=lambda page: page.turn))


def _lines(
    turn: TurnView, question: QuestionView, judged: Mapping[int, Assessment], language: Language
) -> Iterator[Line]:
    t = words_in(language)
    number = f" {question.number}" if question.number else ""
    yield Line("", f"{t['turn']} {turn.number} · {t['question']}{number}", "bold cyan")
    yield from _why(turn, question)
    yield from (Line(t["interviewer"], said.text, "cyan") for said in turn.asked)
    yield _answer(turn, language)
    if turn.original:
        yield Line(t["original"], _joined(turn.original), "dim")
    if turn.number in judged:
        yield Line(t["after_turn"], _score(judged[turn.number], language), "bold")
    yield from (
        Line(told, f"“{quote.text}”")
        for told, quotes in _grounds(question, language)
        for quote in quotes
        if quote.turn == turn.number
    )
    if turn.delivery:
        yield Line(t["delivery"], " · ".join(f"{name} {value}" for name, value in turn.delivery))


def _answer(turn: TurnView, language: Language) -> Line:
    told = " · ".join(filter(None, [turn.status_text, turn.note, *turn.events]))
    shown = filter(None, [_joined(turn.text), f"({told})" if told else ""])
    return Line(words_in(language)["candidate"], " ".join(shown), "green")


def _joined(segments: Sequence[Segment]) -> str:
    return "".join(run.text for segment in segments for run in segment.runs)


def _why(turn: TurnView, question: QuestionView) -> Iterator[Line]:
    """Yield why a follow-up was asked, and the words that set it off."""
    for probe in question.ladder:
        if probe.turn == turn.number:
            quote = f"“{probe.quote.text}”" if probe.quote else ""
            parts = filter(None, [probe.rung, probe.reason, probe.target, quote])
            yield Line(probe.kind, " · ".join(parts), "magenta")


def _score(assessment: Assessment, language: Language) -> str:
    if assessment.score is not None:
        return f"{whole(assessment.score)} / 100"
    told = assessment.failure or label("why", assessment.reason or "", language)
    return f"{words_in(language)['not_judged']} ({told})"


def _grounds(
    question: QuestionView, language: Language
) -> Iterator[tuple[str, tuple[QuoteView, ...]]]:
    """Yield what the question's result rests on, with its quotes."""
    t = words_in(language)
    criteria = (
        (item.name if item.level is None else f"{item.name} {item.level}/{TOP_LEVEL}", item.quotes)
        for item in question.criteria
    )
    colon = t["colon"]
    points = (
        (f"{item.status_text}{colon}{item.statement.rstrip('.。')}", item.quotes)
        for item in question.points
    )
    mistakes = (
        (f"{t['why_wrong']}{colon}{item.why.rstrip('.。')}", item.quotes)
        for item in question.mistakes
    )
    yield from chain(criteria, points, mistakes)


def _clean(lines: Sequence[Line] | Iterator[Line]) -> Iterator[Line]:
    for line in lines:
        yield Line(printable(line.name), " ".join(printable(line.text).split()), line.style)

"""A session's log read as branches: each question with its follow-ups and its result."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.domain.assessment import Assessment
from agent.domain.interview import Correction, Notice, Turn
from agent.ports import SessionRecord


@dataclass(frozen=True)
class Branch:
    """A question and everything that was said to it.

    Attributes:
        question_id: None for what was said outside the questions.
        turns: In order; empty when the question was planned and not reached.
        assessments: The last one of each assessed turn, in the order of the turns.
        replaced: How many more the log keeps that a later grading replaced.
    """

    question_id: str | None
    turns: tuple[Turn, ...] = ()
    assessments: tuple[Assessment, ...] = ()
    replaced: int = 0

    @property
    def result(self) -> Assessment | None:
        """The question's result: the assessment of the last assessed turn."""
        return self.assessments[-1] if self.assessments else None


def branches(records: Sequence[SessionRecord], planned: Sequence[str] = ()) -> tuple[Branch, ...]:
    """Group turns by question in the order in which they were asked, then the rest of the plan.

    A turn belongs to the question it names; one that names none joins the turn before it.
    """
    turns: dict[str | None, list[Turn]] = {}
    home: dict[int, str | None] = {}
    current: str | None = None
    for turn in (item for item in records if isinstance(item, Turn)):
        current = turn.utterance.question_id or current
        turns.setdefault(current, []).append(turn)
        home[turn.number] = current
    judged: dict[str | None, list[Assessment]] = {}
    for item in (item for item in records if isinstance(item, Assessment)):
        branch = item.question_id if item.turn is None else home.get(item.turn, item.question_id)
        judged.setdefault(branch, []).append(item)
    names = dict.fromkeys([*turns, *judged, *planned])
    return tuple(_branch(name, turns.get(name, []), judged.get(name, [])) for name in names)


def corrections(records: Sequence[SessionRecord]) -> dict[int, tuple[Correction, ...]]:
    """Return the corrections of each turn, oldest first; the last one holds."""
    found: dict[int, tuple[Correction, ...]] = {}
    for item in records:
        if isinstance(item, Correction):
            found[item.turn] = (*found.get(item.turn, ()), item)
    return found


def as_corrected(records: Sequence[SessionRecord]) -> tuple[Turn, ...]:
    """Return the turns, each answer with the words that its candidate set right.

    The recognised words' times belong to what was misheard, so a corrected answer has none.
    """
    corrected = corrections(records)
    return tuple(
        _set_right(turn, corrected[turn.number][-1].text) if turn.number in corrected else turn
        for turn in records
        if isinstance(turn, Turn)
    )


def _set_right(turn: Turn, text: str) -> Turn:
    status = turn.answer.status if turn.answer.understood else "typed"
    update = {"text": text, "status": status, "words": ()}
    return turn.model_copy(update={"answer": turn.answer.model_copy(update=update)})


def notices(records: Sequence[SessionRecord]) -> tuple[Notice, ...]:
    """Return what the reader of the session should know, oldest first."""
    return tuple(item for item in records if isinstance(item, Notice))


def _branch(name: str | None, turns: list[Turn], judged: list[Assessment]) -> Branch:
    latest = {item.turn or 0: item for item in judged}
    return Branch(
        name,
        tuple(turns),
        tuple(latest[number] for number in sorted(latest)),
        replaced=len(judged) - len(latest),
    )

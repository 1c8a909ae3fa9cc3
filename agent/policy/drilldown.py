"""A question and all that was said and judged under it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from agent.domain.assessment import Assessment, Evidence
from agent.domain.interview import Correction, Turn
from agent.domain.language import Language
from agent.domain.question import RUNGS, LocalizedQuestion, Rung
from agent.policy.branches import as_corrected
from agent.policy.intents import Intent, classify

History = Sequence[Turn | Assessment | Correction]
"""What was said, judged and set right, oldest first."""
Hearing = Intent | Literal["not_heard"]


def hear(turn: Turn, language: Language) -> Hearing:
    """Return what the candidate wanted in `turn`, or that it was not understood.

    A key has the word; one that only ends an answer leaves it to what was said.
    """
    wish = turn.answer.wish
    if wish is not None and not (wish == "done" and turn.answer.understood):
        return wish
    return classify(turn.answer.text, language) if turn.answer.understood else "not_heard"


def is_graded(turn: Turn, language: Language) -> bool:
    """Return whether the answer of `turn` says something about the question.

    What was not understood is asked about and a wish to hear the question again is granted;
    neither is judged. Giving up is judged: it is the answer. What sets another answer right is
    judged in that one's place.
    """
    return turn.utterance.corrects is None and hear(turn, language) in {"answer", "skip"}


def due(history: History, language: Language) -> tuple[Turn, ...]:
    """Return the answers that await a judgement: not judged yet, or set right since they were."""
    turns = as_corrected(history)
    homes = {turn.number: turn.utterance.question_id for turn in turns}
    judged: dict[int, int] = {}
    changed: list[tuple[int, int]] = []
    for place, item in enumerate(history):
        if isinstance(item, Assessment) and item.turn is not None:
            judged[item.turn] = place
        elif isinstance(item, Correction):
            changed.append((item.turn, place))
    return tuple(
        turn
        for turn in turns
        if is_graded(turn, language)
        and judged.get(turn.number, -1)
        <= max(
            (
                place
                for number, place in changed
                if number <= turn.number and homes.get(number) == turn.utterance.question_id
            ),
            default=-1,
        )
    )


@dataclass(frozen=True)
class DrillDown:
    """A question, its turns in order, and the last assessment of each by the turn's number."""

    question: LocalizedQuestion
    turns: tuple[Turn, ...]
    assessments: Mapping[int, Assessment]

    @cached_property
    def pending(self) -> tuple[Turn, ...]:
        """The turns since the question or follow-up at hand was first put."""
        firsts = [i for i, turn in enumerate(self.turns) if turn.utterance.kind != "clarify"]
        return self.turns[firsts[-1] if firsts else 0 :]

    @cached_property
    def probes(self) -> tuple[Turn, ...]:
        """The turns that opened a follow-up."""
        return tuple(turn for turn in self.turns if turn.utterance.kind == "probe")

    @cached_property
    def graded(self) -> tuple[Turn, ...]:
        """The turns whose answers are judged."""
        return tuple(turn for turn in self.turns if is_graded(turn, self.question.language))

    @property
    def assessment(self) -> Assessment | None:
        """The judgement of the last assessed turn, which covers the whole branch."""
        return self.assessments[max(self.assessments)] if self.assessments else None

    def earned(self, turn: Turn) -> bool | None:
        """Return whether the answer of `turn` added something; None when it was not judged."""
        assessment = self.assessments.get(turn.number)
        if assessment is None or assessment.failure is not None:
            return None
        if any(item.turn == turn.number for item in _evidence(assessment)):
            return True
        earlier = (
            judged.score or 0 for number, judged in self.assessments.items() if number < turn.number
        )
        return (assessment.score or 0) > max(earlier, default=0)

    @property
    def depth_reached(self) -> Rung | None:
        """The highest rung whose follow-up was answered with something that counts."""
        rungs: list[Rung] = []
        opened: Rung | None = None
        for turn in self.turns:
            if turn.utterance.kind != "clarify":
                opened = turn.utterance.rung
            if opened and self.earned(turn):
                rungs.append(opened)
        return max(rungs, key=RUNGS.index, default=None)


def _evidence(assessment: Assessment) -> Iterator[Evidence]:
    for criterion in assessment.criteria:
        if criterion.level:
            yield from criterion.evidence
    for point in assessment.key_points:
        if point.status in {"present", "partly"}:
            yield from point.evidence


def drilldown_of(question: LocalizedQuestion, history: History) -> DrillDown:
    """Collect what belongs to `question`: answers as they were set right, last assessments."""
    turns = tuple(
        turn for turn in as_corrected(history) if turn.utterance.question_id == question.id
    )
    numbers = {turn.number for turn in turns}
    assessments = {
        item.turn: item
        for item in history
        if isinstance(item, Assessment) and item.turn is not None and item.turn in numbers
    }
    return DrillDown(question=question, turns=turns, assessments=assessments)


def said_in(history: History) -> tuple[str, ...]:
    """Return everything the interviewer said, oldest first."""
    return tuple(
        utterance.text
        for item in history
        if isinstance(item, Turn)
        for utterance in (*item.lead_in, item.utterance)
    )

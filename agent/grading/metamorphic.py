"""How often a grader breaks what must hold whatever the answer, over the bank's examples."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from agent.domain.assessment import Assessment, BranchAnswer, GradingTask
from agent.domain.interview import Answer
from agent.domain.language import LANGUAGES, Language, LocalizedText
from agent.domain.question import LocalizedQuestion, Question
from agent.domain.rubric import Frame
from agent.grading.properties import MOST, Kind, Property

Assess = Callable[[Sequence[GradingTask]], Sequence[Assessment]]


@dataclass(frozen=True)
class Violation:
    """One answer whose judgement breaks a property; scores of 100, None: no score."""

    question: str
    language: Language
    right: float | None
    changed: float | None


@dataclass(frozen=True)
class Rate:
    """How often a property was broken.

    Attributes:
        tried: Answers that it was tried on.
    """

    name: LocalizedText
    kind: Kind
    tried: int
    broken: tuple[Violation, ...]

    @property
    def rate(self) -> float:
        """Share of violations, 0 to 1."""
        return len(self.broken) / self.tried if self.tried else 0.0


def violations(
    questions: Sequence[Question],
    frames: Sequence[Frame],
    assess: Assess,
    properties: Sequence[Property],
    on_question: Callable[[], None],
) -> tuple[Rate, ...]:
    """Try every property on the example answer of every question, in both languages.

    Args:
        questions: Of the bank; a language without an example is left out.
        frames: One for every category among them.
        assess: The grader: tasks in, judgements out, in order.
        properties: Those to try.
        on_question: Called when a question is done.
    """
    tried = dict.fromkeys(properties, 0)
    broken: dict[Property, list[Violation]] = {item: [] for item in properties}
    for question in questions:
        frame = next(item for item in frames if question.category in item.categories)
        for language in LANGUAGES:
            for item, right, changed in _judged(question, frame, language, properties, assess):
                tried[item] += 1
                if item.broken(right, changed):
                    broken[item].append(
                        Violation(question.id, language, right.score, changed.score)
                    )
        on_question()
    return tuple(
        Rate(item.name, item.kind, tried[item], tuple(broken[item])) for item in properties
    )


def by_kind(rates: Sequence[Rate]) -> dict[Kind, float | None]:
    """Return for each kind of property the share of all its trials that broke it."""
    totals: dict[Kind, float | None] = {}
    for kind in MOST:
        of_kind = [item for item in rates if item.kind == kind]
        tried = sum(item.tried for item in of_kind)
        totals[kind] = sum(len(item.broken) for item in of_kind) / tried if tried else None
    return totals


def _judged(
    question: Question,
    frame: Frame,
    language: Language,
    properties: Sequence[Property],
    assess: Assess,
) -> Iterator[tuple[Property, Assessment, Assessment]]:
    if language not in question.languages:
        return
    asked = question.localized(language)
    right = question.example.get(language)
    made = [(item, text) for item in properties if (text := item.make(right, asked)) is not None]
    tasks = [_task(asked, frame, text) for text in (right, *(text for _, text in made))]
    first, *others = assess(tasks)
    for (item, _), changed in zip(made, others, strict=True):
        yield item, first, changed


def _task(question: LocalizedQuestion, frame: Frame, text: str) -> GradingTask:
    answer = Answer(text=text, raw_text=text, status="typed")
    return GradingTask(question, frame, (BranchAnswer(answer),))

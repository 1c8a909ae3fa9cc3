"""How often a grader breaks what must hold whatever the answer, over the bank's examples."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from agent.domain.assessment import Assessment, BranchAnswer, GradingTask
from agent.domain.interview import Answer
from agent.domain.language import LANGUAGES, Language, LocalizedText
from agent.domain.question import LocalizedQuestion, Question
from agent.domain.rubric import Frame
from agent.grading.properties import MOST, Kind, Property

Assess = Callable[[Iterable[Sequence[GradingTask]]], Iterator[Sequence[Assessment]]]
"""The grader: groups of tasks in, the judgements of each group out, in order."""


@dataclass(frozen=True)
class Trial:
    """The example answer to a question in one language, and what is made of it.

    Attributes:
        tasks: The example itself, then one for each of the `properties`.
    """

    question: str
    language: Language
    properties: tuple[Property, ...]
    tasks: tuple[GradingTask, ...]


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

    def worst(self) -> list[Violation]:
        """Return the violations, those that moved the score most first."""
        return sorted(
            self.broken, key=lambda one: abs((one.changed or 0) - (one.right or 0)), reverse=True
        )


def trials(
    questions: Sequence[Question], frames: Sequence[Frame], properties: Sequence[Property]
) -> list[Trial]:
    """Return what is to be tried, in both languages.

    Args:
        questions: Of the bank; a language without an example is left out.
        frames: One for every category among them.
        properties: Those to try; each where its change can be made.
    """
    return [
        _trial(question, language, frames, properties)
        for question in questions
        for language in LANGUAGES
        if language in question.languages
    ]


def violations(
    tried: Sequence[Trial],
    properties: Sequence[Property],
    assess: Assess,
    on_trial: Callable[[], None],
) -> tuple[Rate, ...]:
    """Return how often each property is broken; `on_trial` is called when a trial is done."""
    counts = dict.fromkeys(properties, 0)
    broken: dict[Property, list[Violation]] = {item: [] for item in properties}
    for trial, judged in zip(tried, assess(trial.tasks for trial in tried), strict=True):
        right, *others = judged
        for item, changed in zip(trial.properties, others, strict=True):
            counts[item] += 1
            if item.broken(right, changed):
                broken[item].append(
                    Violation(trial.question, trial.language, right.score, changed.score)
                )
        on_trial()
    return tuple(
        Rate(item.name, item.kind, counts[item], tuple(broken[item])) for item in properties
    )


def by_kind(rates: Sequence[Rate]) -> dict[Kind, float | None]:
    """Return for each kind of property the share of all its trials that broke it."""
    totals: dict[Kind, float | None] = {}
    for kind in MOST:
        of_kind = [item for item in rates if item.kind == kind]
        tried = sum(item.tried for item in of_kind)
        totals[kind] = sum(len(item.broken) for item in of_kind) / tried if tried else None
    return totals


def _trial(
    question: Question, language: Language, frames: Sequence[Frame], properties: Sequence[Property]
) -> Trial:
    frame = next(item for item in frames if question.category in item.categories)
    asked = question.localized(language)
    right = question.example.get(language)
    made = [(item, text) for item in properties if (text := item.make(right, asked)) is not None]
    return Trial(
        question.id,
        language,
        tuple(item for item, _ in made),
        tuple(_task(asked, frame, text) for text in (right, *(text for _, text in made))),
    )


def _task(question: LocalizedQuestion, frame: Frame, text: str) -> GradingTask:
    answer = Answer(text=text, raw_text=text, status="typed")
    return GradingTask(question, frame, (BranchAnswer(answer),))

"""The bank graded as a whole: right answers high, wrong, strange and empty ones at the bottom."""

import random
from collections.abc import Iterator, Sequence
from statistics import median, quantiles

import pytest

from agent.domain.assessment import Assessment
from agent.domain.language import LANGUAGES, Language
from agent.domain.question import Question
from agent.grading.builtin import BuiltinGrader
from agent.policy.clauses import split
from agent.policy.frames.readers import EXPERIENCE
from tests.grading.conftest import QUESTIONS, score_of, task_of, typed

GOOD, WRONG, STRANGE = 70, 30, 20
"""An example answer reaches the first; a misconception alone stays at or below the second, an
answer to another topic at or below the third."""
TRAP = 40
OTHERS = 4
VARIED = 60
SPREAD = 15

Row = tuple[str, str]
"""A question's id, and what to call the answer in a message."""


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Language:
    return request.param


@pytest.fixture(scope="module")
def examples(language: Language, grader: BuiltinGrader) -> dict[str, float]:
    texts = {name: question.example.get(language) for name, question in QUESTIONS.items()}
    rows = [((name, name), text) for name, text in texts.items()]
    return {name: score_of(found) for (name, _), found in graded(rows, language, grader)}


def graded(
    rows: Sequence[tuple[Row, str]], language: Language, grader: BuiltinGrader
) -> Iterator[tuple[Row, Assessment]]:
    """Grade `rows` together, so that the encoder sees each text once."""
    tasks = [task_of(name, language, typed(text)) for (name, _), text in rows]
    found = grader.assess_many(tasks)
    return zip((row for row, _ in rows), found, strict=True)


def of_other_topics(question: Question) -> list[Question]:
    others = [item for item in QUESTIONS.values() if item.topic != question.topic]
    return random.Random(question.id).sample(others, OTHERS)


def test_example_answers_are_good(examples: dict[str, float]) -> None:
    assert {name: score for name, score in examples.items() if score < GOOD} == {}


def test_a_misconception_alone_is_recognised_and_low(
    language: Language, grader: BuiltinGrader
) -> None:
    rows = [
        ((name, mistake.id), mistake.statement)
        for name, question in QUESTIONS.items()
        for mistake in question.localized(language).misconceptions
    ]
    assert rows
    missed: list[Row] = []
    for row, found in graded(rows, language, grader):
        if score_of(found) > WRONG or row[1] not in {item.id for item in found.misconceptions}:
            missed.append(row)
    assert missed == []


def test_an_answer_to_another_topic_is_at_the_bottom(
    language: Language, grader: BuiltinGrader
) -> None:
    rows = [
        ((name, other.id), other.example.get(language))
        for name, question in QUESTIONS.items()
        for other in of_other_topics(question)
    ]
    found = {row: score_of(judged) for row, judged in graded(rows, language, grader)}
    strange = {row: score for row, score in found.items() if not both_tell(*row)}
    high = {row: score for row, score in strange.items() if score > STRANGE}
    assert len(high) <= len(strange) / 100, high
    stories = [score for row, score in found.items() if both_tell(*row)]
    assert median(stories) <= STRANGE


def both_tell(asked: str, told: str) -> bool:
    """Whether both are of own experience: a story may then be one to the other question, too."""
    frames = (task_of(name, "en", typed("-")).frame.id for name in (asked, told))
    return all(frame in EXPERIENCE for frame in frames)


def test_a_list_of_terms_is_no_explanation(
    language: Language, grader: BuiltinGrader, examples: dict[str, float]
) -> None:
    rows = [
        ((name, kind), text)
        for name, question in QUESTIONS.items()
        for kind, text in term_lists(question, language)
    ]
    traps = {row: score_of(found) for row, found in graded(rows, language, grader)}
    assert {row: score for row, score in traps.items() if score > examples[row[0]] - TRAP} == {}


def term_lists(question: Question, language: Language) -> Iterator[tuple[str, str]]:
    """Yield the terms of all key points in a row, and mixed up, in sentences of five."""
    groups = [group for point in question.key_points for group in point.terms]
    own = [[term for term in group if term.isascii() == (language == "en")] for group in groups]
    terms = [(words or list(group))[0] for words, group in zip(own, groups, strict=True)]
    comma, stop = (", ", ". ") if language == "en" else ("、", "。")
    yield "in a row", comma.join(terms)
    random.Random(question.id).shuffle(terms)
    fives = [terms[start : start + 5] for start in range(0, len(terms), 5)]
    yield "mixed up", stop.join(comma.join(five) for five in fives)


def test_an_answer_put_as_questions_claims_nothing(
    language: Language, grader: BuiltinGrader, examples: dict[str, float]
) -> None:
    old, new = (". ", "? ") if language == "en" else ("。", "吗？")
    rows = [
        ((name, "asked"), f"{question.example.get(language)} ".replace(old, new))
        for name, question in QUESTIONS.items()
    ]
    traps = {row: score_of(found) for row, found in graded(rows, language, grader)}
    assert {row: score for row, score in traps.items() if score > examples[row[0]] - TRAP} == {}


def test_scores_use_the_range(language: Language, grader: BuiltinGrader) -> None:
    """Answers from a first clause to the whole of an example, in six steps."""
    chance = random.Random(language)
    rows: list[tuple[Row, str]] = []
    for number, name in enumerate(chance.sample(sorted(QUESTIONS), VARIED)):
        text = QUESTIONS[name].example.get(language)
        clauses = split(text)
        kept = clauses[: max(1, len(clauses) * (number % 6 + 1) // 6)]
        rows.append(((name, str(number % 6)), text[: kept[-1].end]))
    scores = [score_of(found) for _, found in graded(rows, language, grader)]
    low, middle, high = quantiles(scores, n=4)
    assert middle - low >= SPREAD
    assert high - middle >= SPREAD

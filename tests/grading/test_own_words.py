"""Right answers in the words of people who had not seen the bank, beside traps made of them."""

import csv
from dataclasses import replace
from pathlib import Path
from statistics import mean, median

import pytest

from agent.domain.language import LANGUAGES, Language
from agent.grading.builtin import BuiltinGrader
from agent.grading.denials import negated
from tests.grading.conftest import QUESTIONS, score_of, task_of, typed

ANSWERS = Path(__file__).parents[1] / "data" / "own_words"
"""A question's id and an answer a line, written for this project."""
GOOD, LOST = 60, 25
"""Half of the right answers reach the first; no more than one in ten stays below the second."""
FALL = 25


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Language:
    return request.param


def answers(language: Language) -> list[tuple[str, str]]:
    with (ANSWERS / f"{language}.tsv").open(encoding="utf-8") as source:
        return [(name, text) for name, text in csv.reader(source, csv.excel_tab)]


def scores(rows: list[tuple[str, str]], language: Language, grader: BuiltinGrader) -> list[float]:
    tasks = [task_of(name, language, typed(text)) for name, text in rows]
    return [score_of(found) for found in grader.assess_many(tasks)]


def test_right_answers_are_recognised(language: Language, grader: BuiltinGrader) -> None:
    found = scores(answers(language), language, grader)
    assert len(found) > 45
    assert median(found) >= GOOD
    assert sum(score < LOST for score in found) <= len(found) / 10


def test_told_to_another_question_they_are_not(language: Language, grader: BuiltinGrader) -> None:
    rows = answers(language)
    names = sorted(QUESTIONS)
    moved = [(names[names.index(name) - 11], text) for name, text in rows]
    found = scores(moved, language, grader)
    assert median(found) <= 5
    assert sum(score > LOST for score in found) <= len(found) / 10


def test_turned_into_their_opposite_they_fall(language: Language, grader: BuiltinGrader) -> None:
    turned = [
        (name, text, opposite)
        for name, text in answers(language)
        if (opposite := negated(text, QUESTIONS[name].localized(language))) is not None
    ]
    assert turned
    right = scores([(name, text) for name, text, _ in turned], language, grader)
    wrong = scores([(name, opposite) for name, _, opposite in turned], language, grader)
    assert mean(right) - mean(wrong) >= FALL


def test_without_an_encoder_they_are_recognised_too(language: Language) -> None:
    assert median(scores(answers(language), language, BuiltinGrader(None))) >= 45


def test_a_story_is_recognised_where_the_question_has_no_example(
    language: Language, grader: BuiltinGrader
) -> None:
    tasks = [
        replace(task, question=task.question.model_copy(update={"example": ""}))
        for name, text in answers(language)
        if (task := task_of(name, language, typed(text))).frame.id == "star"
    ]
    assert tasks
    assert median(score_of(found) for found in grader.assess_many(tasks)) >= 35

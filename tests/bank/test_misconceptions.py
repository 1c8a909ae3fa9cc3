"""What people wrongly say is found by the builtin grader, said alone in each of its wordings."""

from functools import cache

import pytest

from agent.adapters.sentence_encoder import UniversalSentenceEncoder
from agent.domain.language import LANGUAGES, Language
from agent.grading.builtin import BuiltinGrader
from tests.grading.conftest import QUESTIONS, task_of, typed

SAID = [
    pytest.param(question.id, item.id, language, text, id=f"{question.id}-{item.id}-{language}-{n}")
    for question in QUESTIONS.values()
    for item in question.misconceptions
    for language in LANGUAGES
    for n, text in enumerate(item.aloud.get(language))
]


@cache
def grader() -> BuiltinGrader:
    return BuiltinGrader(UniversalSentenceEncoder())


@pytest.mark.parametrize(("question", "misconception", "language", "text"), SAID)
def test_a_misconception_is_recognised_and_earns_little(
    question: str, misconception: str, language: Language, text: str
) -> None:
    wrong = grader().assess(task_of(question, language, typed(text)))
    assert misconception in {item.id for item in wrong.misconceptions}
    assert wrong.score is not None
    assert wrong.score <= 30

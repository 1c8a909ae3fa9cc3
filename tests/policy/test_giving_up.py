"""Giving up by key is worth what giving up in words is worth."""

import pytest

from agent.domain.assessment import Assessment, BranchAnswer, GradingTask
from agent.domain.interview import Answer
from agent.domain.language import Language
from agent.domain.rubric import Frame
from agent.policy.judgement import judge, unheard
from agent.policy.nearness import WordNearness
from agent.policy.reading import read
from tests.interview_samples import DIRECT, STAR, question

UNKNOWN: dict[Language, str] = {"en": "I don't know.", "zh": "我不知道。"}
SAID: dict[Language, str] = {
    "en": "I used the secret of point-a, it cut memory from 80 to 40 gigabytes.",
    "zh": "我用了 point-a，显存从 80 降到 40 吉字节。",
}


def judged(frame: Frame, language: Language, *answers: Answer) -> Assessment:
    given = tuple(BranchAnswer(item, number) for number, item in enumerate(answers, 1))
    task = GradingTask(question("q").localized(language), frame, given)
    return unheard(task, "test") or judge(task, read(task), WordNearness(), "test")


@pytest.mark.parametrize("language", UNKNOWN)
@pytest.mark.parametrize("frame", [DIRECT, STAR])
@pytest.mark.parametrize("before", [False, True])
def test_a_key_and_a_sentence_give_up_alike(frame: Frame, language: Language, before: bool) -> None:
    first = [Answer.typed(SAID[language])] if before else []
    by_word = judged(frame, language, *first, Answer.typed(UNKNOWN[language]))
    by_key = judged(frame, language, *first, Answer.signalled("skip"))
    assert by_key == by_word
    if not before:
        assert (by_key.score, by_key.reason, by_key.flags) == (0, "gave up", ("gave_up",))


@pytest.mark.parametrize("language", UNKNOWN)
def test_words_before_the_key_are_judged_as_they_are(language: Language) -> None:
    skipped = Answer.typed(SAID[language]).model_copy(update={"wish": "skip"})
    alone = judged(DIRECT, language, Answer.typed(SAID[language]))
    assert judged(DIRECT, language, skipped) == alone


def test_a_key_that_is_no_giving_up_is_no_answer() -> None:
    nothing = judged(DIRECT, "en", Answer.signalled("done"))
    assert (nothing.score, nothing.reason) == (None, "no answer")

"""What each level is expected to reach, in both languages."""

from typing import get_args

import pytest

from agent.domain.language import Language
from agent.domain.question import RUNGS, Level, Rung
from agent.policy.drilldown import hear, is_graded
from agent.policy.levels import CLIMBS, MAX_FOLLOW_UPS
from tests.interview_samples import turn

LEVELS: tuple[Level, ...] = get_args(Level)


@pytest.mark.parametrize(
    ("level", "first", "top"),
    [
        ("new-graduate", "clarify", "alternatives"),
        ("1-3-years", "clarify", "limits"),
        ("senior", "numbers", "transfer"),
    ],
)
def test_the_ladder_of_each_level(level: Level, first: Rung, top: Rung) -> None:
    rungs = CLIMBS[level].rungs
    assert (rungs[0], rungs[-1]) == (first, top)
    assert list(rungs) == sorted(rungs, key=RUNGS.index)


@pytest.mark.parametrize(
    ("level", "budgets"),
    [
        ("new-graduate", {0: 0, 1: 1, 2: 1, 4: 3, 8: 7}),
        ("1-3-years", {0: 0, 1: 1, 2: 2, 4: 4, 8: 8}),
        ("senior", {0: 0, 1: 2, 2: 3, 4: 5, 8: 8}),
    ],
)
def test_the_follow_ups_of_each_level(level: Level, budgets: dict[int, int]) -> None:
    assert {given: CLIMBS[level].budget(given) for given in budgets} == budgets
    assert max(budgets.values()) <= MAX_FOLLOW_UPS


def test_every_level_has_its_ladder() -> None:
    assert set(CLIMBS) == set(LEVELS)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I have not done this, I would expect the memory to halve."),
        ("en", "I have never used it myself. I would expect the links to be the bottleneck."),
        ("en", "I don't know it from practice, but I would expect a longer warm-up to help."),
        ("zh", "这个我没做过，我估计显存会减半。"),
        ("zh", "没有实际用过，我觉得瓶颈应该在通信上。"),
        ("zh", "我没有经验，不过我猜把预热加长会有帮助。"),
    ],
)
def test_saying_honestly_what_one_would_expect_is_an_answer(language: Language, text: str) -> None:
    said = turn(1, text)
    assert hear(said, language) == "answer"
    assert is_graded(said, language)

"""Which questions an interview asks."""

from collections import Counter

import pytest

from agent.domain.errors import UsageError
from agent.domain.question import Category
from agent.policy.planning import plan_questions
from tests.interview_samples import persona, question

CATEGORIES: tuple[Category, ...] = ("principle", "project", "design", "engineering", "trends")
BANK = [
    question(f"{category}-{number}", category, topic="moe" if number == 0 else "parallelism")
    for category in CATEGORIES
    for number in range(6)
] + [question("for-seniors", "principle", levels=("senior",), topic="serving")]
BIG_TECH = persona()


def plan(count: int = 5, seed: int = 1, **wishes: object) -> list[str]:
    chosen = plan_questions(BANK, BIG_TECH, "1-3-years", count, seed, **wishes)  # type: ignore[arg-type]
    return [item.id for item in chosen]


def test_the_same_seed_gives_the_same_plan_whatever_the_order_of_the_bank() -> None:
    turned = plan_questions(BANK[::-1], BIG_TECH, "1-3-years", 5, 1)
    assert [item.id for item in turned] == plan()
    assert len({tuple(plan(seed=seed)) for seed in range(20)}) > 10


@pytest.mark.parametrize("seed", range(10))
def test_the_mix_of_the_persona_holds(seed: int) -> None:
    shares = Counter(name.rsplit("-", 1)[0] for name in plan(9, seed))
    assert shares == {"principle": 3, "project": 2, "design": 2, "engineering": 2}


def test_the_rounds_come_in_the_order_of_the_persona() -> None:
    rounds = [name.rsplit("-", 1)[0] for name in plan(9)]
    assert list(dict.fromkeys(rounds)) == ["project", "principle", "engineering", "design"]


@pytest.mark.parametrize("count", [1, 3, 24, 100])
def test_no_question_comes_twice_and_none_of_another_level(count: int) -> None:
    names = plan(count)
    assert len(names) == len(set(names)) == min(count, 24)  # the persona asks no trends
    assert "for-seniors" not in names


def test_wanted_questions_come_first_in_their_order_whatever_their_level() -> None:
    wanted = ["trends-3", "for-seniors", "trends-3", "design-1"]
    names = plan(5, wanted=wanted)
    assert names[:3] == ["trends-3", "for-seniors", "design-1"]
    assert len(names) == len(set(names)) == 5
    assert plan(2, wanted=wanted) == ["trends-3", "for-seniors"]


def test_a_topic_is_kept_to() -> None:
    assert set(plan(9, topic="moe")) == {f"{name}-0" for name in CATEGORIES if name != "trends"}


def test_a_topic_outside_the_mix_is_asked_all_the_same() -> None:
    bank = [question("outlook", "trends", topic="outlook")]
    chosen = plan_questions(bank, BIG_TECH, "1-3-years", 3, 1, topic="outlook")
    assert [item.id for item in chosen] == ["outlook"]


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        ({"count": 0}, "at least one"),
        ({"wanted": ["no-such"]}, "no-such"),
        ({"topic": "cooking"}, "cooking"),
    ],
)
def test_what_cannot_be_planned_is_named(wishes: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        plan(**wishes)  # type: ignore[arg-type]

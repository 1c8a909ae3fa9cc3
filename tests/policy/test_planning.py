"""Which questions an interview asks."""

from collections import Counter

import pytest

from agent.domain.errors import UsageError
from agent.domain.persona import Persona
from agent.domain.question import Category, Question
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
    asked = plan(count)
    assert len(asked) == len(set(asked)) == min(count, 24)  # the persona asks no trends
    assert "for-seniors" not in asked


def test_wanted_questions_come_first_in_their_order_whatever_their_level() -> None:
    wanted = ["trends-3", "for-seniors", "trends-3", "design-1"]
    asked = plan(5, wanted=wanted)
    assert asked[:3] == ["trends-3", "for-seniors", "design-1"]
    assert len(asked) == len(set(asked)) == 5
    assert plan(2, wanted=wanted) == ["trends-3", "for-seniors"]


def test_a_topic_is_kept_to() -> None:
    assert set(plan(9, topic="moe")) == {f"{name}-0" for name in CATEGORIES if name != "trends"}


def test_a_topic_outside_the_mix_is_asked_all_the_same() -> None:
    bank = [question("outlook", "trends", topic="outlook")]
    chosen = plan_questions(bank, BIG_TECH, "1-3-years", 3, 1, topic="outlook")
    assert [item.id for item in chosen] == ["outlook"]


def asking(mix: dict[Category, float], focus: dict[str, float] | None = None) -> Persona:
    return BIG_TECH.model_copy(update={"mix": mix, "focus": focus or {}})


def names(chosen: tuple[Question, ...]) -> list[str]:
    return [item.id for item in chosen]


@pytest.mark.parametrize(("weight", "least", "most"), [(1, 0.12, 0.21), (5, 0.44, 0.56)])
def test_a_topic_in_focus_comes_as_many_times_as_often_and_excludes_none(
    weight: float, least: float, most: float
) -> None:
    interviewer = asking({"principle": 1}, {"moe": weight})
    seeds = range(600)
    first = Counter(plan_questions(BANK, interviewer, "1-3-years", 1, seed)[0].id for seed in seeds)
    assert least < first["principle-0"] / len(seeds) < most  # 1 of 6, and 5 of 10
    assert set(first) == {f"principle-{number}" for number in range(6)}


def test_a_focus_moves_no_place_from_one_category_to_another() -> None:
    focused = BIG_TECH.model_copy(update={"focus": {"moe": 10.0}})
    for seed in range(10):
        chosen = plan_questions(BANK, focused, "1-3-years", 9, seed)
        assert [item.category for item in chosen] == [
            item.category for item in plan_questions(BANK, BIG_TECH, "1-3-years", 9, seed)
        ]


def test_with_a_focus_too_the_same_seed_gives_the_same_plan() -> None:
    focused = BIG_TECH.model_copy(update={"focus": {"moe": 3.0}})
    chosen, turned = (
        names(plan_questions(bank, focused, "1-3-years", 6, 7)) for bank in (BANK, BANK[::-1])
    )
    assert chosen == turned


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("minutes", [0.5, 3, 8.9, 9, 16, 27, 1000])
def test_the_largest_plan_that_fits_the_time_is_taken(minutes: float, seed: int) -> None:
    lengths = [
        item.model_copy(update={"minutes": 2.0 + place % 5}) for place, item in enumerate(BANK)
    ]
    chosen = plan_questions(lengths, BIG_TECH, "1-3-years", 9, seed, minutes=minutes)
    by_count = {
        count: plan_questions(lengths, BIG_TECH, "1-3-years", count, seed) for count in range(1, 10)
    }
    fitting = [plan for plan in by_count.values() if sum(q.minutes for q in plan) <= minutes]
    assert names(chosen) == names(fitting[-1] if fitting else by_count[1])


def test_time_shortens_the_rounds_and_keeps_their_order() -> None:
    shares = Counter(name.rsplit("-", 1)[0] for name in plan(24, minutes=27))
    assert shares == {"principle": 3, "project": 2, "design": 2, "engineering": 2}
    rounds = [name.rsplit("-", 1)[0] for name in plan(24, minutes=27)]
    assert list(dict.fromkeys(rounds)) == ["project", "principle", "engineering", "design"]


def test_wanted_questions_come_before_all_others_when_time_is_short() -> None:
    assert plan(9, wanted=["trends-3", "for-seniors"], minutes=7) == ["trends-3", "for-seniors"]
    assert plan(9, wanted=["trends-3", "for-seniors"], minutes=1) == ["trends-3"]


@pytest.mark.parametrize(
    ("mix", "shares"),
    [
        ({"coding": 5, "principle": 1}, {"principle": 5}),
        ({"coding": 5, "principle": 1, "design": 1}, {"principle": 3, "design": 2}),
        ({"coding": 5, "behavioural": 1}, dict.fromkeys(CATEGORIES, 1)),
        ({"design": 0, "principle": 1}, {"principle": 5}),
    ],
)
def test_places_of_a_category_that_the_level_lacks_go_to_the_others(
    mix: dict[Category, float], shares: dict[Category, int]
) -> None:
    chosen = plan_questions(BANK, asking(mix), "1-3-years", 5, 3)
    assert Counter(item.category for item in chosen) == shares


@pytest.mark.parametrize(
    ("wishes", "english", "chinese"),
    [
        ({"count": 0}, "at least one", "至少要有一个问题"),
        ({"minutes": 0}, "minutes", "时长"),
        ({"minutes": -5.0}, "minutes", "时长"),
        ({"minutes": float("nan")}, "minutes", "时长"),
        ({"wanted": ["no-such"]}, "no-such", "没有这个问题：no-such"),
        ({"topic": "cooking"}, "No question on cooking", "主题 cooking"),
    ],
)
def test_what_cannot_be_planned_is_named(
    wishes: dict[str, object], english: str, chinese: str
) -> None:
    with pytest.raises(UsageError) as caught:
        plan(**wishes)  # type: ignore[arg-type]
    assert english in caught.value.text("en")
    assert chinese in caught.value.text("zh")

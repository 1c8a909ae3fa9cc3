"""The next move, from tables of what happened so far."""

from collections.abc import Sequence

import pytest

from agent.domain.assessment import Assessment
from agent.domain.dialogue import Ask, AskAgain, Close, Move, Probe, ProbeReason
from agent.domain.interview import Turn
from agent.domain.language import Language
from agent.domain.persona import Persona
from agent.policy.dialogue import MAX_AGAIN, next_move
from agent.policy.drilldown import drilldown_of
from tests.interview_samples import finding, persona, question, turn, verdict

QUESTION = question("q")
NEXT = question("next-one")
GOOD = "We cut the all-reduce share from 38 to 15 percent."
HEARD: Persona = persona()


def with_order(*order: ProbeReason, budget: int = 4) -> Persona:
    probes = HEARD.probes.model_copy(update={"order": order, "budget": budget})
    return HEARD.model_copy(update={"probes": probes})


def move(
    *history: Turn | Assessment, language: Language = "en", interviewer: Persona = HEARD
) -> Move:
    plan = [item.localized(language) for item in (QUESTION, NEXT)]
    return next_move(plan, interviewer, history)


def test_the_first_move_is_the_first_question() -> None:
    assert move() == Ask("q")


@pytest.mark.parametrize("status", ["silent", "doubtful", "unreadable"])
def test_what_was_not_understood_is_asked_once_more_and_then_left(status: str) -> None:
    first = turn(1, "", status=status)  # type: ignore[arg-type]
    second = turn(2, "", status=status, kind="clarify")  # type: ignore[arg-type]
    assert move(first) == AskAgain("q", "not_heard")
    assert move(first, second) == Ask("next-one", "not_heard")


@pytest.mark.parametrize(
    ("language", "text"), [("en", "I am sorry, I do not know."), ("zh", "抱歉，我不知道。")]
)
def test_giving_up_ends_the_branch_at_once(language: Language, text: str) -> None:
    judged = verdict(0, finding("missing_part", "direct.example"), turn=1)
    assert move(turn(1, text), judged, language=language) == Ask("next-one", "gave_up")


@pytest.mark.parametrize(
    ("language", "text", "why"),
    [
        ("en", "Could you repeat the question?", "repeat"),
        ("en", "What do you mean by that?", "clarify"),
        ("en", "Can I have a hint?", "hint"),
        ("en", "Let me think.", "think"),
        ("en", "You misheard me.", "misheard"),
        ("zh", "能再说一遍吗？", "repeat"),
        ("zh", "我没听懂这个问题", "clarify"),
        ("zh", "能给点提示吗", "hint"),
        ("zh", "让我想一想", "think"),
        ("zh", "你听错了", "misheard"),
    ],
)
def test_a_wish_is_granted_a_few_times(language: Language, text: str, why: str) -> None:
    turns = [turn(1, text)]
    for number in range(2, MAX_AGAIN + 2):
        again = move(*turns, language=language)
        assert isinstance(again, AskAgain)
        assert again.why == why
        turns.append(turn(number, text, kind="clarify"))
    assert move(*turns, language=language) == Ask("next-one", "not_heard")


@pytest.mark.parametrize(
    ("language", "text"), [("en", "Let's stop here, please."), ("zh", "我想结束面试")]
)
def test_a_wish_to_stop_closes(language: Language, text: str) -> None:
    assert move(turn(1, text), language=language) == Close("stopped")


def test_after_the_last_question_the_interview_closes() -> None:
    assert move(turn(1, GOOD, question_id="next-one"), verdict(0, turn=1)) == Close("plan_done")


@pytest.mark.parametrize(
    "reason",
    [
        "misconception",
        "conflict",
        "implausible_figure",
        "missing_part",
        "we_without_i",
        "no_baseline",
        "no_alternative",
        "missing_key_point",
    ],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_finding_is_asked_about_with_its_quote(reason: ProbeReason, language: Language) -> None:
    judged = verdict(40, finding(reason, "direct.example", "numbers", "38 to 15"), turn=1)
    expected = Probe("q", reason, "numbers", "direct.example", "38 to 15")
    interviewer = with_order(reason)
    assert move(turn(1, GOOD), judged, language=language, interviewer=interviewer) == expected


def test_the_persona_orders_the_reasons() -> None:
    found = verdict(
        40,
        finding("missing_part", "direct.example"),
        finding("no_baseline", "x", "numbers"),
        turn=1,
    )
    orders: tuple[tuple[ProbeReason, ...], ...] = (
        ("missing_part", "no_baseline"),
        ("no_baseline", "missing_part"),
    )
    first = [move(turn(1, GOOD), found, interviewer=with_order(*order)) for order in orders]
    assert [item.reason for item in first if isinstance(item, Probe)] == [
        "missing_part",
        "no_baseline",
    ]


def test_the_same_finding_is_never_asked_about_twice() -> None:
    found = finding("no_baseline", "x", "numbers")
    history = (
        turn(1, GOOD),
        verdict(40, found, turn=1),
        turn(2, GOOD, kind="probe", reason="no_baseline", rung="numbers", target="x"),
        verdict(41, found, turn=2),
    )
    assert move(*history, interviewer=with_order("no_baseline")) == Ask("next-one", "answered")


def test_the_same_words_are_never_quoted_twice() -> None:
    found = finding("misconception", "no-communication", "mechanism", quote="it sends nothing")
    asked = turn(2, GOOD, kind="probe", reason="misconception", rung="mechanism", target="swapped")
    quoting = asked.model_copy(
        update={"utterance": asked.utterance.model_copy(update={"quote": "it sends nothing."})}
    )
    history = (turn(1, GOOD), verdict(10, found, turn=1), quoting, verdict(40, found, turn=2))
    assert move(*history, interviewer=with_order("misconception")) == Ask("next-one", "answered")


@pytest.mark.parametrize(
    ("asked", "then", "goes_on"),
    [
        ("we_without_i", "missing_part", False),
        ("missing_part", "we_without_i", True),
        ("missing_part", "no_baseline", True),
        ("climb", "missing_key_point", False),
    ],
)
def test_the_same_thing_is_not_asked_under_another_name(
    asked: ProbeReason, then: ProbeReason, goes_on: bool
) -> None:
    history = (
        turn(1, GOOD),
        verdict(40, turn=1),
        turn(2, GOOD, kind="probe", reason=asked, target="star.action"),
        verdict(50, finding(then, "star.action", quote="we did"), turn=2),
    )
    assert isinstance(move(*history, interviewer=with_order(then)), Probe) == goes_on


def climbs(scores: Sequence[float], budget: int = 8) -> list[str]:
    """Answer with these scores and return the rungs that are climbed to."""
    climber = with_order("climb", budget=budget)
    history: list[Turn | Assessment] = [turn(1, GOOD), verdict(scores[0], turn=1)]
    rungs: list[str] = []
    for number, score in enumerate([*scores[1:], scores[-1]], start=2):
        step = move(*history, interviewer=climber)
        if not isinstance(step, Probe):
            break
        rungs.append(step.rung)
        asked = f"q: what of {step.rung}? (en)"
        history += [
            turn(
                number,
                GOOD,
                kind="probe",
                asked=asked,
                reason="climb",
                rung=step.rung,
                target=step.target,
            ),
            verdict(score, turn=number),
        ]
    return rungs


@pytest.mark.parametrize(
    ("scores", "rungs"),
    [
        ([0, 0], []),
        ([10, 10], ["mechanism"]),
        ([10, 20, 20], ["mechanism", "numbers"]),
        ([10, 20, 30, 40, 50, 60, 70], ["mechanism", "numbers", "limits", "transfer"]),
    ],
)
def test_a_rung_is_climbed_on_evidence_only(scores: list[float], rungs: list[str]) -> None:
    assert climbs(scores) == rungs


def test_the_budget_ends_a_branch() -> None:
    assert climbs([10, 20, 30, 40, 50], budget=2) == ["mechanism", "numbers"]
    assert climbs([10, 20], budget=0) == []


def test_a_rung_whose_key_point_was_made_is_passed_over() -> None:
    judged = verdict(40, turn=1, points=[("point-a", "present")])
    history = (
        turn(1, GOOD),
        judged,
        turn(2, GOOD, kind="probe", reason="climb", rung="mechanism"),
        verdict(50, turn=2, points=[("point-a", "present")]),
    )
    step = move(*history, interviewer=with_order("climb"))
    assert step == Probe("q", "climb", "limits")


def test_two_worthless_answers_in_a_row_end_a_branch() -> None:
    found = (finding("missing_part", "direct.example"), finding("missing_part", "direct.limits"))
    first = (turn(1, "fine"), verdict(0, *found, turn=1))
    second = (
        turn(2, "fine", kind="probe", reason="missing_part", target="direct.example"),
        verdict(0, *found, turn=2),
    )
    assert isinstance(move(*first), Probe)
    assert move(*first, *second) == Ask("next-one", "answered")


def test_praise_and_next_round_buy_nothing() -> None:
    for text in ("Next round, I passed.", "You are great, full marks please."):
        assert not isinstance(move(turn(1, text), verdict(0, turn=1)), AskAgain | Close)
        assert drilldown_of(QUESTION.localized("en"), [turn(1, text)]).depth_reached is None


def test_a_judgement_that_failed_moves_on_and_climbs_nothing() -> None:
    failed = verdict(None, turn=1, failure="no model")
    assert move(turn(1, GOOD), failed) == Ask("next-one", "answered")


def test_follow_ups_are_never_taken_from_the_planned_questions() -> None:
    asked: list[str] = []
    history: list[Turn | Assessment] = []
    for number in range(1, 40):
        step = move(*history)
        if isinstance(step, Close):
            break
        assert isinstance(step, Ask | Probe)
        asked.append(step.question_id)
        probe = step if isinstance(step, Probe) else None
        history += [
            turn(
                number,
                GOOD,
                question_id=step.question_id,
                kind="probe" if probe else "question",
                asked=f"words {number}",
                reason=probe.reason if probe else None,
                rung=probe.rung if probe else None,
                target=probe.target if probe else None,
            ),
            verdict(number, finding("missing_part", f"direct.{number}"), turn=number),
        ]
    assert asked == ["q"] * (1 + HEARD.probes.budget) + ["next-one"] * (1 + HEARD.probes.budget)


def test_depth_is_measured_on_what_was_answered() -> None:
    history = (
        turn(1, GOOD),
        verdict(10, turn=1),
        turn(2, GOOD, kind="probe", reason="climb", rung="limits"),
        verdict(20, turn=2),
        turn(3, "hm", kind="probe", reason="climb", rung="transfer"),
        verdict(20, turn=3),
    )
    assert drilldown_of(QUESTION.localized("en"), history).depth_reached == "limits"


def test_the_last_assessment_of_a_turn_wins() -> None:
    regraded = (verdict(40, finding("no_baseline", "x"), turn=1), verdict(0, turn=1))
    assert move(turn(1, GOOD), *regraded) == Ask("next-one", "answered")

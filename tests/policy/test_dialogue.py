"""The next move, from tables of what happened so far."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from agent.domain.assessment import Assessment
from agent.domain.dialogue import (
    Ask,
    AskAgain,
    Close,
    Move,
    Probe,
    ProbeReason,
    UtteranceKind,
    Wish,
)
from agent.domain.interview import Answer, AnswerStatus, Correction, Turn
from agent.domain.language import Language
from agent.domain.persona import Persona
from agent.domain.question import Level
from agent.policy.corrections import correction_due
from agent.policy.dialogue import MAX_AGAIN, MAX_MISHEARD, next_move
from agent.policy.drilldown import drilldown_of, due, is_graded
from tests.interview_samples import finding, persona, question, turn, verdict

QUESTION = question("q")
NEXT = question("next-one")
GOOD = "We cut the all-reduce share from 38 to 15 percent."
HEARD: Persona = persona()


def with_order(*order: ProbeReason, budget: int = 4) -> Persona:
    probes = HEARD.probes.model_copy(update={"order": order, "budget": budget})
    return HEARD.model_copy(update={"probes": probes})


def move(
    *history: Turn | Assessment | Correction,
    language: Language = "en",
    interviewer: Persona = HEARD,
    level: Level = "1-3-years",
) -> Move:
    plan = [item.localized(language) for item in (QUESTION, NEXT)]
    return next_move(plan, interviewer, history, level)


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
        ("zh", "能再说一遍吗？", "repeat"),
        ("zh", "我没听懂这个问题", "clarify"),
        ("zh", "能给点提示吗", "hint"),
        ("zh", "让我想一想", "think"),
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
    ("language", "text", "wish", "expected"),
    [
        ("en", "I lost you in the middle.", "repeat", AskAgain("q", "repeat")),
        ("zh", "这里面的说法我没太懂", "clarify", AskAgain("q", "clarify")),
        ("en", "Give me something to hold on to.", "hint", AskAgain("q", "hint")),
        ("zh", "这道题不太适合我", "skip", Ask("next-one", "answered")),
    ],
)
def test_a_wish_that_only_the_judgement_knows_is_granted(
    language: Language, text: str, wish: Wish, expected: Move
) -> None:
    judged = verdict(0, finding("missing_part", "direct.example"), turn=1)
    judged = judged.model_copy(update={"wish": wish})
    assert move(turn(1, text), judged, language=language) == expected


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


def climbs(scores: Sequence[float], budget: int = 8, level: Level = "1-3-years") -> list[str]:
    """Answer with these scores and return the rungs that are climbed to."""
    climber = with_order("climb", budget=budget)
    history: list[Turn | Assessment] = [turn(1, GOOD), verdict(scores[0], turn=1)]
    rungs: list[str] = []
    for number, score in enumerate([*scores[1:], scores[-1]], start=2):
        step = move(*history, interviewer=climber, level=level)
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
        ([10, 20, 30, 40, 50, 60, 70], ["mechanism", "numbers", "limits"]),
    ],
)
def test_a_rung_is_climbed_on_evidence_only(scores: list[float], rungs: list[str]) -> None:
    assert climbs(scores) == rungs


def test_the_budget_ends_a_branch() -> None:
    assert climbs([10, 20, 30, 40, 50], budget=2) == ["mechanism", "numbers"]
    assert climbs([10, 20], budget=0) == []


@pytest.mark.parametrize(
    ("level", "rungs"),
    [
        ("new-graduate", ["mechanism", "numbers"]),
        ("1-3-years", ["mechanism", "numbers", "limits"]),
        ("senior", ["numbers", "limits", "transfer"]),
    ],
)
def test_the_level_says_where_climbing_begins_and_ends(level: Level, rungs: list[str]) -> None:
    assert climbs([10, 20, 30, 40, 50, 60], level=level) == rungs


@pytest.mark.parametrize(
    ("level", "budget", "asked"),
    [
        ("new-graduate", 2, 1),
        ("new-graduate", 1, 1),
        ("1-3-years", 2, 2),
        ("senior", 2, 3),
        ("senior", 8, 3),
        ("senior", 0, 0),
    ],
)
def test_the_level_stretches_the_budget(level: Level, budget: int, asked: int) -> None:
    assert len(climbs([10, 20, 30, 40, 50], budget, level)) == asked


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


def by_key(number: int, wish: Wish, text: str = "", *, kind: UtteranceKind = "question") -> Turn:
    """Return a turn that a key ended, with what was said before."""
    answer = Answer.typed(text) if text else Answer.signalled(wish)
    pressed = turn(number, text, kind=kind)
    return pressed.model_copy(update={"answer": answer.model_copy(update={"wish": wish})})


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        ("stop", Close("stopped")),
        ("repeat", AskAgain("q", "repeat")),
        ("hint", AskAgain("q", "hint")),
        ("clarify", AskAgain("q", "clarify")),
        ("think", AskAgain("q", "think")),
        ("misheard", AskAgain("q", "not_heard")),
        ("skip", Ask("next-one", "gave_up")),
        ("done", Ask("next-one", "answered")),
    ],
)
def test_a_key_says_what_a_sentence_would(wish: Wish, expected: Move, language: Language) -> None:
    pressed = by_key(1, wish)
    judged = [verdict(0, turn=1)] if is_graded(pressed, language) else []
    assert move(pressed, *judged, language=language) == expected


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("wish", "graded"),
    [("skip", True), ("done", True), ("repeat", False), ("hint", False), ("misheard", False)],
)
def test_words_before_a_key_count_where_they_end_an_answer(
    wish: Wish, graded: bool, language: Language
) -> None:
    assert is_graded(by_key(1, wish, GOOD), language) == graded


def test_words_before_skipping_are_judged_and_then_left() -> None:
    found = verdict(40, finding("missing_part", "direct.example"), turn=1)
    assert move(by_key(1, "skip", GOOD), found) == Ask("next-one", "answered")
    assert isinstance(move(by_key(1, "done", GOOD), found), Probe)


MISHEARD: dict[Language, str] = {"en": "You misheard me.", "zh": "你听错了"}
RIGHT: dict[Language, str] = {
    "en": "We cut the all-reduce share from 50 to 15 percent.",
    "zh": "我们把 all-reduce 的占比从 50 降到了 15 个百分点。",
}
FOUND = finding("missing_part", "direct.example")
ASKED = AskAgain("q", "misheard", corrects=1)


def at_probe(text: str) -> list[Turn | Assessment | Correction]:
    """An answer, its judgement, and `text` in reply to the follow-up that it led to."""
    reply = turn(2, text, kind="probe", reason="missing_part", target="direct.example")
    return [turn(1, GOOD), verdict(40, FOUND, turn=1), reply]


def correcting(number: int, text: str, **given: Any) -> Turn:
    """Return the reply to being asked for turn 1 once more."""
    reply = turn(number, text, kind="clarify", **given)
    asked = reply.utterance.model_copy(update={"corrects": 1})
    return reply.model_copy(update={"utterance": asked})


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_misheard_answer_is_asked_for_and_then_the_follow_up_again(language: Language) -> None:
    history = at_probe(MISHEARD[language])
    assert move(*history, language=language) == ASKED
    history.append(correcting(3, RIGHT[language]))
    correction = Correction(turn=1, text=RIGHT[language])
    assert correction_due(history, language) == correction
    history.append(correction)
    assert [item.number for item in due(history, language)] == [1]
    assert due(history, language)[0].answer.text == RIGHT[language]
    assert due(history, language)[0].answer.raw_text == GOOD
    history.append(verdict(45, FOUND, turn=1))
    assert due(history, language) == ()
    assert correction_due(history, language) is None
    back = AskAgain("q", "corrected", "clarify", "direct.example")
    rung = history[2].utterance.rung if isinstance(history[2], Turn) else None
    assert move(*history, language=language) == replace(back, rung=rung)


def test_a_follow_up_that_the_right_words_answer_is_dropped() -> None:
    history = [*at_probe(MISHEARD["en"]), correcting(3, RIGHT["en"])]
    history += [Correction(turn=1, text=RIGHT["en"])]
    other = finding("missing_part", "direct.limits")
    assert move(*history, verdict(45, other, turn=1)) == Probe(
        "q", "missing_part", "clarify", "direct.limits"
    )
    nothing_left = with_order("missing_part")
    assert move(*history, verdict(60, turn=1), interviewer=nothing_left) == Ask(
        "next-one", "answered"
    )
    failed = verdict(None, turn=1, failure="no model")
    assert isinstance(move(*history, failed), AskAgain)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_answer_to_an_earlier_question_is_set_right_without_losing_this_one(
    language: Language,
) -> None:
    history: list[Turn | Assessment | Correction] = [
        turn(1, GOOD),
        verdict(40, turn=1),
        turn(2, MISHEARD[language], question_id="next-one"),
    ]
    assert move(*history, language=language) == ASKED
    history += [correcting(3, RIGHT[language]), Correction(turn=1, text=RIGHT[language])]
    history += [verdict(50, turn=1)]
    assert move(*history, language=language) == AskAgain("next-one", "corrected")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Never mind."),
        ("en", "oh forget it"),
        ("en", "No, never mind, it's fine."),
        ("en", "It doesn't matter, thanks."),
        ("en", "I don't know."),
        ("en", "Let's skip this one."),
        ("en", ""),
        ("zh", "算了。"),
        ("zh", "没关系，继续吧"),
        ("zh", "沒關係，不用了"),
        ("zh", "我不知道"),
        ("zh", "跳过"),
        ("zh", ""),
    ],
)
def test_a_correction_may_be_waved_off(language: Language, text: str) -> None:
    status: AnswerStatus = "typed" if text else "silent"
    history = [*at_probe(MISHEARD[language]), correcting(3, text, status=status)]
    assert correction_due(history, language) is None
    assert due(history, language) == ()
    again = move(*history, language=language)
    assert isinstance(again, AskAgain)
    assert (again.why, again.target, again.corrects) == ("uncorrected", "direct.example", None)


@pytest.mark.parametrize(
    ("text", "why", "corrects"),
    [
        ("Let me think.", "think", 1),
        ("No, you misheard me.", "misheard", 1),
        ("Could you repeat the question?", "repeat", None),
        ("Can I have a hint?", "hint", None),
        ("What do you mean?", "clarify", None),
    ],
)
def test_wishes_while_a_correction_is_awaited(text: str, why: str, corrects: int | None) -> None:
    again = move(*at_probe(MISHEARD["en"]), correcting(3, text))
    assert isinstance(again, AskAgain)
    assert (again.why, again.corrects) == (why, corrects)


@pytest.mark.parametrize(
    ("language", "text", "right"),
    [
        (
            "en",
            "You misheard me. I said we cut the all-reduce share from 50 to 15 percent.",
            "we cut the all-reduce share from 50 to 15 percent.",
        ),
        (
            "en",
            "That's not what I said. What I said was that NCCL tests showed 50 before, 15 after.",
            "NCCL tests showed 50 before, 15 after.",
        ),
        ("zh", "你听错了，我说的是从百分之五十降到百分之十五。", "从百分之五十降到百分之十五。"),
        ("zh", "我不是这个意思，我的意思是通信占比最后降到了十五。", "通信占比最后降到了十五。"),
        ("zh", "你聽錯了，我說的是通信佔比從五十降到十五。 ", "通信佔比從五十降到十五。"),
    ],
)
def test_what_is_said_in_the_same_breath_is_taken_at_once(
    language: Language, text: str, right: str
) -> None:
    history = at_probe(text)
    correction = Correction(turn=1, text=right)
    assert correction_due(history, language) == correction
    again = move(*history, correction, verdict(40, FOUND, turn=1), language=language)
    assert isinstance(again, AskAgain)
    assert again.why == "corrected"


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "You misheard me, I said fifty."), ("zh", "你听错了，我说的是五")],
)
def test_a_scrap_does_not_replace_a_whole_answer(language: Language, text: str) -> None:
    history = at_probe(text)
    assert correction_due(history, language) is None
    assert move(*history, language=language) == ASKED


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I said that already: we measured it before and after."),
        ("en", "You misheard me because the microphone crackles all the time here."),
        ("zh", "我说的是训练阶段，推理阶段没有测。"),
    ],
)
def test_an_answer_that_refers_to_an_earlier_one_corrects_nothing(
    language: Language, text: str
) -> None:
    assert correction_due(at_probe(text), language) is None


def test_a_correction_can_be_corrected() -> None:
    history = [*at_probe(MISHEARD["en"]), correcting(3, "The wrong words again, all of them.")]
    history += [Correction(turn=1, text="The wrong words again, all of them.")]
    history += [verdict(10, FOUND, turn=1), turn(4, MISHEARD["en"], kind="clarify")]
    assert move(*history) == ASKED
    history += [correcting(5, RIGHT["en"])]
    correction = Correction(turn=1, text=RIGHT["en"])
    assert correction_due(history, "en") == correction
    drill = drilldown_of(QUESTION.localized("en"), [*history, correction])
    assert [item.answer.text for item in drill.graded] == [RIGHT["en"]]


def test_every_judgement_that_rests_on_the_misheard_words_is_made_again() -> None:
    skipped = by_key(2, "skip", kind="probe")
    history = [turn(1, GOOD), verdict(40, turn=1), skipped, verdict(40, turn=2)]
    history += [turn(3, MISHEARD["en"], question_id="next-one"), correcting(4, RIGHT["en"])]
    history += [Correction(turn=1, text=RIGHT["en"])]
    assert [item.number for item in due(history, "en")] == [1, 2]
    assert [item.number for item in due([*history, verdict(50, turn=1)], "en")] == [2]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_who_only_ever_says_misheard_comes_to_the_end(language: Language) -> None:
    history = at_probe(MISHEARD[language])
    for number in range(3, 40):
        again = move(*history, language=language)
        if not isinstance(again, AskAgain):
            assert again == Ask("next-one", "not_heard")
            break
        reply = turn(number, MISHEARD[language], kind="clarify")
        history.append(correcting(number, MISHEARD[language]) if again.corrects else reply)
    assert len(history) <= 3 + MAX_AGAIN + 2 * MAX_MISHEARD

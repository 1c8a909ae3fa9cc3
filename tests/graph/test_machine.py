"""The interview as a machine: what comes out, in which order, and what it refuses."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from agent.domain.assessment import Assessment, GradingTask
from agent.domain.dialogue import Move
from agent.domain.interview import Answer, Correction, ListeningHints, Turn, Utterance, Word
from agent.domain.language import Language
from agent.domain.question import Level, Rung
from agent.graph import judging
from agent.graph.machine import InterviewMachine, build_graph
from agent.graph.state import STATE_VERSION, first_state, read_history
from agent.policy.probes import part_name
from agent.ports import Scene
from agent.testing import ScriptedGrader
from agent.wording.builtin import BuiltinWording
from tests.graph.holding import ANSWERS, PLAN, VERDICTS, Held, context, hold
from tests.interview_samples import verdict

LANGUAGES: tuple[Language, ...] = ("en", "zh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_interview_from_greeting_to_farewell(language: Language) -> None:
    grader = ScriptedGrader(VERDICTS)
    held = asyncio.run(hold(context(language, grader=grader)))
    turns = [item for item in held.records if isinstance(item, Turn)]
    assert [item.utterance.kind for item in turns] == [
        "question",
        "probe",
        "clarify",
        "probe",
        "clarify",
        "probe",
        "question",
        "probe",
        "question",
        "probe",
    ]
    assert [item.utterance.reason for item in turns if item.utterance.kind == "probe"] == [
        "we_without_i",
        "no_baseline",
        "climb",
        "climb",
        "missing_part",
    ]
    assert [item.utterance.question_id for item in turns if item.utterance.kind == "question"] == [
        item.id for item in PLAN
    ]
    judged = [item.turn for item in held.records if isinstance(item, Assessment)]
    assert judged == [1, 3, 5, 6, 7, 8, 9, 10]
    assert [item.kind for item in held.spoken] == ["close"]
    heard = [[answer.answer.text for answer in task.answers] for task in grader.tasks]
    assert heard[2] == [ANSWERS[0], ANSWERS[2], ANSWERS[4]]
    assert [task.frame.id for task in grader.tasks] == ["star"] * 4 + ["direct"] * 4


def test_a_probe_quotes_what_set_it_off() -> None:
    held = asyncio.run(hold(context()))
    probe = held.records[2]
    assert isinstance(probe, Turn)
    assert probe.utterance.quote == "we made it"
    assert '"we made it"' in probe.utterance.text


def test_the_hints_tell_the_ear_what_is_still_missing() -> None:
    held = asyncio.run(hold(context()))
    everything = ("star.situation", "star.task", "star.action", "star.result")
    assert held.hints[0] == ListeningHints(
        "en", "star", everything, ("project-role-term",), 2.5, 240.0
    )
    assert held.hints[5].still_missing == everything[:3]


def test_a_grader_that_breaks_judges_nothing_and_the_interview_goes_on() -> None:
    held = asyncio.run(hold(context()))
    broken = next(item for item in held.records if isinstance(item, Assessment) and item.turn == 8)
    assert broken.score is None
    assert broken.failure == "RuntimeError"
    assert broken.rubric_version == "direct 1"
    assert {item.level for item in broken.criteria} == {None}
    assert held.records[-1] == VERDICTS["fine"].model_copy(  # type: ignore[union-attr]
        update={"turn": 10, "question_id": "flash-attention"}
    )


def test_a_judgement_that_does_not_come_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stuck:
        async def grade(self, task: GradingTask) -> Assessment:
            await asyncio.Event().wait()
            return verdict(10)

    monkeypatch.setattr(judging, "GRADING_LIMIT_S", 0.0)
    held = asyncio.run(hold(context(grader=Stuck()), ["one"]))
    judged = next(item for item in held.records if isinstance(item, Assessment))
    assert (judged.turn, judged.score, judged.failure) == (1, None, "TimeoutError")


def test_a_grader_may_not_choose_which_turn_it_judged() -> None:
    class Muddled:
        async def grade(self, task: GradingTask) -> Assessment:
            return verdict(10, turn=99)

    held = asyncio.run(hold(context(grader=Muddled()), ["one", "two"]))
    assert [item.turn for item in held.records if isinstance(item, Assessment)] == [1, 2]


def test_the_state_is_plain_json_and_versioned() -> None:
    async def states() -> list[dict[str, object]]:
        machine = InterviewMachine(context())
        held = Held([])
        await held.take(machine.reply(None))
        for text in ANSWERS[:6]:
            await held.take(machine.reply(held.answered(text)))
        config = {"configurable": {"thread_id": "interview"}}
        return [item.values async for item in machine._graph.aget_state_history(config)]  # type: ignore[arg-type]

    found = asyncio.run(states())
    assert len(found) > 5
    for state in found:
        assert json.loads(json.dumps(state)) == state
    assert found[0]["schema_version"] == STATE_VERSION


@pytest.mark.parametrize("spoilt", [{"schema_version": 99}, {"records": [{"kind": "turn"}]}])
def test_a_state_is_checked_when_it_is_read(spoilt: dict[str, object]) -> None:
    state = {**first_state((), None), **spoilt}
    with pytest.raises(ValueError, match=r"version|validation"):
        read_history(state)  # type: ignore[arg-type]


def test_the_graph_is_drawn_as_designed() -> None:
    drawn = build_graph().get_graph()
    assert set(drawn.nodes) - {"__start__", "__end__"} == {
        "plan",
        "greet",
        "decide",
        "ask",
        "probe",
        "ask_again",
        "await_answer",
        "assess",
        "debrief",
    }
    assert {edge.target for edge in drawn.edges if edge.source == "await_answer"} == {"assess"}


def test_utterances_arrive_while_the_next_is_still_being_worded() -> None:
    gate = asyncio.Event()

    class Slow(BuiltinWording):
        async def utter(self, move: Move, scene: Scene) -> AsyncIterator[Utterance]:
            async for item in super().utter(move, scene):
                yield item
                await gate.wait()

    async def first_words() -> str:
        machine = InterviewMachine(replace(context(), wording=Slow()))
        replies = machine.reply(None)
        item = await anext(replies)
        assert isinstance(item, Utterance)
        gate.set()
        rest = [item async for item in replies]
        assert isinstance(rest[-1], ListeningHints)
        return item.kind

    assert asyncio.run(first_words()) == "acknowledge"


async def waiting() -> tuple[InterviewMachine, Held]:
    held = Held([])
    machine = InterviewMachine(context())
    await held.take(machine.reply(None))
    return machine, held


def test_what_is_not_awaited_is_refused_and_changes_nothing() -> None:
    async def talk() -> list[Turn | Assessment | Correction]:
        machine, held = await waiting()
        good = held.answered(ANSWERS[0])
        other = Utterance(kind="question", text="Something else?", question_id=PLAN[0].id)
        wrong = (
            None,
            good.model_copy(update={"number": 2}),
            good.model_copy(update={"utterance": other}),
        )
        for turn in wrong:
            with pytest.raises(ValueError, match=r"awaited|waiting|answer"):
                await held.take(machine.reply(turn))
        await held.take(machine.reply(good))
        for text in ANSWERS[1:]:
            await held.take(machine.reply(held.answered(text)))
        return held.records

    assert asyncio.run(talk()) == asyncio.run(hold(context())).records


def test_nothing_can_be_said_after_the_end_or_before_the_beginning() -> None:
    async def talk() -> None:
        machine, held = await waiting()
        turn = held.answered(ANSWERS[0])
        early = InterviewMachine(context())
        for reply in (early.reply(turn), early.close("time_spent", turn)):
            with pytest.raises(ValueError, match="new"):
                await held.take(reply)
        await held.take(machine.close("stopped"))
        for reply in (machine.reply(None), machine.reply(turn), machine.close("stopped")):
            with pytest.raises(ValueError, match="closed"):
                await held.take(reply)

    asyncio.run(talk())


def test_a_reply_that_was_not_read_to_its_end_must_be_taken_up_from_the_records() -> None:
    async def talk() -> None:
        machine, held = await waiting()
        turn = held.answered(ANSWERS[0])
        replies = machine.reply(turn)
        await anext(replies)
        await replies.aclose()
        with pytest.raises(ValueError, match="running"):
            await held.take(machine.reply(turn))

    asyncio.run(talk())


@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_answer_is_an_answer(text: str) -> None:
    async def talk() -> str:
        machine, held = await waiting()
        await held.take(machine.reply(held.answered(text)))
        return held.spoken[-1].kind

    assert asyncio.run(talk()) == "clarify"


def test_a_last_answer_is_assessed_before_time_closes_the_interview() -> None:
    async def talk() -> Held:
        machine, held = await waiting()
        await held.take(machine.close("time_spent", held.answered(ANSWERS[0])))
        assert machine.closed
        return held

    held = asyncio.run(talk())
    assert isinstance(held.records[-1], Assessment)
    assert [item.kind for item in held.spoken] == ["close"]


@pytest.mark.parametrize("stop", ["Please stop the interview.", "I want to stop here."])
def test_the_candidate_may_stop(stop: str) -> None:
    held = asyncio.run(hold(context(), [stop, "unused"]))
    assert [item.kind for item in held.spoken] == ["close"]
    assert len(held.records) == 1


def test_a_plan_without_questions_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one question"):
        InterviewMachine(replace(context(), plan=()))


def test_a_history_of_another_plan_is_refused() -> None:
    stranger = Utterance(kind="question", text="?", question_id="of-another-plan")
    history = [Turn(number=1, utterance=stranger, answer=Answer.typed("x"))]
    with pytest.raises(ValueError, match="of-another-plan"):
        asyncio.run(hold(context(), history=history))


def test_the_grader_gets_every_answer_of_the_question_with_its_words() -> None:
    grader = ScriptedGrader(VERDICTS)
    words = (Word("we", 0.0, 0.2), Word("made", 0.2, 0.5))

    async def talk() -> None:
        held = Held([])
        machine = InterviewMachine(context(grader=grader))
        await held.take(machine.reply(None))
        for text in (ANSWERS[0], ANSWERS[2]):
            turn = held.answered(text)
            answer = turn.answer.model_copy(update={"words": words})
            await held.take(machine.reply(turn.model_copy(update={"answer": answer})))

    asyncio.run(talk())
    assert [item.answer.words for item in grader.tasks[-1].answers] == [words, words]


def test_who_words_a_move_knows_everything_said_before() -> None:
    scenes: list[Scene] = []

    class Watching(BuiltinWording):
        async def utter(self, move: Move, scene: Scene) -> AsyncIterator[Utterance]:
            scenes.append(scene)
            async for item in super().utter(move, scene):
                yield item

    held = asyncio.run(hold(replace(context(), wording=Watching())))
    turns = [item for item in held.records if isinstance(item, Turn)]
    said = [item.text for turn in turns for item in (*turn.lead_in, turn.utterance)]
    assert scenes[1].said == (turns[0].lead_in[0].text,)
    assert scenes[-1].said == tuple(said)
    assert scenes[3].answers == ANSWERS[:2]
    assert scenes[3].pending == turns[1].utterance.text


def turns_of(held: Held) -> list[Turn]:
    return [item for item in held.records if isinstance(item, Turn)]


@pytest.mark.parametrize(("language", "misheard"), [("en", "You misheard me."), ("zh", "你听错了")])
def test_a_misheard_answer_is_asked_for_and_judged_in_its_own_place(
    language: Language, misheard: str
) -> None:
    grader = ScriptedGrader(VERDICTS)
    answers = (ANSWERS[0], misheard, ANSWERS[2], "fine")
    held = asyncio.run(hold(context(language, grader=grader), answers))
    kinds = [
        (item.kind, getattr(item, "number", getattr(item, "turn", 0))) for item in held.records
    ]
    assert kinds == [
        ("turn", 1),
        ("assessment", 1),
        ("turn", 2),
        ("turn", 3),
        ("correction", 1),
        ("assessment", 1),
        ("turn", 4),
        ("assessment", 4),
    ]
    asked = turns_of(held)[2].utterance
    assert (asked.kind, asked.corrects, asked.question_id) == ("clarify", 1, "project-role")
    assert turns_of(held)[0].answer.text == ANSWERS[0]
    heard = [[item.answer.text for item in task.answers] for task in grader.tasks]
    assert heard == [[ANSWERS[0]], [ANSWERS[2]], [ANSWERS[2], "fine"]]
    assert grader.tasks[1].answers[0].turn == 1


def test_a_question_that_was_put_meanwhile_is_put_again_in_its_words() -> None:
    skip = Answer.typed(ANSWERS[0]).model_copy(update={"wish": "skip"})
    answers = (skip, Answer.signalled("misheard"), ANSWERS[2], "fine")
    first, second, again, back, *_ = turns_of(asyncio.run(hold(context(), answers)))
    assert second.utterance.question_id == "ring-attention"
    assert (again.utterance.question_id, again.utterance.corrects) == ("project-role", first.number)
    assert back.utterance.text == second.utterance.text
    assert back.lead_in


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_is_cut_short_is_told_so_politely_and_never_twice_alike(language: Language) -> None:
    interviewer = context(language).persona
    assert interviewer.cut_in
    words = interviewer.cut_in.words.get(language)
    long = [
        Answer.typed(text).model_copy(update={"cut_in": True})
        for text in (*ANSWERS[:1], *ANSWERS[2:3], "fine", "fine", "fine", "fine", "fine")
    ]
    held = asyncio.run(hold(context(language), long))
    leads = [[item.text for item in turn.lead_in] for turn in turns_of(held)[1:]]
    assert all(lead[0] in words for lead in leads[: len(words)])
    said = [text for lead in leads for text in lead if text in words]
    assert len(set(said)) == len(said)
    assert [item.turn for item in held.records if isinstance(item, Assessment)][:2] == [1, 2]
    assert {hint.cut_in_s for hint in held.hints} == {interviewer.cut_in.after_s}


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_is_about_what_no_answer_has_met_yet(language: Language) -> None:
    held = asyncio.run(
        hold(context(language), [Answer.signalled("hint"), Answer.signalled("hint"), "fine"])
    )
    first, second = (turn.lead_in[0].text for turn in turns_of(held)[1:3])
    parts = [part_name(f"star.{name}", language) or "" for name in ("situation", "task")]
    assert parts[0] in first
    assert parts[1] in second
    assert turns_of(held)[1].utterance.text == turns_of(held)[0].utterance.text


@pytest.mark.parametrize(
    ("level", "rung"),
    [("new-graduate", "mechanism"), ("1-3-years", "mechanism"), ("senior", "limits")],
)
def test_the_level_reaches_the_interview(level: Level, rung: Rung) -> None:
    held_with = replace(context(), plan=PLAN[1:2], level=level)
    held = asyncio.run(hold(held_with, [ANSWERS[6], "fine"]))
    assert turns_of(held)[1].utterance.rung == rung

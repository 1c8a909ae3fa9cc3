"""Thinking ahead: what it prepares is what is asked, and the interview does not notice."""

import asyncio
from dataclasses import dataclass, field, replace

import pytest

from agent.domain.assessment import GradingTask
from agent.domain.dialogue import Move, Probe
from agent.domain.interview import Turn
from agent.domain.language import LANGUAGES, Language
from agent.graph.machine import InterviewMachine
from agent.ports import Scene
from tests.graph.holding import ANSWERS, Held, context, hold


@dataclass
class Foreseen:
    """What was looked at and prepared."""

    looked: list[GradingTask] = field(default_factory=list[GradingTask])
    prepared: list[tuple[Move, Scene]] = field(default_factory=list[tuple[Move, Scene]])
    hold_up: asyncio.Event | None = None

    async def look(self, task: GradingTask) -> None:
        self.looked.append(task)
        if self.hold_up:
            await self.hold_up.wait()

    async def prepare(self, move: Move, scene: Scene) -> None:
        self.prepared.append((move, scene))


async def held_with(ahead: Foreseen, language: Language, answers: tuple[str, ...]) -> Held:
    """Hold an interview in which every answer is foreseen as a whole."""
    machine = InterviewMachine(replace(context(language), ahead=ahead))
    held = Held([])
    await held.take(machine.reply(None))
    for said in answers:
        if machine.closed:
            break
        await machine.foresee(said)
        await held.take(machine.reply(held.answered(said)))
    if not machine.closed:
        await held.take(machine.close("answers_ended"))
    return held


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_prepared_is_what_is_asked(language: Language) -> None:
    ahead = Foreseen()
    held = asyncio.run(held_with(ahead, language, ANSWERS))
    usual = asyncio.run(hold(context(language)))
    assert held.records == usual.records
    probes = [
        (turn.utterance.reason, turn.utterance.target, turn.utterance.quote)
        for turn in held.records
        if isinstance(turn, Turn) and turn.utterance.kind == "probe"
    ]
    moves = [move for move, _ in ahead.prepared if isinstance(move, Probe)]
    assert [(move.reason, move.target, move.quote) for move in moves] == probes
    assert len(probes) > 2


def test_the_scene_is_that_of_the_answer_so_far() -> None:
    ahead = Foreseen()
    asyncio.run(held_with(ahead, "en", ANSWERS[:1]))
    ((move, scene),) = ahead.prepared
    assert isinstance(move, Probe)
    assert scene.answers == (ANSWERS[0],)
    assert scene.said[-1].startswith("Tell me about project-role")
    assert [task.answers[-1].answer.text for task in ahead.looked] == [ANSWERS[0]]


@pytest.mark.parametrize("said", ["", "Could you repeat the question?"])
def test_what_is_no_answer_is_not_thought_about(said: str) -> None:
    ahead = Foreseen()
    asyncio.run(held_with(ahead, "en", (said,)))
    assert (ahead.looked, ahead.prepared) == ([], [])


def test_an_answer_that_is_over_is_not_prepared_for() -> None:
    async def hurried() -> Foreseen:
        ahead = Foreseen(hold_up=asyncio.Event())
        machine = InterviewMachine(replace(context(), ahead=ahead))
        held = Held([])
        await held.take(machine.reply(None))
        thinking = asyncio.create_task(machine.foresee(ANSWERS[0]))
        await asyncio.sleep(0.05)
        await held.take(machine.reply(held.answered(ANSWERS[0])))
        assert ahead.hold_up is not None
        ahead.hold_up.set()
        await thinking
        return ahead

    ahead = asyncio.run(hurried())
    assert len(ahead.looked) == 1
    assert ahead.prepared == []


def test_nobody_thinks_before_the_first_question_or_after_the_last() -> None:
    async def steps() -> Foreseen:
        ahead = Foreseen()
        machine = InterviewMachine(replace(context(), ahead=ahead))
        await machine.foresee("too early")
        held = Held([])
        await held.take(machine.close("answers_ended"))
        await machine.foresee("too late")
        return ahead

    assert asyncio.run(steps()).looked == []

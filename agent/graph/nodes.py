"""The steps of an interview, and the pure choices between them."""

import asyncio
from typing import Any, Literal, cast

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from agent.domain.assessment import Assessment, BranchAnswer, GradingTask
from agent.domain.dialogue import Close, Greet, Move
from agent.domain.errors import VivaError
from agent.domain.interview import ListeningHints, Turn, Utterance
from agent.graph.context import Context
from agent.graph.state import (
    Heard,
    State,
    read_history,
    read_move,
    read_spoken,
    write_hints,
    write_move,
)
from agent.policy.corrections import correction_due
from agent.policy.dialogue import next_move
from agent.policy.drilldown import DrillDown, History, due, said_in
from agent.policy.judgement import asked_for, unjudged
from agent.ports import Scene

Update = dict[str, Any]

GRADING_LIMIT_S = 30.0
"""Seconds after which a judgement that did not come has failed."""


def plan(state: State, runtime: Runtime[Context]) -> Update:
    """Check that what was asked so far belongs to the plan."""
    for turn in _turns(read_history(state)):
        runtime.context.question(turn.utterance.question_id or "")
    return {}


def after_plan(state: State) -> Literal["greet", "assess"]:
    """Greet a new candidate; with one who was greeted before, go on."""
    return "assess" if state["records"] or state["closing"] else "greet"


async def greet(state: State, runtime: Runtime[Context]) -> Update:
    """Open the interview."""
    return {"spoken": await _say(Greet(), state, runtime)}


def decide(state: State, runtime: Runtime[Context]) -> Update:
    """Choose the next move."""
    if state["closing"]:
        return {"move": write_move(Close(state["closing"]))}
    context = runtime.context
    move = next_move(context.questions, context.persona, read_history(state), context.level)
    return {"move": write_move(move)}


def after_decide(state: State) -> Literal["ask", "probe", "ask_again", "debrief"]:
    """Go where the move is made."""
    kinds: dict[str, Literal["ask", "probe", "ask_again", "debrief"]] = {
        "Ask": "ask",
        "Probe": "probe",
        "AskAgain": "ask_again",
        "Close": "debrief",
    }
    return kinds[state["move"]["kind"]]


async def put(state: State, runtime: Runtime[Context]) -> Update:
    """Put a question, or a follow-up, or either again; then the ear is told what to expect."""
    spoken = await _say(read_move(state), state, runtime)
    asked = Utterance.model_validate(spoken[-1])
    if asked.kind not in {"question", "probe", "clarify"} or asked.question_id is None:
        raise ValueError(f"wording ended on {asked.kind!r}, which nobody can answer")
    drill = runtime.context.drilldown(asked.question_id, read_history(state))
    return {"spoken": spoken, "hints": write_hints(_hints(drill, runtime.context))}


def await_answer(state: State) -> Update:
    """Wait. Nothing else may stand here: this step runs anew when the answer comes."""
    heard = cast(Heard, interrupt(state["hints"]))
    turn = heard["turn"]
    return {
        "records": [turn] if turn else [],
        "spoken": [] if turn else state["spoken"],
        "closing": heard["closing"],
    }


async def assess(state: State, runtime: Runtime[Context]) -> Update:
    """Set right what the last answer corrects, and have judged what was not yet."""
    context = runtime.context
    history = [*read_history(state)]
    before = len(history)
    correction = correction_due(history, context.language)
    if correction is not None:
        runtime.stream_writer(correction)
        history.append(correction)
    for turn in due(history, context.language):
        assessment = await _grade(turn, history, context)
        runtime.stream_writer(assessment)
        history.append(assessment)
    return {"records": [item.model_dump(mode="json") for item in history[before:]]}


async def debrief(state: State, runtime: Runtime[Context]) -> Update:
    """Say farewell."""
    return {"spoken": await _say(read_move(state), state, runtime)}


async def _say(move: Move, state: State, runtime: Runtime[Context]) -> list[dict[str, Any]]:
    """Word `move`, send it out as it comes, and return all that was said since the last turn."""
    context = runtime.context
    history = read_history(state)
    turns = _turns(history)
    spoken = list(read_spoken(state))
    question_id = getattr(move, "question_id", None)
    drill = context.drilldown(question_id, history) if question_id else None
    scene = Scene(
        persona=context.persona,
        language=context.language,
        question=drill.question if drill else None,
        said=(*said_in(history), *(item.text for item in spoken)),
        answers=tuple(turn.answer.text for turn in drill.turns) if drill else (),
        seed=context.seed,
        pending=drill.pending[0].utterance.text if drill and drill.pending else "",
        missing=_wanted(drill, context) if drill else (),
        cut_in=bool(turns) and turns[-1].answer.cut_in and not spoken,
    )
    async for utterance in context.wording.utter(move, scene):
        runtime.stream_writer(utterance)
        spoken.append(utterance)
    return [item.model_dump(mode="json") for item in spoken]


async def _grade(turn: Turn, history: History, context: Context) -> Assessment:
    """Ask the grader; one that raises, or takes too long, has judged nothing."""
    question_id = turn.utterance.question_id or ""
    drill = context.drilldown(question_id, history)
    answers = tuple(
        BranchAnswer(item.answer, item.number)
        for item in drill.graded
        if item.number <= turn.number
    )
    task = GradingTask(drill.question, context.frame(question_id), answers)
    try:
        assessment = await asyncio.wait_for(context.grader.grade(task), GRADING_LIMIT_S)
    except Exception as error:  # noqa: BLE001 - whatever it was, the interview goes on
        said = error.message if isinstance(error, VivaError) else type(error).__name__
        assessment = unjudged(task, type(context.grader).__name__, "the grader failed", said)
    return assessment.model_copy(update={"turn": turn.number})


def _hints(drill: DrillDown, context: Context) -> ListeningHints:
    cut_in = context.persona.cut_in
    return ListeningHints(
        language=context.language,
        frame=context.frame(drill.question.id).id,
        still_missing=_missing(drill, context),
        speech_terms=drill.question.speech_terms,
        patience_s=context.persona.patience_s,
        cut_in_s=cut_in.after_s if cut_in else None,
    )


def _missing(drill: DrillDown, context: Context) -> tuple[str, ...]:
    """Return the criteria of the frame that no answer has met yet."""
    judged = drill.assessment.criteria if drill.assessment else ()
    met = {criterion.id for criterion in judged if criterion.level}
    frame = context.frame(drill.question.id)
    return tuple(item.id for item in frame.criteria if item.id not in met)


def _wanted(drill: DrillDown, context: Context) -> tuple[str, ...]:
    """Return those of them that the question asks for."""
    asked = asked_for(drill.question, context.frame(drill.question.id))
    return tuple(item for item in _missing(drill, context) if asked is None or item in asked)


def _turns(history: History) -> list[Turn]:
    return [item for item in history if isinstance(item, Turn)]

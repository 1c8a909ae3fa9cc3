"""The steps of an interview, and the pure choices between them."""

from typing import Any, Literal, cast

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from agent.domain.dialogue import Close, Greet, Move
from agent.domain.interview import ListeningHints, Turn, Utterance
from agent.graph.context import Context
from agent.graph.judging import judged
from agent.graph.scenes import missing, scene_of
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
from agent.policy.drilldown import DrillDown, History, due

Update = dict[str, Any]


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
        assessment = await judged(turn, history, context)
        runtime.stream_writer(assessment)
        history.append(assessment)
    return {"records": [item.model_dump(mode="json") for item in history[before:]]}


async def debrief(state: State, runtime: Runtime[Context]) -> Update:
    """Say farewell."""
    return {"spoken": await _say(read_move(state), state, runtime)}


async def _say(move: Move, state: State, runtime: Runtime[Context]) -> list[dict[str, Any]]:
    """Word `move`, send it out as it comes, and return all that was said since the last turn."""
    context = runtime.context
    spoken = list(read_spoken(state))
    scene = scene_of(move, read_history(state), spoken, context)
    async for utterance in context.wording.utter(move, scene):
        runtime.stream_writer(utterance)
        spoken.append(utterance)
    return [item.model_dump(mode="json") for item in spoken]


def _hints(drill: DrillDown, context: Context) -> ListeningHints:
    cut_in = context.persona.cut_in
    return ListeningHints(
        language=context.language,
        frame=context.frame(drill.question.id).id,
        still_missing=missing(drill, context),
        speech_terms=drill.question.speech_terms,
        patience_s=context.persona.patience_s,
        cut_in_s=cut_in.after_s if cut_in else None,
    )


def _turns(history: History) -> list[Turn]:
    return [item for item in history if isinstance(item, Turn)]

"""Thinking ahead: the likely follow-up to an answer, worded while the answer still goes on."""

from collections.abc import Callable, Sequence

from agent.domain.dialogue import Probe
from agent.domain.interview import Answer, Turn, Utterance
from agent.graph.context import Context
from agent.graph.judging import judged, task_of
from agent.graph.scenes import scene_of
from agent.policy.dialogue import next_move
from agent.policy.drilldown import History, is_graded


async def foresee(
    so_far: str,
    spoken: Sequence[Utterance],
    history: History,
    context: Context,
    still_awaited: Callable[[], bool],
) -> None:
    """Look at an answer under way and have the follow-up worded that it would lead to now.

    Nothing of it is kept but words that lie ready: the move is chosen anew when the answer is
    over, and another one lets them drop.

    Args:
        so_far: What was understood until now.
        spoken: What the interviewer said since the last turn, with what is being answered last.
        history: All that came before.
        context: What the interview is held with.
        still_awaited: Whether the answer is not over yet.
    """
    ahead = context.ahead
    *lead_in, asked = spoken
    turn = Turn(
        number=1 + sum(isinstance(item, Turn) for item in history),
        utterance=asked,
        lead_in=tuple(lead_in),
        answer=Answer(text=so_far, raw_text=so_far, status="spoken"),
    )
    if ahead is None or not is_graded(turn, context.language):
        return
    then = [*history, turn]
    await ahead.look(task_of(turn, then, context))
    if not still_awaited():
        return
    then.append(await judged(turn, then, context))
    move = next_move(context.questions, context.persona, then, context.level)
    if isinstance(move, Probe) and still_awaited():
        await ahead.prepare(move, scene_of(move, then, (), context))

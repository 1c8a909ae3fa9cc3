"""What an interviewer has in mind before a move is worded."""

from collections.abc import Sequence

from agent.domain.dialogue import Move
from agent.domain.interview import Turn, Utterance
from agent.graph.context import Context
from agent.policy.drilldown import DrillDown, History, said_in
from agent.policy.judgement import asked_for
from agent.ports import Scene


def scene_of(move: Move, history: History, spoken: Sequence[Utterance], context: Context) -> Scene:
    """Return the scene of `move`, after `history` and what was said since its last turn."""
    turns = [item for item in history if isinstance(item, Turn)]
    question_id = getattr(move, "question_id", None)
    drill = context.drilldown(question_id, history) if question_id else None
    return Scene(
        persona=context.persona,
        language=context.language,
        question=drill.question if drill else None,
        said=(*said_in(history), *(item.text for item in spoken)),
        answers=tuple(turn.answer.text for turn in drill.turns) if drill else (),
        seed=context.seed,
        pending=drill.pending[0].utterance.text if drill and drill.pending else "",
        missing=_wanted(drill, context) if drill else (),
        cut_in=bool(turns) and turns[-1].answer.cut_in and not spoken,
        claims=_claims(drill) if drill else (),
    )


def missing(drill: DrillDown, context: Context) -> tuple[str, ...]:
    """Return the criteria of the frame that no answer has met yet."""
    judged = drill.assessment.criteria if drill.assessment else ()
    met = {criterion.id for criterion in judged if criterion.level}
    frame = context.frame(drill.question.id)
    return tuple(item.id for item in frame.criteria if item.id not in met)


def _wanted(drill: DrillDown, context: Context) -> tuple[str, ...]:
    """Return those of them that the question asks for."""
    asked = asked_for(drill.question, context.frame(drill.question.id))
    return tuple(item for item in missing(drill, context) if asked is None or item in asked)


def _claims(drill: DrillDown) -> tuple[str, ...]:
    return tuple(item.quote for item in drill.assessment.claims) if drill.assessment else ()

"""Having an answer judged."""

import asyncio

from agent.domain.assessment import Assessment, BranchAnswer, GradingTask
from agent.domain.errors import VivaError
from agent.domain.interview import Turn
from agent.graph.context import Context
from agent.policy.drilldown import History
from agent.policy.judgement import unjudged

GRADING_LIMIT_S = 30.0
"""Seconds after which a judgement that did not come has failed."""


def task_of(turn: Turn, history: History, context: Context) -> GradingTask:
    """Return what is judged when `turn` is: all answers to its question so far."""
    question_id = turn.utterance.question_id or ""
    drill = context.drilldown(question_id, history)
    answers = tuple(
        BranchAnswer(item.answer, item.number)
        for item in drill.graded
        if item.number <= turn.number
    )
    return GradingTask(drill.question, context.frame(question_id), answers)


async def judged(turn: Turn, history: History, context: Context) -> Assessment:
    """Ask the grader; one that raises, or takes too long, has judged nothing."""
    task = task_of(turn, history, context)
    try:
        assessment = await asyncio.wait_for(context.grader.grade(task), GRADING_LIMIT_S)
    except Exception as error:  # noqa: BLE001 - whatever it was, the interview goes on
        said = (
            error.text(context.language) if isinstance(error, VivaError) else type(error).__name__
        )
        assessment = unjudged(task, type(context.grader).__name__, "the grader failed", said)
    return assessment.model_copy(update={"turn": turn.number})

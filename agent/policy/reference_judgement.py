"""The builtin judgement of an answer to a question of which only a reference text is known."""

from dataclasses import replace

from agent.domain.assessment import Assessment, GradingTask
from agent.policy.judgement import judge, unheard, unjudged
from agent.policy.nearness import Nearness
from agent.policy.reading import Reading, read
from agent.policy.reference_reading import lenient
from agent.policy.reference_score import judge_reference
from agent.policy.references import rests_on_reference, says_something
from agent.policy.scoring import KEY_POINTS

VERSION = "reference 1"
NO_CONTENT = "the reference has no content"
ON_TOPIC = 25.0
"""Score from which an answer that has nothing of the question's own words is on its topic."""


def unjudgeable(task: GradingTask, grader: str) -> Assessment | None:
    """Return the assessment without a score where there is nothing to judge, or to judge by."""
    question = task.question
    if rests_on_reference(question) and not says_something(question.outline):
        return unjudged(task, grader, NO_CONTENT)
    return unheard(task, grader)


def read_task(task: GradingTask) -> Reading:
    """Return `task` as it is read: by a reference more leniently than by the bank."""
    reading = read(task)
    return lenient(reading) if rests_on_reference(task.question) else reading


def judge_task(task: GradingTask, reading: Reading, near: Nearness, grader: str) -> Assessment:
    """Judge `task` by its key points and frame, or by its reference where that is all there is.

    By a reference, the score is what was found of it; the levels of the frame stand beside it.
    """
    if not rests_on_reference(task.question):
        return judge(task, reading, near, grader)
    question = task.question.model_copy(update={"key_points": ()})
    form = judge(replace(task, question=question), reading, near, grader)
    found = judge_reference(reading, near)
    return form.model_copy(
        update={
            "score": found.score,
            "criteria": (*(row for row in form.criteria if row.id != KEY_POINTS), found.row),
            "key_points": found.points,
            "flags": tuple(
                flag for flag in form.flags if flag != "off_topic" or found.score < ON_TOPIC
            ),
            "rubric_version": f"{form.rubric_version}, {VERSION}",
        }
    )

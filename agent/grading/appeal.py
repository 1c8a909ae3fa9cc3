"""A judgement made again, blind to the earlier one, in every way that can be repeated."""

from agent.domain.assessment import Assessment, GradingTask, Variation
from agent.grading.builtin import BuiltinGrader
from agent.ports import Grader


async def graded_blind(
    task: GradingTask, grader: Grader
) -> tuple[Assessment, tuple[Variation, ...]]:
    """Judge `task` again; no earlier grade is in view, for a task holds none.

    The builtin grader gives the same result for the same task, so what should make no difference
    is varied: the order of the criteria, the order of the key points, and what nearness of
    meaning stands on.

    Returns:
        The judgement in the middle, and the scores of all, in the order in which they were made.
    """
    made = [("as_given", await grader.grade(task))]
    if isinstance(grader, BuiltinGrader):
        points = task.question.key_points
        varied = [
            ("criteria_reversed", grader, _criteria_reversed(task)),
            *([("points_reversed", grader, _points_reversed(task))] if len(points) > 1 else []),
        ]
        words_only = BuiltinGrader(None)
        if words_only.name != grader.name:
            varied.append(("words_only", words_only, task))
        made += [(name, await judge.grade(given)) for name, judge, given in varied]
    variations = tuple(Variation(name=name, score=item.score) for name, item in made)
    return _middle([item for _, item in made]), variations


def _middle(made: list[Assessment]) -> Assessment:
    """Return the judgement with the middle score; of equal ones the first."""
    scores = sorted(item.score for item in made if item.score is not None)
    if not scores:
        return made[0]
    middle = scores[(len(scores) - 1) // 2]
    return next(item for item in made if item.score == middle)


def _criteria_reversed(task: GradingTask) -> GradingTask:
    frame = task.frame.model_copy(update={"criteria": task.frame.criteria[::-1]})
    return GradingTask(task.question, frame, task.answers)


def _points_reversed(task: GradingTask) -> GradingTask:
    points = task.question.key_points[::-1]
    question = task.question.model_copy(update={"key_points": points})
    return GradingTask(question, task.frame, task.answers)

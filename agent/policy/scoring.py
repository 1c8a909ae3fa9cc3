"""From levels to scores: of a question, of a dimension, of a session."""

from collections.abc import Iterable, Mapping, Sequence

from agent.domain.assessment import (
    Assessment,
    CriterionResult,
    DimensionScore,
    SessionScore,
)
from agent.domain.rubric import DIMENSIONS, TOP_LEVEL, Dimension, Frame

KEY_POINTS = "key_points"
"""Id of the criterion row that stands for key-point coverage."""
WRONG_CAP, WRONG_CAP_SPAN = 30.0, 40.0
"""A voiced misconception caps the score at 30, and at 70 where every key point still stands."""


def question_score(
    frame: Frame,
    criteria: Sequence[CriterionResult],
    coverage: float | None,
    misconceptions: int = 0,
) -> float | None:
    """Return 0 to 100: levels by their weights, mixed with key-point coverage.

    Args:
        frame: Gives the weights.
        criteria: The frame's criteria; those without a level are left out.
        coverage: Share of the key points that were made, 0 to 1; None: the question has none.
        misconceptions: How many were voiced.

    Returns:
        The score, or None when no criterion was judged and there are no key points.
    """
    weights = {criterion.id: criterion.weight for criterion in frame.criteria}
    form = _mean(
        (item.level * 100 / TOP_LEVEL, weights[item.id])
        for item in criteria
        if item.level is not None and item.id in weights
    )
    if coverage is None:
        score = form
    elif form is None:
        score = 100 * coverage
    else:
        share = frame.key_points_weight
        score = share * 100 * coverage + (1 - share) * form
    if score is None:
        return None
    if misconceptions:
        score = min(score, WRONG_CAP + WRONG_CAP_SPAN * (coverage or 0.0))
    return round(score, 1)


def session_score(
    results: Sequence[Assessment],
    frames: Sequence[Frame],
    weights: Mapping[Dimension, float],
) -> SessionScore:
    """Aggregate a session; what was not judged is left out of every mean.

    Args:
        results: Of each question its result (`Branch.result`).
        frames: The frames that they were judged by.
        weights: What each dimension weighs with this persona; 0 where it is not named. A question
            weighs as much in the overall score as the dimensions that its frame speaks to.
    """
    judged = [item for item in results if item.score is not None]
    by_id = {frame.id: frame for frame in frames}
    dimensions = tuple(_dimension(name, judged, by_id) for name in DIMENSIONS)
    overall = _mean(
        (item.score, _weight(by_id.get(item.frame), weights))
        for item in judged
        if item.score is not None
    )
    questions = {item.question_id: item.score for item in results}
    if overall is None:
        return SessionScore(
            overall=None, reason="nothing_judged", dimensions=dimensions, questions=questions
        )
    return SessionScore(overall=round(overall, 1), dimensions=dimensions, questions=questions)


def _weight(frame: Frame | None, weights: Mapping[Dimension, float]) -> float:
    if frame is None:
        return 0.0
    named: set[Dimension] = {name for item in frame.criteria for name in item.dimensions}
    return _mean((weights.get(name, 0.0), 1.0) for name in named) or 0.0


def _dimension(
    name: Dimension, judged: Sequence[Assessment], frames: Mapping[str, Frame]
) -> DimensionScore:
    parts: list[tuple[float, float]] = []
    for assessment in judged:
        frame = frames.get(assessment.frame)
        if frame is None:
            continue
        weights = {item.id: item.weight for item in frame.criteria if name in item.dimensions}
        if name in frame.key_points_dimensions:
            weights[KEY_POINTS] = sum(item.weight for item in frame.criteria) / 2
        parts += [
            (item.level * 100 / TOP_LEVEL, weights[item.id])
            for item in assessment.criteria
            if item.level is not None and item.id in weights
        ]
    mean = _mean(parts)
    return DimensionScore(
        dimension=name, score=None if mean is None else round(mean, 1), judged=len(parts)
    )


def _mean(parts: Iterable[tuple[float, float]]) -> float | None:
    values = list(parts)
    total = sum(weight for _, weight in values)
    return sum(value * weight for value, weight in values) / total if total else None

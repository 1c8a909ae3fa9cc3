"""From levels to scores: of a question, of a dimension, of a session."""

from collections.abc import Iterable, Mapping, Sequence

from agent.domain.assessment import (
    Assessment,
    CriterionResult,
    DimensionScore,
    SessionScore,
)
from agent.domain.rubric import DIMENSIONS, TOP_LEVEL, Dimension, Frame
from agent.policy.hire_band import hire_band
from agent.policy.intervals import evidence_words, interval, mean_error, standard_error

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
    errors = [standard_error(item) for item in judged]
    dimensions = tuple(_dimension(name, judged, errors, by_id) for name in DIMENSIONS)
    parts = [
        (item.score, error, share)
        for item, error in zip(judged, errors, strict=True)
        if item.score is not None and (share := _weight(by_id.get(item.frame), weights))
    ]
    overall = _mean((score, share) for score, _, share in parts)
    reach = interval(overall, mean_error(parts) if parts else 0.0)
    words = sum(evidence_words(item) for item in judged)
    return SessionScore(
        overall=None if overall is None else round(overall, 1),
        reason="nothing_judged" if overall is None else None,
        interval=reach,
        hire=hire_band(overall, reach, dimensions, weights, judged=len(parts), words=words),
        dimensions=dimensions,
        questions={item.question_id: item.score for item in results},
        question_intervals={
            item.question_id: interval(item.score, standard_error(item)) for item in results
        },
    )


def _weight(frame: Frame | None, weights: Mapping[Dimension, float]) -> float:
    if frame is None:
        return 0.0
    named: set[Dimension] = {name for item in frame.criteria for name in item.dimensions}
    return _mean((weights.get(name, 0.0), 1.0) for name in named) or 0.0


def _dimension(
    name: Dimension,
    judged: Sequence[Assessment],
    errors: Sequence[float],
    frames: Mapping[str, Frame],
) -> DimensionScore:
    """Return a dimension's mean over all criteria; the questions are what its error stands on."""
    parts: list[tuple[float, float]] = []
    questions: list[tuple[float, float, float]] = []
    for assessment, error in zip(judged, errors, strict=True):
        own = _dimension_parts(name, assessment, frames.get(assessment.frame))
        parts += own
        mean, share = _mean(own), sum(weight for _, weight in own)
        if mean is not None:
            questions.append((mean, error, share))
    mean = _mean(parts)
    return DimensionScore(
        dimension=name,
        score=None if mean is None else round(mean, 1),
        judged=len(parts),
        interval=interval(mean, mean_error(questions)) if questions else None,
    )


def _dimension_parts(
    name: Dimension, assessment: Assessment, frame: Frame | None
) -> list[tuple[float, float]]:
    if frame is None:
        return []
    weights = {item.id: item.weight for item in frame.criteria if name in item.dimensions}
    if name in frame.key_points_dimensions:
        weights[KEY_POINTS] = sum(item.weight for item in frame.criteria) / 2
    return [
        (item.level * 100 / TOP_LEVEL, weights[item.id])
        for item in assessment.criteria
        if item.level is not None and item.id in weights
    ]


def _mean(parts: Iterable[tuple[float, float]]) -> float | None:
    values = list(parts)
    total = sum(weight for _, weight in values)
    return sum(value * weight for value, weight in values) / total if total else None

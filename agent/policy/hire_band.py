"""The hire band: the overall score as this persona weighs it, and how sure that is."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from agent.domain.assessment import BANDS, Band, DimensionScore, HireBand, Interval
from agent.domain.rubric import Dimension

CUTS = (25.0, 45.0, 60.0, 80.0)
"""Scores from which a band is the next one. A score is the mean level times 25: levels of 1 are a
no, half way between 2 and 3 is a yes, and a strong yes takes more than 3 on average."""
FEWEST_QUESTIONS = 2
FEWEST_WORDS = 40.0
"""Words of evidence in the whole session below which nobody could say."""


def hire_band(
    overall: float | None,
    interval: Interval | None,
    dimensions: Sequence[DimensionScore],
    weights: Mapping[Dimension, float],
    *,
    judged: int,
    words: float,
) -> HireBand:
    """Return what this persona would say.

    Args:
        overall: The session's score, 0 to 100.
        interval: Where it lies with a probability of nine in ten.
        dimensions: What it is strong and weak in; those that were not judged count nowhere.
        weights: What each dimension weighs with this persona.
        judged: How many questions have a score.
        words: How many words of evidence these stand on.
    """
    if overall is None or interval is None:
        return HireBand(band=None, reason="nothing_judged")
    if judged < FEWEST_QUESTIONS:
        return HireBand(band=None, reason="too_few_questions")
    if words < FEWEST_WORDS:
        return HireBand(band=None, reason="too_little_said")
    moved = leaning(dimensions, weights)
    low, high = interval
    return HireBand(
        band=band_of(overall + moved), low=band_of(low + moved), high=band_of(high + moved)
    )


def leaning(dimensions: Sequence[DimensionScore], weights: Mapping[Dimension, float]) -> float:
    """Return by how many points the persona sees the candidate above or below an even weighing."""
    judged = [
        (item.score, weights.get(item.dimension, 0.0))
        for item in dimensions
        if item.score is not None
    ]
    total = sum(share for _, share in judged)
    if not total:
        return 0.0
    weighed = sum(score * share for score, share in judged) / total
    return weighed - sum(score for score, _ in judged) / len(judged)


def band_of(score: float) -> Band:
    """Return the band of a score of 0 to 100."""
    return BANDS[bisect_right(CUTS, score)]

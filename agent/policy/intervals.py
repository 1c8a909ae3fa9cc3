"""How sure a score is: from how much was said that counts, and how alike it comes out again."""

from collections.abc import Sequence
from statistics import stdev

from agent.domain.assessment import Assessment, Evidence, Interval
from agent.policy.folding import weight

GRADER_ERROR = 12.0
"""Points of 100. Two people who grade open answers by anchors agree at about r = .6 to .7; where
scores spread by 20 points, each of them is then off by 20 * sqrt(1 - .65) on average."""
THIN = 30.0
"""Words of evidence at which what was not said adds as much doubt as the grader's own error."""
NINE_IN_TEN = 1.645
"""Standard errors on each side that hold nine of ten, where errors are normal."""


def evidence_words(assessment: Assessment) -> float:
    """Return how many words the judgement stands on, each counted once."""
    quotes = [
        *(quote for item in assessment.criteria for quote in item.evidence),
        *(quote for item in assessment.key_points for quote in item.evidence),
        *(quote for item in assessment.misconceptions for quote in item.evidence),
    ]
    by_turn: dict[int | None, list[Evidence]] = {}
    for quote in quotes:
        by_turn.setdefault(quote.turn, []).append(quote)
    return sum(_words(found) for found in by_turn.values())


def standard_error(assessment: Assessment) -> float:
    """Return by how many points of 100 the score of one question is off on average.

    What the repeated judgements of an appeal differ by counts on top.
    """
    words = evidence_words(assessment)
    read = GRADER_ERROR**2 * (1 + THIN / max(words, THIN / 3))
    scores = [
        item.score
        for item in (assessment.appeal.variations if assessment.appeal else ())
        if item.score is not None
    ]
    repeated = stdev(scores) ** 2 if len(scores) > 1 else 0.0
    return (read + repeated) ** 0.5


def mean_error(parts: Sequence[tuple[float, float, float]]) -> float:
    """Return by how many points a weighted mean is off on average.

    It is what the scores' own errors leave, or what other questions could have given, as far as
    these differ among themselves; whichever is more.

    Args:
        parts: Score, standard error and weight of each part; the weights are positive.
    """
    total = sum(share for _, _, share in parts)
    shares = [share / total for _, _, share in parts]
    read = sum((share * error) ** 2 for share, (_, error, _) in zip(shares, parts, strict=True))
    if len(parts) < 2:
        return read**0.5
    spread = stdev(score for score, _, _ in parts) ** 2
    return max(read, spread * sum(share**2 for share in shares)) ** 0.5


def interval(score: float | None, error: float) -> Interval | None:
    """Return where a score of 0 to 100 lies with a probability of nine in ten."""
    if score is None:
        return None
    reach = NINE_IN_TEN * error
    return round(max(0.0, score - reach), 1), round(min(100.0, score + reach), 1)


def _words(quotes: Sequence[Evidence]) -> float:
    """Return the words of spans of one answer; where they overlap, a word counts once."""
    reached, words = 0, 0.0
    for quote in sorted(quotes, key=lambda one: (one.start, one.end)):
        words += weight(quote.quote[max(0, reached - quote.start) :])
        reached = max(reached, quote.end)
    return words

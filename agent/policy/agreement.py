"""How far a grader agrees with people, and how much of that length alone would explain."""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FEWEST = 3
"""Answers to a question from which something can be said about it."""
LOW, HIGH = 1 / 3, 2 / 3
GOOD, POOR = 0.9, 0.4
"""Human score, 0 to 1, of a right paraphrase and of a keyword trap."""
Column = NDArray[np.float64]


@dataclass(frozen=True)
class Graded:
    """An answer that people and the grader have judged, both from 0 to 1.

    Attributes:
        words: Length of the answer.
        shared: Share of the reference's words that it uses.
    """

    question: str
    people: float
    grader: float
    words: float
    shared: float


@dataclass(frozen=True)
class Agreement:
    """The table of one set; None where it holds too little to tell.

    Attributes:
        spearman: Rank correlation over all answers.
        within: Mean over the questions of Pearson's r with the people's score.
        partial: The same, given the logarithm of the answer's length.
        length: Mean within-question r of that length alone with the people's score.
        error: Mean of grader minus people, of 100, where people gave little, middling and much.
        gap: Right paraphrases minus keyword traps, of 100. A paraphrase is right and uses fewer
            words of the reference than the median of its question; a trap is wrong and uses more.
        pairs: How many there are of each.
    """

    answers: int
    questions: int
    spearman: float | None
    within: float | None
    partial: float | None
    length: float | None
    error: tuple[float | None, float | None, float | None]
    gap: float | None
    pairs: tuple[int, int]


def agreement(graded: Sequence[Graded]) -> Agreement:
    """Return how far both scores agree."""
    groups: defaultdict[str, list[Graded]] = defaultdict(list)
    for item in graded:
        groups[item.question].append(item)
    paraphrases, traps = _paraphrases_and_traps(groups)
    gap = _minus(_mean([one.grader for one in paraphrases]), _mean([one.grader for one in traps]))
    return Agreement(
        answers=len(graded),
        questions=len(groups),
        spearman=correlation(
            _ranks([item.grader for item in graded]), _ranks([item.people for item in graded])
        ),
        within=_over_questions(groups, lambda own, people, _: correlation(own, people)),
        partial=_over_questions(groups, partial_correlation),
        length=_over_questions(groups, lambda _, people, length: correlation(length, people)),
        error=(
            _error([item for item in graded if item.people <= LOW]),
            _error([item for item in graded if LOW < item.people < HIGH]),
            _error([item for item in graded if item.people >= HIGH]),
        ),
        gap=None if gap is None else 100 * gap,
        pairs=(len(paraphrases), len(traps)),
    )


def correlation(first: Column, second: Column) -> float | None:
    """Return Pearson's r; None where one of the two does not vary."""
    if len(first) < FEWEST or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(np.corrcoef(first, second)[0, 1])


def partial_correlation(first: Column, second: Column, given: Column) -> float | None:
    """Return Pearson's r of what `given` leaves unexplained in the two."""
    plain = correlation(first, second)
    with_first, with_second = correlation(first, given), correlation(second, given)
    if plain is None or with_first is None or with_second is None:
        return plain
    rest = (1 - with_first**2) * (1 - with_second**2)
    return (plain - with_first * with_second) / math.sqrt(rest) if rest > 1e-9 else None


def _over_questions(
    groups: Mapping[str, Sequence[Graded]],
    measure: Callable[[Column, Column, Column], float | None],
) -> float | None:
    """Return the mean of `measure(grader, people, log length)`.

    A question whose answers people scored alike tells nothing and is left out; one whose answers
    the grader scored alike counts as 0.
    """
    values: list[float] = []
    for group in groups.values():
        own = np.array([item.grader for item in group])
        people = np.array([item.people for item in group])
        length = np.log([max(1.0, item.words) for item in group])
        if len(group) >= FEWEST and np.ptp(people) > 0:
            values.append(measure(own, people, length) or 0.0)
    return _mean(values)


def _ranks(values: Sequence[float]) -> Column:
    """Return the rank of each value; equal values share the mean of theirs."""
    _, places, counts = np.unique(
        np.array(values, dtype=np.float64), return_inverse=True, return_counts=True
    )
    ends = np.cumsum(counts)
    return (ends - (counts + 1) / 2)[places].astype(np.float64)


def _paraphrases_and_traps(
    groups: Mapping[str, Sequence[Graded]],
) -> tuple[list[Graded], list[Graded]]:
    paraphrases: list[Graded] = []
    traps: list[Graded] = []
    for group in groups.values():
        middle = float(np.median([item.shared for item in group]))
        paraphrases += [one for one in group if one.people >= GOOD and one.shared < middle]
        traps += [one for one in group if one.people <= POOR and one.shared >= middle]
    return paraphrases, traps


def _error(graded: Sequence[Graded]) -> float | None:
    mean = _mean([item.grader - item.people for item in graded])
    return None if mean is None else 100 * mean


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _minus(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first - second

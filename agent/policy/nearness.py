"""How near two texts are in meaning, as a number from 0 (strangers) to 1 (the same)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from agent.policy.folding import content


class Nearness(Protocol):
    """A measure of nearness; `floor` is what unrelated texts reach, `ceiling` a paraphrase."""

    floor: float
    ceiling: float

    def __call__(self, first: str, second: str) -> float:
        """Return the nearness of two texts."""
        ...

    def table(self, first: Sequence[str], second: Sequence[str]) -> NDArray[np.float32]:
        """Return the nearness of each text to each, shape (len(first), len(second))."""
        ...


class VectorNearness:
    """Cosines of sentence vectors that were computed beforehand.

    Args:
        vectors: An L2-normalised row, shape (d,), for every text that will be asked about.
    """

    floor = 0.35
    ceiling = 0.75

    def __init__(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        self._vectors = vectors

    def __call__(self, first: str, second: str) -> float:
        """Return the cosine of two texts."""
        return float(self._vectors[first] @ self._vectors[second])

    def table(self, first: Sequence[str], second: Sequence[str]) -> NDArray[np.float32]:
        """Return the cosines of each text with each."""
        if not first or not second:
            return np.zeros((len(first), len(second)), dtype=np.float32)
        return self._rows(first) @ self._rows(second).T

    def _rows(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self._vectors[text] for text in texts])


class WordNearness:
    """Shared words, for want of an encoder: blind to paraphrase and across languages."""

    floor = 0.15
    ceiling = 0.65

    def __call__(self, first: str, second: str) -> float:
        """Return the cosine of the two texts' sets of content words."""
        left, right = _content(first), _content(second)
        if not left or not right:
            return 0.0
        return len(left & right) / (len(left) * len(right)) ** 0.5

    def table(self, first: Sequence[str], second: Sequence[str]) -> NDArray[np.float32]:
        """Return `self` of each text with each."""
        values = [[self(one, other) for other in second] for one in first]
        return np.array(values, dtype=np.float32).reshape(len(first), len(second))


_content = lru_cache(maxsize=20_000)(content)


def ramp(value: float, floor: float, ceiling: float) -> float:
    """Return 0 at or below `floor`, 1 at or above `ceiling`, and a straight line between."""
    return min(1.0, max(0.0, (value - floor) / (ceiling - floor)))

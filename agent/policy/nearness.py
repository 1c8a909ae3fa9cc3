"""How near two texts are in meaning, as a number from 0 (strangers) to 1 (the same)."""

from collections.abc import Mapping
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


_content = lru_cache(maxsize=20_000)(content)


def ramp(value: float, floor: float, ceiling: float) -> float:
    """Return 0 at or below `floor`, 1 at or above `ceiling`, and a straight line between."""
    return min(1.0, max(0.0, (value - floor) / (ceiling - floor)))

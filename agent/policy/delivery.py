"""How an answer was spoken, measured from the sound; never part of what was said."""

from collections.abc import Sequence
from itertools import pairwise

from agent.domain.interview import Delivery
from agent.policy.timed_text import units

SHORTEST_PAUSE_S = 0.3
LEAST_FOR_RATE_S = 2.0
"""Seconds of speech below which a rate says nothing."""


def measure(voiced: Sequence[tuple[float, float]], seconds: float, text: str) -> Delivery:
    """Return the measures of an answer.

    Args:
        voiced: Stretches of speech, (from, to) in seconds, in order.
        seconds: Length of the recording.
        text: What was said. Fillers are not counted here (`agent.policy.fillers`).
    """
    runs = _without_gaps(voiced)
    speech_s = sum(end - start for start, end in runs)
    pauses = [(round(before[1], 3), round(after[0], 3)) for before, after in pairwise(runs)]
    said = units(text)
    return Delivery(
        seconds=round(seconds, 3),
        speech_s=round(speech_s, 3),
        first_word_s=round(runs[0][0], 3) if runs else None,
        rate=round(60 * said / speech_s, 1) if said and speech_s >= LEAST_FOR_RATE_S else None,
        pauses=tuple(pauses),
    )


def _without_gaps(voiced: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Join stretches that are less than a pause apart."""
    runs: list[tuple[float, float]] = []
    for start, end in voiced:
        if runs and start - runs[-1][1] < SHORTEST_PAUSE_S:
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((start, end))
    return runs

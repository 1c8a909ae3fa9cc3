"""How long this speaker pauses within an answer, and what it tells about the end of one."""

import statistics
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from agent.domain.interview import Answer, ListeningHints
from agent.domain.language import Frozen

THOUGHT_S = 0.6
"""Shorter pauses are breaths."""
LONGEST_S = 5.0
"""Longer ones were granted or spent on something else."""
KEPT = 60
ENOUGH = 12
"""Pauses before which nothing is concluded, and the latest that are remembered."""
USUAL_LONG_S = 1.8
"""The longest tenth of an unhurried speaker's pauses begins here."""
LEAST, MOST = 0.9, 1.5
"""The share of the interviewer's patience that remains at least, and that comes of it at most."""


class OwnPauses(Frozen):
    """The latest pauses of a speaker within answers, in seconds, oldest first."""

    latest: tuple[Annotated[float, Field(ge=THOUGHT_S, le=LONGEST_S)], ...] = ()

    def after(self, answer: Answer) -> "OwnPauses":
        """Return what is known once `answer` was heard; one that was cut short tells nothing."""
        if answer.delivery is None or not answer.understood or answer.cut_in:
            return self
        lengths = (end - start for start, end in answer.delivery.pauses)
        fresh = [round(length, 2) for length in lengths if THOUGHT_S <= length <= LONGEST_S]
        return OwnPauses(latest=(*self.latest, *fresh)[-KEPT:])

    def fitted(self, hints: ListeningHints) -> float:
        """Return the patience that suits this speaker, in seconds."""
        return round(hints.patience_s * share_of_patience(self.latest), 3)


def share_of_patience(pauses_s: Sequence[float]) -> float:
    """Return by what patience is multiplied for someone with such pauses."""
    if len(pauses_s) < ENOUGH:
        return 1.0
    long_s = statistics.quantiles(pauses_s, n=10)[-1]
    return min(MOST, max(LEAST, long_s / USUAL_LONG_S))

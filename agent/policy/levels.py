"""What is expected of candidates at each level: how far a drill-down climbs, and how long it is."""

from collections.abc import Mapping
from dataclasses import dataclass

from agent.domain.question import RUNGS, Level, Rung

MAX_FOLLOW_UPS = 8
"""Most follow-ups to one question, whoever asks: the limit of `ProbeStyle.budget`."""


@dataclass(frozen=True)
class Climb:
    """How candidates of one level are drilled.

    Attributes:
        first: The lowest rung that is climbed to; what lies below is taken for granted.
        top: The highest one.
        follow_ups: How many more than the persona's budget; negative for fewer.
    """

    first: Rung
    top: Rung
    follow_ups: int

    @property
    def rungs(self) -> tuple[Rung, ...]:
        """The rungs that are climbed to, lowest first."""
        return RUNGS[RUNGS.index(self.first) : RUNGS.index(self.top) + 1]

    def budget(self, persona: int) -> int:
        """Return the most follow-ups to one question, given the persona's own budget.

        An interviewer who never follows up does so with nobody; one who does, with everybody.
        """
        return min(MAX_FOLLOW_UPS, max(1, persona + self.follow_ups)) if persona else 0


CLIMBS: Mapping[Level, Climb] = {
    "new-graduate": Climb(first="clarify", top="alternatives", follow_ups=-1),
    "1-3-years": Climb(first="clarify", top="limits", follow_ups=0),
    "senior": Climb(first="numbers", top="transfer", follow_ups=1),
}

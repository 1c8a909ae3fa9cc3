"""Why an appeal came out as it did."""

from collections.abc import Sequence

from agent.domain.assessment import AppealReason, Assessment
from agent.domain.interview import Correction
from agent.ports import SessionRecord

NO_DIFFERENCE = 0.05
"""Points of 100 that rounding alone can make."""


def latest(records: Sequence[SessionRecord], turn: int) -> Assessment | None:
    """Return the judgement of `turn` that holds."""
    judged = [item for item in records if isinstance(item, Assessment) and item.turn == turn]
    return judged[-1] if judged else None


def reasons(
    earlier: Assessment, new: Assessment, records: Sequence[SessionRecord]
) -> tuple[AppealReason, ...]:
    """Return why `new` is not `earlier`, or that it is.

    Args:
        earlier: The judgement that was appealed against, one of `records`.
        new: What the appeal came to.
        records: The session's log.
    """
    if _levels(earlier) == _levels(new) and _near(earlier.score, new.score):
        return ("same",)
    made = max(place for place, item in enumerate(records) if item is earlier)
    corrected = any(
        isinstance(item, Correction) and item.turn <= (new.turn or item.turn)
        for item in records[made:]
    )
    causes: tuple[tuple[AppealReason, bool], ...] = (
        ("words", corrected),
        ("grader", earlier.grader != new.grader),
        ("rubric", earlier.rubric_version != new.rubric_version),
    )
    return tuple(name for name, found in causes if found) or ("reading",)


def _levels(assessment: Assessment) -> dict[str, int | None]:
    return {item.id: item.level for item in assessment.criteria}


def _near(first: float | None, second: float | None) -> bool:
    if first is None or second is None:
        return first is second
    return abs(first - second) <= NO_DIFFERENCE

"""What belongs where an answer left something open."""

from agent.domain.language import Language, LocalizedText
from agent.policy.slots.experience import EXPERIENCE
from agent.policy.slots.knowledge import KNOWLEDGE

MOST_SLOTS = 2
KEY_POINTS_NAME = LocalizedText(en="Key points", zh="要点")
POINT_SLOT = LocalizedText(en="in your own words: {point}", zh="用自己的话说：{point}")
PARTS = {**EXPERIENCE, **KNOWLEDGE}


def empty_slot(criterion: str, language: Language) -> str | None:
    """Return what belongs into a part that is empty; None for an unknown one."""
    part = PARTS.get(criterion)
    return part.empty.get(language) if part else None


def open_slots(criterion: str, folded: str, language: Language) -> list[str]:
    """Return what the words of a part (`folded`) still want, most wanted first."""
    part = PARTS.get(criterion)
    wants = part.wants if part else ()
    return [text.get(language) for mark, text in wants if not mark(folded)][:MOST_SLOTS]


def signs(criterion: str, folded: str) -> int:
    """Return how many signs of a part's strong answer some words bear."""
    part = PARTS.get(criterion)
    return sum(1 for mark, _ in part.wants if mark(folded)) if part else 0

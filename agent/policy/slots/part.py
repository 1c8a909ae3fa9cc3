"""What belongs into a part of a frame, and how it is seen that it is not there yet."""

from dataclasses import dataclass

from agent.domain.language import LocalizedText
from agent.policy.cues import Mark, says


@dataclass(frozen=True)
class Part:
    """What a part of a frame wants.

    Attributes:
        empty: What belongs there where nothing was said.
        wants: Signs of a strong answer, and what belongs where one of them is not to be seen.
    """

    empty: LocalizedText
    wants: tuple[tuple[Mark, LocalizedText], ...]


def slot(en: str, zh: str) -> LocalizedText:
    """Return what belongs into a slot."""
    return LocalizedText(en=en, zh=zh)


check = says(
    r"test\w*|check\w*|replay\w*|compar\w+|measur\w+|rul\w+ out|isolat\w+|verif\w+|profil\w+",
    r"测|试|排除|对比|验证|检查|复现|二分|替换",
)

"""Which concepts a text names, by any of the wordings that a question lists for them."""

import re
from collections.abc import Sequence
from functools import lru_cache

from agent.policy.folding import fold

SEVERAL = 3
MOSTLY = 0.7
"""A sentence with terms of so many points, of its letters to this share, explains nothing."""
_JOINS = re.compile(r"\b(?:and|or|plus|also|then)\b|和|与|以及|还有|或")


def terms_share(folded: str, groups: Sequence[Sequence[str]]) -> float:
    """Return the share of concept groups of which `folded` text has a wording."""
    if not groups:
        return 0.0
    return sum(1 for group in groups if _pattern(tuple(group)).search(folded)) / len(groups)


_COMPARES = re.compile(
    r"\b(?!rather\b|other\b)(?:\w+er|less) than\b|\bas \w+ as\b|"
    r"比(?!特|例|如|较|率|重|对)[^，。、]{1,16}[快慢大小高低多少好差贵]|一样[快慢大小高低多]"
)


def compares(folded: str) -> bool:
    """Whether a folded sentence says which of two things is more: that is a claim."""
    return _COMPARES.search(folded) is not None


def only_terms(folded: str, points: Sequence[Sequence[Sequence[str]]]) -> bool:
    """Whether a folded sentence is hardly more than terms of several points, strung together.

    Args:
        folded: The sentence.
        points: The concept groups of each key point.
    """
    by_point = [
        [match for group in groups if (match := _pattern(tuple(group)).search(folded))]
        for groups in points
    ]
    if sum(1 for matches in by_point if matches) < SEVERAL or compares(folded):
        return False
    found = [match for matches in by_point for match in matches]
    covered = {place for match in found for place in range(*match.span())}
    joins = {place for match in _JOINS.finditer(folded) for place in range(*match.span())}
    letters = [
        place
        for place, character in enumerate(folded)
        if character.isalnum() and place not in joins
    ]
    return len(covered.intersection(letters)) >= MOSTLY * len(letters)


@lru_cache(maxsize=5_000)
def _pattern(group: tuple[str, ...]) -> re.Pattern[str]:
    wordings = sorted((fold(wording) for wording in group), key=len, reverse=True)
    return re.compile("|".join(_wording(wording) for wording in wordings))


def _wording(wording: str) -> str:
    body = r"[\s-]?".join(re.escape(part) for part in re.split(r"[\s-]+", wording))
    start = r"(?<![a-z0-9])" if wording[0].isascii() else ""
    end = r"(?:s|es|ed|ing)?(?![a-z0-9])" if wording[-1].isascii() else ""
    return start + body + end

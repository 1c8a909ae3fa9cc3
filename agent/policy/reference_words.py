"""The words of a text as they are compared with a reference: stems, pairs, groups of letters."""

import re
from functools import lru_cache

from agent.policy.folding import STOP_WORDS, fold

LONGEST_STEM = 7
"""Letters after which two words of one root tend to differ: "transmission", "transmitted"."""
GROUP = 4
"""Letters of a group; they see through endings and slips of spelling."""
_LATIN = re.compile(r"[a-z0-9]+(?:[.'][a-z0-9]+)*")
_FORMULA = re.compile(r"[a-z0-9]+(?:\s?[-+*/^=<>(]+\s?[a-z0-9]+\)*)+")
_WORD_IN_FORMULA = re.compile(r"\b(?!(?:log|max|min|sum|sqrt)\b)[a-z]{3,}")
_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
_ENDINGS = re.compile(r"(?<=...)(?:ations|ation|ingly|edly|ings|ing|ies|ied|ers|ed|es|ly|er|s|e)$")


def stem(word: str) -> str:
    """Return the part of a folded Latin word that its forms share; a number stays as it is."""
    if word[0].isdigit():
        return word
    word = _ENDINGS.sub("", word)
    return word[:LONGEST_STEM]


@lru_cache(maxsize=20_000)
def stems(text: str) -> dict[str, str]:
    """Return each stem of `text` with the first word it came from, in the order of the text.

    Words that carry no meaning are left out. A formula counts as a whole, beside its letters;
    Chinese counts in pairs of neighbouring characters.
    """
    folded = fold(text)
    words = [word for word in _LATIN.findall(folded) if word not in STOP_WORDS]
    found = {stem(word): word for word in reversed(words)}
    found |= {re.sub(r"\s", "", item): item for item in _FORMULA.findall(folded) if _counts(item)}
    pairs = {pair: pair for run in _HAN_RUN.findall(folded) for pair in _pairs(run)}
    return dict(reversed(found.items())) | pairs


def _counts(formula: str) -> bool:
    """Whether letters and signs form a formula, such as "n/2" or "o(log n)", and no words."""
    return bool(re.search(r"[\d(]", formula)) and not _WORD_IN_FORMULA.search(formula)


def _pairs(run: str) -> list[str]:
    return [run[place : place + 2] for place in range(len(run) - 1)] or [run]


@lru_cache(maxsize=20_000)
def letters(text: str) -> frozenset[str]:
    """Return the groups of `GROUP` letters within the words of `text`, and its Chinese characters.

    A blank before and after a word belongs to it.
    """
    folded = fold(text)
    groups: set[str] = set()
    for word in _LATIN.findall(folded):
        if word not in STOP_WORDS:
            spaced = f" {word} "
            groups.update(spaced[at : at + GROUP] for at in range(max(1, len(spaced) - GROUP + 1)))
    groups.update(
        character
        for run in _HAN_RUN.findall(folded)
        for character in run
        if character not in STOP_WORDS
    )
    return frozenset(groups)

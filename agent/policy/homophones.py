"""Chinese terms of the question where the recogniser wrote characters that sound like them.

Mandarin has few syllables and many characters, so a term that was said comes out as characters of
the same sound that mean nothing (踢肚 for 梯度). The shorter a term, the more of its sound must be
there, and a real word is not taken for a short one.
"""

import re
from collections.abc import Sequence
from functools import cache

from pypinyin import Style, lazy_pinyin
from pypinyin.constants import PHRASES_DICT

from agent.policy.timed_text import CJK, TimedText

_HAN = re.compile(rf"[{CJK}]+")
TELLING = 4
"""A term of so many syllables is known by its sound alone, also by one that is a little off."""
NEAR = 0.5
"""How far apart are two syllables of which one part is confused by many speakers."""
NEAR_SOUNDS = (
    {"z", "zh"}, {"c", "ch"}, {"s", "sh"}, {"l", "n"}, {"l", "r"}, {"f", "h"}, {"b", "p"},
    {"d", "t"}, {"g", "k"}, {"j", "q"}, {"an", "ang"}, {"en", "eng"}, {"in", "ing"},
    {"ian", "iang"}, {"uan", "uang"},
)  # fmt: skip
EVERYDAY = frozenset(
    "的了是不我你他她它们这那个一二三四五六七八九十在有和就也都很到说要会可以没还能"
)
"""Characters that stand for themselves: in a short stretch they were meant."""


class _Sound:
    """How a run of characters sounds: initial, final and tone of each."""

    def __init__(self, text: str) -> None:
        self.initials = lazy_pinyin(text, Style.INITIALS, strict=False)
        self.finals = lazy_pinyin(text, Style.FINALS, strict=False)
        self.toned = lazy_pinyin(text, Style.TONE3)

    def distance(self, start: int, term: "_Sound") -> float:
        """Return by how much the syllables from `start` on differ from those of `term`."""
        end = start + len(term.toned)
        return sum(
            _apart(self.initials[i], term.initials[i - start])
            + _apart(self.finals[i], term.finals[i - start])
            for i in range(start, end)
        )

    def same_tones(self, start: int, term: "_Sound") -> bool:
        """Whether the syllables from `start` on are those of `term`, tones included."""
        return self.toned[start : start + len(term.toned)] == term.toned


def _apart(found: str, meant: str) -> float:
    if found == meant:
        return 0.0
    return NEAR if any({found, meant} <= sounds for sounds in NEAR_SOUNDS) else 1.0


@cache
def _sound(term: str) -> _Sound:
    return _Sound(term)


def syllables(text: str) -> list[str]:
    """Return how each character of `text` sounds, without tones; others stay as they are."""
    return lazy_pinyin(text, Style.NORMAL, v_to_u=False)


def written_as_meant(said: TimedText, terms: Sequence[str]) -> TimedText:
    """Return `said` with characters that sound like one of `terms` written as that term."""
    chinese = [term for term in dict.fromkeys(terms) if _HAN.fullmatch(term) and len(term) > 1]
    chinese.sort(key=len, reverse=True)
    text = said.text
    for run in _HAN.finditer(text):
        text = text[: run.start()] + _meant(run.group(), chinese) + text[run.end() :]
    return TimedText(text, said.times)


def _meant(run: str, terms: Sequence[str]) -> str:
    sound = _Sound(run)
    if len(sound.toned) != len(run):  # a character without a known sound
        return run
    settled = _named(run, terms)
    for term in terms:
        for start in range(len(run) - len(term) + 1):
            places = range(start, start + len(term))
            if settled.isdisjoint(places) and _is_meant(run, sound, start, term):
                run = run[:start] + term + run[start + len(term) :]
                settled |= set(places)
    return run


def _named(run: str, terms: Sequence[str]) -> set[int]:
    """Return the places at which terms stand already."""
    places: set[int] = set()
    for term in terms:
        for match in re.finditer(re.escape(term), run):
            places |= set(range(*match.span()))
    return places


def _is_meant(run: str, sound: _Sound, start: int, term: str) -> bool:
    end, meant = start + len(term), _sound(term)
    if len(term) >= TELLING:
        return sound.distance(start, meant) <= NEAR
    if len(term) == 2 and not sound.same_tones(start, meant):
        return False
    return sound.distance(start, meant) == 0 and _means_nothing(run, start, end)


def _means_nothing(run: str, start: int, end: int) -> bool:
    """Whether no word is among these characters, nor one that reaches over their edge."""
    if EVERYDAY & set(run[start:end]):
        return False
    pairs = [run[at : at + 2] for at in range(max(0, start - 1), end)]
    return not any(word in PHRASES_DICT for word in [run[start:end], *pairs])

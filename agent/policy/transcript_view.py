"""A transcript made ready to be read: each word with its time, each quote marked in its place."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, pairwise
from typing import Literal

from agent.domain.assessment import Evidence
from agent.domain.interview import Word
from agent.policy.evidence import locate
from agent.policy.folding import fold
from agent.policy.timed_text import CJK

_TOKEN = re.compile(rf"[{CJK}]|[^\W_{CJK}]+")
"""One CJK character, or a run of other letters and digits."""

MarkKind = Literal["criterion", "point", "mistake", "probe"]


@dataclass(frozen=True)
class Mark:
    """A quoted span of a text: what it is quoted for, and from where to where."""

    start: int
    end: int
    kind: MarkKind
    label: str


@dataclass(frozen=True)
class Run:
    """A piece of a text that was spoken from `t0` to `t1` (seconds); None where unknown."""

    text: str
    t0: float | None = None
    t1: float | None = None


@dataclass(frozen=True)
class Segment:
    """Neighbouring runs under the same marks."""

    runs: tuple[Run, ...]
    marks: tuple[Mark, ...]
    start: int


@dataclass(frozen=True)
class _Token:
    key: str
    start: int
    end: int


def place_of(text: str, item: Evidence) -> tuple[int, int] | None:
    """Return the span of a quote in `text`; None when it is not there.

    The span that was stored with the quote is tried first: the same words may be said twice.
    """
    if 0 <= item.start < item.end and text[item.start : item.end] == item.quote:
        return item.start, item.end
    return locate(item.quote, text)


def timed_runs(text: str, words: Sequence[Word]) -> tuple[Run, ...]:
    """Cut `text` into runs, each with the time of the recognised word that it renders.

    The graded text may differ from what was recognised (terms spelt right, simplified
    characters): equal tokens are aligned first, what was replaced shares the time of what it
    replaced. The runs join up to `text` exactly.
    """
    tokens = _tokens(text)
    times = _aligned(tokens, words)
    runs: list[Run] = []
    done = 0
    for token, time in zip(tokens, times, strict=True):
        if time is None:
            continue
        if token.start > done:
            runs.append(Run(text[done : token.start]))
        runs.append(Run(text[token.start : token.end], *time))
        done = token.end
    if done < len(text):
        runs.append(Run(text[done:]))
    return tuple(runs)


def segments(text: str, words: Sequence[Word], marks: Sequence[Mark]) -> tuple[Segment, ...]:
    """Cut `text` wherever a mark begins or ends; marks may overlap, runs are cut with them."""
    bounds = sorted({0, len(text), *(m.start for m in marks), *(m.end for m in marks)})
    pieces: list[tuple[int, Run]] = []
    offset = 0
    for run in timed_runs(text, words):
        stop = offset + len(run.text)
        cuts = [offset, *(bound for bound in bounds if offset < bound < stop), stop]
        pieces.extend((a, Run(text[a:b], run.t0, run.t1)) for a, b in pairwise(cuts))
        offset = stop
    found: list[Segment] = []
    for over, group in groupby(pieces, key=lambda piece: _marks_over(piece[0], marks)):
        members = list(group)
        found.append(Segment(tuple(run for _, run in members), over, members[0][0]))
    return tuple(found)


def _marks_over(offset: int, marks: Sequence[Mark]) -> tuple[Mark, ...]:
    return tuple(mark for mark in marks if mark.start <= offset < mark.end)


def _tokens(text: str) -> list[_Token]:
    return [
        _Token(fold(found.group()), found.start(), found.end()) for found in _TOKEN.finditer(text)
    ]


def _aligned(tokens: Sequence[_Token], words: Sequence[Word]) -> list[tuple[float, float] | None]:
    """Return a time for each token where the words give one."""
    spoken = [(token.key, (word.t0, word.t1)) for word in words for token in _tokens(word.text)]
    times: list[tuple[float, float] | None] = [None] * len(tokens)
    matcher = SequenceMatcher(
        None, [token.key for token in tokens], [key for key, _ in spoken], autojunk=False
    )
    for operation, i1, i2, j1, j2 in matcher.get_opcodes():
        if operation not in {"equal", "replace"}:
            continue
        for i in range(i1, i2):
            times[i] = spoken[j1 + (i - i1) * (j2 - j1) // (i2 - i1)][1]
    return times

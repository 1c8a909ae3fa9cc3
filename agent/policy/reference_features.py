"""What an answer has in common with a reference: six measures, and what was found of each part."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import log

import numpy as np
from numpy.typing import NDArray

from agent.policy.clauses import Clause
from agent.policy.folding import weight
from agent.policy.nearness import Nearness, VectorNearness
from agent.policy.negation import negated
from agent.policy.reading import Passage, Reading
from agent.policy.reference_text import ReferenceText
from agent.policy.reference_verdicts import verdict
from agent.policy.reference_words import letters, stems
from agent.policy.rivals import mentions, opposed

Table = NDArray[np.float32]
SAME_WORD = 0.78
"""Nearness from which two single words stand for one another."""
OTHER_WORD = 0.4
"""What such a word counts for; the very word counts 1."""
IN_CONTEXT = (0.2, 0.5)
"""Nearness to the reference at which a clause's words begin to count more, and count fully."""
OUT_OF_CONTEXT = 0.5
"""What a word counts for in a clause that is about something else: terms alone explain little."""
SAME_MATTER = 0.55
"""Nearness from which a clause and a part speak of one matter, and a "not" makes them differ."""
DENIED = 0.4
"""What a clause counts for that denies what the part affirms, or the other way round."""
SWAPPED = 0.3
"""What it counts for when it speaks of another of two rivals."""
PART = (0.3, 0.8)
"""Nearness at which a passage begins to make a part of the reference, and makes it fully."""
RELEVANT = (0.3, 0.7)
"""Nearness at which a clause begins to belong to the matter, and belongs to it fully."""


@dataclass(frozen=True)
class ReferenceFeatures:
    """Measures from 0 to 1, but for `verdict`.

    Attributes:
        words: The reference's words that were said where they mean something, on a log scale.
        letters: Its groups of letters that were said, on a log scale.
        parts: Its parts that were made, by their size, on a log scale.
        meaning: Cosine of the two texts' mean vectors.
        relevance: Share of the answer that belongs to the matter.
        verdict: 1 where both say yes or both no, -1 where they differ, 0 where either says neither.
    """

    words: float = 0.0
    letters: float = 0.0
    parts: float = 0.0
    meaning: float = 0.0
    relevance: float = 0.0
    verdict: float = 0.0


@dataclass(frozen=True)
class PartMatch:
    """How far the best passage makes a part, 0 to 1; `denied`: a clause says the opposite."""

    coverage: float
    passage: Passage
    denied: Clause | None = None


class Comparison:
    """An answer beside a reference.

    Args:
        reading: The answer; at least one clause of it counts.
        reference: What it is compared with; it has at least one part.
        near: Gives nearness of passages, parts and single words.
    """

    def __init__(self, reading: Reading, reference: ReferenceText, near: Nearness) -> None:
        self._reading = reading
        self._reference = reference
        self._near = near
        self._clauses = list(reading.counted)
        self._said = [stems(clause.text) for clause in self._clauses]
        self._sizes = np.array([part.size for part in reference.parts])

    def features(self) -> ReferenceFeatures:
        """Return the six measures."""
        text = " ".join(clause.text for clause in self._clauses)
        verdicts = verdict(text) * self._reference.verdict
        made = sum(
            match.coverage * size for match, size in zip(self.parts, self._sizes, strict=True)
        )
        words = self._words()
        wanted = self._reference.letters
        found = letters(text) & wanted
        return ReferenceFeatures(
            words=words,
            letters=log(1 + len(found)) / log(1 + len(wanted)) if wanted else words,
            parts=float(log(1 + made) / log(1 + self._sizes.sum())),
            meaning=self._meaning(),
            relevance=self._relevance(),
            verdict=float(verdicts),
        )

    @cached_property
    def parts(self) -> list[PartMatch]:
        """The best passage for each part of the reference."""
        passages = self._reading.passages
        near = self._table([item.text for item in passages], self._part_texts)
        ramps = _ramp(near, *PART)
        places = {clause: place for place, clause in enumerate(self._clauses)}
        rows = [[places[clause] for clause in item.clauses] for item in passages]
        alike = np.array([self._word_table[places_].max(axis=0) for places_ in rows])
        agreement = np.array([self._agreement[places_].min(axis=0) for places_ in rows])
        columns = {stem: place for place, stem in enumerate(self._reference.words)}
        matches: list[PartMatch] = []
        for index, part in enumerate(self._reference.parts):
            known = {columns[stem]: value for stem, value in part.words.items() if stem in columns}
            chosen, weights = list(known), np.array([*known.values()])
            shared = alike[:, chosen] @ weights / weights.sum() if chosen else ramps[:, index]
            coverage = (ramps[:, index] + shared) / 2 * agreement[:, index]
            best = int(coverage.argmax())
            matches.append(PartMatch(float(coverage[best]), passages[best], self._denial(index)))
        return matches

    def _denial(self, part: int) -> Clause | None:
        """Return the clause that is nearest to a part and says the opposite of it."""
        row = int(self._clause_table[:, part].argmax())
        return self._clauses[row] if self._agreement[row, part] < 1 else None

    def _words(self) -> float:
        reference = self._reference
        if not reference.words:
            return 0.0
        nearest = self._clause_table.argmax(axis=1)
        rows = np.arange(len(nearest))
        context = _ramp(self._clause_table[rows, nearest], *IN_CONTEXT)
        counts = (OUT_OF_CONTEXT + (1 - OUT_OF_CONTEXT) * context) * self._sound
        best = (self._word_table * counts[:, None]).max(axis=0)
        weights = np.array([*reference.weights.values()])
        return float(log(1 + best @ weights) / log(2 + weights.sum()))

    def _relevance(self) -> float:
        sizes = self._clause_sizes
        counts = _ramp(self._clause_table.max(axis=1), *RELEVANT) * self._sound
        return float(sizes @ counts / sizes.sum())

    def _meaning(self) -> float:
        """Return the cosine of the mean vectors, from the nearness of the pieces alone."""
        own, wanted, sizes = self._clause_texts, self._part_texts, self._clause_sizes
        across = sizes @ self._clause_table @ self._sizes
        first = sizes @ self._table(own, own) @ sizes
        second = self._sizes @ self._table(wanted, wanted) @ self._sizes
        return float(max(0.0, across) / max(1e-9, first * second) ** 0.5)

    @cached_property
    def _sound(self) -> NDArray[np.float64]:
        """What each clause counts for beside the part that it is nearest to."""
        nearest = self._clause_table.argmax(axis=1)
        return self._agreement[np.arange(len(nearest)), nearest]

    @cached_property
    def _agreement(self) -> NDArray[np.float64]:
        """For each clause and part: 1, or what is left where one denies or swaps the other."""
        parts = self._reference.parts
        about = [mentions(clause.text) for clause in self._clauses]
        swapped = np.array([[opposed(own, part.about) for part in parts] for own in about])
        denies = np.array([negated(clause.folded) for clause in self._clauses])
        denied = denies[:, None] != np.array([part.negated for part in parts])[None, :]
        denied &= self._clause_table > SAME_MATTER
        return np.where(denied, DENIED, 1.0) * np.where(swapped, SWAPPED, 1.0)

    @cached_property
    def _word_table(self) -> NDArray[np.float64]:
        """For each clause and stem of the reference: whether it, or a word like it, is said."""
        stems_, words = list(self._reference.words), list(self._reference.words.values())
        spoken = list(dict.fromkeys(chain.from_iterable(said.values() for said in self._said)))
        alike = self._table(spoken, words) >= SAME_WORD
        rows = {word: place for place, word in enumerate(spoken)}
        table = np.zeros((len(self._said), len(words)))
        for place, said in enumerate(self._said):
            if said:
                table[place] = OTHER_WORD * alike[[rows[word] for word in said.values()]].any(
                    axis=0
                )
            table[place, [stem in said for stem in stems_]] = 1.0
        return table

    @cached_property
    def _clause_table(self) -> Table:
        return self._table(self._clause_texts, self._part_texts)

    @cached_property
    def _clause_texts(self) -> list[str]:
        return [clause.text for clause in self._clauses]

    @cached_property
    def _clause_sizes(self) -> NDArray[np.float64]:
        return np.array([weight(clause.text) + 0.5 for clause in self._clauses])

    @cached_property
    def _part_texts(self) -> list[str]:
        return [part.text for part in self._reference.parts]

    def _table(self, first: Sequence[str], second: Sequence[str]) -> Table:
        """Return nearness on the scale of the sentence encoder, whatever measures it."""
        near, scale = self._near, VectorNearness
        share = (near.table(first, second) - near.floor) / (near.ceiling - near.floor)
        return scale.floor + share * (scale.ceiling - scale.floor)


def _ramp(values: Table, low: float, high: float) -> Table:
    return np.clip((values - low) / (high - low), 0.0, 1.0)

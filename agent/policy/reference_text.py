"""A reference answer, cut up once for all answers that are compared with it."""

from dataclasses import dataclass
from functools import lru_cache

from agent.domain.question import LocalizedQuestion
from agent.policy.clauses import Clause, split
from agent.policy.folding import fold, weight
from agent.policy.negation import negated
from agent.policy.non_answers import bare_terms
from agent.policy.reference_verdicts import verdict
from agent.policy.reference_words import letters, stems
from agent.policy.rivals import Mentions, mentions

ASKED = 0.1
"""What a word of the reference counts for that the question holds already; others count 1."""
ASKED_IN_PART = 0.3
"""The same within one part of the reference, which may have few words of its own."""

LISTED = 0.5
"""Share of a reference in sentences that only name things, from which it asks for a list."""


@dataclass(frozen=True)
class Part:
    """A clause of the reference.

    Attributes:
        point: Index of the key point that it belongs to.
        words: What each of its stems weighs.
        negated: Whether it denies what it speaks of.
        about: The rivals that it names.
    """

    text: str
    point: int
    size: float
    words: dict[str, float]
    negated: bool
    about: Mentions


@dataclass(frozen=True)
class ReferenceText:
    """A reference as answers are compared with it.

    Attributes:
        words: For each stem the word that it came from.
        weights: For each stem what it counts for.
        letters: Its groups of letters that the question does not hold.
        verdict: What it says to a yes-or-no question: 1, -1, or 0.
        is_list: Whether much of it is itself a list of terms.
        given: Stems of the question.
    """

    parts: tuple[Part, ...]
    words: dict[str, str]
    weights: dict[str, float]
    letters: frozenset[str]
    verdict: int
    is_list: bool
    given: frozenset[str]
    given_letters: frozenset[str]


def reference_text(question: LocalizedQuestion) -> ReferenceText:
    """Return the reference of `question`: its outline, in parts of its key points."""
    statements = tuple(point.statement for point in question.key_points)
    return _cut(question.prompt, question.outline, statements)


@lru_cache(maxsize=500)
def _cut(prompt: str, outline: str, statements: tuple[str, ...]) -> ReferenceText:
    given, words = frozenset(stems(prompt)), stems(outline)
    parts = tuple(
        _part(clause, point, given)
        for point, statement in enumerate(statements)
        for clause in split(statement)
    )
    listed = sum(weight(text) for text in statements if bare_terms(fold(text)))
    return ReferenceText(
        parts=parts,
        words=words,
        weights={stem: ASKED if stem in given else 1.0 for stem in words},
        letters=letters(outline) - letters(prompt),
        verdict=verdict(outline),
        is_list=listed > LISTED * sum(map(weight, statements)),
        given=given,
        given_letters=letters(prompt),
    )


def _part(clause: Clause, point: int, given: frozenset[str]) -> Part:
    return Part(
        text=clause.text,
        point=point,
        size=weight(clause.text) + 0.5,
        words={stem: ASKED_IN_PART if stem in given else 1.0 for stem in stems(clause.text)},
        negated=negated(clause.folded),
        about=mentions(clause.text),
    )

"""Roles given to the wrong side: what is true of one of two rivals, said of the other."""

from functools import lru_cache

from agent.domain.question import Point
from agent.policy.clauses import Clause, split
from agent.policy.folding import content, fold
from agent.policy.negation import disowned, negated
from agent.policy.reading import Reading
from agent.policy.rivals import mentions, opposed, unnamed

SAID_OF_RIVAL = 0.5
"""Share of a clause's words, without the rivals' names, that a point on another rival has too."""
AHEAD_OF_OWN = 0.25
"""By how much that share exceeds the one with any point on the clause's own subject."""


def exchanged(reading: Reading) -> tuple[set[Clause], set[str]]:
    """Return the clauses of sentences that exchange roles, and the key points that these spoil."""
    places: set[tuple[int, int]] = set()
    spoilt: set[str] = set()
    for clause in reading.counted:
        if disowned(clause.folded):
            continue
        found = _belongs_to(clause, reading.question.key_points)
        if found:
            places.add((clause.answer, clause.sentence))
            spoilt |= found
    clauses = {item for item in reading.clauses if (item.answer, item.sentence) in places}
    return clauses, spoilt


def _belongs_to(clause: Clause, points: tuple[Point, ...]) -> set[str]:
    """Return the points on rivals of the clause's subject that it speaks like."""
    about = mentions(clause.text)
    words = content(unnamed(clause.text))
    if not any(about) or len(words) < 2:
        return set()
    denies = negated(clause.folded)

    def share(text: str) -> float:
        said, no = _said(text)
        return len(words & said) / len(words) if no == denies else 0.0

    own = 0.0
    rivals: dict[str, float] = {}
    for point in points:
        wordings = (point.statement, point.aloud)
        if all(opposed(about, mentions(text)) for text in wordings):
            rivals[point.id] = max(share(text) for text in wordings)
            continue
        for piece in (piece for text in wordings for piece in split(text)):
            if any(mentions(piece.text)) and not opposed(about, mentions(piece.text)):
                own = max(own, share(piece.text))
    least = max(SAID_OF_RIVAL, own + AHEAD_OF_OWN)
    return {name for name, value in rivals.items() if value >= least}


@lru_cache(maxsize=5_000)
def _said(text: str) -> tuple[frozenset[str], bool]:
    """Return the words of `text` without the rivals' names, and whether it denies."""
    return frozenset(content(unnamed(text))), negated(fold(text))

"""Levels 0 to 4 from signs: nothing, a mention, something definite, and what makes it strong."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.domain.rubric import TOP_LEVEL
from agent.policy.clauses import Clause
from agent.policy.cues import Mark


@dataclass(frozen=True)
class Judged:
    """A criterion's level and the clauses that it stands on."""

    criterion: str
    level: int
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True)
class Ladder:
    """How one criterion is climbed.

    Attributes:
        base: The sign without which the level is 0; with it alone it is 1.
        definite: What makes the mention worth level 2.
        extras: Each one found above level 2 is one level more, up to 4.
        several: With so many definite mentions or more, one level more; 0: does not matter.
        reach: How many clauses before and after a base clause are looked at for the rest;
            None: the whole answer.
    """

    criterion: str
    base: Mark
    definite: Mark
    extras: tuple[Mark, ...] = ()
    several: int = 0
    reach: int | None = 1


def climb(ladder: Ladder, clauses: Sequence[Clause]) -> Judged:
    """Return the level that `clauses` reach on `ladder`."""
    based = [clause for clause in clauses if ladder.base(clause.folded)]
    if not based:
        return Judged(ladder.criterion, 0)
    pool = within_reach(based, clauses, ladder.reach)
    definite = [clause for clause in pool if ladder.definite(clause.folded)]
    if not definite:
        return Judged(ladder.criterion, 1, tuple(based))
    found = [[clause for clause in pool if extra(clause.folded)] for extra in ladder.extras]
    many = 0 < ladder.several <= sum(1 for clause in based if clause in definite)
    level = min(TOP_LEVEL, 2 + many + sum(1 for hits in found if hits))
    strong = [clause for hits in found for clause in hits]
    return Judged(ladder.criterion, level, tuple(dict.fromkeys([*based, *definite, *strong])))


def within_reach(
    centres: Sequence[Clause], clauses: Sequence[Clause], reach: int | None
) -> list[Clause]:
    """Return the clauses at most `reach` places from one of `centres`, in the same answer."""
    if reach is None:
        return list(clauses)
    places = {clause: index for index, clause in enumerate(clauses)}
    return [
        clause
        for index, clause in enumerate(clauses)
        if any(
            abs(index - places[centre]) <= reach and centre.answer == clause.answer
            for centre in centres
        )
    ]

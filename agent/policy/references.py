"""Key points derived from a reference answer, for questions that the bank does not know."""

from agent.domain.question import Point
from agent.policy.clauses import split
from agent.policy.folding import weight

MOST = 24
"""Most points that are taken from one reference."""
SHORTEST_POINT = 3.0
"""Words below which a sentence says too little to be a point of its own."""


def points_from_reference(reference: str) -> tuple[Point, ...]:
    """Return one key point a sentence, weighing as its length, without terms of its own."""
    sentences: dict[int, list[tuple[int, int]]] = {}
    for clause in split(reference):
        sentences.setdefault(clause.sentence, []).append((clause.start, clause.end))
    texts = [reference[spans[0][0] : spans[-1][1]] for spans in sentences.values()]
    kept = [text for text in texts if weight(text) >= SHORTEST_POINT] or texts
    return tuple(
        Point(
            id=f"reference-{number}",
            statement=text,
            aloud=text,
            terms=(),
            weight=min(5.0, max(0.2, weight(text) / 10)),
        )
        for number, text in enumerate(kept[:MOST], start=1)
    )

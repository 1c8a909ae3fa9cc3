"""Key points derived from a reference answer, for questions that the bank does not know."""

from agent.domain.question import LocalizedQuestion, Point
from agent.policy.clauses import split
from agent.policy.folding import weight
from agent.policy.reference_verdicts import verdict
from agent.policy.reference_words import stems

UNLISTED = "unlisted"
"""Id of a question that the bank does not know."""
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


def rests_on_reference(question: LocalizedQuestion) -> bool:
    """Whether all that answers to `question` can be compared with is a reference text."""
    return question.id == UNLISTED and bool(question.outline.strip())


def says_something(reference: str) -> bool:
    """Whether `reference` has content: a word with a meaning, a figure, a yes or a no."""
    return bool(stems(reference)) or verdict(reference) != 0

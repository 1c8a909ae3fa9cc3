"""Quotes that a language model gives, held against what was said."""

from collections.abc import Sequence

from agent.domain.assessment import Evidence
from agent.policy.evidence import cite, locate
from agent.policy.reading import Reading

MOST_QUOTES = 4
"""Quotes of one claim that are looked at."""


def verified(quotes: Sequence[str], reading: Reading) -> tuple[Evidence, ...]:
    """Return where the first quotes were said; what was not, or counts for nothing, is left out."""
    found: dict[tuple[int, int, int], Evidence] = {}
    for quote in quotes[:MOST_QUOTES]:
        for index, given in enumerate(reading.given):
            span = locate(quote, given.answer.text)
            if span and _counts(index, span, reading):
                found.setdefault((index, *span), cite(given, *span))
                break
    return tuple(found[key] for key in sorted(found))


def _counts(answer: int, span: tuple[int, int], reading: Reading) -> bool:
    """Tell whether a span touches what counts, and nothing that does not."""
    plain = reading.plain[answer]
    touched = [
        void
        for clause, void in zip(reading.clauses, reading.voided, strict=True)
        if clause.answer == answer and _meet(plain.span(clause.start, clause.end), span)
    ]
    return bool(touched) and not any(touched)


def _meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]

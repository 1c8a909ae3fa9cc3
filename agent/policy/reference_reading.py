"""An answer as it is read when all there is to compare it with is a reference text."""

import re
from dataclasses import replace
from itertools import pairwise

from agent.policy.clauses import Clause
from agent.policy.folding import fold, tokens, weight
from agent.policy.non_answers import bare_terms, shuffled
from agent.policy.reading import Reading, Void
from agent.policy.reference_text import ReferenceText, reference_text
from agent.policy.reference_verdicts import verdict
from agent.policy.reference_words import stems

ORDERED = 0.4
"""Share of neighbouring words that are near neighbours in the reference too; in answers of people
it is 0.67 (English, median), in the same words shuffled 0.33."""
NEIGHBOURS = 2
"""Words apart at which two count as near neighbours."""
PAIRS = 8
"""Pairs below which nothing is said about their order."""
SEVERAL = 3
NAME = 2.5
"""Most words that a piece of a list of names has on average; two Chinese characters are a word."""
WORDS = 6
"""Words without a break from which what says nothing is a list, too."""
_BREAK = re.compile(r"[、，,;；。.:：]|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])")

_Place = tuple[int, int]


def lenient(reading: Reading) -> Reading:
    """Return `reading` with what counts beside a reference, though not beside the bank.

    A sentence without verbs may answer an exam question, and one that takes most of its words
    from the question is an answer by the rest. An answer that is nothing but names, or whose
    words stand in no order, stays void, unless the reference is itself a list.
    """
    reference = reference_text(reading.question)
    void_answers = {
        index
        for index, plain in enumerate(reading.plain)
        if _only_names(plain.text, reference) or _in_no_order(plain.text, reading.question.outline)
    }
    own = _own_words(reading.clauses, reference)
    return replace(
        reading,
        voided=tuple(
            "term_list" if clause.answer in void_answers else _void(void, own[_place(clause)])
            for clause, void in zip(reading.clauses, reading.voided, strict=True)
        ),
    )


def texts_to_encode(reading: Reading) -> list[str]:
    """Return the texts whose nearness a comparison asks for, beside the passages."""
    reference = reference_text(reading.question)
    words = [*reference.words.values()]
    words += [word for clause in reading.counted for word in stems(clause.text).values()]
    return list(dict.fromkeys([*(part.text for part in reference.parts), *words]))


def _void(void: Void | None, own: set[str]) -> Void | None:
    return None if void == "term_list" or (void == "echo" and own) else void


def _place(clause: Clause) -> _Place:
    return clause.answer, clause.sentence


def _own_words(clauses: tuple[Clause, ...], reference: ReferenceText) -> dict[_Place, set[str]]:
    """Return for each sentence the stems that it does not have from the question."""
    found: dict[_Place, set[str]] = {}
    for clause in clauses:
        found.setdefault(_place(clause), set()).update(stems(clause.text).keys() - reference.given)
    return found


def _only_names(text: str, reference: ReferenceText) -> bool:
    """Whether `text` names several things and says nothing about them."""
    folded = fold(text)
    if reference.is_list or "\n" in text or verdict(text) or any(map(str.isdigit, folded)):
        return False
    pieces = [piece for piece in _BREAK.split(folded) if piece.strip()]
    if len(pieces) == 1:
        return weight(folded) >= WORDS and folded.isascii() and bare_terms(folded)
    names = len(pieces) >= SEVERAL and weight(folded) <= NAME * len(pieces)
    return names and bare_terms(folded)


def _in_no_order(text: str, outline: str) -> bool:
    """Whether the words of `text` stand in an order of neither the language nor the reference."""
    if not shuffled(fold(text)):
        return False
    places: dict[str, list[int]] = {}
    for place, token in enumerate(tokens(outline)):
        places.setdefault(token, []).append(place)
    said = tokens(text)
    pairs = [(a, b) for a, b in pairwise(said) if a in places and b in places]
    near = sum(
        any(0 < abs(i - j) <= NEIGHBOURS for i in places[a] for j in places[b]) for a, b in pairs
    )
    return len(pairs) >= PAIRS and near < ORDERED * len(pairs)

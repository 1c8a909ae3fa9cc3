"""Answers cut into clauses, with and without punctuation, in both languages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.policy.folding import fold, weight

SHORTEST = 2.5
"""Words below which a clause is joined to its neighbour."""
LEAD_IN = 5.0
"""Words below which a clause that opens like a place or a topic belongs to the next."""
LONGEST = 20
EARLIEST, CUT_AT = 5, 14
"""A clause of more than `LONGEST` words without any break is cut before a new subject after
`EARLIEST` words, or else after `CUT_AT`."""
RUN_ON = 40
"""Words after which a sentence without an end is taken to begin anew at the next clause."""
AHEAD = 400
"""Characters that are looked at to find that place."""

_PUNCTUATION = re.compile(
    r"[。！？!?；;，,：:{}\n\r]+|\.+(?=\s|$)|\s[-–—]+\s|——+|"
    r"(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])"
)
_SENTENCE_END = re.compile(r"[。！？!?\n\r{}]|\.(?=\s|$)")
_CONNECTIVE = re.compile(
    r"(?<=\s)(?=(?:because|so|then|but|while|whereas|which|instead of|rather than|after that|"
    r"and then|and i|and we|and it|in the end|finally|looking back|for example|"
    r"(?:first|second)(?= (?:i|we|you|it|the|there|comes?)\b)|"
    r"however|therefore|since|if|when|unless|until)\b)"
    r"|(?<=[\u3400-\u9fff\w])(?=因为|所以|然后|但是|但|而且|最后|首先|其次|接着|于是|因此|后来|如果|"
    r"比如|例如|否则|从而|并且|另外|再)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"(?<=\s)(?=(?:i|we|you|he|she|they|it|this|that|there|my|our|each|every|for|in|with|at|on|"
    r"after|before|about|(?:data|model|tensor|pipeline|sequence|expert)[ -]parallel\w*) )|"
    r"(?=我|你|它|他|她|每|第[一二三四五]|这)",
    re.IGNORECASE,
)
_WORD_END = re.compile(r"\s+|(?<=[\u3400-\u9fff])(?=[\u3400-\u9fff])")
_LEAD_IN = re.compile(
    r"^(?:in|with|for|under|on|during|at|as for|regarding)\b|"
    r"^(?:在|对于|至于|关于)|(?:的话|里面?|中|方面)$"
)


@dataclass(frozen=True)
class Clause:
    """A stretch of an answer that says one thing.

    Attributes:
        text: As it stands in the answer; `start`, `end`: its offsets there.
        answer: Index of the answer within the branch.
        sentence: Index of its sentence within the answer.
        folded: The text as `fold` gives it.
    """

    text: str
    start: int
    end: int
    answer: int
    sentence: int
    folded: str


def split(text: str, answer: int = 0) -> tuple[Clause, ...]:
    """Cut `text` into clauses; nothing but punctuation and blanks lies between them."""
    clauses: list[Clause] = []
    sentence = 0
    for first, last in _pieces(text, 0, len(text), _SENTENCE_END):
        borders: list[tuple[int, int]] = []
        for start, end in _pieces(text, first, last, _PUNCTUATION):
            borders += _cut(text, start, end)
        begun = first
        for start, end in _join_short(text, borders):
            if weight(text[begun:start]) > RUN_ON:
                sentence, begun = sentence + 1, start
            piece = text[start:end]
            clauses.append(Clause(piece, start, end, answer, sentence, fold(piece)))
        sentence += 1
    return tuple(clauses)


def _pieces(text: str, first: int, last: int, border: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    start = first
    for match in border.finditer(text, first, last):
        yield from _trimmed(text, start, match.start())
        start = match.end()
    yield from _trimmed(text, start, last)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        yield start, end


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut before connectives, and wherever a stretch goes on for too long."""
    begin = start
    for match in _CONNECTIVE.finditer(text, start, end):
        at = match.start()
        if weight(text[begin:at]) >= SHORTEST and weight(text[at:end]) >= SHORTEST:
            yield from _shortened(text, begin, at)
            begin = at
    yield from _shortened(text, begin, end)


def _shortened(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while weight(text[start : min(end, start + AHEAD)]) > LONGEST:
        ahead = text[start : min(end, start + AHEAD)]
        stop = start + (_new_subject(ahead) or _after_words(ahead))
        yield from _trimmed(text, start, stop)
        if stop >= end:
            return
        start = stop
    yield from _trimmed(text, start, end)


def _new_subject(ahead: str) -> int:
    """Return where, in a stretch without breaks, somebody new begins to act; 0: nowhere."""
    found = (match.start() for match in _SUBJECT.finditer(ahead))
    return next((at for at in found if EARLIEST <= weight(ahead[:at]) <= LONGEST), 0)


def _after_words(ahead: str) -> int:
    steps = (step.end() for step in _WORD_END.finditer(ahead))
    return next((step for step in steps if weight(ahead[:step]) >= CUT_AT), len(ahead))


def _join_short(text: str, borders: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join what is too short, or only leads in ("In data parallelism, ..."), to what follows."""
    joined: list[tuple[int, int]] = []
    for start, end in borders:
        before = text[slice(*joined[-1])] if joined else ""
        if before and (weight(text[start:end]) < SHORTEST or _leads_in(before)):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _leads_in(piece: str) -> bool:
    length = weight(piece)
    return length < SHORTEST or (length < LEAD_IN and _LEAD_IN.search(fold(piece)) is not None)

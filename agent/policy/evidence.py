"""From a quote to the span of a transcript, and from the span to the sound."""

from agent.domain.assessment import BranchAnswer, Evidence
from agent.domain.interview import Word
from agent.policy.folding import fold_with_offsets


def locate(quote: str, text: str) -> tuple[int, int] | None:
    """Return start and end of `quote` in `text`, or None where it is not said.

    Width, case, spacing and punctuation are folded away; the words must be the very same.
    """
    needle, _ = fold_with_offsets(quote)
    if not needle:
        return None
    haystack, offsets = fold_with_offsets(text)
    found = haystack.find(needle)
    while found >= 0:
        start, end = offsets[found], offsets[found + len(needle) - 1] + 1
        if not (_inside_word(text, start - 1) or _inside_word(text, end - 1)):
            return start, end
        found = haystack.find(needle, found + 1)
    return None


def verify(evidence: Evidence, text: str) -> Evidence | None:
    """Return `evidence` with the offsets of its quote in `text`; None voids it."""
    if evidence.quote and text[evidence.start : evidence.end] == evidence.quote:
        return evidence
    span = locate(evidence.quote, text)
    if span is None:
        return None
    start, end = span
    return evidence.model_copy(update={"quote": text[start:end], "start": start, "end": end})


def cite(given: BranchAnswer, start: int, end: int) -> Evidence:
    """Return the span from `start` to `end` of an answer, with its times where words have them."""
    times = span_times(given.answer.text, given.answer.words, start, end)
    return Evidence(
        quote=given.answer.text[start:end],
        start=start,
        end=end,
        turn=given.turn,
        t0=times[0] if times else None,
        t1=times[1] if times else None,
    )


def span_times(
    text: str, words: tuple[Word, ...], start: int, end: int
) -> tuple[float, float] | None:
    """Return the seconds in which `text[start:end]` was spoken.

    A word whose spelling was changed after recognition is passed over; its neighbours stand for
    it. None when no word of the span, nor any beside it, can be found.
    """
    folded, offsets = fold_with_offsets(text)
    placed: list[tuple[int, int, Word]] = []
    cursor = 0
    for word in words:
        needle, _ = fold_with_offsets(word.text)
        found = folded.find(needle, cursor, cursor + len(needle) + 40) if needle else -1
        if found < 0:
            continue
        cursor = found + len(needle)
        placed.append((offsets[found], offsets[cursor - 1] + 1, word))
    inside = [word for first, last, word in placed if first < end and last > start]
    if inside:
        return inside[0].t0, inside[-1].t1
    before = [word.t1 for _, last, word in placed if last <= start]
    after = [word.t0 for first, _, word in placed if first >= end]
    return (before[-1], after[0]) if before and after else None


def _inside_word(text: str, index: int) -> bool:
    """Whether a Latin word or number goes on across the border after `index`."""
    if index < 0 or index + 1 >= len(text):
        return False
    left, right = text[index], text[index + 1]
    return left.isascii() and right.isascii() and left.isalnum() and right.isalnum()

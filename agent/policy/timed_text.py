"""Text in which every character knows when it was said, whatever is cut out or respelt."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.domain.interview import Word

CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKENS = re.compile(
    rf"(?P<cjk>[{CJK}])|(?P<word>[^\W{CJK}](?:(?:(?![{CJK}])[\w'’.\-/+%])*))|(?P<mark>[^\w\s])"
)


def units(text: str) -> int:
    """Return Latin words plus Chinese characters: what both languages are counted in."""
    return len(re.findall(rf"[{CJK}]|[^\W{CJK}]+(?:['’.\-][^\W{CJK}]+)*", text))


@dataclass(frozen=True)
class TimedText:
    """A text and, for each of its characters, when it begins and ends, in seconds."""

    text: str = ""
    times: tuple[tuple[float, float], ...] = ()

    def __add__(self, other: "TimedText") -> "TimedText":
        return TimedText(self.text + other.text, self.times + other.times)

    def __getitem__(self, part: slice) -> "TimedText":
        return TimedText(self.text[part], self.times[part])

    def respelt(self, start: int, end: int, spelling: str) -> "TimedText":
        """Return the text with `start:end` written as `spelling`, said in the same time."""
        return self[:start] + spread(spelling, *self.between(start, end)) + self[end:]

    def between(self, start: int, end: int) -> tuple[float, float]:
        """Return when the characters `start:end` begin and end."""
        if start >= end:
            moment = self.times[start - 1][1] if start else 0.0
            return moment, moment
        return self.times[start][0], self.times[end - 1][1]

    def stripped(self) -> "TimedText":
        """Return the text without white space at its ends."""
        start = len(self.text) - len(self.text.lstrip())
        return self[start : max(start, len(self.text.rstrip()))]

    def words(self) -> tuple[Word, ...]:
        """Return Latin words and single Chinese characters, each with its punctuation."""
        spans: list[tuple[int, int]] = []
        for match in _TOKENS.finditer(self.text):
            glued = spans and spans[-1][1] == match.start()
            if match.lastgroup == "mark" and glued:
                spans[-1] = (spans[-1][0], match.end())
            else:
                spans.append(match.span())
        return tuple(Word(self.text[a:b], *self.between(a, b)) for a, b in spans)


def spread(text: str, t0: float, t1: float) -> TimedText:
    """Return `text` said evenly from `t0` to `t1`."""
    step = (t1 - t0) / max(1, len(text))
    times = tuple((t0 + i * step, t0 + (i + 1) * step) for i in range(len(text)))
    return TimedText(text, times)


def timed(text: str, words: Sequence[Word], t0: float, t1: float) -> TimedText:
    """Return `text` with the times of `words` where they occur in it, evenly in between."""
    result = TimedText()
    before = t0
    for word in words:
        at = text.find(word.text, len(result.text)) if word.text else -1
        if at < 0:
            continue
        begin = max(before, word.t0)
        result += spread(text[len(result.text) : at], before, begin)
        result += spread(word.text, begin, max(begin, word.t1))
        before = result.times[-1][1]
    rest = text[len(result.text) :]
    return result + spread(rest, before, before if result.text else max(before, t1))

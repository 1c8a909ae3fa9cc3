"""An answer as it is matched: one Chinese script, no sounds of hesitation; places are kept."""

import re
from dataclasses import dataclass

from agent.policy.chinese import simplified

_ENGLISH = (
    r"(?<![\w'-])(?:[Uu](?:m+|h+)|[Ee]rm*|[Hh]m+|"
    r"(?<!do )(?<!did )(?<!as )(?<!if )(?<!let )[Yy]ou know(?! (?:what|how|why|which|that)\b)|"
    r"(?<=, )like(?=,))(?![\w'-])"
)
_CHINESE = r"[嗯呃]+|(?<![\u3400-\u9fff])额+(?=[，,、…\s])|(?<![\u3400-\u9fff])那个(?=[，,、…])"
_HALF_WIDTH = {
    place: chr(place - 0xFEE0) for place in range(0xFF01, 0xFF5F) if chr(place) not in "，；：？！"
}
_FILLERS = re.compile(
    rf",\s*(?:{_ENGLISH})\s*,|(?:{_ENGLISH})(?:,|\.\.+|…)*\s*|(?:{_CHINESE})[，,、…]*\s*"
)


@dataclass(frozen=True)
class PlainSpeech:
    """What signs are looked for in.

    Attributes:
        text: The answer without fillers, in simplified characters.
        places: Where each character of `text` stands in the answer.
    """

    text: str
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where `text[start:end]`, which is not empty, stands in the answer."""
        return self.places[start], self.places[end - 1] + 1


def plain_speech(answer: str) -> PlainSpeech:
    """Return `answer` made plain."""
    text = answer if answer.isascii() else simplified(answer)
    if len(text) != len(answer):
        text = answer
    text = text.translate(_HALF_WIDTH)
    kept: list[int] = []
    done = 0
    for filler in _FILLERS.finditer(text):
        kept += range(done, filler.start())
        done = filler.end()
    kept += range(done, len(text))
    return PlainSpeech("".join(text[place] for place in kept), tuple(kept))

"""Filler words of an answer: those that were written down, and those that only sounded.

Whisper leaves most hesitations out. What remains of them is a short stretch of voice, alone between
two silences, in which no word has its middle. One that runs into a word leaves no trace: on the
labelled clips (tests/data/audio) all that is counted is a filler, and half of the fillers are.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from agent.domain.interview import Word
from agent.domain.language import Language

SHORTEST_S = 0.15
LONGEST_S = 0.4
"""Seconds of voice that a hesitation lasts."""
ALONE_S = 0.2
"""Seconds of silence on either side of it."""

_WRITTEN: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(u+m+|u+h+|erm?|h+m+|mm+|you know(?=,|\.|$)|i mean(?=,)|"
        r"(?<=, )(like|basically|actually|sort of|kind of)(?=,)|like(?=,))(?!\w)",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"嗯+|呃+|额(?=[，。、…]|$)|(那个|这个|就是说|就是|然后呢|怎么说呢)(?=[，、…])|(?<![一-鿿])啊(?=，)"
    ),
}


def fillers(
    text: str, words: Sequence[Word], voiced: Sequence[tuple[float, float]], language: Language
) -> int:
    """Return how many fillers an answer has.

    Args:
        text: As the recogniser gave it.
        words: With times in the recording.
        voiced: Stretches of speech, (from, to) in seconds, in order.
        language: Of the answer.
    """
    return len(_WRITTEN[language].findall(text)) + len(unwritten(words, voiced))


def unwritten(
    words: Sequence[Word], voiced: Sequence[tuple[float, float]]
) -> list[tuple[float, float]]:
    """Return the stretches of voice that are hesitations of which no word was made."""
    edges = [float("-inf"), *(edge for run in voiced for edge in run), float("inf")]
    silences = [(edges[i], edges[i + 1]) for i in range(0, len(edges), 2)]
    middles = [(word.t0 + word.t1) / 2 for word in words]
    return [
        (start, end)
        for (start, end), (before, after) in zip(voiced, pairwise(silences), strict=True)
        if SHORTEST_S <= end - start <= LONGEST_S
        and before[1] - before[0] >= ALONE_S
        and after[1] - after[0] >= ALONE_S
        and not any(start <= middle <= end for middle in middles)
    ]

"""Error rates, and the parts that turn sound into words, for tests and benchmarks."""

import re
from collections.abc import Sequence
from pathlib import Path

from agent.adapters.whisper.models import locate
from agent.domain.interview import ListeningHints
from agent.domain.language import Language
from tests.clips import Clip


def tokens(text: str, language: Language) -> list[str]:
    """Return what errors are counted in: words, or characters."""
    if language == "zh":
        return list(re.sub(r"[^\w]", "", text.casefold()))
    return re.sub(r"[^\w\s']", " ", text.casefold()).split()


def error_rate(said: str, heard: str, language: Language) -> float:
    """Return the edit distance over the length of what was said.

    Digits count as errors where words were said: the rate is an upper bound.
    """
    reference, found = tokens(said, language), tokens(heard, language)
    row = list(range(len(found) + 1))
    for i, word in enumerate(reference, start=1):
        before, row[0] = row[0], i
        for j, other in enumerate(found, start=1):
            best = min(row[j] + 1, row[j - 1] + 1, before + (word != other))
            before, row[j] = row[j], best
    return row[-1] / len(reference)


def hints_for(clip: Clip, terms: Sequence[str] | None = None) -> ListeningHints:
    """Return what the ear is told when the clip's question was asked."""
    vocabulary = clip.terms if terms is None else tuple(terms)
    return ListeningHints(language=clip.language, frame="star", speech_terms=vocabulary)


def base_model(cache: Path) -> Path:
    """Return the folder of Whisper base."""
    return locate("base", "en", cache, lambda _message: None)

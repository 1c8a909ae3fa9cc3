"""Technical terms as they are written, where they were said."""

import re
from collections.abc import Sequence
from functools import cache

from agent.domain.language import Language
from agent.policy.timed_text import TimedText

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_JOINT = r"[\s\-‐‑·]*"
_LETTER_JOINT = r"[\s\-.]*"
ALSO_WORDS = {"zero", "adam", "ring", "flash", "lion", "slurm", "ray", "spark", "apex", "gloo"}
"""Terms that are ordinary words too: only a stage, a partner or Chinese around them tells."""
_TERM_AFTER = re.compile(
    r"\W*(stage|optimi[sz]er|offload|infinity|attention|all|stages)\b|\W*[-‑]?[123]\b",
    re.IGNORECASE,
)
_TERM_BEFORE = re.compile(
    r"\b(with|use|used|using|deepspeed|chose|chosen|picked)\W*$", re.IGNORECASE
)
_NUMBER_AFTER = re.compile(r"\W*(point|percent|degrees)\b", re.IGNORECASE)


@cache
def _pattern(term: str) -> re.Pattern[str] | None:
    """Return what matches `term` however it is spaced, hyphenated and capitalised."""
    parts = _PARTS.findall(term)
    if not parts or not term.isascii() or re.search(r"[^\w\s\-]", term):
        return None
    spelt = [
        _LETTER_JOINT.join(part) if len(part) > 1 and part.isupper() else part for part in parts
    ]
    if len(parts) > 1 and re.fullmatch(r"[A-Za-z]+", term) and len(term) <= 5:
        spelt = [term]  # ZeRO, NaN: a word with odd capitals, not a compound
    return re.compile(rf"(?<![A-Za-z0-9]){_JOINT.join(spelt)}(?![A-Za-z0-9])", re.IGNORECASE)


def spelt(said: TimedText, terms: Sequence[str], language: Language) -> TimedText:
    """Return `said` with the question's `terms` in their own spelling.

    Only spacing, hyphens and capitals change: a term that was not said is never put in.
    """
    for term in sorted(dict.fromkeys(terms), key=len, reverse=True):
        pattern = _pattern(term.strip())
        if pattern is None:
            continue
        for match in reversed(list(pattern.finditer(said.text))):
            if _is_the_term(said.text, match, language):
                spelling = _cased_like(match.group(), term.strip())
                if spelling != match.group():
                    said = said.respelt(*match.span(), spelling)
    return said


def _is_the_term(text: str, match: re.Match[str], language: Language) -> bool:
    if language == "zh" or match.group().lower() not in ALSO_WORDS:
        return True
    after, before = text[match.end() :], text[: match.start()]
    if _NUMBER_AFTER.match(after):
        return False
    return bool(_TERM_AFTER.match(after) or _TERM_BEFORE.search(before))


def _cased_like(found: str, term: str) -> str:
    """Keep the capital of a sentence's first word when the term itself has none."""
    if term[0].islower() and found[0].isupper():
        return term[0].upper() + term[1:]
    return term

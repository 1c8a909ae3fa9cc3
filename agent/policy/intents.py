"""What a candidate wants with what was said, heard before anything is graded.

A text carries a wish only when nothing else is in it. It is cut into clauses, politeness is taken
off both ends of each, and every clause that is left must be a known phrase: "I don't know" is a
wish to skip, "I don't know the exact number, but it grew with the batch" is an answer.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import islice
from typing import Literal, cast, get_args

from agent.domain.dialogue import Wish
from agent.domain.language import LANGUAGES, Language
from agent.policy.chinese import simplified
from agent.policy.intent_phrases import (
    DENIAL,
    DOUBLED,
    HESITATION,
    LEAD,
    POLITE,
    STARTS,
    WHOLE,
    phrases,
)

Intent = Wish | Literal["answer"]

MAX_STARTS = 8
"""Places in a clause where another wish may begin; one with more of them is an answer."""

MAX_LEADS = 4
"""Places at which what was really said is looked for."""

_STRENGTH: tuple[Wish, ...] = get_args(Wish)
_PHRASES = {language: phrases(language) for language in LANGUAGES}
_CLAUSE_END = re.compile(
    r"[,.;:!?，。；：！？、…\n—]+|\b(?:so|but|and|because|then)\b|所以|但是|不过|因为|然后|那么"
)
_POLITE_ENDS = (
    re.compile(rf"^(?:(?:{POLITE['en']})(?:\s+|$))+"),
    re.compile(rf"(?:(?:^|\s+)(?:{POLITE['en']}))+$"),
    re.compile(rf"^(?:(?:{POLITE['zh']})\s*)+"),
    re.compile(rf"(?:\s*(?:{POLITE['zh']}))+$"),
)


def classify(text: str, language: Language) -> Intent:
    """Return what the candidate wants with `text`, said in an interview held in `language`."""
    return "misheard" if corrected_words(text, language) else _wanted(text, language)


def corrected_words(text: str, language: Language) -> str | None:
    """Return what was really said, where `text` says so in one breath with "you misheard me".

    Only what follows words like "I said" is taken, verbatim.
    """
    plain = simplified(text)
    for lead in islice(LEAD.finditer(plain), MAX_LEADS):
        said = plain[lead.end() :].strip()
        if _wanted(plain[: lead.start()], language) == "misheard" and said.strip(".!?。！？ "):
            return text[lead.end() :].strip() if len(plain) == len(text) else said
    return None


def _wanted(text: str, language: Language) -> Intent:
    clauses = _clauses(text)
    whole = " ".join(clauses)
    if whole in WHOLE:
        return cast(Intent, WHOLE[whole])
    if HESITATION.fullmatch(whole):
        return "think"
    cores = [core for core in map(_core, clauses) if core]
    heard = {core: _wishes(core, language) for core in cores}
    if any("misheard" in wishes for wishes in heard.values()):
        heard = {core: wishes for core, wishes in heard.items() if core not in DENIAL}
    wishes = [wish for found in heard.values() for wish in found]
    if not wishes or "answer" in wishes:
        return "answer"
    return next(intent for intent in _STRENGTH if intent in wishes)


def _clauses(text: str) -> list[str]:
    plain = simplified(unicodedata.normalize("NFKC", text)).lower()
    plain = re.sub(r"['’‘`]", "", plain)
    plain = re.sub(r"[\"“”()\[\]《》「」-]", " ", plain)
    plain = DOUBLED.sub(r"\1\2", plain)
    return [" ".join(clause.split()) for clause in _CLAUSE_END.split(plain) if clause.strip()]


def _core(clause: str) -> str:
    """Take politeness and hesitation off both ends."""
    before = ""
    while clause != before:
        before = clause
        for pattern in _POLITE_ENDS:
            clause = pattern.sub("", clause).strip()
    return clause


def _wishes(clause: str, language: Language) -> list[Intent]:
    """Return the wishes of a clause; where it is none, of its parts: speech has no punctuation."""
    whole = _wish(clause, language)
    starts = [match.start() for match in STARTS.finditer(clause) if match.start()]
    if whole != "answer" or not starts or len(starts) > MAX_STARTS:
        return [whole]
    return _parts(clause, (0, *starts, len(clause)), 0, language) or ["answer"]


def _parts(
    clause: str, borders: tuple[int, ...], first: int, language: Language
) -> list[Intent] | None:
    """Return the wishes of the longest parts that begin at a border; None when a rest has none."""
    if first == len(borders) - 1:
        return []
    for last in range(len(borders) - 1, first, -1):
        core = _core(clause[borders[first] : borders[last]].strip())
        wish = _wish(core, language) if core else None
        if wish == "answer":
            continue
        rest = _parts(clause, borders, last, language)
        if rest is not None:
            return [wish, *rest] if wish else rest
    return None


@lru_cache(maxsize=4096)
def _wish(clause: str, language: Language) -> Intent:
    for intent, pattern in _PHRASES[language].items():
        if pattern.fullmatch(clause):
            return cast(Intent, intent)
    return "answer"

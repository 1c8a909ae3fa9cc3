"""What a candidate wants with what was said, heard before anything is graded.

A text carries a wish only when nothing else is in it. It is cut into clauses, politeness is taken
off both ends of each, and every clause that is left must be a known phrase: "I don't know" is a
wish to skip, "I don't know the exact number, but it grew with the batch" is an answer.
"""

import re
import unicodedata
from typing import Literal, cast, get_args

from agent.domain.dialogue import Wish
from agent.domain.language import LANGUAGES, Language
from agent.policy.intent_phrases import HESITATION, POLITE, WHOLE, phrases

Intent = Wish | Literal["answer"]

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
    clauses = _clauses(text)
    whole = " ".join(clauses)
    if whole in WHOLE:
        return cast(Intent, WHOLE[whole])
    if HESITATION.fullmatch(whole):
        return "think"
    wishes = [_wish(core, language) for core in map(_core, clauses) if core]
    if not wishes or "answer" in wishes:
        return "answer"
    return next(intent for intent in _STRENGTH if intent in wishes)


def _clauses(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", text).lower()
    plain = re.sub(r"['’‘`]", "", plain)
    plain = re.sub(r"[\"“”()\[\]《》「」-]", " ", plain)
    return [" ".join(clause.split()) for clause in _CLAUSE_END.split(plain) if clause.strip()]


def _core(clause: str) -> str:
    """Take politeness and hesitation off both ends."""
    before = ""
    while clause != before:
        before = clause
        for pattern in _POLITE_ENDS:
            clause = pattern.sub("", clause).strip()
    return clause


def _wish(clause: str, language: Language) -> Intent:
    for intent, pattern in _PHRASES[language].items():
        if pattern.fullmatch(clause):
            return cast(Intent, intent)
    return "answer"

"""Answers that were misheard: which one is meant, and what was really said.

An answer that is set right keeps its place: what is said in the correction counts as said then.
"""

import re
from collections.abc import Sequence

from agent.domain.interview import Correction, Turn
from agent.domain.language import Language
from agent.policy.branches import as_corrected
from agent.policy.chinese import simplified
from agent.policy.drilldown import History, hear, is_graded
from agent.policy.folding import weight
from agent.policy.intents import corrected_words

WHOLE_ANSWER = 0.5
"""Share of the misheard answer's length from which words said in passing can stand for all of it;
with less, the answer is asked for."""

_NEVER_MIND = re.compile(
    r"\W*(?:(?:oh|no|ok|okay|well|actually|sorry|then|please|thanks|thank you|never ?mind|"
    r"forget (?:it|that|about it)|(?:it|that) (?:is|was) (?:fine|ok|okay)|(?:it|that).?s fine|"
    r"(?:it )?does ?n.?t matter|(?:it )?does not matter|no need|"
    r"let.?s (?:go on|move on|continue))(?:\W+|$))+|"
    r"\W*(?:(?:哦|那|嗯|不用了?|不必了?|吧|了|谢谢|算了|没事(?:了|儿)?|没关系|无所谓|"
    r"继续吧?|就这样吧?)\W*)+",
    re.IGNORECASE,
)
"""Nothing but words that leave things as they are."""


def misheard(turns: Sequence[Turn], language: Language) -> Turn | None:
    """Return the last turn before the last one whose answer was taken for what it said."""
    return next(
        (
            turn
            for turn in reversed(turns[:-1])
            if turn.answer.understood and is_graded(turn, language)
        ),
        None,
    )


def waves_off(turn: Turn) -> bool:
    """Whether the candidate would rather leave the misheard answer as it is."""
    return _NEVER_MIND.fullmatch(simplified(turn.answer.text)) is not None


def correction(turns: Sequence[Turn], language: Language) -> Correction | None:
    """Return what the last of `turns` sets right; None when it sets nothing right.

    Args:
        turns: All turns, oldest first, with earlier corrections in place.
        language: Of the interview.
    """
    last = turns[-1]
    hearing = hear(last, language)
    if last.utterance.corrects is not None and hearing == "answer":
        text = last.answer.text
        return None if waves_off(last) else Correction(turn=last.utterance.corrects, text=text)
    words = corrected_words(last.answer.text, language) if hearing == "misheard" else None
    meant = misheard(turns, language)
    if words is None or meant is None or weight(words) < WHOLE_ANSWER * weight(meant.answer.text):
        return None
    return Correction(turn=meant.number, text=words)


def correction_due(history: History, language: Language) -> Correction | None:
    """Return the correction that the last turn makes and `history` does not hold yet."""
    places = [place for place, item in enumerate(history) if isinstance(item, Turn)]
    if not places or any(isinstance(item, Correction) for item in history[places[-1] :]):
        return None
    return correction(as_corrected(history), language)

"""Whether a question says what a question of the bank says."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from agent.domain.question import LocalizedQuestion
from agent.policy.folding import content, fold_with_offsets
from agent.policy.nearness import Nearness
from agent.policy.quantities import figures
from agent.policy.rivals import mentions

SAME_SPELLING = 0.9
"""Similarity of two spellings at which only case, punctuation or a slip tells them apart."""
NEAR = 0.8
"""Nearness of meaning from which a rewording may be the same question."""
SHARED = 0.5
"""Share of content words that a rewording must have in common with it."""
LEAD = 0.05
"""How far the best question must lie before the next."""


def match_question(
    text: str, bank: Sequence[LocalizedQuestion], near: Nearness | None
) -> LocalizedQuestion | None:
    """Return the question of `bank` that `text` asks, or None when that is not clear.

    Meaning and terms must agree: the same rivals (tensor, pipeline ...) and the same figures.

    Args:
        text: The question as it was asked.
        bank: The questions, in the language of `text`.
        near: Gives nearness of `text` to each prompt; None: only the spelling is compared.
    """
    same = [item for item in bank if _comparable(text, item.prompt)]
    spelt = max(same, key=lambda item: _spelling(text, item.prompt), default=None)
    if spelt and _spelling(text, spelt.prompt) >= SAME_SPELLING:
        return spelt
    if near is None or not same:
        return None
    ranked = sorted(same, key=lambda item: -near(text, item.prompt))
    best = ranked[0]
    lead = near(text, best.prompt) - (near(text, ranked[1].prompt) if len(ranked) > 1 else 0.0)
    clear = near(text, best.prompt) >= NEAR and lead >= LEAD
    return best if clear and _shared(text, best.prompt) >= SHARED else None


def _comparable(text: str, prompt: str) -> bool:
    return mentions(text) == mentions(prompt) and figures(text.casefold()) == figures(
        prompt.casefold()
    )


def _spelling(text: str, prompt: str) -> float:
    first, second = fold_with_offsets(text)[0], fold_with_offsets(prompt)[0]
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= SAME_SPELLING else 0.0


def _shared(text: str, prompt: str) -> float:
    first, second = content(text), content(prompt)
    return len(first & second) / max(1, min(len(first), len(second)))

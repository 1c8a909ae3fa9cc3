"""How far a passage of an answer makes a key point: by meaning, terms, words and polarity."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from agent.domain.question import Category, Point
from agent.policy.clauses import split
from agent.policy.folding import content
from agent.policy.named_terms import terms_share
from agent.policy.nearness import Nearness, ramp
from agent.policy.negation import Polarity, hypothetical, polarity
from agent.policy.reading import Passage
from agent.policy.rivals import crossed, mentions, opposed

DENIED = 0.25
"""What is left of a passage's coverage when it denies what the point affirms, or the reverse."""
ALIGNED = 0.4
"""Share of the words of the shorter of two clauses from which one can deny the other."""
NEXT_BEST = 0.75
"""Part of the highest such share from which another clause's polarity counts as well."""
Stance = Literal["agrees", "differs", "denies"]


@dataclass(frozen=True)
class Match:
    """A passage's coverage of a point, 0 to 1.

    Attributes:
        contrary: Coverage of the opposite, or of what may be; `denied`: of the opposite alone.
    """

    passage: Passage
    coverage: float
    contrary: float = 0.0
    denied: float = 0.0


@dataclass(frozen=True)
class Signs:
    """What each sign weighs in the log odds that a passage makes a point.

    Attributes:
        meaning: Nearness of meaning, 0 at its floor and 1 at its ceiling.
        terms: Share of the point's concepts that are named.
        words: Share of the point's own words that are said.
        least, most: The sum from which a point begins to count, and at which it counts in full.
        story: What is told is the speaker's own: it need not share words with the point.
    """

    meaning: float
    terms: float
    words: float
    least: float
    most: float
    story: bool = False


KNOWLEDGE = Signs(meaning=1.85, terms=2.5, words=5.4, least=1.5, most=4.0)
"""Fitted by logistic regression on 91 strong answers in the words of people who did not know the
bank, against answers to other questions and what is left of an answer without its best sentence."""
OPEN = replace(KNOWLEDGE, least=0.7, most=3.2)
"""Questions of judgement have no one right wording: less agrees in what is said of the same."""
STORY = Signs(meaning=5.5, terms=1.1, words=2.3, least=-0.3, most=2.0, story=True)
"""Fitted likewise on twelve stories; terms of stories are every story's."""
_SIGNS: Mapping[Category, Signs] = {
    "principle": KNOWLEDGE,
    "coding": KNOWLEDGE,
    "project": STORY,
    "behavioural": STORY,
}


def signs_of(category: Category) -> Signs:
    """Return how the key points of a category are recognised."""
    return _SIGNS.get(category, OPEN)


def match_point(passage: Passage, point: Point, near: Nearness, signs: Signs) -> Match:
    """Return how far `passage` makes `point`."""
    wordings = (point.statement, point.aloud)
    if opposed(passage.about, mentions(point.statement)):
        return Match(passage, 0.0)
    nearest = max(near(passage.text, text) for text in wordings)
    words = max(_shared(passage.text, text) for text in wordings)
    named = terms_share(passage.folded, point.terms) if point.terms else words
    meaning = (nearest - near.floor) / (near.ceiling - near.floor)
    made = signs.meaning * meaning + signs.terms * named + signs.words * words
    coverage = ramp(made, signs.least, signs.most)
    if all(crossed(passage.text, text) for text in wordings):
        return Match(passage, 0.0, contrary=coverage)
    stances = {stance(clause.folded, wordings, signs.story) for clause in passage.clauses}
    if "denies" in stances:
        return Match(passage, DENIED * coverage, contrary=coverage, denied=coverage)
    if "differs" in stances:
        return Match(passage, DENIED * coverage, contrary=coverage)
    return Match(passage, coverage)


def _shared(said: str, wanted: str) -> float:
    """Return the share of the words of `wanted` that are said."""
    words = _words(wanted)
    return len(words & _words(said)) / len(words) if words else 0.0


@lru_cache(maxsize=20_000)
def _words(text: str) -> frozenset[str]:
    return frozenset(content(text))


@lru_cache(maxsize=50_000)
def stance(folded: str, wordings: tuple[str, ...], story: bool = False) -> Stance:
    """Return how a clause stands to the clauses of `wordings` that it shares most words with.

    It denies them where one of both denies a word that the other affirms; where only the number
    of denials differs it may speak of something else, and earns little. A story that denies
    something earns little where no wording denies anything.
    """
    said = polarity(folded)
    if hypothetical(folded):
        return "agrees"
    claims = _claims(wordings)
    shares = [
        len(said.words & claim.words) / max(1, min(len(said.words), len(claim.words)))
        if len(said.words & claim.words) > 1
        else 0.0
        for claim in claims
    ]
    most = max(shares, default=0.0)
    alike = [
        claim for claim, share in zip(claims, shares, strict=True) if share >= NEXT_BEST * most
    ]
    if any(said.denied & claim.denied for claim in alike):
        return "agrees"
    if most >= ALIGNED and any(said.turns(claim) for claim in alike):
        return "denies"
    if most >= ALIGNED or (story and said.odd):
        return "differs" if all(said.odd != claim.odd for claim in alike) else "agrees"
    return "agrees"


@lru_cache(maxsize=5_000)
def _claims(texts: tuple[str, ...]) -> tuple[Polarity, ...]:
    """Return what each clause says and denies."""
    return tuple(polarity(clause.folded) for text in texts for clause in split(text))

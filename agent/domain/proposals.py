"""What a language model proposes about an answer: nothing of it counts before it is checked.

Flat and without bounds or unions, as the strictest servers want their schemas.
"""

from typing import Literal

from pydantic import BaseModel


class ProposedLevel(BaseModel):
    """A criterion's level. The quotes come first, so that they are not sought for a level."""

    id: str
    quotes: list[str]
    reason: str
    level: int


class ProposedPoint(BaseModel):
    """Whether a key point was made."""

    id: str
    quotes: list[str]
    status: Literal["present", "partly", "absent", "contradicted"]


class ProposedMistake(BaseModel):
    """A misconception that was voiced."""

    id: str
    quotes: list[str]


class ProposedJudgement(BaseModel):
    """One reading of all answers to a question."""

    criteria: list[ProposedLevel]
    key_points: list[ProposedPoint]
    misconceptions: list[ProposedMistake]


class ProposedMention(BaseModel):
    """A key point that was touched, whether or not it was made well."""

    id: str
    quotes: list[str]


class ProposedProbe(BaseModel):
    """Something to be asked about, and the words that set it off."""

    quote: str
    reason: Literal[
        "no_baseline", "we_without_i", "no_alternative", "conflict", "implausible_figure"
    ]


class ProposedWish(BaseModel):
    """What the candidate wants instead of answering."""

    quote: str
    wish: Literal["repeat", "clarify", "hint", "skip"]


class ProposedView(BaseModel):
    """What is seen in answers while the interview goes on."""

    claims: list[str]
    key_points: list[ProposedMention]
    probes: list[ProposedProbe]
    wishes: list[ProposedWish]

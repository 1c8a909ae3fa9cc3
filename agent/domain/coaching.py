"""Coaching: what an answer had, what it lacked, and how it could be told next time."""

from typing import Literal

from agent.domain.assessment import Evidence
from agent.domain.language import Frozen, Language

AspectKind = Literal["criterion", "key_point", "misconception"]
NothingReason = Literal["silent", "not_judged", "gave_up"]


class Strength(Frozen):
    """Something that was there: a criterion from level 2 upwards, or a key point that was made.

    Attributes:
        text: The criterion's name, or the key point as a sentence.
        level: The criterion's level; None for a key point.
        evidence: The words that it stands on, verbatim, the most telling first.
    """

    kind: AspectKind
    id: str
    text: str
    level: int | None = None
    evidence: tuple[Evidence, ...]


class Gap(Frozen):
    """Something that was missing.

    Attributes:
        name: The criterion's name; empty for a key point.
        text: What was missing, in words a person understands.
        partly: Some of it was there.
    """

    kind: AspectKind
    id: str
    name: str = ""
    text: str
    partly: bool = False


class Change(Frozen):
    """The one change that would raise the score most.

    Attributes:
        name: The criterion's name; empty for a key point or a misconception.
        level: The level that the criterion would reach; None for the others.
        text: That level's anchor, the key point, or what is right instead of the misconception.
        gain: Points of 100 that the question's score would rise by, all else being equal.
    """

    kind: AspectKind
    id: str
    name: str = ""
    level: int | None = None
    text: str
    gain: float


class Piece(Frozen):
    """A piece of a rewrite.

    Attributes:
        text: The candidate's own words, verbatim; in a slot, what belongs there.
        slot: Nobody has said this yet: it is for the candidate to fill in.
        turn: Number of the turn that the words come from.
    """

    text: str
    slot: bool = False
    turn: int | None = None


class RewritePart(Frozen):
    """One part of the frame, with what stands in it."""

    id: str
    name: str
    pieces: tuple[Piece, ...]


class HouseWords(Frozen):
    """Words of the house: those that were used, and one that would have fitted. Never scored."""

    used: tuple[str, ...] = ()
    fitting: str | None = None


class Coaching(Frozen):
    """What is told about one question's answers.

    Attributes:
        language: Of everything in it but the candidate's words.
        score: The question's score; None where it was not earned.
        nothing: Why there is nothing to coach; then only the outline is told.
        change: None where no single change would raise the score.
        rewrite: The frame's parts in order, from the candidate's own words and open slots alone.
        pitfalls: Those of the question that the answer fell into, as far as flags tell.
    """

    question_id: str
    prompt: str
    language: Language
    score: float | None
    nothing: NothingReason | None = None
    strengths: tuple[Strength, ...] = ()
    gaps: tuple[Gap, ...] = ()
    change: Change | None = None
    rewrite: tuple[RewritePart, ...] = ()
    outline: str
    pitfalls: tuple[str, ...] = ()
    house: HouseWords = HouseWords()

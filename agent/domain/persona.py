"""Interviewer personas: ways of behaving, not avatars (`personas/<id>.yaml`)."""

from typing import Annotated

from pydantic import Field, model_validator

from agent.domain.dialogue import ProbeReason
from agent.domain.language import Frozen, LocalizedText, LocalizedTexts, NonBlank
from agent.domain.question import Category, Rung, Slug
from agent.domain.rubric import Dimension

Share = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
"""How often or how much, relative to the others of the same table."""
Focus = dict[str, Annotated[float, Field(ge=1, le=10, allow_inf_nan=False)]]
"""Topics of the bank, and how many times as often as any other topic each of them comes."""


class ProbeStyle(Frozen):
    """How a persona digs.

    Attributes:
        budget: Most follow-ups to one question.
        order: Reasons in the order in which this persona takes them up.
        wording: How each reason is asked about; `{quote}` and `{point}` may stand in a wording.
        rungs: How each rung is climbed to under a question that brings no follow-ups of its own;
            where these are used up, the wordings for `climb` have the word.
    """

    budget: int = Field(ge=0, le=8)
    order: tuple[ProbeReason, ...] = Field(min_length=1)
    wording: dict[ProbeReason, LocalizedTexts]
    rungs: dict[Rung, LocalizedTexts] = Field(default_factory=dict[Rung, LocalizedTexts])

    @model_validator(mode="after")
    def _every_reason_has_words(self) -> "ProbeStyle":
        missing = [
            f"{reason} ({language})"
            for reason in self.order
            for language in ("en", "zh")
            if reason not in self.wording or not self.wording[reason].get(language)
        ]
        if missing:
            raise ValueError(f"no wording for: {', '.join(missing)}")
        return self


class CutIn(Frozen):
    """When an interviewer stops a ramble, and how.

    Attributes:
        after_s: Seconds of talk after which the turn is taken at the next pause.
        words: Said then, politely.
    """

    after_s: float = Field(ge=30, le=600)
    words: LocalizedTexts


class Persona(Frozen):
    """An interviewer.

    Attributes:
        mix: How often each category is asked, relative to the others.
        patience_s: Seconds of silence this interviewer bears before taking the turn.
        weights: What each dimension weighs in the overall result.
        opening: Greetings. `closing`: farewells. `bridge`: between an answer and the next question.
        cut_in: When a ramble is stopped; None: never.
        focus: Topics that are asked about more often than others.
        not_heard: Said when nothing was understood. `gave_up`: after "I don't know".
    """

    id: str = Slug
    name: LocalizedText
    style: LocalizedText
    mix: dict[Category, Share] = Field(min_length=1)
    patience_s: float = Field(ge=1, le=10)
    cut_in: CutIn | None = None
    focus: Focus = Field(default_factory=Focus)
    probes: ProbeStyle
    weights: dict[Dimension, Share] = Field(min_length=1)
    opening: LocalizedTexts
    bridge: LocalizedTexts
    not_heard: LocalizedTexts
    gave_up: LocalizedTexts
    closing: LocalizedTexts
    never_says: LocalizedTexts = LocalizedTexts()
    vocabulary: LocalizedTexts = LocalizedTexts()
    sources: tuple[NonBlank, ...] = ()

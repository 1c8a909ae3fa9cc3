"""Company packs: an interviewer persona dressed for one house (`personas/companies/<id>.yaml`)."""

from pydantic import Field

from agent.domain.language import Frozen, LocalizedText, LocalizedTexts, NonBlank
from agent.domain.persona import Focus, Share
from agent.domain.question import Category, Slug
from agent.domain.rubric import Dimension


class Company(Frozen):
    """What a company's interviews change in the persona that they extend.

    Attributes:
        extends: Id of the persona.
        style: What its interviews are known for, said after the persona's own style.
        focus: Topics that the company asks about more often.
        vocabulary: House words, as its technical writing uses them.
        opening: Greetings; the persona's where there are none.
        mix: The persona's where empty. `weights`: likewise.
        disclaimer: Says that Viva is not affiliated with the company.
        sources: Public writing that the style is taken from.
    """

    id: str = Slug
    name: LocalizedText
    extends: str = Slug
    style: LocalizedText
    focus: Focus = Field(min_length=1)
    vocabulary: LocalizedTexts
    opening: LocalizedTexts = LocalizedTexts()
    mix: dict[Category, Share] = Field(default_factory=dict[Category, Share])
    weights: dict[Dimension, Share] = Field(default_factory=dict[Dimension, Share])
    disclaimer: LocalizedText
    sources: tuple[NonBlank, ...] = Field(min_length=1)

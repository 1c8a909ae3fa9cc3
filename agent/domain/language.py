"""The two languages of the house, and texts that exist in both."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")

NonBlank = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Frozen(BaseModel):
    """Base of everything that is read from or written to a file: immutable, no unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class LocalizedText(Frozen):
    """One text, written in English and in Chinese."""

    en: NonBlank
    zh: NonBlank

    def get(self, language: Language) -> str:
        """Return the text in `language`."""
        return self.en if language == "en" else self.zh


def both(en: str, zh: str) -> LocalizedText:
    """Return one text in both languages."""
    return LocalizedText(en=en, zh=zh)


class LocalizedTexts(Frozen):
    """Interchangeable wordings of one thing, or a list of things, in both languages."""

    en: tuple[NonBlank, ...] = ()
    zh: tuple[NonBlank, ...] = ()

    def get(self, language: Language) -> tuple[str, ...]:
        """Return the wordings in `language`."""
        return self.en if language == "en" else self.zh

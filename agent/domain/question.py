"""A question of the bank, as written in both languages and as asked in one."""

from typing import Literal

from pydantic import Field

from agent.domain.language import (
    LANGUAGES,
    Frozen,
    Language,
    LocalizedText,
    LocalizedTexts,
    NonBlank,
)

Category = Literal[
    "project",
    "engineering",
    "principle",
    "design",
    "evaluation",
    "trends",
    "coding",
    "behavioural",
]
Level = Literal["new-graduate", "1-3-years", "senior"]
Rung = Literal["clarify", "mechanism", "numbers", "alternatives", "limits", "transfer"]
RUNGS: tuple[Rung, ...] = (
    "clarify",
    "mechanism",
    "numbers",
    "alternatives",
    "limits",
    "transfer",
)
"""The ladder of a drill-down, lowest first."""

Slug = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")


class KeyPoint(Frozen):
    """Something a strong answer says.

    Attributes:
        id: Unique within the question.
        statement: The point itself, as a sentence.
        aloud: One right wording that a person might say.
        terms: Concepts the point cannot be made without; each is a list of wordings of one
            concept, in any language, any of which counts. None where the point was derived from
            a reference answer.
        weight: Relative to the question's other points.
    """

    id: str = Slug
    statement: LocalizedText
    aloud: LocalizedText
    terms: tuple[tuple[NonBlank, ...], ...] = ()
    weight: float = Field(default=1.0, gt=0, le=5)


class Misconception(Frozen):
    """Something that is often said and wrong.

    Attributes:
        id: Unique within the question.
        statement: The wrong claim, as a sentence.
        aloud: Wordings in which people say it.
        why: Why it is wrong.
        contradicts: Key points that cannot be true together with it.
    """

    id: str = Slug
    statement: LocalizedText
    aloud: LocalizedTexts = LocalizedTexts()
    why: LocalizedText
    contradicts: tuple[str, ...] = ()


class QuestionProbe(Frozen):
    """A follow-up written for this question.

    Attributes:
        rung: Where on the ladder it stands.
        ask: The follow-up, one question.
        key_point: The point it leads to, if it leads to one.
    """

    rung: Rung
    ask: LocalizedText
    key_point: str | None = None


class Question(Frozen):
    """One question of the bank, in both languages (`rubrics/questions/<topic>.yaml`).

    Attributes:
        languages: Those it is asked in. A user's own question may be written in one only; its
            texts in the other repeat the first and are never used.
    """

    id: str = Slug
    category: Category
    topic: str = Slug
    levels: tuple[Level, ...] = Field(min_length=1)
    prompt: LocalizedText
    minutes: float = Field(gt=0, le=30)
    looks_for: LocalizedText
    key_points: tuple[KeyPoint, ...] = Field(min_length=1)
    misconceptions: tuple[Misconception, ...] = ()
    probes: tuple[QuestionProbe, ...] = ()
    outline: LocalizedText
    example: LocalizedText
    pitfalls: LocalizedTexts
    speech_terms: LocalizedTexts
    sources: tuple[NonBlank, ...] = ()
    languages: tuple[Language, ...] = Field(default=LANGUAGES, min_length=1)

    def localized(self, language: Language) -> "LocalizedQuestion":
        """Return the question as it is asked and graded in `language`."""
        return LocalizedQuestion(
            id=self.id,
            category=self.category,
            language=language,
            prompt=self.prompt.get(language),
            key_points=tuple(
                Point(
                    id=point.id,
                    statement=point.statement.get(language),
                    aloud=point.aloud.get(language),
                    terms=point.terms,
                    weight=point.weight,
                )
                for point in self.key_points
            ),
            misconceptions=tuple(
                Mistake(
                    id=item.id,
                    statement=item.statement.get(language),
                    aloud=item.aloud.get(language),
                    why=item.why.get(language),
                    contradicts=item.contradicts,
                )
                for item in self.misconceptions
            ),
            probes=tuple(
                ProbeText(rung=probe.rung, ask=probe.ask.get(language), key_point=probe.key_point)
                for probe in self.probes
            ),
            example=self.example.get(language),
            outline=self.outline.get(language),
            speech_terms=self.speech_terms.get(language),
        )


class Point(Frozen):
    """A `KeyPoint` in one language."""

    id: str
    statement: str
    aloud: str
    terms: tuple[tuple[str, ...], ...]
    weight: float


class Mistake(Frozen):
    """A `Misconception` in one language."""

    id: str
    statement: str
    aloud: tuple[str, ...]
    why: str
    contradicts: tuple[str, ...]


class ProbeText(Frozen):
    """A `QuestionProbe` in one language."""

    rung: Rung
    ask: str
    key_point: str | None = None


class LocalizedQuestion(Frozen):
    """A question in one language: all that interviewer, ear and grader need of it.

    A question from a batch row that the bank does not know has the same form, with key points
    derived from its reference answer or with none.
    """

    id: str
    category: Category
    language: Language
    prompt: str
    key_points: tuple[Point, ...] = ()
    misconceptions: tuple[Mistake, ...] = ()
    probes: tuple[ProbeText, ...] = ()
    outline: str = ""
    example: str = ""
    speech_terms: tuple[str, ...] = ()


class QuestionFile(Frozen):
    """A file of the bank: `rubrics/questions/<topic>.yaml`."""

    questions: tuple[Question, ...] = Field(min_length=1)

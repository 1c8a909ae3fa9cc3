"""What there is to choose from: personas, companies, questions and frames, by name."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from agent.adapters.yaml_catalog import (
    COMPANIES,
    FRAMES,
    PERSONAS,
    QUESTIONS,
    Entry,
    data_root,
    entries,
    problem,
)
from agent.app.own_bank import FOLDER as OWN
from agent.app.own_bank import OwnBank
from agent.app.settings import load_settings
from agent.domain.company import Company
from agent.domain.errors import InvalidFiles, Problem, UsageError
from agent.domain.language import Language, LocalizedText
from agent.domain.persona import Persona
from agent.domain.question import Question
from agent.domain.rubric import Frame

Choice = TypeVar("Choice", Persona, Company)
_PERSONA = LocalizedText(en="persona", zh="面试官")
_COMPANY = LocalizedText(en="company", zh="公司")


def nearest(kind: LocalizedText, name: str, known: Iterable[str]) -> UsageError:
    """Return the error for an unknown name, with the names that come close."""
    names = sorted(known)
    close = ", ".join(difflib.get_close_matches(name, names, n=3, cutoff=0.5) or names)
    said = LocalizedText(
        en=f"There is no {kind.en} {name!r}. Did you mean: {close}?",
        zh=f"没有叫“{name}”的{kind.zh}。你想找的是不是：{close}？",
    )
    return UsageError(said)


@dataclass(frozen=True)
class Catalog:
    """The project's own personas and rubrics; each kind is read when first asked for.

    Attributes:
        root: Folder that holds `personas` and `rubrics`.
        own_questions: Folder of the user's questions, which are added to the project's.
    """

    root: Path
    own_questions: Path

    @cached_property
    def personas(self) -> tuple[Entry[Persona], ...]:
        """All personas, with the files they stand in."""
        return entries(PERSONAS, self.root / PERSONAS.folder)

    @cached_property
    def bank(self) -> tuple[Entry[Question], ...]:
        """The project's questions, with the files they stand in."""
        return entries(QUESTIONS, self.root / QUESTIONS.folder)

    @cached_property
    def own(self) -> OwnBank:
        """The user's questions; what is wrong there is left out and told, never raised."""
        return OwnBank(self.own_questions, [entry.item.id for entry in self.bank])

    @property
    def questions(self) -> tuple[Entry[Question], ...]:
        """All questions, with the files they stand in: the project's, then the user's."""
        return (*self.bank, *self.own.entries)

    def questions_in(self, language: Language) -> tuple[Question, ...]:
        """All questions that can be asked in `language`."""
        return tuple(entry.item for entry in self.questions if language in entry.item.languages)

    @cached_property
    def frames(self) -> tuple[Entry[Frame], ...]:
        """All frames, with the files they stand in."""
        return entries(FRAMES, self.root / FRAMES.folder)

    @cached_property
    def companies(self) -> tuple[Entry[Company], ...]:
        """All companies, with the files they stand in; each extends a persona that there is."""
        found = entries(COMPANIES, self.root / COMPANIES.folder)
        known = {entry.item.id for entry in self.personas}
        problems = [
            problem(entry.path, ("extends",), _no_persona(entry.item.extends))
            for entry in found
            if entry.item.extends not in known
        ]
        problems += self._strange_topics(found)
        if problems:
            raise InvalidFiles(problems)
        return found

    def check(self) -> None:
        """Read everything.

        Raises:
            InvalidFiles: Something is wrong; it carries every problem of every kind.
        """
        problems: list[Problem] = []
        for kind in ("personas", "questions", "frames", "companies"):
            try:
                getattr(self, kind)
            except InvalidFiles as error:
                problems += error.problems
        if not problems:
            problems += self._strange_topics(self.personas)
        if problems:
            raise InvalidFiles(list(dict.fromkeys(problems)))

    def persona(self, name: str) -> Persona:
        """Return the persona of that name.

        Raises:
            UsageError: There is none; the nearest names are offered.
        """
        return _named(name, self.personas, _PERSONA)

    def company(self, name: str) -> Company:
        """Return the company of that name; raises as `persona` does."""
        return _named(name, self.companies, _COMPANY)

    def _strange_topics(self, found: Iterable[Entry[Persona] | Entry[Company]]) -> list[Problem]:
        """Return where a focus names a topic that no question of the bank has."""
        topics = {entry.item.topic for entry in self.bank}
        return [
            problem(entry.path, ("focus", topic), _no_question(topic))
            for entry in found
            for topic in entry.item.focus
            if topic not in topics
        ]


def _no_persona(name: str) -> LocalizedText:
    return LocalizedText(en=f"there is no persona {name!r}", zh=f"没有面试官 {name!r}")


def _no_question(topic: str) -> LocalizedText:
    return LocalizedText(
        en=f"there is no question on the topic {topic!r}", zh=f"没有主题为 {topic!r} 的题"
    )


def _named(name: str, found: Iterable[Entry[Choice]], kind: LocalizedText) -> Choice:
    by_name = {entry.item.id: entry.item for entry in found}
    if name not in by_name:
        raise nearest(kind, name, by_name)
    return by_name[name]


def open_catalog() -> Catalog:
    """Return the catalog that this installation carries, with the user's own questions."""
    return Catalog(data_root(), load_settings().home / OWN)

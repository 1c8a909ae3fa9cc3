"""What there is to choose from: personas, questions and frames, by name."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from agent.adapters.yaml_catalog import (
    FRAMES,
    PERSONAS,
    QUESTIONS,
    Entry,
    data_root,
    entries,
)
from agent.domain.errors import InvalidFiles, Problem, UsageError
from agent.domain.persona import Persona
from agent.domain.question import Question
from agent.domain.rubric import Frame


def nearest(kind: str, name: str, known: Iterable[str]) -> UsageError:
    """Return the error for an unknown name, with the names that come close."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5) or names
    return UsageError(f"There is no {kind} {name!r}. Did you mean: {', '.join(close)}?")


@dataclass(frozen=True)
class Catalog:
    """The project's own personas and rubrics; each kind is read when first asked for."""

    root: Path

    @cached_property
    def personas(self) -> tuple[Entry[Persona], ...]:
        """All personas, with the files they stand in."""
        return entries(PERSONAS, self.root / PERSONAS.folder)

    @cached_property
    def questions(self) -> tuple[Entry[Question], ...]:
        """All questions, with the files they stand in."""
        return entries(QUESTIONS, self.root / QUESTIONS.folder)

    @cached_property
    def frames(self) -> tuple[Entry[Frame], ...]:
        """All frames, with the files they stand in."""
        return entries(FRAMES, self.root / FRAMES.folder)

    def check(self) -> None:
        """Read everything.

        Raises:
            InvalidFiles: Something is wrong; it carries every problem of every kind.
        """
        problems: list[Problem] = []
        for kind in ("personas", "questions", "frames"):
            try:
                getattr(self, kind)
            except InvalidFiles as error:
                problems += error.problems
        if problems:
            raise InvalidFiles(problems)

    def persona(self, name: str) -> Persona:
        """Return the persona of that name.

        Raises:
            UsageError: There is none; the nearest names are offered.
        """
        by_name = {entry.item.id: entry.item for entry in self.personas}
        if name not in by_name:
            raise nearest("persona", name, by_name)
        return by_name[name]


def open_catalog() -> Catalog:
    """Return the catalog that this installation carries."""
    return Catalog(data_root())

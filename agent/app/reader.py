"""The language in which the user is spoken to: one asked for, else the system's."""

from collections.abc import Sequence
from contextvars import ContextVar
from itertools import pairwise

from agent.app.settings import system_language
from agent.domain.language import LANGUAGES, Language

OPTION = "--lang"
_chosen: ContextVar[Language | None] = ContextVar("reader_language", default=None)


def reader_language() -> Language:
    """Return the language of everything that is said to the user outside an interview."""
    return _chosen.get() or system_language()


def speak(language: Language | None) -> None:
    """Speak `language` from now on; None: the system's."""
    _chosen.set(language)


def asked_for(arguments: Sequence[str]) -> Language | None:
    """Return the language that a command line names, before anything else of it is read."""
    spread = [part for argument in arguments for part in argument.split("=", 1)]
    for name, value in pairwise(spread):
        if name == OPTION:
            return next((language for language in LANGUAGES if language == value), None)
    return None

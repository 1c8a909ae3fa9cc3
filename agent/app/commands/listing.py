"""`viva list`: what there is, and which file it stands in."""

import json
import sys
from collections.abc import Iterable, Iterator

from agent.app.catalog import Catalog, Entry, open_catalog
from agent.app.reader import reader_language
from agent.domain.language import Language
from agent.domain.question import Question

Row = dict[str, str | float | list[str] | None]


def run(what: str, language: Language | None, as_json: bool) -> None:
    """Print a line for each thing of the kind `what`."""
    show(_rows(what, language or reader_language()), as_json)


def show(rows: Iterable[Row], as_json: bool) -> None:
    """Print rows as JSON objects, or with their values side by side."""
    for row in rows:
        if as_json:
            print(json.dumps(row, ensure_ascii=False))
        else:
            print("  ".join(_cell(value) for value in row.values()))


def _cell(value: str | float | list[str] | None) -> str:
    if value is None:
        return "-"
    return ", ".join(value) if isinstance(value, list) else str(value)


def _rows(what: str, language: Language) -> Iterator[Row]:
    catalog = open_catalog()
    match what:
        case "personas":
            yield from _personas(catalog, language)
        case "companies":
            yield from _companies(catalog, language)
        case "questions":
            yield from _questions(catalog, language)
        case _:
            yield from _frames(catalog, language)


def _personas(catalog: Catalog, language: Language) -> Iterator[Row]:
    for entry in catalog.personas:
        yield {
            "id": entry.item.id,
            "name": entry.item.name.get(language),
            "style": entry.item.style.get(language),
            "file": str(entry.path),
        }


def _companies(catalog: Catalog, language: Language) -> Iterator[Row]:
    for entry in catalog.companies:
        yield {
            "id": entry.item.id,
            "name": entry.item.name.get(language),
            "extends": entry.item.extends,
            "disclaimer": entry.item.disclaimer.get(language),
            "file": str(entry.path),
        }


def _questions(catalog: Catalog, language: Language) -> Iterator[Row]:
    for entry in catalog.questions:
        yield question_row(entry, language)
    for problem in catalog.own.problems:
        print(problem.spelt(language), file=sys.stderr)


def question_row(entry: Entry[Question], language: Language) -> Row:
    """Return what is listed of a question."""
    return {
        "id": entry.item.id,
        "category": entry.item.category,
        "topic": entry.item.topic,
        "levels": list(entry.item.levels),
        "prompt": entry.item.prompt.get(language),
        "file": str(entry.path),
    }


def _frames(catalog: Catalog, language: Language) -> Iterator[Row]:
    for entry in catalog.frames:
        yield {
            "id": entry.item.id,
            "version": entry.item.version,
            "name": entry.item.name.get(language),
            "categories": list(entry.item.categories),
            "file": str(entry.path),
        }

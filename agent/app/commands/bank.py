"""`viva bank`: the user's own questions."""

import sys
from collections.abc import Sequence
from pathlib import Path

from agent.app import wiring
from agent.app.catalog import open_catalog
from agent.app.commands.bank_check import NO_ENCODER, print_problems, twins
from agent.app.commands.listing import question_row, show
from agent.app.own_bank import Reading, RowProblem, read_questions
from agent.app.reader import reader_language
from agent.domain.errors import VivaError
from agent.domain.language import LANGUAGES, Language, LocalizedText
from agent.domain.question import Question

ADDED = LocalizedText(en="Added {count}:", zh="已添加 {count} 道题：")
NOTHING_ADDED = LocalizedText(
    en="Nothing was added. Problems: {count}.", zh="有 {count} 处问题，没有添加任何题目。"
)
LEFT_OUT = LocalizedText(
    en="Left out for these problems ({count}):", zh="有 {count} 处问题，未添加："
)
REMOVED = LocalizedText(en="Removed {id} ({file}).", zh="已删除 {id}（{file}）。")
NONE_YET = LocalizedText(
    en="You have no questions of your own yet. Try: viva bank add FILE",
    zh="你还没有自己的题目。试试：viva bank add FILE",
)
GOOD = LocalizedText(en="{count} questions, nothing to mend.", zh="{count} 道题，没有问题。")
TO_MEND = LocalizedText(en="To mend: {count}.", zh="有 {count} 处需要修改。")


def add(path: Path, good_only: bool) -> None:
    """Add the questions of a file, all or (with `good_only`) those that are good.

    Raises:
        UsageError: There is no such file, or it is of another kind.
        VivaError: Something is wrong in it; the message names every line.
    """
    catalog = open_catalog()
    reading = read_questions(path, [entry.item.id for entry in catalog.questions])
    if reading.problems and not (good_only and reading.rows):
        raise VivaError(_refusal(reading), _way_out(path, reading))
    language = reader_language()
    if reading.problems:
        print(LEFT_OUT.get(language).format(count=len(reading.problems)), file=sys.stderr)
        for problem in reading.problems:
            print(problem.spelt(language), file=sys.stderr)
    files = catalog.own.add([row.question for row in reading.rows])
    print(ADDED.get(language).format(count=len(files)))
    for row, file in zip(reading.rows, files, strict=True):
        print(f"  {row.question.id}  {file}")


def _refusal(reading: Reading) -> LocalizedText:
    told: dict[str, str] = {
        language: "\n".join(
            [
                *(problem.spelt(language) for problem in reading.problems),
                NOTHING_ADDED.get(language).format(count=len(reading.problems)),
            ]
        )
        for language in LANGUAGES
    }
    return LocalizedText(**told)


def _way_out(path: Path, reading: Reading) -> str | None:
    return f"viva bank add {path} --good-only" if reading.rows else None


def listing(language: Language | None, as_json: bool) -> None:
    """Print a line for each own question."""
    language = language or reader_language()
    own = open_catalog().own
    show((question_row(entry, language) for entry in own.entries), as_json)
    for problem in own.problems:
        print(problem.spelt(language), file=sys.stderr)
    if not own.entries and not own.problems and not as_json:
        print(NONE_YET.get(language), file=sys.stderr)


def lint(path: Path, as_json: bool) -> None:
    """Print everything that would keep a file from being added, and questions asked twice.

    Raises:
        UsageError: There is no such file, or it is of another kind.
        VivaError: There is something to mend.
    """
    language = reader_language()
    catalog = open_catalog()
    known = [entry.item for entry in catalog.questions]
    reading = read_questions(path, [question.id for question in known])
    problems = [*reading.problems, *_twins(path, reading, known)]
    print_problems(problems, language, as_json)
    if problems:
        count = len(problems)
        raise VivaError(
            LocalizedText(en=TO_MEND.en.format(count=count), zh=TO_MEND.zh.format(count=count))
        )
    if not as_json:
        print(GOOD.get(language).format(count=len(reading.rows)))


def _twins(path: Path, reading: Reading, known: Sequence[Question]) -> list[RowProblem]:
    encoder = wiring.encoder()
    if encoder is None:
        print(NO_ENCODER.get(reader_language()), file=sys.stderr)
        return []
    lines = {row.question.id: row.line for row in reading.rows}
    found = twins([row.question for row in reading.rows], known, encoder)
    return [RowProblem(path, lines[item.question or ""], item.text) for item in found]


def remove(number: str) -> None:
    """Delete one of the user's questions; sessions that asked it keep their copy.

    Raises:
        UsageError: There is none of that id.
        StorageUnavailable: Its file cannot be deleted.
    """
    file = open_catalog().own.remove(number)
    print(REMOVED.get(reader_language()).format(id=number, file=file))

"""The user's own questions, which lie in `VIVA_HOME/bank`, a file each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from agent.adapters.own_bank import Draft, csv_rows, forget, json_lines, keep, read_text
from agent.adapters.yaml_catalog import Entry, listed
from agent.domain.errors import InvalidFiles, UsageError
from agent.domain.language import Language, LocalizedText
from agent.domain.question import Question
from agent.policy.own_bank import as_written, question_from
from agent.policy.own_rows import Unusable

FOLDER = "bank"
KINDS = (".yaml", ".yml", ".csv", ".tsv", ".jsonl")


@dataclass(frozen=True)
class RowProblem:
    """Something wrong in a file of questions.

    Attributes:
        line: Where the question begins; None where the whole file is meant.
    """

    path: Path
    line: int | None
    text: LocalizedText

    def spelt(self, language: Language) -> str:
        """Return it as `file: line 3: text`."""
        line = {"en": f" line {self.line}:", "zh": f" 第 {self.line} 行："}[language]
        return f"{self.path}:{line if self.line else ''} {self.text.get(language)}"


@dataclass(frozen=True)
class Row:
    """A question that was read, and the line it begins in."""

    line: int
    question: Question


@dataclass
class Reading:
    """What a file of questions holds, good and bad."""

    rows: list[Row] = field(default_factory=list[Row])
    problems: list[RowProblem] = field(default_factory=list[RowProblem])


def read_questions(path: Path, taken: Iterable[str] = ()) -> Reading:
    """Read a file of questions; whatever is wrong in it is a problem, never a failure.

    Args:
        path: YAML, CSV or JSON lines, told by the ending.
        taken: Ids that exist already and may not be used again.

    Raises:
        UsageError: There is no such file, or it has another ending.
    """
    if path.suffix.lower() not in KINDS:
        raise UsageError(
            LocalizedText(
                en=f"{path}: questions come from {', '.join(KINDS)} files.",
                zh=f"{path}：题目文件只能是 {'、'.join(KINDS)}。",
            )
        )
    if not path.is_file():
        raise UsageError(LocalizedText(en=f"There is no file {path}.", zh=f"没有文件 {path}。"))
    reading = Reading()
    try:
        drafts = list(_drafts(path))
    except InvalidFiles as error:
        reading.problems += [RowProblem(path, None, problem.told) for problem in error.problems]
        return reading
    lines = dict.fromkeys(taken, 0)
    for draft in drafts:
        _take(draft, path, lines, reading)
    if not drafts:
        empty = LocalizedText(en="has no questions", zh="里面没有题目")
        reading.problems.append(RowProblem(path, None, empty))
    return reading


def _drafts(path: Path) -> Iterable[Draft]:
    text = read_text(path)
    match path.suffix.lower():
        case ".csv" | ".tsv":
            return csv_rows(text)
        case ".jsonl":
            return json_lines(text)
        case _:
            return [Draft(line, fields) for line, fields in listed(path)]


def _take(draft: Draft, path: Path, lines: dict[str, int], reading: Reading) -> None:
    """Add a draft to the rows or to the problems; `lines` tells where each id was seen."""
    if draft.fault:
        reading.problems.append(RowProblem(path, draft.line, draft.fault))
        return
    try:
        question = question_from(draft.fields)
    except Unusable as error:
        reading.problems += [RowProblem(path, draft.line, fault) for fault in error.faults]
        return
    if question.id in lines:
        reading.problems.append(
            RowProblem(path, draft.line, _taken(question.id, lines[question.id]))
        )
        return
    lines[question.id] = draft.line
    reading.rows.append(Row(draft.line, question))


def _taken(number: str, line: int) -> LocalizedText:
    if line:
        return LocalizedText(
            en=f"the question {number} stands in line {line} already",
            zh=f"题目 {number} 在第 {line} 行已经有了",
        )
    return LocalizedText(en=f"there is a question {number} already", zh=f"已经有题目 {number} 了")


class OwnBank:
    """The folder of own questions.

    Args:
        folder: Need not exist.
        taken: Ids of the bank's own questions, which win.
    """

    def __init__(self, folder: Path, taken: Iterable[str] = ()) -> None:
        self._folder = folder
        self._taken = frozenset(taken)

    @property
    def entries(self) -> tuple[Entry[Question], ...]:
        """The questions that can be used, with their files."""
        return self._read[0]

    @property
    def problems(self) -> tuple[RowProblem, ...]:
        """What is wrong in the folder; those questions are left out."""
        return self._read[1]

    @cached_property
    def _read(self) -> tuple[tuple[Entry[Question], ...], tuple[RowProblem, ...]]:
        entries: list[Entry[Question]] = []
        problems: list[RowProblem] = []
        taken = set(self._taken)
        for path in sorted(self._folder.glob("*")):
            if path.suffix.lower() in KINDS and path.is_file():
                reading = read_questions(path, taken)
                problems += reading.problems
                entries += [Entry(row.question, path) for row in reading.rows]
                taken.update(row.question.id for row in reading.rows)
        return tuple(entries), tuple(problems)

    def add(self, questions: Sequence[Question]) -> tuple[Path, ...]:
        """Keep questions whose ids are free; return their files.

        Raises:
            StorageUnavailable: The folder cannot be written.
        """
        return tuple(
            keep(self._folder, question.id, as_written(question)) for question in questions
        )

    def remove(self, number: str) -> Path:
        """Delete a question and return the file it stood in.

        Raises:
            UsageError: There is no such own question, or its file holds others too.
            StorageUnavailable: The file cannot be deleted.
        """
        paths = {entry.item.id: entry.path for entry in self.entries}
        if number not in paths:
            raise UsageError(
                LocalizedText(
                    en=f"There is no question {number!r} of your own.",
                    zh=f"你的题库里没有 {number!r}。",
                ),
                "viva bank list",
            )
        path = paths[number]
        if list(paths.values()).count(path) > 1:
            raise UsageError(
                LocalizedText(
                    en=f"{path} holds other questions too; take {number} out of it yourself.",
                    zh=f"{path} 里还有别的题，请自己在文件里删去 {number}。",
                )
            )
        forget(path)
        return path

"""`viva doctor --grader FOLDER`: how far the builtin grader agrees with people who graded."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from agent.app import wiring
from agent.domain.errors import InvalidFiles, Problem, StorageUnavailable, UsageError
from agent.domain.language import Language, LocalizedText
from agent.domain.rubric import Frame
from agent.grading.batch import BatchGrading
from agent.grading.batch_lines import chunks, read_lines
from agent.grading.batch_workers import judged
from agent.grading.graded_sets import GradedRow, beside, read_set
from agent.grading.processes import processes_for
from agent.policy.agreement import Agreement, Graded, agreement

FEW = 300
"""Rows that are judged sooner here than a second process is ready."""
NO_FOLDER = LocalizedText(en="There is no folder {folder}.", zh="没有这个文件夹：{folder}。")
NO_SET = LocalizedText(
    en="{folder} holds no set of graded answers: no file that ends in .jsonl.",
    zh="{folder} 里没有人工评过分的回答：没有 .jsonl 文件。",
)
UNREADABLE = LocalizedText(en="{path} cannot be read: {reason}", zh="无法读取 {path}：{reason}")
HEAD = LocalizedText(en="Agreement with people", zh="与人工评分的一致程度")
NOT_BLANK = LocalizedText(en="{name}, blank ones left out", zh="{name}（不计空白回答）")
COLUMNS: Mapping[str, LocalizedText] = {
    "set": LocalizedText(en="set", zh="数据集"),
    "answers": LocalizedText(en="answers", zh="回答"),
    "questions": LocalizedText(en="questions", zh="题"),
    "unjudged": LocalizedText(en="unjudged", zh="未评分"),
    "spearman": LocalizedText(en="Spearman", zh="Spearman"),
    "within": LocalizedText(en="within r", zh="题内 r"),
    "partial": LocalizedText(en="partial r", zh="偏相关 r"),
    "length": LocalizedText(en="length alone", zh="只看长度"),
    "error": LocalizedText(en="error low/mid/high", zh="偏差 低/中/高"),
    "gap": LocalizedText(en="paraphrase - trap", zh="改写减陷阱"),
}

Sets = Mapping[str, Sequence[GradedRow]]


def read_sets(folder: Path) -> Sets:
    """Return the graded sets of a folder, by name.

    Raises:
        UsageError: There is no such folder, or no set in it.
        InvalidFiles: Rows that are not graded answers, of all sets.
        StorageUnavailable: A file cannot be read.
    """
    if not folder.is_dir():
        raise UsageError(_filled(NO_FOLDER, folder=folder))
    paths = sorted(path for path in folder.glob("*.jsonl") if path.is_file())
    if not paths:
        raise UsageError(_filled(NO_SET, folder=folder))
    sets: dict[str, list[GradedRow]] = {}
    problems: list[Problem] = []
    for path in paths:
        try:
            sets[path.stem] = read_set(path)
        except InvalidFiles as error:
            problems += error.problems
        except OSError as error:
            reason = error.strerror or str(error)
            raise StorageUnavailable(_filled(UNREADABLE, path=path, reason=reason)) from error
    if problems:
        raise InvalidFiles(problems)
    return sets


def tables(
    sets: Sets, frames: Sequence[Frame], advance: Callable[[int], None]
) -> dict[str, tuple[int, Agreement, Agreement]]:
    """Judge every set as rows of `viva grade` that know no bank.

    Returns:
        For each: rows that got no score though they are not blank, the table of all others, and
        that of those that are not blank.
    """
    found: dict[str, tuple[int, Agreement, Agreement]] = {}
    processes = processes_for(sum(map(len, sets.values())), FEW)
    everything = [row for rows in sets.values() for row in rows]
    results = _results(everything, frames, processes, advance)
    for name, rows in sets.items():
        graded: list[Graded] = []
        unjudged = 0
        for one in beside(rows, (next(results) for _ in rows)):
            if one is None:
                unjudged += 1
            else:
                graded.append(one)
        said = [item for item in graded if item.words > 0]
        found[name] = unjudged, agreement(graded), agreement(said)
    return found


def show(found: Mapping[str, tuple[int, Agreement, Agreement]], language: Language) -> None:
    """Print the tables for people."""
    table = Table(title=HEAD.get(language), title_justify="left", box=None)
    for key, name in COLUMNS.items():
        table.add_column(name.get(language), justify="left" if key == "set" else "right")
    for name, (unjudged, all_of_it, said) in found.items():
        table.add_row(name, *_cells(all_of_it, unjudged))
        if said.answers < all_of_it.answers:
            table.add_row(NOT_BLANK.get(language).format(name=name), *_cells(said, unjudged))
    Console(highlight=False, width=160).print(table)


def show_json(found: Mapping[str, tuple[int, Agreement, Agreement]]) -> None:
    """Print the tables, one JSON object a set."""
    for name, (unjudged, all_of_it, said) in found.items():
        row = {"set": name, "unjudged": unjudged, "all": asdict(all_of_it)}
        print(json.dumps(row | {"not_blank": asdict(said)}, ensure_ascii=False))


def _results(
    rows: Sequence[GradedRow],
    frames: Sequence[Frame],
    processes: int,
    advance: Callable[[int], None],
) -> Iterator[str]:
    lines = read_lines(row.as_line() for row in rows)
    for group in judged(partial(_grading, frames), chunks(lines), processes):
        yield from (item.line for item in group)
        advance(len(group))


def _grading(frames: Sequence[Frame]) -> BatchGrading:
    return BatchGrading(wiring.grader().grade_many, (), frames, wiring.encoder())


def _cells(table: Agreement, unjudged: int) -> list[str]:
    return [
        str(table.answers),
        str(table.questions),
        str(unjudged),
        *(_number(one, ".2f") for one in (table.spearman, table.within, table.partial)),
        _number(table.length, ".2f"),
        " ".join(_number(one, "+.0f") for one in table.error),
        f"{_number(table.gap, '+.1f')} ({table.pairs[0]}, {table.pairs[1]})",
    ]


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _filled(text: LocalizedText, **values: object) -> LocalizedText:
    return LocalizedText(en=text.en.format(**values), zh=text.zh.format(**values))

"""Questions of the user's own: rows of CSV and JSON-lines files, and the folder they lie in."""

# pyright: reportUnknownMemberType=false
# One parameter of PyYAML's `safe_dump` has no type in its stubs.

import csv
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import yaml

from agent.domain.errors import InvalidFiles, Problem, StorageUnavailable
from agent.domain.language import LocalizedText, both
from agent.policy.own_rows import LIMITS, column

LARGEST_BYTES = 5_000_000
LONGEST_CELL = 20_000
"""Characters from which a CSV cell is taken for a quote that was never closed."""
TOO_LARGE = both(f"is larger than {LARGEST_BYTES} bytes", f"超过了 {LARGEST_BYTES} 字节")
DELIMITERS = ",;\t|，；"


@dataclass(frozen=True)
class Draft:
    """One question as it was read.

    Attributes:
        line: Where it begins, from 1.
        fields: What it says, unchecked.
        fault: Why it could not be read at all.
    """

    line: int
    fields: object = None
    fault: LocalizedText | None = None


def read_text(path: Path) -> str:
    """Return a small UTF-8 file, with or without a byte order mark.

    Raises:
        InvalidFiles: It cannot be read, is too large, or is not UTF-8.
    """
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise InvalidFiles([Problem(path, "file", TOO_LARGE)])
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        text = both(f"cannot be read: {error.strerror}", f"无法读取：{error.strerror}")
        raise InvalidFiles([Problem(path, "file", text)]) from error
    except UnicodeDecodeError as error:
        text = both(
            f"is not UTF-8 (byte {error.start}); save it as UTF-8",
            f"不是 UTF-8（第 {error.start} 字节）；请另存为 UTF-8",
        )
        raise InvalidFiles([Problem(path, "file", text)]) from error


def json_lines(text: str) -> Iterator[Draft]:
    """Yield a draft for each line that is not blank."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield Draft(number, json.loads(line))
        except (ValueError, RecursionError) as error:
            yield Draft(number, fault=both(f"is not JSON: {error}", f"不是 JSON：{error}"))


def csv_rows(text: str) -> Iterator[Draft]:
    """Yield a draft for each row below the headings, whatever the delimiter."""
    headings_line = next(iter(text.strip().splitlines()), "")
    delimiter = max(DELIMITERS, key=lambda mark: _known(headings_line, mark))
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    headings: list[str] = []
    line = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Draft(line, fault=both(f"is not CSV: {error}", f"不是 CSV：{error}"))
            return
        if any(cell.strip() for cell in cells):
            if headings:
                yield _draft(line, headings, cells)
            elif fault := _without_question(cells):
                yield Draft(line, fault=fault)
                return
            else:
                headings = [cell.strip() for cell in cells]
        line = reader.line_num + 1


def keep(folder: Path, number: str, data: dict[str, Any]) -> Path:
    """Write one question into a file of its own, whole or not at all; return the file.

    Raises:
        StorageUnavailable: It cannot be written.
    """
    path = folder / f"{number}.yaml"
    part = folder / f"{number}.part"
    text = yaml.safe_dump({"questions": [data]}, allow_unicode=True, sort_keys=False, width=100)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise StorageUnavailable(
            both(
                f"{path} cannot be written: {error.strerror}",
                f"{path} 无法写入：{error.strerror}",
            )
        ) from error
    return path


def forget(path: Path) -> None:
    """Delete a question's file.

    Raises:
        StorageUnavailable: It cannot be deleted.
    """
    try:
        path.unlink()
    except OSError as error:
        raise StorageUnavailable(
            both(
                f"{path} cannot be deleted: {error.strerror}",
                f"{path} 无法删除：{error.strerror}",
            )
        ) from error


def _known(line: str, delimiter: str) -> int:
    return len({column(cell.strip('" ')) for cell in line.split(delimiter)} - {None})


def _without_question(headings: list[str]) -> LocalizedText | None:
    if any(column(name) == "question" for name in headings):
        return None
    known = ", ".join(LIMITS)
    return both(
        f"the first row must name the columns; there is no 'question' (known: {known})",
        f"第一行必须是列名，但没有 question 列（可用列名：{known}）",
    )


def _draft(line: int, headings: list[str], cells: list[str]) -> Draft:
    if len(cells) > len(headings):
        return Draft(
            line,
            fault=both(
                f"has {len(cells)} cells, the first row names {len(headings)}",
                f"有 {len(cells)} 格，而第一行只有 {len(headings)} 列",
            ),
        )
    long = next((len(cell) for cell in cells if len(cell) > LONGEST_CELL), 0)
    if long:
        return Draft(
            line,
            fault=both(
                f"a cell is {long} characters long: is a quote not closed?",
                f"有一格长达 {long} 个字符：是不是引号没有闭合？",
            ),
        )
    padded = [*cells, *[""] * (len(headings) - len(cells))]
    pairs = list(zip(headings, padded, strict=True))
    names = [name for name, _ in pairs if name]
    if len(set(names)) < len(names):
        return Draft(line, fault=both("a column is named twice", "有两列同名"))
    return Draft(line, {name: cell for name, cell in pairs if name or cell.strip()})

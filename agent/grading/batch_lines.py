"""The lines of a batch: read with bounded memory, numbered, and told apart by their content."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, cast

from agent.grading.rows import LONGEST_LINE, BadRow, GradingRow, parse

CHUNK = 64
"""Rows that are held, encoded and judged together."""


@dataclass(frozen=True)
class BatchLine:
    """A line that was read.

    Attributes:
        number: Its place in the file, from 1.
        id: The row's, where one could be read.
        row: What it asks for; None: it cannot be graded, and `problem` says why.
        digest: Stands for everything that its result depends on.
        repeats: A row before it has the same id.
    """

    number: int
    id: str | None
    row: GradingRow | None
    digest: str
    problem: str = ""
    repeats: bool = False


def read_lines(
    lines: Iterable[str | bytes],
    rules: str = "",
    folder: Path | None = None,
    repeated: Callable[[str], None] = lambda _id: None,
) -> Iterator[BatchLine]:
    """Yield each line that is not blank.

    Args:
        lines: JSON objects; bytes are taken for UTF-8.
        rules: Names what the rows are judged by; it enters every digest.
        folder: What relative audio paths start from; None: recordings enter no digest.
        repeated: Told each id that occurs again.
    """
    seen: set[str] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        row, row_id, problem = _parsed(line)
        repeats = row_id is not None and row_id in seen
        if row_id is not None:
            if repeats:
                repeated(row_id)
            seen.add(row_id)
        sound = folder / row.audio if folder and row and row.audio else None
        digest = _digest(rules, line, sound)
        yield BatchLine(number, row_id, row, digest, problem, repeats)


def chunks(lines: Iterable[BatchLine]) -> Iterator[list[BatchLine]]:
    """Yield the lines in groups; a recording ends its group, for it takes long to hear."""
    group: list[BatchLine] = []
    for line in lines:
        group.append(line)
        if len(group) == CHUNK or (line.row and line.row.audio):
            yield group
            group = []
    if group:
        yield group


def long_lines(source: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file; of one that is far too long only its beginning."""
    while line := source.readline(LONGEST_LINE):
        yield line
        while len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            line = source.readline(LONGEST_LINE)


@dataclass(frozen=True)
class Kept:
    """What an earlier run has done already: the first `size` bytes of its file.

    Attributes:
        failed: How many of the `rows` have an error.
        unjudged: How many have neither an error nor a score, but a reason.
    """

    rows: int = 0
    failed: int = 0
    unjudged: int = 0
    size: int = 0


def resumed(
    lines: Iterator[BatchLine], written: Iterable[bytes]
) -> tuple[Kept, Iterator[BatchLine]]:
    """Return which results still hold, and the lines that are still to be judged.

    Args:
        lines: What is asked for.
        written: The lines of results of an earlier run, which may have been killed.
    """
    rows = failed = unjudged = size = 0
    for done, line in zip(written, lines, strict=False):  # when `written` ends, no line is lost
        result = _result(done)
        if result is None or (result.get("id"), result.get("digest")) != (line.id, line.digest):
            return Kept(rows, failed, unjudged, size), chain([line], lines)
        rows += 1
        wrong = result.get("error") is not None
        failed += wrong
        unjudged += not wrong and result.get("score") is None
        size += len(done)
    return Kept(rows, failed, unjudged, size), lines


def _parsed(line: str | bytes) -> tuple[GradingRow | None, str | None, str]:
    try:
        row = parse(line)
    except BadRow as error:
        return None, error.id, str(error)
    return row, row.id, ""


def _digest(rules: str, line: str | bytes, sound: Path | None) -> str:
    data = line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass")
    told = hashlib.sha256(rules.encode() + b"\0" + data.strip())
    if sound is not None:
        with suppress(OSError), sound.open("rb") as recording:  # a missing one is an error row
            told.update(hashlib.file_digest(recording, "sha256").digest())
    return told.hexdigest()[:32]


def _result(line: bytes) -> dict[str, Any] | None:
    if not line.endswith(b"\n"):
        return None
    with suppress(ValueError, RecursionError):
        result: Any = json.loads(line)
        return cast("dict[str, Any]", result) if isinstance(result, dict) else None
    return None

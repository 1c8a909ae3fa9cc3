"""`viva grade`: judge a file of answers, a row each."""

import asyncio
import sys
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

from agent.app import wiring
from agent.app.catalog import open_catalog
from agent.app.settings import load_settings, system_language
from agent.domain.errors import StorageUnavailable, UsageError
from agent.grading.batch import BatchGrading


def run(answers: Path, out: Path) -> None:
    """Judge the rows of `answers` into `out`, in the same order.

    `out` appears under its name when the last row is judged, never half written.

    Raises:
        UsageError: `answers` cannot be read.
        InvalidFiles: A file of the catalog is broken.
        StorageUnavailable: `out` cannot be written.
    """
    if not answers.is_file():
        raise UsageError(f"There is no file {answers}.")
    catalog = open_catalog()
    catalog.check()
    for problem in catalog.own.problems:
        print(problem.spelt(system_language()), file=sys.stderr)
    settings = load_settings()
    with ExitStack() as closing:
        ears = wiring.Ears(settings, lambda text: print(text, file=sys.stderr))
        closing.callback(ears.close)
        grading = BatchGrading(
            grade_many=wiring.grader().grade_many,
            bank=[entry.item for entry in catalog.questions],
            frames=[entry.item for entry in catalog.frames],
            encoder=wiring.encoder(),
            hear=ears.hear_file,
            folder=answers.parent,
        )
        target = closing.enter_context(_written(out))
        told = closing.enter_context(_progress())
        rows, failed = asyncio.run(_judge(grading, answers, target, told))
    print(f"{rows - failed} of {rows} rows graded into {out}.", file=sys.stderr)
    if failed:
        print(f"{failed} could not be: their `error` says why.", file=sys.stderr)


async def _judge(
    grading: BatchGrading, answers: Path, target: TextIO, told: Callable[[], None]
) -> tuple[int, int]:
    """Return how many rows there were, and how many of them could not be graded."""
    rows = failed = 0
    with answers.open("rb") as lines:
        async for result in grading.run(lines):
            target.write(result.to_json() + "\n")
            rows += 1
            failed += result.error is not None
            told()
    return rows, failed


@contextmanager
def _written(path: Path) -> Generator[TextIO]:
    part = path.with_name(path.name + ".part")
    try:
        with part.open("w", encoding="utf-8") as target:
            yield target
        part.replace(path)
    except OSError as error:
        raise StorageUnavailable(f"{path} cannot be written: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _progress() -> Generator[Callable[[], None]]:
    columns = (SpinnerColumn(), TextColumn("rows"), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("rows", total=None)
        yield lambda: progress.advance(task)

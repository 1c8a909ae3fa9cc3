"""A batch judged by several processes at once, its results in order."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from agent.grading.batch import BatchGrading
from agent.grading.batch_lines import BatchLine
from agent.grading.processes import side_by_side
from agent.grading.rows import RowResult

Build = Callable[[], BatchGrading]
"""Makes what a process judges with; it must be possible to pickle it."""


class Written(NamedTuple):
    """A result as the line it is written as.

    Attributes:
        failed: The row has an error.
        unjudged: It has neither an error nor a score, but a reason.
    """

    line: str
    failed: bool
    unjudged: bool


def judged(
    build: Build, groups: Iterable[Sequence[BatchLine]], workers: int
) -> Iterator[list[Written]]:
    """Yield the results of each group, in order; one worker judges in this process.

    Raises:
        VivaError: A process died.
    """
    if workers > 1:
        hint = "viva grade ANSWERS --out SCORES --workers 1"
        yield from side_by_side(partial(_judging, build), groups, workers, hint)
        return
    grading = build()
    with asyncio.Runner() as runner:
        for group in groups:
            yield runner.run(_judge(grading, group))


def _judging(build: Build) -> Callable[[Sequence[BatchLine]], list[Written]]:
    grading, runner = build(), asyncio.Runner()
    return lambda group: runner.run(_judge(grading, group))


async def _judge(grading: BatchGrading, group: Sequence[BatchLine]) -> list[Written]:
    results = await grading.judge(group)
    return [_written(result) for result in results]


def _written(result: RowResult) -> Written:
    failed = result.error is not None
    return Written(result.to_json(), failed, not failed and result.score is None)

"""A batch judged by several processes at once, its results in order."""

import asyncio
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from typing import NamedTuple

from agent.domain.errors import VivaError
from agent.domain.language import LocalizedText
from agent.grading.batch import BatchGrading
from agent.grading.batch_lines import BatchLine

AHEAD = 2
"""Chunks that wait for each process, so that none stands idle and memory stays bounded."""
DIED = LocalizedText(
    en="A grading process was ended from outside; often the memory was too small for so many.",
    zh="一个评分进程被系统终止，通常是内存不够。",
)

Build = Callable[[], BatchGrading]
"""Makes what a process judges with; it must be possible to pickle it."""


class Written(NamedTuple):
    """A result as the line it is written as, and whether the row could not be graded."""

    line: str
    failed: bool


def judged(
    build: Build, groups: Iterable[Sequence[BatchLine]], workers: int
) -> Iterator[list[Written]]:
    """Yield the results of each group, in order; one worker judges in this process.

    Raises:
        VivaError: A process died.
    """
    if workers > 1:
        yield from _side_by_side(build, groups, workers)
        return
    grading = build()
    with asyncio.Runner() as runner:
        for group in groups:
            yield runner.run(_judge(grading, group))


def _side_by_side(
    build: Build, groups: Iterable[Sequence[BatchLine]], workers: int
) -> Iterator[list[Written]]:
    pool = ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_begin, initargs=(build,)
    )
    waiting: deque[Future[list[Written]]] = deque()
    try:
        for group in groups:
            waiting.append(pool.submit(_work, group))
            if len(waiting) > AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise VivaError(DIED, "viva grade ANSWERS --out SCORES --workers 1") from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class _Process:
    """What a worker process holds from its first chunk to its last."""

    grading: BatchGrading
    runner: asyncio.Runner


def _begin(build: Build) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _Process.grading = build()
    _Process.runner = asyncio.Runner()


def _end_with_parent() -> None:
    """End this process when its parent is gone: a killed one cannot say so."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(group: Sequence[BatchLine]) -> list[Written]:
    return _Process.runner.run(_judge(_Process.grading, group))


async def _judge(grading: BatchGrading, group: Sequence[BatchLine]) -> list[Written]:
    results = await grading.judge(group)
    return [Written(result.to_json(), result.error is not None) for result in results]

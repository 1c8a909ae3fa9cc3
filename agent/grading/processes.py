"""Processes that work side by side, their results in order; they end when their parent ends."""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from typing import Any, TypeVar

from agent.domain.errors import VivaError
from agent.domain.language import LocalizedText

AHEAD = 2
"""Items that wait for each process, so that none stands idle and memory stays bounded."""
DIED = LocalizedText(
    en="A grading process was ended from outside; often the memory was too small for so many.",
    zh="一个评分进程被系统终止，通常是内存不够。",
)
Item = TypeVar("Item")
Made = TypeVar("Made")


def processes_for(items: int, few: int) -> int:
    """Return how many processes pay for `items`: one for less than `few`, else one a core."""
    return 1 if items < few else max(1, os.cpu_count() or 1)


def side_by_side(
    build: Callable[[], Callable[[Item], Made]],
    items: Iterable[Item],
    processes: int,
    hint: str | None = None,
) -> Iterator[Made]:
    """Yield what becomes of each item, in order.

    Args:
        build: Called once in every process; makes what an item is given to. It, the items and
            what becomes of them must be possible to pickle.
        items: Taken as they are needed.
        processes: How many.
        hint: A command to type when a process died.

    Raises:
        VivaError: A process died.
    """
    pool = ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=_begin, initargs=(build,)
    )
    waiting: deque[Future[Any]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(_work, item))
            if len(waiting) > AHEAD * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise VivaError(DIED, hint) from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class _Process:
    """What a process holds from its first item to its last."""

    work: Callable[[Any], Any]


def _begin(build: Callable[[], Callable[[Any], Any]]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _Process.work = build()


def _end_with_parent() -> None:
    """End this process when its parent is gone: a killed one cannot say so."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(item: Any) -> Any:
    return _Process.work(item)

"""How far a long command is, on standard error, where a person looks on."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

Advance = Callable[[int], None]


@contextmanager
def progress(named: str, total: int, done: int = 0) -> Generator[Advance]:
    """Show a bar while the block runs; it is gone afterwards, and never there in a pipe.

    Args:
        named: What is counted.
        total: How many there are.
        done: How many of these were done before.
    """
    errors = Console(stderr=True)
    columns = (TextColumn(named), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    shown = Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)
    with shown:
        task = shown.add_task("", total=total, completed=done)
        yield lambda count: shown.advance(task, count)

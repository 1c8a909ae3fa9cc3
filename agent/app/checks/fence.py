"""Checks in a process of their own: what crashes or hangs there takes nothing else with it."""

import json
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import IO

from agent.app.checks.remedies import remedy
from agent.app.checks.result import CheckResult, Place, both, lost


def fenced(
    command: Sequence[str],
    places: Sequence[Place],
    limit_s: float,
    platform: str,
    begun: Callable[[Place], None],
) -> Iterator[CheckResult]:
    """Yield a row for each of `places`, whatever becomes of the process that makes them.

    Args:
        command: Writes a JSON line as it begins a check, `{"begin": place}`, and one for each
            row, `{"row": row}`.
        places: In the order in which they are made.
        limit_s: For all of them.
        platform: As `sys.platform` names it.
        begun: Told what is being looked at.
    """
    missing: list[Place] = list(places)
    process = subprocess.Popen(  # noqa: S603 - the command is ours
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    )
    assert process.stdout is not None  # noqa: S101 - for the type checker
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    reader = threading.Thread(target=_read, args=(process.stdout, lines), daemon=True)
    reader.start()
    deadline = time.monotonic() + limit_s
    try:
        while missing:
            try:
                line = lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                found = both(f"no answer within {limit_s:.0f} s", f"{limit_s:.0f} 秒内没有响应")
                yield from (lost(place, found, remedy("time", platform)) for place in missing)
                return
            if not line:
                code = process.wait()
                found = both(f"the check crashed (code {code})", f"检查程序崩溃（代码 {code}）")
                yield from (lost(place, found, remedy("packages", platform)) for place in missing)
                return
            message = json.loads(line)
            if "begin" in message:
                begun(Place(*message["begin"]))
                continue
            row = CheckResult.model_validate(message["row"])
            missing = [place for place in missing if place != Place(row.check, row.language)]
            yield row
    finally:
        process.kill()
        process.wait()
        reader.join()
        process.stdout.close()


def _read(source: IO[str], lines: "queue.SimpleQueue[str]") -> None:
    for line in source:
        lines.put(line)
    lines.put("")

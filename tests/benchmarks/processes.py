"""What whole commands cost: time against a bare interpreter, and memory.

`python -m tests.benchmarks.processes` writes JSON to standard output. Wanted: `viva list personas`
in 0.6 s or less, and 900 MB or less of resident memory for `viva demo`.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

VIVA = str(Path(sys.executable).with_name("viva"))
BARE = [sys.executable, "-c", "pass"]
RUNS = 5


def run(command: list[str], home: str) -> tuple[float, float]:
    """Run `command`; return its wall time in seconds and its peak resident memory in MB."""
    environment = {**os.environ, "VIVA_HOME": home, "VIVA_RECORDINGS": f"{home}/recordings"}
    began = time.perf_counter()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return seconds, usage.ru_maxrss / 1024


def main() -> None:
    """Measure start-up in turn with a bare interpreter, then a demo in each language."""
    with tempfile.TemporaryDirectory() as home:
        listing = [VIVA, "list", "personas"]
        run(listing, home)
        pairs = [(run(listing, home)[0], run(BARE, home)[0]) for _ in range(RUNS)]
        demos = {name: run([VIVA, "demo", "--lang", name], home) for name in ("en", "zh")}
    result = {
        "list_personas": {
            "seconds": round(statistics.median(listed for listed, _ in pairs), 3),
            "ratio_to_bare_python": round(statistics.median(a / b for a, b in pairs), 2),
        },
        "demo": {
            name: {"seconds": round(seconds, 1), "resident_mb": round(memory)}
            for name, (seconds, memory) in demos.items()
        },
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()

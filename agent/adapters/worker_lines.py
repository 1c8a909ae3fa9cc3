"""A worker process that is spoken to in lines of JSON, and killed when it fails."""

import json
import queue
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any


class WorkerFailed(Exception):
    """The worker died, hung, or says that it could not do what it was asked."""


class WorkerLines:
    """One process from its start to its end; its standard error is not read.

    Args:
        command: Starts it.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - the command is ours
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._killing = threading.Lock()

    @property
    def pid(self) -> int:
        """Return the system's number of the process."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def send(self, message: Mapping[str, Any]) -> None:
        """Write one message.

        Raises:
            WorkerFailed: The process has ended.
        """
        assert self._process.stdin is not None  # noqa: S101 - for the type checker
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise WorkerFailed("its process has ended") from error

    def answer(self, limit_s: float) -> dict[str, Any]:
        """Wait for the next answer.

        Raises:
            WorkerFailed: None came within `limit_s` seconds, or it tells of an error.
        """
        try:
            line = self._answers.get(timeout=limit_s)
        except queue.Empty:
            raise WorkerFailed(f"no speech within {limit_s:.0f} s") from None
        answer = json.loads(line) if line else {"error": "its process has ended"}
        if "error" in answer:
            raise WorkerFailed(answer["error"])
        return answer

    def kill(self) -> None:
        """End the process and wait for it; may be called again."""
        with self._killing:
            self._process.kill()
            self._process.wait()
            self._reader.join()
            for pipe in (self._process.stdin, self._process.stdout):
                with suppress(OSError):  # what was not yet written is of no use now
                    if pipe:
                        pipe.close()

    def _read(self) -> None:
        assert self._process.stdout is not None  # noqa: S101 - for the type checker
        for line in self._process.stdout:
            self._answers.put(line)
        self._answers.put("")

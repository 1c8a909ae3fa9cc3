"""The worker process as its owner sees it: started when needed, killed when it fails."""

import base64
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from agent.adapters.kokoro.worker import SAMPLE_RATE
from agent.domain.audio import AudioClip

COMMAND = (sys.executable, "-P", "-m", "agent.adapters.kokoro.worker")
"""`-P`: a folder named agent where the candidate happens to be is not ours."""
START_LIMIT_S = 60.0
LIMIT_S = 30.0
LIMIT_S_PER_CHARACTER = 2.0
"""A machine that needs more is ten times too slow."""


class WorkerFailed(Exception):
    """The worker died, hung, or could not speak."""


class Dropped(Exception):
    """The sentence was given up before it was spoken."""


class WorkerProcess:
    """One worker at a time; `speak` is called from one thread, the rest from any."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = tuple(command)
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._number = 0
        self._lock = threading.Lock()
        self._closed = False
        self.ready = False

    def speak(self, text: str, dropped: Callable[[], bool]) -> AudioClip:
        """Return `text` spoken.

        Raises:
            Dropped: `dropped()` was true before it began, or `drop` was called.
            WorkerFailed: There is no speech; the process was killed.
        """
        try:
            if self._process is None or self._process.poll() is not None:
                self._start()
            with self._lock:
                if dropped():
                    raise Dropped
                self._number += 1
                self._send({"id": self._number, "text": text})
            answer = self._answer(LIMIT_S + len(text) * LIMIT_S_PER_CHARACTER)
        except WorkerFailed:
            self._kill()
            raise
        if "dropped" in answer:
            raise Dropped
        samples = np.frombuffer(base64.b64decode(answer["sound"]), np.int16)
        return AudioClip((samples / 32768).astype(np.float32), SAMPLE_RATE)

    def drop(self) -> None:
        """Give up the sentence that is being spoken."""
        with self._lock, suppress(WorkerFailed):
            if self._process is not None:
                self._send({"drop": self._number})

    def close(self) -> None:
        """Kill the process; no other will start."""
        with self._lock:
            self._closed = True
        self._kill()

    def _start(self) -> None:
        self._kill()
        with self._lock:
            if self._closed:
                raise WorkerFailed("it was closed")
            self._answers = queue.SimpleQueue()
            self._process = subprocess.Popen(  # noqa: S603 - the command is ours
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
            )
            reader = threading.Thread(
                target=_read, args=(self._process, self._answers), daemon=True
            )
            reader.start()
        self._answer(START_LIMIT_S)
        self.ready = True

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process is not None  # noqa: S101 - for the type checker
        assert self._process.stdin is not None  # noqa: S101 - for the type checker
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise WorkerFailed("its process has ended") from error

    def _answer(self, limit_s: float) -> dict[str, Any]:
        try:
            line = self._answers.get(timeout=limit_s)
        except queue.Empty:
            raise WorkerFailed(f"no speech within {limit_s:.0f} s") from None
        answer = json.loads(line) if line else {"error": "its process has ended"}
        if "error" in answer:
            raise WorkerFailed(answer["error"])
        return answer

    def _kill(self) -> None:
        with self._lock:
            process, self._process = self._process, None
            self.ready = False
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError, ValueError):
                if pipe:
                    pipe.close()


def _read(process: subprocess.Popen[str], answers: queue.SimpleQueue[str]) -> None:
    assert process.stdout is not None  # noqa: S101 - for the type checker
    with suppress(ValueError):  # closed by its owner
        for line in process.stdout:
            answers.put(line)
    answers.put("")

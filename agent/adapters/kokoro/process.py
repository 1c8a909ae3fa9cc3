"""The worker process as its owner sees it: started when needed, killed when it fails."""

import base64
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

import numpy as np

from agent.adapters.kokoro.worker import SAMPLE_RATE
from agent.adapters.worker_lines import WorkerFailed, WorkerLines
from agent.domain.audio import AudioClip

COMMAND = (sys.executable, "-P", "-m", "agent.adapters.kokoro.worker")
"""`-P`: a folder named agent where the candidate happens to be is not ours."""
START_LIMIT_S = 60.0
LIMIT_S = 30.0
LIMIT_S_PER_CHARACTER = 2.0
"""A machine that needs more is ten times too slow."""


class Dropped(Exception):
    """The sentence was given up before it was spoken."""


class KokoroProcess:
    """One worker at a time; `speak` is called from one thread, the rest from any."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = tuple(command)
        self._worker: WorkerLines | None = None
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
            worker = self._worker
            if worker is None or not worker.running:
                worker = self._started()
            with self._lock:
                if dropped():
                    raise Dropped
                self._number += 1
                worker.send({"id": self._number, "text": text})
            answer = worker.answer(LIMIT_S + len(text) * LIMIT_S_PER_CHARACTER)
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
            if self._worker is not None:
                self._worker.send({"drop": self._number})

    def close(self) -> None:
        """Kill the process; no other will start."""
        with self._lock:
            self._closed = True
        self._kill()

    def _started(self) -> WorkerLines:
        self._kill()
        with self._lock:
            if self._closed:
                raise WorkerFailed("it was closed")
            worker = self._worker = WorkerLines(self._command)
        worker.answer(START_LIMIT_S)
        self.ready = True
        return worker

    def _kill(self) -> None:
        with self._lock:
            worker, self._worker = self._worker, None
            self.ready = False
        if worker is not None:
            worker.kill()

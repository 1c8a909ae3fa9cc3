"""Typed answers, a line each, from a terminal or a pipe."""

import asyncio
import threading
from typing import TextIO

from agent.domain.interview import Answer, ListeningHints, Utterance


class TypedCandidate:
    """Reads one line an answer.

    A daemon thread does the reading, so that Ctrl-C is not held up by a line that never comes.

    Args:
        stream: Where the lines come from.
        prompt: Where to show that a line is awaited; None shows nothing.
    """

    def __init__(self, stream: TextIO, prompt: TextIO | None = None) -> None:
        self._stream = stream
        self._prompt = prompt
        self._reader: threading.Thread | None = None
        self._ended = False
        self._lines: asyncio.Queue[str] = asyncio.Queue()

    async def answer(self, utterance: Utterance, hints: ListeningHints) -> Answer | None:
        """Return the next line as the answer, or None at the end of the stream."""
        if self._reader is None:
            loop = asyncio.get_running_loop()
            self._reader = threading.Thread(target=self._read, args=(loop,), daemon=True)
            self._reader.start()
        if self._prompt is not None:
            self._prompt.write("> ")
            self._prompt.flush()
        line = "" if self._ended else await self._lines.get()
        self._ended = not line
        return Answer.typed(line) if line else None

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        """Pass lines on; however the reading ends, an empty one says that it did."""
        line = "-"
        while line:
            try:
                line = self._stream.readline()
            except (OSError, ValueError):  # closed, or not text
                line = ""
            try:
                loop.call_soon_threadsafe(self._lines.put_nowait, line)
            except RuntimeError:  # the interview is over and its loop is closed
                return

"""Single keys at the terminal, through prompt_toolkit."""

import asyncio
import signal
import sys
from collections.abc import AsyncGenerator
from typing import TextIO

from prompt_toolkit.input import create_input
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys

NAMES = {
    Keys.Enter: "enter",
    Keys.ControlJ: "enter",
    Keys.Tab: "tab",
    Keys.Backspace: "backspace",
    " ": "space",
}
"""Keys that prompt_toolkit calls otherwise."""
ESCAPE_S = 0.1
"""Arrows and function keys begin as Escape does; the rest of them comes within this."""


class ConsoleKeyboard:
    """Implements `Keyboard` for the terminal that the program was started in."""

    @staticmethod
    def available() -> bool:
        """Whether there is a terminal whose keys can be read."""
        stdin: TextIO | None = sys.stdin
        return stdin is not None and not stdin.closed and stdin.isatty()

    async def presses(self) -> AsyncGenerator[str]:
        """Yield each key as it is pressed, letters in lower case, until the terminal is closed.

        What was typed before is dropped: it was meant for something else.
        """
        if not self.available():
            return
        source = create_input()
        loop = asyncio.get_running_loop()
        pressed: asyncio.Queue[KeyPress | None] = asyncio.Queue()

        def take(presses: list[KeyPress]) -> None:
            for press in presses:
                pressed.put_nowait(press)
            if source.closed:
                pressed.put_nowait(None)

        def read() -> None:
            nonlocal lone_escape
            lone_escape.cancel()
            take(source.read_keys())
            lone_escape = loop.call_later(ESCAPE_S, lambda: take(source.flush_keys()))

        lone_escape = loop.call_later(0, lambda: None)
        try:
            with source.raw_mode():
                source.read_keys()
                with source.attach(read):
                    while (press := await pressed.get()) is not None:
                        if press.key == Keys.ControlC:
                            signal.raise_signal(signal.SIGINT)
                        else:
                            yield _name(press)
        finally:
            lone_escape.cancel()


def _name(press: KeyPress) -> str:
    known = NAMES.get(press.key)
    if known is not None:
        return known
    if isinstance(press.key, Keys):
        return press.key.value.replace("c-", "ctrl-", 1)
    return press.key.lower()

"""The keys of a real pseudo-terminal."""

import asyncio
import io
import os
import pty
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import pytest

from agent.adapters.console_keys import ConsoleKeyboard

KEYS = [
    (b"r", ["r"]),
    (b"Q", ["q"]),
    (b"\r", ["enter"]),
    (b"\n", ["enter"]),
    (b" ", ["space"]),
    (b"\t", ["tab"]),
    (b"\x7f", ["backspace"]),
    (b"\x04", ["ctrl-d"]),
    (b"\x1b", ["escape"]),
    (b"\x1b[A", ["up"]),
    ("好".encode(), ["好"]),
    (b"ps", ["p", "s"]),
]


@dataclass
class Terminal:
    """A terminal: what is typed at `keys` is read by the program."""

    keys: int
    program: int

    def modes(self) -> list[Any]:
        return termios.tcgetattr(self.program)

    def raw(self) -> bool:
        return not self.modes()[3] & termios.ICANON

    async def listening(self) -> None:
        while not self.raw():  # noqa: ASYNC110 - a terminal tells nobody that its mode changed
            await asyncio.sleep(0)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    keys, program = pty.openpty()
    with open(program, encoding="utf-8", closefd=False) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield Terminal(keys, program)
    for end in (keys, program):
        os.close(end)


async def read(terminal: Terminal, typed: bytes, count: int) -> list[str]:
    """Type when the terminal listens; return the first `count` keys."""

    async def typing() -> None:
        await terminal.listening()
        os.write(terminal.keys, typed)

    hand = asyncio.create_task(typing())
    names: list[str] = []
    async with asyncio.timeout(30), aclosing(ConsoleKeyboard().presses()) as presses:
        async for name in presses:
            names.append(name)
            if len(names) == count:
                break
    await hand
    return names


@pytest.mark.parametrize(("typed", "names"), KEYS)
def test_keys_have_names(typed: bytes, names: list[str], terminal: Terminal) -> None:
    before = terminal.modes()
    assert asyncio.run(read(terminal, typed, len(names))) == names
    assert terminal.modes() == before


def test_what_was_typed_before_is_not_a_press(terminal: Terminal) -> None:
    os.write(terminal.keys, b"q\n")
    assert asyncio.run(read(terminal, b"r", 1)) == ["r"]


def test_ctrl_c_interrupts_as_ever_and_the_terminal_is_as_before(terminal: Terminal) -> None:
    before = terminal.modes()
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(read(terminal, b"r\x03", 2))
    assert terminal.modes() == before


class Broken(Exception):
    """Something else went wrong while keys were read."""


@pytest.mark.parametrize("ending", ["cancelled", "broken"])
def test_the_terminal_is_as_before_however_it_ends(ending: str, terminal: Terminal) -> None:
    before = terminal.modes()

    async def scene() -> None:
        async with aclosing(ConsoleKeyboard().presses()) as presses:
            waiting = asyncio.ensure_future(anext(presses))
            await terminal.listening()
            if ending == "broken":
                os.write(terminal.keys, b"r")
                await waiting
                raise Broken
            waiting.cancel()
            await waiting

    with pytest.raises((asyncio.CancelledError, Broken)):
        asyncio.run(scene())
    assert terminal.modes() == before


def closed() -> io.StringIO:
    stream = io.StringIO()
    stream.close()
    return stream


@pytest.mark.parametrize("stdin", [lambda: None, io.StringIO, closed])
def test_without_a_terminal_there_are_no_keys(
    stdin: Callable[[], io.StringIO | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", stdin())

    async def scene() -> list[str]:
        return [name async for name in ConsoleKeyboard().presses()]

    assert not ConsoleKeyboard.available()
    assert asyncio.run(scene()) == []


def test_a_terminal_has_keys(terminal: Terminal) -> None:
    assert ConsoleKeyboard.available()

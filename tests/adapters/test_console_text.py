import asyncio
import io

import pytest

from agent.adapters.console_text import TypedCandidate
from agent.domain.interview import ListeningHints, Utterance

ASKED = Utterance(kind="question", text="Well?")
HINTS = ListeningHints(language="en", frame="star")


async def collect(candidate: TypedCandidate, most: int = 10) -> list[tuple[str, str] | None]:
    found: list[tuple[str, str] | None] = []
    for _ in range(most):
        answer = await candidate.answer(ASKED, HINTS)
        found.append(None if answer is None else (answer.status, answer.text))
        if answer is None:
            break
    return found


@pytest.mark.parametrize(
    ("typed", "heard"),
    [
        ("", [None]),
        ("I did it.\n", [("typed", "I did it."), None]),
        ("没有换行", [("typed", "没有换行"), None]),
        ("one\n\n  two  \n", [("typed", "one"), ("silent", ""), ("typed", "two"), None]),
    ],
)
def test_a_line_is_an_answer(typed: str, heard: list[tuple[str, str] | None]) -> None:
    candidate = TypedCandidate(io.StringIO(typed))
    assert asyncio.run(collect(candidate)) == heard


def test_a_prompt_is_shown_before_each_answer() -> None:
    prompt = io.StringIO()
    asyncio.run(collect(TypedCandidate(io.StringIO("a\nb\n"), prompt)))
    assert prompt.getvalue() == "> > > "


def test_the_end_stays_the_end() -> None:
    candidate = TypedCandidate(io.StringIO("a\n"))

    async def twice() -> list[object]:
        await candidate.answer(ASKED, HINTS)
        return [await candidate.answer(ASKED, HINTS) for _ in range(2)]

    assert asyncio.run(twice()) == [None, None]


class Breaking(io.StringIO):
    """A stream whose reading fails, as one that is not text does."""

    def readline(self, size: int = -1, /) -> str:
        raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")


def test_a_stream_that_breaks_is_a_stream_that_ends() -> None:
    assert asyncio.run(collect(TypedCandidate(Breaking()))) == [None]

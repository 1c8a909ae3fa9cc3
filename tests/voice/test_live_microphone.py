import asyncio
from collections.abc import AsyncGenerator, AsyncIterator

import numpy as np
import pytest

from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, Samples
from agent.domain.errors import DeviceUnavailable
from agent.testing import ScriptedMicrophone
from agent.voice.live_microphone import HOLD_OFF_S, LiveMicrophone


def numbered(count: int) -> Samples:
    """Blocks of which each holds its own number."""
    return np.repeat(np.arange(count, dtype=np.float32), BLOCK_SAMPLES)


async def heard(microphone: LiveMicrophone) -> list[int]:
    return [int(block[0]) async for block in microphone.blocks()]


class OpenMicrophone:
    """A microphone that gives a block when it is told to, and never ends by itself."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.closed = False
        self._blocks: asyncio.Queue[Samples] = asyncio.Queue()

    def give(self, number: int) -> None:
        self._blocks.put_nowait(np.full(BLOCK_SAMPLES, number, dtype=np.float32))

    async def blocks(self) -> AsyncGenerator[Samples]:
        try:
            while True:
                self.asked.set()
                yield await self._blocks.get()
        finally:
            self.closed = True


def test_the_echo_is_waited_out_each_time() -> None:
    source = ScriptedMicrophone(numbered(20))
    dropped = round(HOLD_OFF_S * SAMPLE_RATE / BLOCK_SAMPLES)
    for _ in range(2):
        assert asyncio.run(heard(LiveMicrophone(source))) == list(range(dropped, 20))
    assert asyncio.run(heard(LiveMicrophone(source, 0.0))) == list(range(20))


def test_finishing_wakes_who_waits_for_sound() -> None:
    async def scene() -> None:
        source = OpenMicrophone()
        microphone = LiveMicrophone(source, 0.0)
        hearing = asyncio.create_task(heard(microphone))
        source.give(1)
        await source.asked.wait()
        source.asked.clear()
        await source.asked.wait()  # the first block was taken; the second never comes
        microphone.finish()
        async with asyncio.timeout(30):
            assert await hearing == [1]
        assert source.closed

    asyncio.run(scene())


def test_finishing_before_listening_leaves_nothing_to_hear() -> None:
    microphone = LiveMicrophone(ScriptedMicrophone(numbered(3)), 0.0)
    microphone.finish()
    assert asyncio.run(heard(microphone)) == []


def test_finishing_in_the_middle_of_a_block_ends_with_it() -> None:
    async def scene() -> list[int]:
        microphone = LiveMicrophone(ScriptedMicrophone(numbered(9)), 0.0)
        numbers: list[int] = []
        async for block in microphone.blocks():
            numbers.append(int(block[0]))
            if len(numbers) == 4:
                microphone.finish()
        return numbers

    assert asyncio.run(scene()) == [0, 1, 2, 3]


def test_nothing_passes_in_a_pause() -> None:
    async def scene() -> list[int]:
        source = OpenMicrophone()
        microphone = LiveMicrophone(source, 0.0)
        blocks = microphone.blocks()
        numbers: list[int] = []
        for number in (1, 2):
            source.give(number)
            numbers.append(int((await anext(blocks))[0]))
        microphone.pause()
        assert microphone.paused
        source.asked.clear()
        waiting = asyncio.ensure_future(anext(blocks))
        await source.asked.wait()
        for number in (3, 4):
            source.asked.clear()
            source.give(number)
            await source.asked.wait()
        assert not waiting.done()
        microphone.resume()
        assert not microphone.paused
        source.give(5)
        numbers.append(int((await waiting)[0]))
        await blocks.aclose()
        assert source.closed
        return numbers

    assert asyncio.run(scene()) == [1, 2, 5]


def test_a_paused_answer_can_be_finished() -> None:
    async def scene() -> None:
        source = OpenMicrophone()
        microphone = LiveMicrophone(source, 0.0)
        microphone.pause()
        hearing = asyncio.create_task(heard(microphone))
        source.give(1)
        await source.asked.wait()
        microphone.finish()
        async with asyncio.timeout(30):
            assert await hearing == []

    asyncio.run(scene())


def test_a_microphone_that_fails_says_so() -> None:
    gone = DeviceUnavailable("The microphone went away")
    source = ScriptedMicrophone(numbered(3), gone)
    with pytest.raises(DeviceUnavailable) as caught:
        asyncio.run(heard(LiveMicrophone(source, 0.0)))
    assert caught.value is gone
    assert (source.opened, source.closed) == (1, 1)


def test_cancelling_closes_the_microphone_and_leaves_nothing_behind() -> None:
    async def scene() -> None:
        source = OpenMicrophone()
        hearing = asyncio.create_task(heard(LiveMicrophone(source, 0.0)))
        await source.asked.wait()
        hearing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hearing
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert source.closed

    asyncio.run(scene())


class Iterating:
    """A microphone whose blocks are an iterator and no generator: there is nothing to close."""

    def blocks(self) -> AsyncIterator[Samples]:
        return self

    def __aiter__(self) -> AsyncIterator[Samples]:
        return self

    async def __anext__(self) -> Samples:
        raise StopAsyncIteration


def test_any_microphone_will_do() -> None:
    assert asyncio.run(heard(LiveMicrophone(Iterating()))) == []

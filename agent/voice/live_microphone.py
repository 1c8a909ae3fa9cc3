"""A microphone during a conversation: it waits out the echo, pauses, and ends when told."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Literal

from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, Samples
from agent.ports import Microphone

HOLD_OFF_S = 0.4
"""Sound after the interviewer's last word that may be the echo of it."""


class LiveMicrophone:
    """Implements `Microphone` for one answer, over the microphone of the whole interview.

    Args:
        microphone: Where the sound comes from.
        hold_off_s: Seconds of sound that are dropped after opening.
    """

    def __init__(self, microphone: Microphone, hold_off_s: float = HOLD_OFF_S) -> None:
        self._microphone = microphone
        self._hold_off = round(hold_off_s * SAMPLE_RATE / BLOCK_SAMPLES)
        self._finished = asyncio.Event()
        self.paused = False
        """While it is, blocks are dropped: no time passes for who listens."""

    def finish(self) -> None:
        """End the blocks, before the next one: the candidate says that the answer is complete."""
        self._finished.set()

    def pause(self) -> None:
        """Drop what comes until `resume` is called."""
        self.paused = True

    def resume(self) -> None:
        """Let blocks pass again."""
        self.paused = False

    async def blocks(self) -> AsyncGenerator[Samples]:
        """Yield blocks until `finish` is called or the microphone ends.

        Raises:
            AudioUnreadable: From a microphone that plays a file.
            DeviceUnavailable: From a microphone that is a device.
        """
        blocks = self._microphone.blocks()
        to_drop = self._hold_off
        over = asyncio.ensure_future(self._finished.wait())
        try:
            while not self._finished.is_set():
                block = await _next(blocks, over)
                if block is None:
                    return
                if self.paused:
                    continue
                if to_drop:
                    to_drop -= 1
                    continue
                yield block
        finally:
            over.cancel()
            if isinstance(blocks, AsyncGenerator):
                await blocks.aclose()


async def _next(
    blocks: AsyncIterator[Samples], over: "asyncio.Future[Literal[True]]"
) -> Samples | None:
    """Return the next block; None when there is none, or `over` is done before it comes."""

    async def taken() -> Samples | None:
        return await anext(blocks, None)

    taking = asyncio.ensure_future(taken())
    try:
        await asyncio.wait((taking, over), return_when=asyncio.FIRST_COMPLETED)
        return None if over.done() else await taking
    finally:
        taking.cancel()
        await asyncio.gather(taking, return_exceptions=True)

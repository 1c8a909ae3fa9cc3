"""An open output device."""

# pyright: reportUnknownMemberType=false
# soxr ships incomplete types.

import asyncio
import queue
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, cast

import numpy as np
import soxr

from agent.adapters.portaudio.devices import unavailable
from agent.adapters.portaudio.streams import Stream
from agent.domain.audio import AudioClip, Samples

STALLED_AFTER_S = 3.0
"""Taking no sound for so long the device is gone: sound servers that slept need up to 2 s."""
BLOCK_S = 0.04
"""Shorter blocks leave gaps while a model computes on the same two cores."""
LONGEST_DELAY_S = 2.0
"""Not every sound system tells when a sample will be heard; more than this is no such time."""


class _Part(NamedTuple):
    """A block on its way to the device.

    Attributes:
        heard: After the last block of a clip: told in how many seconds its last sample is out.
    """

    block: Samples
    heard: Callable[[float], None] | None


class Outlet:
    """An open output device: silence, until there is something to play."""

    def __init__(self, device: str | None) -> None:
        self._parts: queue.SimpleQueue[_Part] = queue.SimpleQueue()
        self._beats = 0
        self._over = False
        self._tell: Callable[[float | None], None] | None = None
        self._stream = Stream("output", device, BLOCK_S, self._callback, self._ended)

    async def open(self) -> None:
        """Open the device."""
        await self._stream.open()

    async def wake(self) -> bool:
        """Use it again; False when it is gone."""
        return await self._stream.wake() and not self._over

    async def play(self, clip: AudioClip) -> None:
        """Play `clip` to its last sample."""
        if len(clip.samples) == 0:
            return
        loop = asyncio.get_running_loop()
        left: asyncio.Future[float | None] = loop.create_future()

        def settle(left_s: float | None) -> None:
            if not left.done():
                left.set_result(left_s)

        def tell(left_s: float | None) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(settle, left_s)

        self._tell = tell
        for part in await asyncio.to_thread(self._cut, clip, tell):
            self._parts.put(part)
        left_s = None if self._over else await self._followed(left)
        if left_s is None:
            raise unavailable("output", "went away", "已断开")
        await asyncio.sleep(left_s)
        self._stream.rest()

    async def close(self) -> None:
        """Let the device go, in the middle of a clip too."""
        await self._stream.close()

    def close_at_once(self) -> None:
        """Let the device go where nothing can be awaited."""
        self._stream.close_at_once()

    def _cut(self, clip: AudioClip, tell: Callable[[float], None]) -> list[_Part]:
        rate_hz = self._stream.rate_hz
        sound = cast("Samples", soxr.resample(clip.samples, clip.sample_rate, rate_hz))
        size = round(BLOCK_S * rate_hz)
        padding = -len(sound) % size
        blocks = np.pad(sound, (0, padding)).astype(np.float32).reshape(-1, size)
        in_last_s = (size - padding) / rate_hz
        *others, last = blocks
        parts = [_Part(block, None) for block in others]

        def heard(delay_s: float) -> None:
            tell(delay_s + in_last_s)

        return [*parts, _Part(last, heard)]

    async def _followed(self, left: "asyncio.Future[float | None]") -> float | None:
        """Wait for the last block to be taken, as long as any are."""
        while True:
            beats = self._beats
            try:
                async with asyncio.timeout(STALLED_AFTER_S):
                    return await asyncio.shield(left)
            except TimeoutError as error:
                if beats == self._beats:
                    raise unavailable("output", "takes no sound", "不再接收声音") from error

    def _callback(self, outdata: Samples, _count: int, times: Any, _status: Any) -> None:
        self._beats += 1
        try:
            part = self._parts.get_nowait()
        except queue.Empty:
            outdata[:] = 0
            return
        outdata[:] = part.block[:, np.newaxis]
        if part.heard is not None:
            delay_s = float(times.outputBufferDacTime - times.currentTime)
            part.heard(delay_s if 0 < delay_s < LONGEST_DELAY_S else self._stream.latency_s)

    def _ended(self) -> None:
        self._over = True
        if self._tell is not None:
            self._tell(None)

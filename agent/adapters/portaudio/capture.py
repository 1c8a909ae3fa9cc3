"""An open input device."""

# pyright: reportUnknownMemberType=false
# soxr ships incomplete types.

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

import soxr

from agent.adapters.portaudio.devices import ANSWERS_WITHIN_S, unavailable
from agent.adapters.portaudio.streams import Stream
from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, Samples

LOST_AFTER_S = 1.0
"""Without a frame for so long the device is gone."""
BLOCK_S = BLOCK_SAMPLES / SAMPLE_RATE
QUEUED_S = 60
"""Sound that is kept while a decode is waited for."""


class Capture:
    """An open input device, heard at `SAMPLE_RATE` whatever its own rate."""

    def __init__(self, device: str | None, dropped: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._frames: asyncio.Queue[Samples | None] = asyncio.Queue()
        self._flowing = asyncio.Event()
        self._dropped = dropped
        self._stream = Stream("input", device, BLOCK_S, self._callback, self._ended)

    async def open(self) -> None:
        """Open the device and wait for its first frame."""
        await self._stream.open()
        self._to_16k = soxr.ResampleStream(self._stream.rate_hz, SAMPLE_RATE, 1, dtype="float32")
        try:
            async with asyncio.timeout(ANSWERS_WITHIN_S):
                await self._flowing.wait()
        except TimeoutError as error:
            await self.close()
            raise unavailable("input", "gives no sound", "没有声音输入") from error
        except asyncio.CancelledError:
            await self.close()
            raise

    async def sound(self) -> Samples | None:
        """Return the next stretch of sound; None when the device is lost."""
        try:
            async with asyncio.timeout(LOST_AFTER_S):
                frame = await self._frames.get()
        except TimeoutError:
            return None
        return None if frame is None else cast("Samples", self._to_16k.resample_chunk(frame))

    async def close(self) -> None:
        """Let the device go."""
        await self._stream.close()

    def _callback(self, indata: Samples, _count: int, _times: Any, status: Any) -> None:
        """Copy and hand over, nothing else: PortAudio waits."""
        if status.input_overflow:
            self._dropped()
        self._tell(self._take, indata.mean(axis=1))

    def _ended(self) -> None:
        self._tell(self._frames.put_nowait, None)

    def _tell(self, listener: Callable[..., None], told: Samples | None) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody listens any more
            self._loop.call_soon_threadsafe(listener, told)

    def _take(self, frame: Samples) -> None:
        self._flowing.set()
        if self._frames.qsize() < QUEUED_S / BLOCK_S:
            self._frames.put_nowait(frame)
        else:
            self._dropped()

"""Streams of PortAudio: opened with a limit, closed with a limit, and counted.

They are counted because the list of devices is made when PortAudio starts: a device that came or
went since is seen only after a restart, and a restart ends every stream.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# sounddevice ships no types.

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from itertools import product
from typing import Any

from agent.adapters.portaudio.devices import (
    ANSWERS_WITHIN_S,
    Device,
    Kind,
    chosen,
    in_thread,
    library,
    listed,
    restart,
    unavailable,
)

CLOSES_WITHIN_S = 2.0
OTHER_RATES_HZ = (48_000, 44_100, 16_000)
"""Tried when a device refuses the rate that it calls its own."""

_changing = threading.RLock()
_ours: "set[Stream]" = set()
"""Streams that are open, or being opened."""


class Stream:
    """One direction of a device, running.

    Args:
        wanted: The device's number, its name or part of it; None for the system's default.
        block_s: Seconds between two calls of `callback`.
        callback: PortAudio's: (samples, count, times, status), in a thread of its own.
        ended: Called, in a thread, when the stream ends, by whomever.

    Attributes:
        closed: It will not run again.
    """

    def __init__(
        self,
        kind: Kind,
        wanted: str | None,
        block_s: float,
        callback: Callable[..., None],
        ended: Callable[[], None],
    ) -> None:
        self.closed = False
        self._kind: Kind = kind
        self._wanted = wanted
        self._block_s = block_s
        self._callback = callback
        self._ended = ended
        self._idle = False
        self._stream: Any = None

    @property
    def rate_hz(self) -> int:
        """Samples a second."""
        return int(self._stream.samplerate)

    @property
    def latency_s(self) -> float:
        """Sound on its way between us and the air, as PortAudio believes."""
        return float(self._stream.latency)

    async def open(self) -> None:
        """Open and start it.

        Raises:
            DeviceUnavailable: There is no such device, it refuses, or it takes too long; a stream
                that comes when nobody waits for it any more is closed at once.
        """
        opening = in_thread(self._open)
        try:
            async with asyncio.timeout(ANSWERS_WITHIN_S):
                await asyncio.wrap_future(opening)
        except TimeoutError as error:
            opening.add_done_callback(self._discard)
            raise unavailable(self._kind, "does not open", "打不开") from error
        except asyncio.CancelledError:
            opening.add_done_callback(self._discard)
            raise

    def _discard(self, opening: "Future[None]") -> None:
        self._close()

    def _open(self) -> None:
        with _changing:
            _ours.add(self)
        try:
            self._stream = self._started()
        except BaseException:
            self._gone()
            raise

    def _started(self) -> Any:
        """Return the stream at the first rate and number of channels that the device takes."""
        sounddevice = library()
        device = chosen(self._kind, self._wanted, listed())
        make = sounddevice.InputStream if self._kind == "input" else sounddevice.OutputStream
        refused: Exception | None = None
        for rate_hz, channels in _formats(device):
            stream = None
            try:
                stream = make(
                    samplerate=rate_hz,
                    blocksize=round(self._block_s * rate_hz),
                    device=device.number,
                    channels=channels,
                    dtype="float32",
                    latency="high",
                    callback=self._callback,
                    finished_callback=self._ended,
                )
                stream.start()
            except (sounddevice.PortAudioError, ValueError) as error:
                refused = error
                if stream is not None:
                    stream.close()
            else:
                return stream
        raise unavailable(
            self._kind, f"cannot be opened ({refused})", f"无法打开（{refused}）"
        ) from refused

    def rest(self) -> None:
        """It runs on, and nobody minds if it is closed."""
        self._idle = True

    async def wake(self) -> bool:
        """It is used again; False when it was closed meanwhile."""

        def claimed() -> bool:
            with _changing:
                self._idle = False
                return not self.closed

        try:
            async with asyncio.timeout(ANSWERS_WITHIN_S):
                return await asyncio.wrap_future(in_thread(claimed))
        except TimeoutError:
            return False

    async def close(self) -> None:
        """Close it; what the device has not played yet is dropped."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSES_WITHIN_S):
                await asyncio.wrap_future(in_thread(self._close))

    def close_at_once(self) -> None:
        """Close it where nothing can be awaited."""
        with suppress(TimeoutError):
            in_thread(self._close).result(CLOSES_WITHIN_S)

    def _close(self) -> None:
        with _changing:
            stream, self._stream, self.closed = self._stream, None, True
        if stream is not None:
            stream.close()
            self._gone()

    def _gone(self) -> None:
        with _changing:
            self.closed = True
            _ours.discard(self)

    @classmethod
    def restart_portaudio(cls) -> bool:
        """Begin anew with the devices of now; False when a stream in use forbids it."""
        with _changing:
            ours = tuple(_ours)
            if not all(stream._idle for stream in ours):  # noqa: SLF001 - of our own kind
                return False
            for stream in ours:
                stream._close()  # noqa: SLF001
            restart()
        return True


async def restarted() -> bool:
    """Let PortAudio look for devices again; False when it could not.

    Raises:
        DeviceUnavailable: PortAudio does not start any more.
    """
    try:
        async with asyncio.timeout(ANSWERS_WITHIN_S):
            return await asyncio.wrap_future(in_thread(Stream.restart_portaudio))
    except TimeoutError:
        return False


def _formats(device: Device) -> Iterator[tuple[int, int]]:
    rates_hz = dict.fromkeys((device.rate_hz, *OTHER_RATES_HZ))
    channels = dict.fromkeys((min(2, device.channels), 1, device.channels))
    return product(rates_hz, channels)

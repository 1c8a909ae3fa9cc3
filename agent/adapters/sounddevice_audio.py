"""The microphone and the loudspeaker of this machine, through PortAudio."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from typing import Generic, TypeVar

import numpy as np

from agent.adapters.portaudio.capture import Capture
from agent.adapters.portaudio.devices import Device, Kind, devices, unavailable
from agent.adapters.portaudio.outlet import Outlet
from agent.adapters.portaudio.streams import restarted
from agent.domain.audio import BLOCK_SAMPLES, AudioClip, Samples
from agent.domain.errors import DeviceUnavailable

__all__ = ["Device", "SounddeviceMicrophone", "SounddeviceSpeaker", "devices"]

C = TypeVar("C")


class _Socket(Generic[C]):
    """Where a device is plugged in; when it is lost, it or the system's default is looked for."""

    def __init__(
        self, kind: Kind, device: str | None, connect: Callable[[str | None], Awaitable[C]]
    ) -> None:
        self._kind: Kind = kind
        self._device = device
        self._connect = connect
        self._worked = False

    async def open(self) -> C:
        """Return the device that is wanted, or once that one has worked, what there is."""
        try:
            connected = await self._connect(self._device)
        except DeviceUnavailable:
            if not self._worked:
                raise
            return await self.reopen()
        self._worked = True
        return connected

    async def reopen(self) -> C:
        """Return what is there after a loss."""
        await restarted()
        if self._device is not None:
            with suppress(DeviceUnavailable):
                return await self._connect(self._device)
        try:
            return await self._connect(None)
        except DeviceUnavailable as error:
            raise unavailable(self._kind, "went away", "已断开") from error


class SounddeviceMicrophone:
    """Implements `Microphone` for an input device.

    A device that is pulled out is looked for once more, then the system's default takes over,
    within the same answer.

    Args:
        device: Part of its name, or its number; None for the system's default.

    Attributes:
        overflows: Blocks that the system or the queue had to drop.
    """

    def __init__(self, device: str | None = None) -> None:
        self._socket = _Socket("input", device, self._capture)
        self.overflows = 0

    async def blocks(self) -> AsyncGenerator[Samples]:
        """Yield blocks until the iteration is closed.

        Raises:
            DeviceUnavailable: No device can be opened, or none gives sound any more.
        """
        capture = await self._socket.open()
        rest = np.zeros(0, dtype=np.float32)
        try:
            while True:
                sound = await capture.sound()
                if sound is None:
                    await capture.close()
                    capture = await self._socket.reopen()
                    continue
                rest = np.concatenate([rest, sound])
                whole = len(rest) // BLOCK_SAMPLES * BLOCK_SAMPLES
                for block in rest[:whole].reshape(-1, BLOCK_SAMPLES):
                    yield block
                rest = rest[whole:]
        finally:
            await capture.close()

    async def _capture(self, device: str | None) -> "Capture":
        capture = Capture(device, self._dropped)
        await capture.open()
        return capture

    def _dropped(self) -> None:
        self.overflows += 1


class SounddeviceSpeaker:
    """Implements `Speaker` for an output device.

    The stream stays open between two clips: a sound server that fell asleep takes up to two
    seconds to wake. After a loss the device is looked for once more, then the default.

    Args:
        device: Part of its name, or its number; None for the system's default.
    """

    def __init__(self, device: str | None = None) -> None:
        self._socket = _Socket("output", device, _outlet)
        self._open: Outlet | None = None
        self._lost = False

    async def play(self, clip: AudioClip) -> None:
        """Play `clip` to its end, or until the call is cancelled; stops within a block.

        Raises:
            DeviceUnavailable: The device cannot be opened, or takes no more sound.
        """
        outlet = await self._ready()
        try:
            await outlet.play(clip)
        except BaseException as error:
            self._lost = isinstance(error, DeviceUnavailable)
            await outlet.close()  # drops what the device has taken and not played
            raise
        self._open = outlet

    def close(self) -> None:
        """Let the device go."""
        outlet, self._open = self._open, None
        if outlet is not None:
            outlet.close_at_once()

    async def _ready(self) -> "Outlet":
        outlet, self._open = self._open, None
        if outlet is not None:
            if await outlet.wake():
                return outlet
            await outlet.close()
        return await (self._socket.reopen() if self._lost else self._socket.open())


async def _outlet(device: str | None) -> Outlet:
    outlet = Outlet(device)
    await outlet.open()
    return outlet

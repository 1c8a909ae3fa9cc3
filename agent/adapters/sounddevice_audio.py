"""The microphone and the loudspeaker of this machine, through PortAudio."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# sounddevice ships no types.

import asyncio
import queue
import threading
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future
from typing import Any, cast

import numpy as np
import soxr

from agent.adapters.portaudio import Device, devices
from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, AudioClip, Samples
from agent.domain.errors import DeviceUnavailable

__all__ = ["Device", "SounddeviceMicrophone", "SounddeviceSpeaker", "devices"]

LOST_AFTER_S = 1.0
"""Without a frame for so long the device is gone."""
OPENS_WITHIN_S = 5.0
"""Opening and the first frame may each take longer: sound servers and wireless headsets wake up
slowly."""
QUEUED_S = 60
"""Sound that is kept while a decode is waited for."""
PLAY_BLOCK_S = 0.05
CLOSE_LIMIT_S = 2.0
HINT = "viva practice --input text"


def _portaudio() -> Any:
    """Return sounddevice; its import fails where PortAudio is missing."""
    try:
        import sounddevice  # noqa: PLC0415 - raises without PortAudio, and text needs none
    except OSError as error:
        raise DeviceUnavailable(
            f"The sound library PortAudio is missing ({error})",
            hint="sudo apt install libportaudio2",
        ) from error
    return sounddevice


def _device(name: str | None) -> str | int | None:
    return int(name) if name is not None and name.isdigit() else name


class SounddeviceMicrophone:
    """Implements `Microphone` for an input device.

    Args:
        device: Part of its name, or its number; None for the system's default.
    """

    def __init__(self, device: str | None = None) -> None:
        self._device = _device(device)
        self._finished = asyncio.Event()
        self.overflows = 0
        """Blocks that the system or the queue had to drop."""

    def finish(self) -> None:
        """End the blocks: the candidate says that the answer is complete."""
        self._finished.set()

    async def blocks(self) -> AsyncGenerator[Samples]:
        """Yield blocks until `finish` is called or the iteration is closed.

        Raises:
            DeviceUnavailable: The device cannot be opened, or went away.
        """
        self._finished.clear()
        loop = asyncio.get_running_loop()
        frames: asyncio.Queue[Samples] = asyncio.Queue()
        stream = await _opened(lambda: self._open(loop, frames), "microphone")
        to_16k = soxr.ResampleStream(stream.samplerate, SAMPLE_RATE, 1, dtype="float32")
        rest = np.zeros(0, dtype=np.float32)
        limit_s = OPENS_WITHIN_S
        try:
            while not self._finished.is_set():
                try:
                    async with asyncio.timeout(limit_s):
                        frame = await frames.get()
                except TimeoutError as error:
                    raise DeviceUnavailable("The microphone went away", HINT) from error
                limit_s = LOST_AFTER_S
                sound = np.concatenate([rest, cast("Samples", to_16k.resample_chunk(frame))])
                whole = len(sound) // BLOCK_SAMPLES * BLOCK_SAMPLES
                for block in sound[:whole].reshape(-1, BLOCK_SAMPLES):
                    yield block
                rest = sound[whole:]
        finally:
            await _close(stream)

    def _open(self, loop: asyncio.AbstractEventLoop, frames: "asyncio.Queue[Samples]") -> Any:
        """Open the device at its own rate; the callback copies and hands over, nothing else."""
        sounddevice = _portaudio()
        try:
            info: dict[str, Any] = sounddevice.query_devices(self._device, "input")
            rate = int(info["default_samplerate"])
            most_queued = QUEUED_S * rate // BLOCK_SAMPLES

            def hand_over(frame: Samples) -> None:
                if frames.qsize() < most_queued:
                    frames.put_nowait(frame)
                else:
                    self.overflows += 1

            def callback(indata: Samples, _count: int, _time: Any, status: Any) -> None:
                if status.input_overflow:
                    self.overflows += 1
                loop.call_soon_threadsafe(hand_over, indata.mean(axis=1))

            stream = sounddevice.InputStream(
                samplerate=rate,
                blocksize=BLOCK_SAMPLES,
                device=self._device,
                channels=min(2, int(info["max_input_channels"])),
                dtype="float32",
                latency="high",
                callback=callback,
            )
            stream.start()
        except (sounddevice.PortAudioError, ValueError) as error:
            raise DeviceUnavailable(f"The microphone cannot be opened: {error}", HINT) from error
        return stream


async def _opened(open_stream: Callable[[], Any], what: str) -> Any:
    """Return the running stream; opening can hang with a lost device or a stuck sound server.

    The thread is a daemon: no exit waits for it. A stream that comes when nobody waits for it any
    more is closed at once.

    Raises:
        DeviceUnavailable: It cannot be opened, or not in time.
    """
    opening: Future[Any] = Future()

    def run() -> None:
        try:
            opening.set_result(open_stream())
        except Exception as error:  # noqa: BLE001 - handed on to the one who waits
            opening.set_exception(error)

    opening.set_running_or_notify_cancel()
    threading.Thread(target=run, daemon=True).start()
    try:
        async with asyncio.timeout(OPENS_WITHIN_S):
            return await asyncio.wrap_future(opening)
    except TimeoutError as error:
        opening.add_done_callback(_discard)
        raise DeviceUnavailable(f"The {what} does not open", HINT) from error
    except asyncio.CancelledError:
        opening.add_done_callback(_discard)
        raise


def _discard(opening: "Future[Any]") -> None:
    if opening.exception() is None:
        opening.result().close()


async def _close(stream: Any) -> None:
    """Close from outside the callback, with a limit: closing can hang with a lost device."""
    closing = threading.Thread(target=stream.close, daemon=True)
    closing.start()
    await asyncio.to_thread(closing.join, CLOSE_LIMIT_S)


class SounddeviceSpeaker:
    """Implements `Speaker` for an output device.

    Args:
        device: Part of its name, or its number; None for the system's default.
    """

    def __init__(self, device: str | None = None) -> None:
        self._device = _device(device)

    async def play(self, clip: AudioClip) -> None:
        """Play `clip` to its end, or until the call is cancelled; stops within a block.

        Raises:
            DeviceUnavailable: The device cannot be opened, or takes no more sound.
        """
        pending: queue.SimpleQueue[Samples] = queue.SimpleQueue()
        loop = asyncio.get_running_loop()
        done = asyncio.Event()
        stream = await _opened(lambda: self._open(clip, pending, loop, done), "loudspeaker")
        limit_s = clip.seconds + stream.latency + OPENS_WITHIN_S
        try:
            async with asyncio.timeout(limit_s):
                await done.wait()
            await asyncio.sleep(stream.latency)  # what the device has taken is still to be heard
        except TimeoutError as error:
            raise DeviceUnavailable("The loudspeaker takes no sound", HINT) from error
        finally:
            await _close(stream)

    def _open(
        self,
        clip: AudioClip,
        pending: "queue.SimpleQueue[Samples]",
        loop: asyncio.AbstractEventLoop,
        done: asyncio.Event,
    ) -> Any:
        sounddevice = _portaudio()
        try:
            info: dict[str, Any] = sounddevice.query_devices(self._device, "output")
            rate = int(info["default_samplerate"])
            channels = min(2, int(info["max_output_channels"]))
            sound = cast("Samples", soxr.resample(clip.samples, clip.sample_rate, rate))
            size = int(PLAY_BLOCK_S * rate)
            padded = np.pad(sound, (0, -len(sound) % size)).astype(np.float32)
            for block in padded.reshape(-1, size):
                pending.put(block)

            def callback(outdata: Samples, _count: int, _time: Any, _status: Any) -> None:
                try:
                    outdata[:] = pending.get_nowait()[:, np.newaxis]
                except queue.Empty:
                    outdata[:] = 0
                    loop.call_soon_threadsafe(done.set)

            stream = sounddevice.OutputStream(
                samplerate=rate,
                blocksize=size,
                device=self._device,
                channels=channels,
                dtype="float32",
                callback=callback,
            )
            stream.start()
        except (sounddevice.PortAudioError, ValueError) as error:
            raise DeviceUnavailable(f"The loudspeaker cannot be opened: {error}", HINT) from error
        return stream

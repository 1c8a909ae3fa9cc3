"""A session's sound, heard again."""

import asyncio
from pathlib import Path

from agent.adapters.file_microphone import read_clip
from agent.adapters.sounddevice_audio import SounddeviceSpeaker


async def play_file(path: Path) -> None:
    """Play a recording to its end, or until the call is cancelled.

    Raises:
        AudioUnreadable: It is not there, or cannot be decoded.
        DeviceUnavailable: There is no loudspeaker that takes it.
    """
    speaker = SounddeviceSpeaker()
    try:
        await speaker.play(await asyncio.to_thread(read_clip, path))
    finally:
        speaker.close()

"""What happens without a sound card; with one, see tests/device."""

import asyncio
import sys
from pathlib import Path

import numpy as np
import pytest

from agent.adapters.sounddevice_audio import SounddeviceMicrophone, SounddeviceSpeaker
from agent.domain.audio import AudioClip
from agent.domain.errors import DeviceUnavailable


async def listen(microphone: SounddeviceMicrophone) -> None:
    async for _ in microphone.blocks():
        return


@pytest.fixture
def no_portaudio(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A `sounddevice` that fails as the real one does where the library is missing."""
    (tmp_path / "sounddevice.py").write_text("raise OSError('PortAudio library not found')\n")
    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])


@pytest.mark.usefixtures("no_portaudio")
def test_a_missing_library_is_named_when_sound_is_wanted_and_not_before() -> None:
    microphone, speaker = SounddeviceMicrophone(None), SounddeviceSpeaker(None)
    for use in (listen(microphone), speaker.play(AudioClip(np.zeros(160, dtype=np.float32)))):
        with pytest.raises(DeviceUnavailable, match="PortAudio") as caught:
            asyncio.run(use)
        assert caught.value.hint == "sudo apt install libportaudio2"

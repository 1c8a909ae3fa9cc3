"""What happens without a sound card; with one, see tests/device."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

from agent.adapters import sounddevice_audio
from agent.adapters.sounddevice_audio import SounddeviceMicrophone, SounddeviceSpeaker
from agent.domain.audio import AudioClip
from agent.domain.errors import DeviceUnavailable

SOUND = AudioClip(np.zeros(160, dtype=np.float32))


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
    for use in (listen(microphone), speaker.play(SOUND)):
        with pytest.raises(DeviceUnavailable, match="PortAudio") as caught:
            asyncio.run(use)
        assert caught.value.hint == "sudo apt install libportaudio2"


class StuckCard:
    """A `sounddevice` whose streams do not start before they are released."""

    class PortAudioError(Exception):
        pass

    def __init__(self) -> None:
        self.starting, self.released, self.closed = Event(), Event(), Event()

    def query_devices(self, device: object, kind: str) -> dict[str, float]:
        return {"default_samplerate": 48_000.0, f"max_{kind}_channels": 2}

    def stream(self, **options: object) -> "StuckCard":
        return self

    InputStream = OutputStream = stream

    def start(self) -> None:
        self.starting.set()
        self.released.wait()

    def close(self) -> None:
        self.closed.set()


@pytest.fixture
def stuck_card(monkeypatch: pytest.MonkeyPatch) -> StuckCard:
    card = StuckCard()
    monkeypatch.setitem(sys.modules, "sounddevice", card)
    return card


Use = Callable[[], Coroutine[Any, Any, None]]
USES: list[Use] = [
    lambda: listen(SounddeviceMicrophone()),
    lambda: SounddeviceSpeaker().play(SOUND),
]


@pytest.mark.parametrize("use", USES, ids=["microphone", "loudspeaker"])
def test_a_device_that_does_not_open_is_not_waited_for(
    use: Use, stuck_card: StuckCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sounddevice_audio, "OPENS_WITHIN_S", 0.01)
    with pytest.raises(DeviceUnavailable, match="does not open") as caught:
        asyncio.run(use())
    assert caught.value.hint
    stuck_card.released.set()
    assert stuck_card.closed.wait(30), "what opens too late is closed"


@pytest.mark.parametrize("use", USES, ids=["microphone", "loudspeaker"])
def test_opening_ends_when_it_is_cancelled(use: Use, stuck_card: StuckCard) -> None:
    async def scene() -> None:
        using = asyncio.create_task(use())
        await asyncio.to_thread(stuck_card.starting.wait, 30)
        using.cancel()
        with pytest.raises(asyncio.CancelledError):
            await using

    asyncio.run(scene())
    stuck_card.released.set()
    assert stuck_card.closed.wait(30)

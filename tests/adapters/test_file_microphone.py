import asyncio
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
import soundfile

from agent.adapters.file_microphone import TRAILING_SILENCE_S, FileMicrophone, read_clip
from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, Samples
from agent.domain.errors import AudioUnreadable
from agent.ports import Microphone
from agent.testing import ScriptedMicrophone


def tone(seconds: float, rate: int, channels: int = 1) -> Samples:
    time_s = np.arange(int(seconds * rate)) / rate
    mono = (0.5 * np.sin(2 * np.pi * 440 * time_s)).astype(np.float32)
    return np.stack([mono] * channels, axis=1)


def write_m4a(path: Path, samples: Samples, rate: int) -> None:
    opened: Any = av.open(str(path), "w")
    with opened as container:
        stream = container.add_stream("aac", rate=rate)
        frame = av.AudioFrame.from_ndarray(samples.T.copy(), format="fltp", layout="mono")
        frame.sample_rate = rate
        for packet in [*stream.encode(frame), *stream.encode(None)]:
            container.mux(packet)


def frequency(samples: Samples) -> float:
    spectrum = np.abs(np.fft.rfft(samples))
    return float(np.argmax(spectrum) * SAMPLE_RATE / len(samples))


@pytest.mark.parametrize("suffix", ["wav", "flac", "ogg", "mp3", "m4a"])
@pytest.mark.parametrize(("rate", "channels"), [(16_000, 1), (44_100, 2), (48_000, 1)])
def test_every_kind_becomes_16_khz_mono(
    tmp_path: Path, suffix: str, rate: int, channels: int
) -> None:
    path = tmp_path / f"tone.{suffix}"
    if suffix == "m4a":
        write_m4a(path, tone(2.0, rate), rate)
    else:
        soundfile.write(path, tone(2.0, rate, channels), rate)
    clip = read_clip(path)
    assert clip.sample_rate == SAMPLE_RATE
    assert clip.samples.dtype == np.float32
    assert clip.samples.ndim == 1
    assert clip.seconds == pytest.approx(2.0, abs=0.15)
    assert frequency(clip.samples) == pytest.approx(440, abs=2)
    assert 0.4 < np.abs(clip.samples).max() <= 0.65


def broken(tmp_path: Path) -> list[Path]:
    paths = [
        tmp_path / name for name in ("empty.wav", "text.flac", "cut.flac", "cut.m4a", "no.wav")
    ]
    paths[0].touch()
    paths[1].write_text("this is no sound")
    soundfile.write(paths[2], tone(2.0, 16_000), 16_000)
    paths[2].write_bytes(paths[2].read_bytes()[:30])
    write_m4a(paths[3], tone(2.0, 16_000), 16_000)
    paths[3].write_bytes(paths[3].read_bytes()[:600])
    soundfile.write(paths[4], np.zeros((0, 1), dtype=np.float32), 16_000)
    return [*paths, tmp_path / "missing.mp3", tmp_path]


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    for path in broken(tmp_path):
        with pytest.raises(AudioUnreadable) as caught:
            read_clip(path)
        assert caught.value.path == path
        assert path.name in caught.value.message
        with pytest.raises(AudioUnreadable):
            asyncio.run(collect(FileMicrophone(path)))


async def collect(microphone: Microphone) -> list[Samples]:
    return [block async for block in microphone.blocks()]


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "tone.wav"
    soundfile.write(path, tone(1.0, SAMPLE_RATE), SAMPLE_RATE)
    return path


def test_a_recording_is_followed_by_silence(recording: Path) -> None:
    blocks = asyncio.run(collect(FileMicrophone(recording)))
    sound = np.concatenate(blocks)
    assert len(sound) / SAMPLE_RATE == pytest.approx(1.0 + TRAILING_SILENCE_S, abs=0.04)
    np.testing.assert_array_equal(sound[:SAMPLE_RATE], read_clip(recording).samples)
    assert not sound[SAMPLE_RATE:].any()


def test_pace_does_not_change_the_sound(recording: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    sleep = asyncio.sleep

    async def counted(seconds: float) -> None:
        waits.append(seconds)
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", counted)
    paced = asyncio.run(collect(FileMicrophone(recording, paced=True)))
    assert waits[100] > 2.5  # block 101 is due 3.2 s after the beginning
    waits.clear()
    unpaced = asyncio.run(collect(FileMicrophone(recording)))
    assert not any(waits)
    np.testing.assert_array_equal(np.concatenate(paced), np.concatenate(unpaced))


def test_contract(recording: Path) -> None:
    for microphone in (FileMicrophone(recording), ScriptedMicrophone(tone(1.0, 16_000)[:, 0])):
        first = asyncio.run(collect(microphone))
        again = asyncio.run(collect(microphone))
        assert all(block.shape == (BLOCK_SAMPLES,) for block in first)
        assert all(block.dtype == np.float32 for block in first)
        np.testing.assert_array_equal(np.concatenate(first), np.concatenate(again))

"""The real microphone and loudspeaker code against the virtual sound card of `.ci/sound-card`."""

import asyncio
import subprocess
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager, suppress
from pathlib import Path

import numpy as np
import pytest

from agent.adapters.faster_whisper_stt import WhisperTranscriber
from agent.adapters.silero_vad import SileroVad
from agent.adapters.sounddevice_audio import SounddeviceMicrophone, SounddeviceSpeaker
from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, AudioClip, Samples
from agent.domain.errors import DeviceUnavailable
from agent.voice.listening import ListeningPipeline
from tests.clips import Clip
from tests.speech import base_model, error_rate, hints_for

pytestmark = pytest.mark.device

LOUD = 0.05


def tone(seconds: float, rate: int = 24_000) -> AudioClip:
    time_s = np.arange(int(seconds * rate)) / rate
    return AudioClip((0.5 * np.sin(2 * np.pi * 440 * time_s)).astype(np.float32), rate)


@asynccontextmanager
async def started(*command: str) -> AsyncGenerator[Process]:
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


@asynccontextmanager
async def loudspeaker_heard() -> AsyncGenerator[asyncio.StreamReader]:
    """What comes out of the loudspeaker, 16 kHz mono, 16 bit."""
    command = (
        "parec --device=spk.monitor --rate=16000 --channels=1 --format=s16le --latency-msec=20"
    )
    async with started(*command.split()) as recorder:
        assert recorder.stdout is not None
        await recorder.stdout.readexactly(2 * BLOCK_SAMPLES)  # the recorder runs
        yield recorder.stdout


async def next_block(heard: asyncio.StreamReader) -> Samples:
    raw = await heard.readexactly(2 * BLOCK_SAMPLES)
    return (np.frombuffer(raw, dtype="<i2") / 32768).astype(np.float32)


async def loud_part(heard: asyncio.StreamReader) -> Samples:
    """Wait for sound; return it up to a quarter of a second of silence."""
    blocks: list[Samples] = []
    quiet = 0
    async with asyncio.timeout(30):
        while quiet < 8:
            block = await next_block(heard)
            loud = bool(np.abs(block).max() > LOUD)
            quiet = 0 if loud or not blocks else quiet + 1
            if loud or blocks:
                blocks.append(block)
    return np.concatenate(blocks[:-8])


def test_a_clip_is_played_whole() -> None:
    async def scene() -> Samples:
        async with loudspeaker_heard() as heard:
            playing = asyncio.create_task(SounddeviceSpeaker().play(tone(1.0)))
            sound = await loud_part(heard)
            await playing
            return sound

    sound = asyncio.run(scene())
    spectrum = np.abs(np.fft.rfft(sound))
    assert np.argmax(spectrum) * SAMPLE_RATE / len(sound) == pytest.approx(440, abs=3)
    assert len(sound) / SAMPLE_RATE == pytest.approx(1.0, abs=0.15)


def test_playing_stops_when_it_is_cancelled() -> None:
    async def scene() -> Samples:
        async with loudspeaker_heard() as heard:
            playing = asyncio.create_task(SounddeviceSpeaker().play(tone(20.0)))
            while np.abs(await next_block(heard)).max() < LOUD:
                pass
            playing.cancel()
            rest = await loud_part(heard)
            with pytest.raises(asyncio.CancelledError):
                await playing
            return rest

    assert len(asyncio.run(scene())) < 3 * SAMPLE_RATE


class AnsweredMicrophone(SounddeviceMicrophone):
    """The card's microphone; the candidate begins to speak when it is open."""

    def __init__(self, answer: Path) -> None:
        super().__init__()
        self._answer = answer

    async def blocks(self) -> AsyncGenerator[Samples]:
        async with aclosing(super().blocks()) as blocks:
            yield await anext(blocks)
            async with started("paplay", "--device=mic_sink", str(self._answer)):
                async for block in blocks:
                    yield block


def test_the_candidate_is_heard_through_the_card(clips: dict[str, Clip], tmp_path: Path) -> None:
    clip = clips["en_dont_know"]

    async def scene() -> tuple[str, str]:
        transcriber = WhisperTranscriber(base_model(tmp_path))
        await transcriber.warm_up()
        pipeline = ListeningPipeline(SileroVad(), transcriber)
        heard = await pipeline.listen(AnsweredMicrophone(clip.path), hints_for(clip))
        transcriber.close()
        return heard.answer.text, heard.ended_because

    text, reason = asyncio.run(scene())
    assert error_rate(clip.text, text, "en") <= 0.2
    assert reason.startswith("gave_up")


def test_blocks_have_the_shape_of_every_microphone_and_end_on_demand() -> None:
    async def scene() -> list[Samples]:
        microphone = SounddeviceMicrophone()
        blocks: list[Samples] = []
        async for block in microphone.blocks():
            blocks.append(block)
            if len(blocks) == 20:
                microphone.finish()
        assert microphone.overflows == 0
        return blocks

    blocks = asyncio.run(scene())
    assert 20 <= len(blocks) < 40
    assert {block.shape for block in blocks} == {(BLOCK_SAMPLES,)}
    assert {block.dtype for block in blocks} == {np.dtype(np.float32)}


def test_a_microphone_that_falls_silent_is_lost_not_waited_for() -> None:
    def suspended(yes: int) -> None:
        subprocess.run(["pactl", "suspend-source", "mic", str(yes)], check=True, timeout=10)

    async def scene() -> None:
        async with aclosing(SounddeviceMicrophone().blocks()) as blocks:
            await anext(blocks)
            await asyncio.to_thread(suspended, 1)
            async with asyncio.timeout(30):
                async for _ in blocks:
                    pass

    try:
        with pytest.raises(DeviceUnavailable, match="went away") as caught:
            asyncio.run(scene())
        assert caught.value.hint
    finally:
        suspended(0)


def test_a_device_that_is_not_there_is_named() -> None:
    async def listen() -> None:
        async for _ in SounddeviceMicrophone("no such card").blocks():
            pass

    for use in (listen(), SounddeviceSpeaker("no such card").play(tone(0.1))):
        with pytest.raises(DeviceUnavailable, match="cannot be opened") as caught:
            asyncio.run(use)
        assert caught.value.hint

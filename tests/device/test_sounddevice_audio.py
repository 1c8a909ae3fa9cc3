"""The real microphone and loudspeaker code against the virtual sound card of `.ci/sound-card`."""

import asyncio
import subprocess
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest
import soundfile

from agent.adapters.portaudio import capture
from agent.adapters.portaudio.streams import restarted
from agent.adapters.silero_vad import SileroVad
from agent.adapters.sounddevice_audio import (
    SounddeviceMicrophone,
    SounddeviceSpeaker,
    devices,
)
from agent.adapters.whisper.transcriber import WhisperTranscriber
from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, AudioClip, Samples
from agent.domain.errors import DeviceUnavailable
from agent.voice.listening import ListeningPipeline
from agent.voice.live_microphone import LiveMicrophone
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


def test_clips_are_played_whole_one_after_the_other() -> None:
    async def scene() -> list[Samples]:
        speaker = SounddeviceSpeaker()
        sounds: list[Samples] = []
        async with loudspeaker_heard() as heard:
            for _ in range(3):
                playing = asyncio.create_task(speaker.play(tone(1.0)))
                sounds.append(await loud_part(heard))
                await playing
        speaker.close()
        return sounds

    for sound in asyncio.run(scene()):
        spectrum = np.abs(np.fft.rfft(sound))
        assert np.argmax(spectrum) * SAMPLE_RATE / len(sound) == pytest.approx(440, abs=3)
        assert 0.99 <= len(sound) / SAMPLE_RATE <= 1.07, (
            "no block is lost, at most two are partly loud"
        )


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
        source = SounddeviceMicrophone()
        microphone = LiveMicrophone(source)
        blocks: list[Samples] = []
        async for block in microphone.blocks():
            blocks.append(block)
            if len(blocks) == 20:
                microphone.finish()
        assert source.overflows == 0
        return blocks

    blocks = asyncio.run(scene())
    assert len(blocks) == 20
    assert {block.shape for block in blocks} == {(BLOCK_SAMPLES,)}
    assert {block.dtype for block in blocks} == {np.dtype(np.float32)}


def pactl(*command: str) -> str:
    done = subprocess.run(
        ["pactl", *command], check=True, timeout=30, capture_output=True, text=True
    )
    return done.stdout.strip()


ALSA_CONFIG = "/usr/share/alsa/alsa.conf"
SECOND_CARD = """
pcm.viva_second {{
    type pulse
    device "{name}"
    hint {{ show on description "a second card" }}
}}
"""


class SecondCard:
    """A card of the test's own, which hangs or is pulled out when the test says so."""

    def __init__(self) -> None:
        master = "master=viva_sink.monitor"
        self._modules = [
            pactl("load-module", "module-null-sink", "sink_name=viva_sink"),
            pactl("load-module", "module-remap-source", "source_name=viva_source", master),
        ]

    async def hang(self, kind: str) -> None:
        """Let no sound pass any more."""
        await asyncio.to_thread(pactl, f"suspend-{kind}", f"viva_{kind}", "1")

    def pull_out(self) -> None:
        """Take it away."""
        while self._modules:
            pactl("unload-module", self._modules.pop())


@pytest.fixture
def card() -> Iterator[SecondCard]:
    card = SecondCard()
    yield card
    card.pull_out()


@contextmanager
def named(kind: str, folder: Path) -> Generator[None]:
    """PortAudio lists one direction of the second card, as `viva_second`."""
    config = folder / "second.conf"
    config.write_text(SECOND_CARD.format(name=f"viva_{kind}"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ALSA_CONFIG_PATH", f"{ALSA_CONFIG}:{config}")
        assert asyncio.run(restarted())
        yield
    assert asyncio.run(restarted())


@pytest.fixture
def second_microphone(card: SecondCard, tmp_path: Path) -> Iterator[SecondCard]:
    with named("source", tmp_path):
        yield card


@pytest.fixture
def second_loudspeaker(card: SecondCard, tmp_path: Path) -> Iterator[SecondCard]:
    with named("sink", tmp_path):
        yield card


async def heard_in(blocks: AsyncGenerator[Samples], sink: str, tmp_path: Path) -> bool:
    """Play a tone into `sink`, over and over; whether it is heard before long."""
    clip = tmp_path / "tone.wav"
    soundfile.write(clip, tone(5.0).samples, 24_000)
    async with started("paplay", f"--device={sink}", str(clip)):
        async with asyncio.timeout(60):
            async for block in blocks:
                if np.abs(block).max() > LOUD:
                    return True
    return False


def test_devices_have_their_names(second_microphone: SecondCard) -> None:
    found = {(device.name, device.kind) for device in devices()}
    assert ("viva_second", "input") in found
    defaults = [device for device in devices() if device.default]
    assert [device.kind for device in defaults] == ["input", "output"]


def test_the_default_takes_over_within_the_same_answer(
    second_microphone: SecondCard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture, "ANSWERS_WITHIN_S", 3.0)

    async def scene() -> None:
        async with aclosing(SounddeviceMicrophone("viva_second").blocks()) as blocks:
            assert await heard_in(blocks, "viva_sink", tmp_path)
            await second_microphone.hang("source")
            assert await heard_in(blocks, "mic_sink", tmp_path)

    asyncio.run(scene())


def test_an_answer_survives_that_its_microphone_is_pulled_out(
    second_microphone: SecondCard, tmp_path: Path
) -> None:
    async def scene() -> None:
        microphone = SounddeviceMicrophone("viva_second")
        async with aclosing(microphone.blocks()) as blocks:
            assert await heard_in(blocks, "viva_sink", tmp_path)
            await asyncio.to_thread(second_microphone.pull_out)
            assert await heard_in(blocks, "mic_sink", tmp_path)
        async with aclosing(microphone.blocks()) as blocks:  # the next answer
            assert await heard_in(blocks, "mic_sink", tmp_path)

    asyncio.run(scene())


def test_a_microphone_that_falls_silent_for_good_is_lost(
    card: SecondCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PULSE_SOURCE", "viva_source")  # the sound server has no other for us
    monkeypatch.setattr(capture, "ANSWERS_WITHIN_S", 3.0)

    async def scene() -> None:
        async with aclosing(SounddeviceMicrophone().blocks()) as blocks:
            await anext(blocks)
            await card.hang("source")
            async with asyncio.timeout(60):
                async for _ in blocks:
                    pass

    with pytest.raises(DeviceUnavailable, match="The microphone went away") as caught:
        asyncio.run(scene())
    assert caught.value.text("zh") == "麦克风已断开。"
    assert caught.value.hint


def test_a_loudspeaker_that_hangs_is_lost_and_the_next_sentence_heard_elsewhere(
    second_loudspeaker: SecondCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> Samples:
        speaker = SounddeviceSpeaker("viva_second")
        await speaker.play(tone(0.2))
        playing = asyncio.create_task(speaker.play(tone(60.0)))
        await second_loudspeaker.hang("sink")
        with pytest.raises(DeviceUnavailable) as caught:
            async with asyncio.timeout(60):
                await playing
        assert caught.value.hint
        await asyncio.to_thread(second_loudspeaker.pull_out)
        async with loudspeaker_heard() as heard:
            again = asyncio.create_task(speaker.play(tone(1.0)))
            sound = await loud_part(heard)
            await again
        speaker.close()
        return sound

    assert len(asyncio.run(scene())) / SAMPLE_RATE == pytest.approx(1.0, abs=0.15)


def test_a_device_that_is_not_there_is_named() -> None:
    async def listen() -> None:
        async for _ in SounddeviceMicrophone("no such card").blocks():
            pass

    for use in (listen(), SounddeviceSpeaker("no such card").play(tone(0.1))):
        with pytest.raises(DeviceUnavailable, match=r"does not exist; there is: .*default") as got:
            asyncio.run(use)
        assert "不存在，现有：" in got.value.text("zh")
        assert got.value.hint

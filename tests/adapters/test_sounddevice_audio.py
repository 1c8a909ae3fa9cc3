"""What happens without a sound card, and on cards of every kind; a real one is in tests/device."""

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from agent.adapters.portaudio import capture, outlet, streams
from agent.adapters.portaudio.devices import Kind, chosen
from agent.adapters.sounddevice_audio import (
    Device,
    SounddeviceMicrophone,
    SounddeviceSpeaker,
    devices,
)
from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, AudioClip, Samples
from agent.domain.errors import DeviceUnavailable

SOUND = AudioClip(np.zeros(160, dtype=np.float32))
TYPE_INSTEAD = "viva practice --input text"


async def listen(microphone: SounddeviceMicrophone) -> None:
    async with aclosing(microphone.blocks()) as blocks:
        async for _ in blocks:
            return


async def list_devices() -> None:
    devices()


Use = Callable[[], Coroutine[Any, Any, None]]
USES: dict[str, Use] = {
    "microphone": lambda: listen(SounddeviceMicrophone()),
    "loudspeaker": lambda: SounddeviceSpeaker().play(SOUND),
}
BOTH = pytest.mark.parametrize("use", USES.values(), ids=USES.keys())


@pytest.fixture
def no_portaudio(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A `sounddevice` that fails as the real one does where the library is missing."""
    (tmp_path / "sounddevice.py").write_text("raise OSError('PortAudio library not found')\n")
    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])


@pytest.mark.usefixtures("no_portaudio")
@pytest.mark.parametrize(
    ("platform", "hint"),
    [
        ("linux", "sudo apt install libportaudio2"),
        ("darwin", "brew install portaudio"),
        ("win32", "pip install --force-reinstall sounddevice"),
    ],
)
@pytest.mark.parametrize("use", [*USES.values(), list_devices], ids=[*USES, "devices"])
def test_a_missing_library_is_named_when_sound_is_wanted(
    use: Use, platform: str, hint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(DeviceUnavailable, match="PortAudio") as caught:
        asyncio.run(use())
    assert caught.value.hint == hint
    assert "声音库 PortAudio 无法使用" in caught.value.text("zh")


class PortAudioError(Exception):
    """As `sounddevice` raises it."""


@dataclass
class Line:
    """One device of a `Card`.

    Attributes:
        rates: It takes; empty: any.
        frames: Blocks it gives or takes before it falls silent.
    """

    name: str
    inputs: int = 2
    outputs: int = 2
    rate: float = 48_000.0
    rates: tuple[int, ...] = ()
    channels: tuple[int, ...] = ()
    frames: int = 1000


@dataclass
class Card:
    """Stands in for `sounddevice`: streams call back as fast as they are listened to."""

    lines: list[Line]
    after_restart: list[Line] | None = None
    restarts: int = 0
    opened: list[tuple[str, int, int]] = field(default_factory=list[tuple[str, int, int]])
    running: int = 0
    hold: Event | None = None
    starting: Event = field(default_factory=Event)
    closed: Event = field(default_factory=Event)
    PortAudioError: type[Exception] = PortAudioError

    @property
    def default(self) -> SimpleNamespace:
        none = -1
        return SimpleNamespace(
            device=(
                next((i for i, line in enumerate(self.lines) if line.inputs), none),
                next((i for i, line in enumerate(self.lines) if line.outputs), none),
            )
        )

    def query_devices(self) -> list[dict[str, Any]]:
        return [
            {
                "name": line.name,
                "max_input_channels": line.inputs,
                "max_output_channels": line.outputs,
                "default_samplerate": line.rate,
            }
            for line in self.lines
        ]

    def InputStream(self, **options: Any) -> "Stream":  # noqa: N802
        return Stream(self, "input", **options)

    def OutputStream(self, **options: Any) -> "Stream":  # noqa: N802
        return Stream(self, "output", **options)

    def _terminate(self) -> None:
        assert self.running == 0, "a restart ends running streams"
        self.restarts += 1

    def _initialize(self) -> None:
        if self.after_restart is not None:
            self.lines = self.after_restart


class Stream:
    """A stream of a `Card`: all its blocks come when it starts; an output stops after them."""

    latency = 0.0

    def __init__(self, card: Card, kind: Kind, **options: Any) -> None:
        self._card, self._kind, self._options = card, kind, options
        self._line = line = list(card.lines)[int(options["device"])]
        self.samplerate = options["samplerate"]
        channels = options["channels"]
        if line.rates and self.samplerate not in line.rates:
            raise PortAudioError("Invalid sample rate")
        if line.channels and channels not in line.channels:
            raise PortAudioError("Invalid number of channels")
        self._shape = (options["blocksize"], channels)
        self._stop = Event()

    def start(self) -> None:
        card, line = self._card, self._line
        card.starting.set()
        if card.hold is not None:
            card.hold.wait()
        card.running += 1
        card.opened.append((line.name, self.samplerate, self._shape[1]))
        status = SimpleNamespace(input_overflow=False)
        if self._kind == "input":
            for _ in range(line.frames):
                block = np.full(self._shape, 0.25, dtype=np.float32)
                self._options["callback"](block, len(block), None, status)
        else:
            streams.in_thread(lambda: self._play(line.frames))

    def _play(self, frames: int) -> None:
        times = SimpleNamespace(outputBufferDacTime=0.0, currentTime=0.0)
        for _ in range(frames):
            if self._stop.wait(0.001):  # the pace of the card
                return
            self._options["callback"](
                np.zeros(self._shape, dtype=np.float32), self._shape[0], times, None
            )

    def close(self) -> None:
        self._stop.set()
        self._card.running -= 1
        self._card.closed.set()
        self._options["finished_callback"]()


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> Iterator[Card]:
    monkeypatch.setattr(streams, "_ours", set[streams.Stream]())
    card = Card([Line("Built-in")])
    monkeypatch.setitem(sys.modules, "sounddevice", card)
    yield card
    assert card.running == 0, "every stream is closed"


async def blocks_of(microphone: SounddeviceMicrophone, count: int) -> list[Samples]:
    taken: list[Samples] = []
    async with aclosing(microphone.blocks()) as blocks:
        async for block in blocks:
            taken.append(block)
            if len(taken) == count:
                break
    return taken


async def played(speaker: SounddeviceSpeaker, clip: AudioClip = SOUND) -> None:
    await speaker.play(clip)
    speaker.close()


def test_devices_are_listed_by_direction(card: Card) -> None:
    card.lines = [Line("Headset", outputs=0, rate=16_000.0), Line("Desk", inputs=0), Line("USB")]
    assert devices() == (
        Device(0, "Headset", "input", 2, 16_000, default=True),
        Device(2, "USB", "input", 2, 48_000, default=False),
        Device(1, "Desk", "output", 2, 48_000, default=True),
        Device(2, "USB", "output", 2, 48_000, default=False),
    )
    card.lines = []
    assert devices() == ()


PRESENT = [
    Device(0, "USB Headset", "input", 1, 16_000, default=False),
    Device(1, "Built-in Microphone", "input", 2, 48_000, default=True),
    Device(2, "USB", "input", 2, 48_000, default=False),
    Device(3, "USB", "output", 2, 48_000, default=True),
]


@pytest.mark.parametrize(
    ("wanted", "number"),
    [(None, 1), ("0", 0), ("usb", 2), ("headset", 0), ("BUILT", 1), ("Built-in Microphone", 1)],
)
def test_a_device_is_found_by_number_name_or_part_of_it(wanted: str | None, number: int) -> None:
    assert chosen("input", wanted, PRESENT).number == number


def test_a_name_that_does_not_exist_gets_those_that_do_nearest_first() -> None:
    for wanted in ("USB Hedset", "3"):
        with pytest.raises(DeviceUnavailable) as caught:
            chosen("input", wanted, PRESENT)
        assert f"The microphone “{wanted}” does not exist; there is:" in caught.value.text("en")
        assert f"麦克风“{wanted}”不存在，现有：" in caught.value.text("zh")
        assert caught.value.hint == TYPE_INSTEAD
    with pytest.raises(DeviceUnavailable, match="there is: USB Headset, USB, Built-in"):
        chosen("input", "USB Hedset", PRESENT)


@BOTH
def test_a_machine_without_sound_says_so(use: Use, card: Card) -> None:
    card.lines = []
    with pytest.raises(DeviceUnavailable, match="this machine has none") as caught:
        asyncio.run(use())
    assert "本机没有可用的设备" in caught.value.text("zh")
    assert caught.value.hint == TYPE_INSTEAD


@pytest.mark.parametrize(
    ("line", "rate", "channels"),
    [
        (Line("mono", 1, 1), 48_000, 1),
        (Line("desk", 8, 8), 48_000, 2),
        (Line("all or nothing", 8, 8, channels=(8,)), 48_000, 8),
        (Line("one of two", 2, 2, channels=(1,)), 48_000, 1),
        (Line("telephone", 1, 1, rate=8_000.0), 8_000, 1),
        (Line("studio", rate=192_000.0), 192_000, 2),
        (Line("lies about its rate", rate=48_000.0, rates=(44_100,)), 44_100, 2),
        (Line("fixed", 1, 1, rate=44_100.0, rates=(16_000,)), 16_000, 1),
    ],
    ids=lambda value: value.name if isinstance(value, Line) else "",
)
def test_any_rate_and_any_channels_will_do(
    line: Line, rate: int, channels: int, card: Card
) -> None:
    card.lines = [line]
    taken = asyncio.run(blocks_of(SounddeviceMicrophone(), 20))
    assert {block.shape for block in taken} == {(BLOCK_SAMPLES,)}
    assert np.median(np.concatenate(taken)) == pytest.approx(0.25, abs=0.01)
    second = AudioClip(np.zeros(SAMPLE_RATE, dtype=np.float32))
    asyncio.run(played(SounddeviceSpeaker(), second))
    assert card.opened == [(line.name, rate, channels)] * 2


@BOTH
def test_a_device_that_refuses_is_named(use: Use, card: Card) -> None:
    card.lines = [Line("picky", rates=(1,))]
    with pytest.raises(DeviceUnavailable, match=r"cannot be opened \(Invalid sample rate\)") as got:
        asyncio.run(use())
    assert "无法打开" in got.value.text("zh")
    assert got.value.hint == TYPE_INSTEAD


def test_a_microphone_that_is_back_goes_on_with_the_same_answer(
    card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture, "LOST_AFTER_S", 0.01)
    card.lines = [Line("Built-in"), Line("USB", frames=10)]
    card.after_restart = [Line("USB"), Line("Built-in")]
    assert len(asyncio.run(blocks_of(SounddeviceMicrophone("usb"), 50))) == 50
    assert [name for name, _, _ in card.opened] == ["USB", "USB"]
    assert card.restarts == 1


def test_the_default_takes_over_from_a_microphone_that_is_gone(
    card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture, "LOST_AFTER_S", 0.01)
    card.lines = [Line("USB", frames=10), Line("Built-in")]
    card.after_restart = [Line("Built-in")]
    microphone = SounddeviceMicrophone("USB")
    for _ in range(2):  # the next answer too, though the device that was named is gone
        assert len(asyncio.run(blocks_of(microphone, 50))) == 50
    assert [name for name, _, _ in card.opened] == ["USB", "Built-in", "Built-in"]


def test_a_microphone_is_lost_when_there_is_no_other(
    card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture, "LOST_AFTER_S", 0.01)
    card.lines = [Line("USB", frames=10)]
    card.after_restart = []
    with pytest.raises(DeviceUnavailable, match="The microphone went away") as caught:
        asyncio.run(blocks_of(SounddeviceMicrophone(), 50))
    assert caught.value.text("zh") == "麦克风已断开。"
    assert caught.value.hint == TYPE_INSTEAD


def test_a_microphone_that_never_gives_sound_is_not_waited_for(
    card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture, "ANSWERS_WITHIN_S", 0.01)
    card.lines = [Line("dead", frames=0)]
    with pytest.raises(DeviceUnavailable, match="gives no sound") as caught:
        asyncio.run(listen(SounddeviceMicrophone()))
    assert caught.value.text("zh") == "麦克风没有声音输入。"


def test_a_restart_waits_for_a_loudspeaker_in_use_and_closes_an_idle_one(
    card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture, "LOST_AFTER_S", 0.01)
    long = AudioClip(np.zeros(20 * SAMPLE_RATE, dtype=np.float32))

    async def scene() -> None:
        speaker = SounddeviceSpeaker()
        playing = asyncio.create_task(speaker.play(long))
        await asyncio.to_thread(card.starting.wait, 30)
        card.lines.append(Line("USB", frames=10))
        await blocks_of(SounddeviceMicrophone("USB"), 15)
        assert card.restarts == 0
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await speaker.play(SOUND)
        assert card.running == 1, "it stays open between two sentences"
        await blocks_of(SounddeviceMicrophone("USB"), 15)
        assert card.restarts == 1
        await speaker.play(SOUND)
        speaker.close()

    asyncio.run(scene())


def test_sentences_share_a_stream(card: Card) -> None:
    async def scene() -> None:
        speaker = SounddeviceSpeaker()
        for _ in range(3):
            await speaker.play(SOUND)
        speaker.close()
        await speaker.play(SOUND)
        speaker.close()

    asyncio.run(scene())
    assert len(card.opened) == 2


def test_a_loudspeaker_that_stalls_is_lost_and_looked_for_with_the_next_sentence(
    card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outlet, "STALLED_AFTER_S", 0.05)
    card.lines = [Line("USB", frames=5)]
    card.after_restart = [Line("Built-in")]
    clip = AudioClip(np.zeros(SAMPLE_RATE, dtype=np.float32))

    async def scene() -> None:
        speaker = SounddeviceSpeaker("USB")
        with pytest.raises(DeviceUnavailable, match="takes no sound") as caught:
            await speaker.play(clip)
        assert caught.value.text("zh") == "扬声器不再接收声音。"
        await speaker.play(clip)
        speaker.close()

    asyncio.run(scene())
    assert [name for name, _, _ in card.opened] == ["USB", "Built-in"]


@BOTH
def test_a_device_that_does_not_open_is_not_waited_for(
    use: Use, card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "ANSWERS_WITHIN_S", 0.01)
    card.hold = Event()
    with pytest.raises(DeviceUnavailable, match="does not open") as caught:
        asyncio.run(use())
    assert caught.value.hint == TYPE_INSTEAD
    assert caught.value.text("zh").endswith("打不开。")
    card.hold.set()
    assert card.closed.wait(30), "what opens too late is closed"


@BOTH
def test_opening_ends_when_it_is_cancelled(use: Use, card: Card) -> None:
    card.hold = Event()

    async def scene() -> None:
        using = asyncio.create_task(use())
        await asyncio.to_thread(card.starting.wait, 30)
        using.cancel()
        with pytest.raises(asyncio.CancelledError):
            await using

    asyncio.run(scene())
    card.hold.set()
    assert card.closed.wait(30)

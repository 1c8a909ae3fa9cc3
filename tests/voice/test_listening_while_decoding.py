"""What the ear does while a decode is under way: it goes on hearing, guesses, and reopens."""

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest

from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, Samples
from agent.domain.errors import ModelUnavailable
from agent.domain.interview import ListeningHints
from agent.domain.language import Language
from agent.policy.endpointing import Endpointer
from agent.policy.segmentation import WINDOW_S
from agent.ports import Segment
from agent.testing import LoudnessVad
from agent.voice.ear import Ear

DONE: dict[Language, str] = {"en": "That's my answer.", "zh": "我说完了。"}


class HeldTranscriber:
    """A `Transcriber` whose decodes last until they are released, or given up."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.release = asyncio.Event()
        self.seconds: list[float] = []
        self.given_up = 0

    async def transcribe(
        self, samples: Samples, language: Language, terms: Sequence[str] = ()
    ) -> tuple[Segment, ...]:
        self.seconds.append(len(samples) / SAMPLE_RATE)
        try:
            await self.release.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        return (Segment(self.text, 0.2, 2.5, (), -0.2, 0.01, 1.2),)


class Meter:
    """A `ListeningWatcher` that counts blocks and remembers texts."""

    def __init__(self) -> None:
        self.blocks = 0
        self.texts: list[str] = []

    def sound(self, level: float, *, voiced: bool) -> None:
        self.blocks += 1

    def words(self, text: str) -> None:
        self.texts.append(text)


class Scene:
    """An ear, sound that comes block by block, and decodes that take their time."""

    def __init__(self, language: Language = "en", text: str | None = None) -> None:
        self.transcriber = HeldTranscriber(text or DONE[language])
        self.meter = Meter()
        hints = ListeningHints(language=language, frame="star")
        self.ear = Ear(
            LoudnessVad(), self.transcriber, hints, Endpointer(hints), watcher=self.meter
        )
        self.ended: str | None = None

    async def sound(self, seconds: float, level: float) -> None:
        block = np.full(BLOCK_SAMPLES, level, dtype=np.float32)
        for _ in range(round(seconds / WINDOW_S)):
            self.ear.take(block)
            await asyncio.sleep(0)
            state = await self.ear.think()
            if state.ended:
                self.ended = state.reason
                return

    async def speak(self, seconds: float) -> None:
        await self.sound(seconds, 0.3)

    async def silent(self, seconds: float) -> None:
        await self.sound(seconds, 0.0)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_meter_goes_on_during_a_decode_and_the_end_comes_with_the_words(
    language: Language,
) -> None:
    async def scene() -> None:
        it = Scene(language)
        await it.speak(3.0)
        await it.silent(5.0)
        assert it.meter.blocks == round(3.0 / WINDOW_S) + round(5.0 / WINDOW_S)
        assert it.ended is None
        assert it.meter.texts == []
        it.transcriber.release.set()
        await it.silent(0.5)
        assert it.meter.texts == [DONE[language]]
        assert it.ended is not None
        assert it.ended.startswith("done")
        answer, recording = await it.ear.finish()
        assert answer.text == DONE[language]
        assert recording.seconds == pytest.approx(3.8, abs=0.1)

    asyncio.run(scene())


def test_the_words_are_begun_early_and_decoded_once() -> None:
    async def scene() -> None:
        it = Scene()
        await it.speak(3.0)
        await it.silent(0.28)
        assert it.transcriber.seconds == []
        await it.silent(0.04)
        assert len(it.transcriber.seconds) == 1
        it.transcriber.release.set()
        await it.silent(3.0)
        await it.ear.finish()
        assert it.ended is not None
        assert len(it.transcriber.seconds) == 1
        assert it.transcriber.given_up == 0

    asyncio.run(scene())


def test_a_guess_is_dropped_when_speech_returns() -> None:
    async def scene() -> None:
        it = Scene()
        await it.speak(3.0)
        await it.silent(0.45)
        await it.speak(0.1)
        assert it.transcriber.given_up == 1
        await it.speak(2.0)
        it.transcriber.release.set()
        await it.silent(2.0)
        await it.ear.finish()
        assert it.transcriber.seconds == pytest.approx([3.25, 5.8], abs=0.1)
        assert it.meter.texts == [DONE["en"]]

    asyncio.run(scene())


@pytest.mark.parametrize(("pause_s", "reopened"), [(1.4, True), (2.2, False)])
def test_who_goes_on_before_the_interviewer_was_heard_has_the_turn(
    pause_s: float, reopened: bool
) -> None:
    async def scene() -> None:
        it = Scene()
        await it.speak(3.0)
        await it.silent(pause_s)
        await it.speak(1.0)
        it.transcriber.release.set()
        await it.silent(0.1)
        assert (it.ended is None) == reopened
        await it.ear.close()

    asyncio.run(scene())


def test_noise_does_not_reopen() -> None:
    async def scene() -> None:
        it = Scene(text="...")
        await it.speak(25.0)
        it.transcriber.release.set()
        await it.speak(0.3)
        assert it.ended is not None
        assert it.ended.startswith("noise")
        await it.ear.close()

    asyncio.run(scene())


def test_a_recogniser_that_is_not_there_says_so_when_its_words_are_wanted() -> None:
    async def scene() -> None:
        it = Scene()

        async def missing(*_: object) -> tuple[Segment, ...]:
            raise ModelUnavailable("no weights")

        it.transcriber.transcribe = missing  # type: ignore[method-assign]
        await it.speak(3.0)
        await it.silent(0.5)
        with pytest.raises(ModelUnavailable):
            await it.silent(1.0)
        await it.ear.close()

    asyncio.run(scene())


def test_leaving_gives_up_the_decode() -> None:
    async def scene() -> None:
        it = Scene()
        await it.speak(3.0)
        await it.silent(1.0)
        await it.ear.close()
        assert it.transcriber.given_up == 1
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(scene())

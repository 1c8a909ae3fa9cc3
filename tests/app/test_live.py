"""A candidate who talks and presses keys, with scripted parts."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from agent.adapters.pause_file import PauseFile
from agent.app.live import LiveCandidate, Talking
from agent.app.live_screen import QuietScreen
from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, Samples
from agent.domain.errors import DeviceUnavailable, ModelUnavailable
from agent.domain.interview import Answer, ListeningHints, Utterance
from agent.domain.language import LANGUAGES, Language
from agent.ports import Segment
from agent.testing import LoudnessVad, MemoryLog, ScriptedTranscriber
from agent.voice.listening import ListeningPipeline

QUESTION = Utterance(kind="question", text="Why?", question_id="q")
LONG_S = 3600
"""Longer than any turn: what ends it is a key or a failure."""


def loud(seconds: float) -> Samples:
    noise = np.random.default_rng(3).uniform(-0.3, 0.3, round(seconds * SAMPLE_RATE))
    return noise.astype(np.float32)


def quiet(seconds: float) -> Samples:
    return np.full(round(seconds * SAMPLE_RATE), 1e-4, dtype=np.float32)


def said(text: str) -> tuple[Segment, ...]:
    return (Segment(text, 0.0, 1.0, (), -0.2, 0.01, 1.2),)


class StagedMicrophone:
    """Plays one sound an answer; where it says so, the keys are pressed, or it fails."""

    def __init__(self, scenes: list[list[Samples | str | Exception]], keys: "Keys") -> None:
        self._scenes = scenes
        self._keys = keys

    async def blocks(self) -> AsyncIterator[Samples]:
        for part in self._scenes.pop(0):
            if isinstance(part, Exception):
                raise part
            if isinstance(part, str):
                await self._keys.press(part)
                continue
            padded = np.pad(part, (0, -len(part) % BLOCK_SAMPLES))
            for block in padded.reshape(-1, BLOCK_SAMPLES):
                await asyncio.sleep(0)
                yield block


class Keys:
    """A `Keyboard` on which the test presses, and waits until each key was obeyed."""

    def __init__(self) -> None:
        self._pressed: asyncio.Queue[str] = asyncio.Queue()
        self.modes: list[str] = []

    def put(self, key: str) -> None:
        self._pressed.put_nowait(key)

    async def press(self, key: str) -> None:
        self.put(key)
        for _ in range(5):
            await asyncio.sleep(0)

    async def presses(self) -> AsyncIterator[str]:
        self.modes.append("raw")
        try:
            while True:
                yield await self._pressed.get()
        finally:
            self.modes.append("as before")


@dataclass
class TypedLines:
    lines: list[str]

    async def answer(self, utterance: Utterance, hints: ListeningHints) -> Answer | None:
        return Answer.typed(self.lines.pop(0)) if self.lines else None


class NotedScreen(QuietScreen):
    """Notes the states it was told to show."""

    def __init__(self) -> None:
        super().__init__("en", lambda _: None)
        self.states: list[str] = []
        self.ended = 0

    def show(self, state: str) -> None:
        self.states.append(state)

    def end(self) -> None:
        self.ended += 1


@dataclass
class Scene:
    """What a live candidate is held with; `answers` plays it."""

    language: Language = "en"
    by_key: bool = False
    with_keys: bool = True
    typed: list[str] | None = field(default_factory=list[str])
    log: MemoryLog = field(default_factory=MemoryLog)
    screen: NotedScreen = field(default_factory=NotedScreen)
    notices: list[str] = field(default_factory=list[str])
    keys: Keys = field(default_factory=Keys)
    pauses: PauseFile | None = None

    def answers(
        self,
        scenes: list[list[Samples | str | Exception]],
        results: list[tuple[Segment, ...] | Exception],
        turns: int = 1,
        before: str = "",
    ) -> list[Answer | None]:
        async def play() -> list[Answer | None]:
            self.keys = Keys()
            talking = Talking(
                pipeline=ListeningPipeline(LoudnessVad(), ScriptedTranscriber(results)),
                microphone=StagedMicrophone(scenes, self.keys),
                keyboard=self.keys if self.with_keys else None,
                screen=self.screen,
                log=self.log,
                language=self.language,
                hold_off_s=0.0,
                notify=self.notices.append,
                pauses=self.pauses,
            )
            typed = None if self.typed is None else TypedLines(self.typed)
            candidate = LiveCandidate(talking, typed, 0, by_key=self.by_key)
            for key in before:
                self.keys.put(NAMES.get(key, key))
            hints = ListeningHints(language=self.language, frame="direct")
            return [await candidate.answer(QUESTION, hints) for _ in range(turns)]

        return asyncio.run(play())


NAMES = {"\n": "enter"}


def test_what_is_said_is_the_answer_and_its_sound_is_kept() -> None:
    scene = Scene()
    (answer,) = scene.answers([[loud(2), "enter", quiet(5)]], [said("It splits the batch.")])
    assert answer is not None
    assert answer.text == "It splits the batch."
    assert answer.wish is None
    assert answer.audio in scene.log.sounds
    assert scene.screen.ended == 1
    assert scene.keys.modes == ["raw", "as before"]


def test_the_speakers_own_pauses_are_learnt_and_kept(tmp_path: Path) -> None:
    own = PauseFile(tmp_path / "own-pauses.json")
    words: list[tuple[Segment, ...] | Exception]
    words = [said("It splits the batch."), said("Each card keeps the model.")]
    talk: list[Samples | str | Exception] = [loud(3), quiet(1.5), loud(3), quiet(1), "enter"]
    (answer,) = Scene(pauses=own).answers([[*talk, quiet(5)]], words)
    assert answer is not None
    assert len(own.load().latest) == 1
    assert own.load().latest[0] == pytest.approx(1.5, abs=0.2)


@pytest.mark.parametrize(
    ("key", "wish"), [("r", "repeat"), ("h", "hint"), ("s", "skip"), ("m", "misheard")]
)
def test_a_key_says_what_the_candidate_wants(key: str, wish: str) -> None:
    (answer,) = Scene().answers([[quiet(1), key, quiet(5)]], [])
    assert answer is not None
    assert (answer.status, answer.text, answer.wish) == ("signalled", "", wish)


def test_words_before_a_key_are_not_lost() -> None:
    (answer,) = Scene().answers([[loud(2), "s", quiet(5)]], [said("It moves gradients.")])
    assert answer is not None
    assert (answer.text, answer.wish, answer.status) == ("It moves gradients.", "skip", "spoken")


def test_leaving_takes_the_key_twice() -> None:
    scene = Scene()
    first, second = scene.answers(
        [[quiet(1), "q", loud(1), "enter", quiet(5)], [quiet(1), "q", "q", quiet(5)]],
        [said("Wait, I know.")],
        turns=2,
    )
    assert first is not None
    assert second is not None
    assert (first.wish, first.text) == (None, "Wait, I know.")
    assert second.wish == "stop"
    assert "leaving" in scene.screen.states


def test_nothing_is_heard_while_paused() -> None:
    scene = Scene()
    (answer,) = scene.answers(
        [[loud(1), "p", loud(30), quiet(30), "p", loud(1), "enter", quiet(5)]],
        [said("Before and after.")],
    )
    assert answer is not None
    assert answer.delivery is not None
    assert answer.delivery.seconds < 3
    assert scene.screen.states == ["paused", "listening"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_microphone_that_goes_away_leaves_the_answer_so_far(language: Language) -> None:
    scene = Scene(language=language, typed=["the rest"])
    lost = DeviceUnavailable("gone")
    first, second = scene.answers([[loud(2), lost]], [said("It splits the batch.")], turns=2)
    assert first is not None
    assert second is not None
    assert first.text.rstrip("。") == "It splits the batch."
    assert (second.status, second.text) == ("typed", "the rest")
    (notice,) = scene.notices
    assert "gone" in notice
    assert ("typed answers" if language == "en" else "键入") in notice


def test_without_a_word_the_same_answer_is_typed() -> None:
    scene = Scene(typed=["by hand"])
    (answer,) = scene.answers([[DeviceUnavailable("gone")]], [])
    assert answer is not None
    assert (answer.status, answer.text) == ("typed", "by hand")


def test_a_recogniser_that_is_not_there_steps_down_to_typing() -> None:
    scene = Scene(typed=["by hand"])
    (answer,) = scene.answers([[loud(2), quiet(LONG_S)]], [ModelUnavailable("no weights")])
    assert answer is not None
    assert (answer.status, answer.text) == ("typed", "by hand")
    assert "no weights" in scene.notices[0]


def test_noise_without_end_steps_down_to_push_to_talk() -> None:
    scene = Scene()
    noisy: list[Samples | str | Exception] = [loud(60), quiet(LONG_S)]
    answers = scene.answers(
        [list(noisy), list(noisy), [loud(1), "enter", quiet(5)]],
        [(), (), (), (), (), (), (), said("Now I am heard.")],
        turns=2,
    )
    assert [answer.status for answer in answers if answer] == ["doubtful", "doubtful"]
    assert len(scene.notices) == 1
    assert "press Enter" in scene.notices[0]


def test_in_push_to_talk_a_key_begins_and_a_key_ends() -> None:
    scene = Scene(by_key=True)
    (answer,) = scene.answers(
        [[quiet(20), loud(1), quiet(20), loud(1), "enter", quiet(LONG_S)]],
        [said("First part."), said("Second part."), said("Second part.")],
        before="\n",
    )
    assert answer is not None
    assert "First part." in answer.text
    assert scene.screen.states == ["waiting", "listening"]


def test_in_push_to_talk_a_wish_needs_no_sound() -> None:
    (answer,) = Scene(by_key=True).answers([], [], before="s")
    assert answer == Answer.signalled("skip")


def test_two_answers_of_zeros_are_told_and_typed_from_then_on() -> None:
    scene = Scene(typed=["by hand"])
    zeros = np.zeros(20 * SAMPLE_RATE, dtype=np.float32)
    first, second, third = scene.answers([[zeros], [zeros]], [], turns=3)
    assert first is not None
    assert second is not None
    assert third is not None
    assert [first.status, second.status, third.status] == ["silent", "silent", "typed"]
    assert "zeros" in scene.notices[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_nobody_can_type_a_lost_microphone_ends_the_command_after_what_was_said(
    language: Language,
) -> None:
    gone = DeviceUnavailable("gone")
    scene = Scene(language=language, typed=None)
    (answer,) = scene.answers([[loud(2), gone]], [said("It splits the batch.")])
    assert answer is not None
    assert answer.text.rstrip("。") == "It splits the batch."
    with pytest.raises(DeviceUnavailable, match="gone") as failure:
        Scene(language=language, typed=None).answers([[loud(2), gone]], [said("It is.")], turns=2)
    assert failure.value.hint == "viva practice --continue --input text"

"""The interviewer's voice: when listening may begin, what is kept, a loudspeaker that is lost."""

import asyncio
from threading import Event

import pytest

from agent.domain.audio import AudioClip
from agent.domain.errors import DeviceUnavailable, StorageUnavailable
from agent.domain.interview import Utterance
from agent.domain.language import Language, LocalizedText
from agent.ports import Speaker
from agent.testing import HeldSpeaker, MemoryLog, ToneSynthesizer
from agent.voice.interviewer import SpokenInterviewer
from agent.voice.speaking import SpeakingPipeline

LOST = DeviceUnavailable(
    LocalizedText(en="The loudspeaker went away.", zh="扬声器已断开。"),
    "viva practice --input text",
)
QUESTION = Utterance(kind="question", text="One thing. Another? Yes!")


class SlowLog(MemoryLog):
    """A log whose disk waits until it is let go, and may be full."""

    def __init__(self, failure: StorageUnavailable | None = None) -> None:
        super().__init__()
        self.go_on = Event()
        self._failure = failure

    def keep_sound(self, name: str, clip: AudioClip) -> str:
        assert self.go_on.wait(30)
        if self._failure is not None:
            raise self._failure
        return super().keep_sound(name, clip)


class FlakySpeaker:
    """A loudspeaker that is there for some clips and gone for others."""

    def __init__(self, there: list[bool]) -> None:
        self._there = there
        self.tried = 0

    async def play(self, clip: AudioClip) -> None:
        self.tried += 1
        if not self._there.pop(0):
            raise LOST


def interviewer(
    speaker: Speaker | None, log: MemoryLog, language: Language = "en"
) -> tuple[SpokenInterviewer, list[str]]:
    notices: list[str] = []
    pipeline = SpeakingPipeline({language: [ToneSynthesizer()]}, speaker)
    return SpokenInterviewer(pipeline, log, language, 2, notices.append), notices


def test_listening_does_not_wait_for_the_file() -> None:
    async def scene() -> None:
        log = SlowLog()
        voice, _ = interviewer(HeldSpeaker(), log)
        said = await voice.say(QUESTION)
        assert said.audio == "audio/003-interviewer.flac"
        assert log.sounds == {}
        log.go_on.set()
        second = await voice.say(QUESTION)
        assert said.audio in log.sounds
        await voice.close()
        assert second.audio == "audio/004-interviewer.flac"
        assert second.audio in log.sounds
        await voice.close()

    asyncio.run(scene())


@pytest.mark.parametrize("at", ["next", "close"])
def test_a_full_disk_is_told(at: str) -> None:
    async def scene() -> None:
        full = StorageUnavailable("no space left")
        log = SlowLog(full)
        voice, _ = interviewer(None, log)
        await voice.say(QUESTION)
        log.go_on.set()
        with pytest.raises(StorageUnavailable) as caught:
            await (voice.say(QUESTION) if at == "next" else voice.close())
        assert caught.value is full

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("language", "notice"),
    [
        ("en", "cannot be heard (The loudspeaker went away). The words are on the screen."),
        ("zh", "听不到面试官的声音（扬声器已断开），内容见屏幕。"),
    ],
)
def test_a_lost_loudspeaker_is_told_once_and_the_interview_goes_on(
    language: Language, notice: str
) -> None:
    async def scene() -> None:
        log = MemoryLog()
        speaker = FlakySpeaker([True, False, False])
        voice, notices = interviewer(speaker, log, language)
        said = [await voice.say(QUESTION) for _ in range(4)]
        await voice.close()
        assert len(notices) == 1
        assert notices[0].endswith(notice)
        assert {utterance.audio for utterance in said} == set(log.sounds)
        assert speaker.tried == 3, "one retry, with the next utterance, and no more"

    asyncio.run(scene())


def test_a_loudspeaker_that_is_back_is_used_again() -> None:
    async def scene() -> int:
        speaker = FlakySpeaker([True, False, True, True, True, False, True, True, True])
        voice, _ = interviewer(speaker, MemoryLog())
        for _ in range(4):
            await voice.say(QUESTION)
        await voice.close()
        return speaker.tried

    assert asyncio.run(scene()) == 9


def test_what_nobody_can_speak_is_text() -> None:
    async def scene() -> None:
        log = MemoryLog()
        notices: list[str] = []
        voice = SpokenInterviewer(SpeakingPipeline({}, None), log, "zh", 0, notices.append)
        assert await voice.say(QUESTION) == QUESTION
        await voice.close()
        assert notices == ["听不到面试官的声音（没有 zh 的语音），内容见屏幕。"]
        assert log.sounds == {}

    asyncio.run(scene())


def test_cancelling_is_silence() -> None:
    async def scene() -> None:
        speaker = HeldSpeaker(held=True)
        log = MemoryLog()
        voice, notices = interviewer(speaker, log)
        saying = asyncio.create_task(voice.say(QUESTION))
        await speaker.playing.wait()
        saying.cancel()
        with pytest.raises(asyncio.CancelledError):
            await saying
        assert (len(speaker.started), speaker.stopped, notices, log.sounds) == (1, 1, [], {})

    asyncio.run(scene())

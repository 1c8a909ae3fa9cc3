import asyncio
from collections.abc import Sequence

import numpy as np
import pytest

from agent.domain.audio import AudioClip
from agent.domain.errors import DeviceUnavailable
from agent.domain.language import Language
from agent.testing import HeldSpeaker, ToneSynthesizer
from agent.voice.speaking import SpeakingPipeline, joined, without_lead

TEXTS: list[tuple[Language, str, tuple[str, ...]]] = [
    ("en", "One thing. Another? Yes!", ("One thing. ", "Another? ", "Yes!")),
    ("zh", "先说结论。为什么？请讲。", ("先说结论。", "为什么？", "请讲。")),
]


@pytest.mark.parametrize(("language", "text", "sentences"), TEXTS)
def test_text_is_spoken_and_heard_sentence_by_sentence(
    language: Language, text: str, sentences: Sequence[str]
) -> None:
    voice, speaker = ToneSynthesizer(), HeldSpeaker()
    pipeline = SpeakingPipeline({language: [voice]}, speaker)
    clip = asyncio.run(pipeline.say(text, language))
    assert clip is not None
    assert voice.spoken == list(sentences)
    assert len(speaker.started) == len(sentences)
    np.testing.assert_array_equal(
        clip.samples, np.concatenate([part.samples for part in speaker.started])
    )
    assert pipeline.last_problem is None


def test_next_sentence_is_made_while_the_present_one_is_heard() -> None:
    async def scene() -> tuple[list[str], int]:
        voice, speaker = ToneSynthesizer(), HeldSpeaker(held=True)
        speaking = asyncio.create_task(
            SpeakingPipeline({"en": [voice]}, speaker).say(TEXTS[0][1], "en")
        )
        await speaker.playing.wait()
        await asyncio.sleep(0)  # one turn for the task that was begun before
        ahead = (list(voice.spoken), len(speaker.started))
        speaker.release.set()
        await speaking
        return ahead

    assert asyncio.run(scene()) == (["One thing. ", "Another? "], 1)


def test_cancelling_stops_the_sound_and_leaves_nothing_behind() -> None:
    async def scene() -> None:
        voice, speaker = ToneSynthesizer(), HeldSpeaker(held=True)
        speaking = asyncio.create_task(
            SpeakingPipeline({"en": [voice]}, speaker).say(TEXTS[0][1], "en")
        )
        await speaker.playing.wait()
        speaking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await speaking
        assert (len(speaker.started), speaker.stopped) == (1, 1)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(scene())


def test_next_voice_takes_over_a_sentence_at_its_own_rate() -> None:
    first = ToneSynthesizer(failing=["Another? "], sample_rate=24_000)
    second = ToneSynthesizer(sample_rate=16_000)
    pipeline = SpeakingPipeline({"en": [first, second]}, None)
    clip = asyncio.run(pipeline.say(TEXTS[0][1], "en"))
    assert clip is not None
    assert second.spoken == ["Another? "]
    assert clip.sample_rate == 24_000
    assert clip.seconds == pytest.approx((8 + 7 + 3) / 20, abs=0.001)
    assert pipeline.last_problem is None


def test_rates_are_joined_without_changing_the_pitch() -> None:
    def tone(rate: int) -> AudioClip:
        times = np.arange(rate) / rate
        return AudioClip(np.sin(2 * np.pi * 200 * times).astype(np.float32), rate)

    clip = joined([tone(16_000), tone(24_000)])
    half = len(clip.samples) // 2
    for part in (clip.samples[:half], clip.samples[half:]):
        assert int(np.argmax(np.abs(np.fft.rfft(part)))) == 200


@pytest.mark.parametrize(
    ("language", "voice", "problem"),
    [
        ("zh", ToneSynthesizer(languages=["en"]), "no zh voice"),
        ("en", ToneSynthesizer(languages=["zh"]), "no en voice"),
    ],
)
def test_nothing_could_be_spoken(language: Language, voice: ToneSynthesizer, problem: str) -> None:
    pipeline = SpeakingPipeline({language: [voice]}, HeldSpeaker())
    assert asyncio.run(pipeline.say("Hello 你好", language)) is None
    assert problem in (pipeline.last_problem or "")
    no_voice = SpeakingPipeline({}, HeldSpeaker())
    assert asyncio.run(no_voice.say("Hello", "en")) is None
    assert no_voice.last_problem == "there is no voice for en"


def test_rest_is_spoken_when_one_sentence_cannot_be() -> None:
    pipeline = SpeakingPipeline({"en": [ToneSynthesizer(failing=["Another? "])]}, None)
    clip = asyncio.run(pipeline.say(TEXTS[0][1], "en"))
    assert clip is not None
    assert clip.seconds == pytest.approx((8 + 3) / 20, abs=0.001)
    assert "Another" in (pipeline.last_problem or "")


def test_recording_is_whole_when_the_speaker_goes_away() -> None:
    speaker = HeldSpeaker(DeviceUnavailable("the speaker was unplugged"))
    pipeline = SpeakingPipeline({"en": [ToneSynthesizer()]}, speaker)
    clip = asyncio.run(pipeline.say(TEXTS[0][1], "en"))
    assert clip is not None
    assert clip.seconds == pytest.approx((8 + 7 + 3) / 20, abs=0.001)
    assert len(speaker.started) == 1
    assert pipeline.last_problem == "the speaker was unplugged"


@pytest.mark.parametrize("text", ["", "  ", "🎉", "……"])
def test_nothing_to_say(text: str) -> None:
    pipeline = SpeakingPipeline({"zh": [ToneSynthesizer()]}, HeldSpeaker())
    assert asyncio.run(pipeline.say(text, "zh")) is None
    assert pipeline.last_problem is None


def test_nobody_waits_for_the_silence_before_the_first_word() -> None:
    silent, spoken = np.zeros(16_000, np.float32), np.full(8_000, 0.5, np.float32)
    clip = without_lead(AudioClip(np.concatenate([silent, spoken])))
    assert clip.seconds == pytest.approx(0.52)
    assert not clip.samples[:320].any()
    np.testing.assert_array_equal(without_lead(AudioClip(spoken)).samples, spoken)

"""The whole ear on the recorded answers: Silero, Whisper base, no stand-in."""

import asyncio
from collections.abc import Iterator

import numpy as np
import pytest

from agent.adapters.file_microphone import FileMicrophone, read_clip
from agent.adapters.silero_vad import SileroVad
from agent.adapters.whisper.transcriber import WhisperTranscriber
from agent.voice.listening import Heard, ListeningPipeline
from tests.clips import Clip, load_clips
from tests.speech import base_model, error_rate, hints_for

ANSWERS = [clip for clip in load_clips().values() if clip.text]
CLOSING = [
    clip.id for clip in ANSWERS if clip.id.startswith(("en_star_s", "en_think", "zh_star_s"))
]
MOST_ERRORS = {"en": 0.08, "zh": 0.20}


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ListeningPipeline]:
    transcriber = WhisperTranscriber(base_model(tmp_path_factory.mktemp("models")))
    yield ListeningPipeline(SileroVad(), transcriber)
    transcriber.close()


class Listener:
    """Hears each recorded answer once."""

    def __init__(self, pipeline: ListeningPipeline) -> None:
        self._pipeline = pipeline
        self._heard: dict[str, Heard] = {}

    def hear(self, clip: Clip) -> Heard:
        if clip.id not in self._heard:
            listening = self._pipeline.listen(FileMicrophone(clip.path), hints_for(clip))
            self._heard[clip.id] = asyncio.run(listening)
        return self._heard[clip.id]


@pytest.fixture(scope="module")
def listener(pipeline: ListeningPipeline) -> Listener:
    return Listener(pipeline)


@pytest.mark.parametrize("clip", ANSWERS, ids=lambda clip: clip.id)
def test_nobody_is_cut_off_and_nobody_waits_long(clip: Clip, listener: Listener) -> None:
    assert clip.speech_end_s is not None
    gap_s = listener.hear(clip).recording.seconds - clip.speech_end_s
    assert 0.7 <= gap_s <= 3.4, listener.hear(clip).ended_because


@pytest.mark.parametrize("clip_id", ["en_dont_know", *CLOSING])
def test_an_answer_that_says_it_is_over_ends_soon(
    clip_id: str, clips: dict[str, Clip], listener: Listener
) -> None:
    end_s = clips[clip_id].speech_end_s
    assert end_s is not None
    assert listener.hear(clips[clip_id]).recording.seconds - end_s <= 1.4


@pytest.mark.parametrize("language", ["en", "zh"])
def test_error_rates_hold(language: str, listener: Listener) -> None:
    clips = [clip for clip in ANSWERS if clip.language == language]
    errors = [
        error_rate(clip.text, listener.hear(clip).answer.text, clip.language) * len(clip.text)
        for clip in clips
    ]
    rate = sum(errors) / sum(len(clip.text) for clip in clips)
    assert rate <= MOST_ERRORS[language]


def test_terms_are_spelt_right(clips: dict[str, Clip], listener: Listener) -> None:
    english = listener.hear(clips["en_star_strong"]).answer.text
    assert all(term in english for term in ("ZeRO", "NCCL", "InfiniBand", "FLOPs", "all-reduce"))
    chinese = listener.hear(clips["zh_dp_vs_mp"]).answer.text
    assert all(term in chinese for term in ("数据并行", "AllReduce", "张量并行", "流水线并行"))


@pytest.mark.parametrize("clip", ANSWERS, ids=lambda clip: clip.id)
def test_words_and_delivery_fit_the_sound(clip: Clip, listener: Listener) -> None:
    answer = listener.hear(clip).answer
    assert answer.status == "spoken"
    assert answer.delivery is not None
    assert clip.speech_end_s is not None
    assert "".join(word.text for word in answer.words) == "".join(answer.text.split())
    times = [time_s for word in answer.words for time_s in (word.t0, word.t1)]
    assert times == sorted(times)
    assert times[-1] <= clip.speech_end_s + 0.6
    np.testing.assert_allclose(answer.delivery.pauses or (), clip.pauses or (), atol=0.1)
    assert answer.delivery.rate is not None
    assert 80 < answer.delivery.rate < 330


SPOKEN_FILLERS = {"en_fillers": 10}
"""As labelled in the manifest; nobody says one in the other clips."""


def test_what_is_counted_as_a_filler_is_one(listener: Listener) -> None:
    counts: dict[str, int] = {}
    for clip in ANSWERS:
        delivery = listener.hear(clip).answer.delivery
        assert delivery is not None
        assert delivery.fillers is not None
        counts[clip.id] = delivery.fillers
    right = sum(min(counts[name], labelled) for name, labelled in SPOKEN_FILLERS.items())
    assert right / sum(counts.values()) >= 0.8
    assert right / sum(SPOKEN_FILLERS.values()) >= 0.4


@pytest.mark.parametrize("clip_id", ["silence", "room_noise"])
def test_silence_and_noise_give_no_words(
    clip_id: str, clips: dict[str, Clip], pipeline: ListeningPipeline
) -> None:
    clip = clips[clip_id]
    live = asyncio.run(pipeline.listen(FileMicrophone(clip.path), hints_for(clip, ("NCCL",))))
    whole = asyncio.run(pipeline.hear(read_clip(clip.path), hints_for(clip, ("NCCL",))))
    for answer in (live.answer, whole.answer):
        assert (answer.status, answer.text, answer.raw_text) == ("silent", "", "")
        assert answer.note is not None
        assert answer.note.startswith("no speech")


def test_a_whole_recording_has_the_words_of_the_live_answer(
    clips: dict[str, Clip], pipeline: ListeningPipeline, listener: Listener
) -> None:
    clip = clips["en_dont_know"]
    whole = asyncio.run(pipeline.hear(read_clip(clip.path), hints_for(clip)))
    assert whole.answer.text == listener.hear(clip).answer.text

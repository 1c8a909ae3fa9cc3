"""The pipeline with scripted parts: what is decoded, decoded again, and made of it."""

import asyncio

import numpy as np
import pytest

from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, AudioClip, Samples
from agent.domain.errors import DeviceUnavailable, ModelUnavailable, TranscriptionFailed
from agent.domain.interview import ListeningHints, Word
from agent.domain.language import Language
from agent.ports import Segment
from agent.testing import LoudnessVad, ScriptedMicrophone, ScriptedTranscriber
from agent.voice.listening import Heard, ListeningPipeline

Result = tuple[Segment, ...] | Exception


def sound(*stretches: tuple[float, float]) -> Samples:
    """Return noise for the first and silence for the second number of seconds of each stretch."""
    noise = np.random.default_rng(7)
    parts: list[Samples] = []
    for loud_s, quiet_s in stretches:
        parts.append(noise.uniform(-0.3, 0.3, round(loud_s * SAMPLE_RATE)).astype(np.float32))
        parts.append(np.zeros(round(quiet_s * SAMPLE_RATE), dtype=np.float32))
    return np.concatenate(parts)


def said(text: str, t0: float = 0.25, t1: float = 3.0, sure: float = -0.2) -> tuple[Segment, ...]:
    return (Segment(text, t0, t1, (), sure, 0.01, 1.2),)


def hints(language: Language = "en", *terms: str) -> ListeningHints:
    return ListeningHints(language=language, frame="star", speech_terms=terms)


def listen(
    samples: Samples, results: list[Result], told: ListeningHints
) -> tuple[Heard, ScriptedTranscriber]:
    transcriber = ScriptedTranscriber(results)
    pipeline = ListeningPipeline(LoudnessVad(), transcriber)
    return asyncio.run(pipeline.listen(ScriptedMicrophone(samples), told)), transcriber


@pytest.mark.parametrize(
    ("language", "first", "second", "text"),
    [
        (
            "en",
            " I looked at the gradient norm and",
            " it was far too high. That's my answer.",
            "I looked at the gradient norm and it was far too high. That's my answer.",
        ),
        (
            "zh",
            "我看了每一層的梯度範數,然後",
            "發現太高了。我說完了。",
            "我看了每一层的梯度范数，然后，发现太高了。我说完了。",
        ),
    ],
)
def test_words_come_while_the_answer_goes_on_and_end_it(
    language: Language, first: str, second: str, text: str
) -> None:
    heard, transcriber = listen(
        sound((3, 4), (3, 20)), [said(first), said(second)], hints(language)
    )
    assert heard.answer.text == text
    assert heard.answer.raw_text == f"{first.strip()} {second.strip()}"
    assert heard.answer.status == "spoken"
    assert heard.ended_because.startswith("done")
    assert heard.recording.seconds == pytest.approx(10.8, abs=0.1)
    decoded = [seconds for seconds, _, _ in transcriber.calls]
    assert decoded == pytest.approx([3.25, 3.5], abs=0.1)


def test_word_times_are_times_of_the_recording() -> None:
    words = (Word("We", 0.3, 0.5), Word("ran", 1.0, 1.2), Word("done.", 2.0, 2.4))
    segment = Segment(" We ran done.", 0.3, 2.4, words, -0.2, 0.0, 1.0)
    heard, _ = listen(
        np.concatenate([np.zeros(5 * SAMPLE_RATE, dtype=np.float32), sound((2.5, 20))]),
        [(segment,)],
        hints(),
    )
    starts = [word.t0 for word in heard.answer.words]
    assert starts == pytest.approx([5.05, 5.75, 6.75], abs=0.04)
    assert heard.answer.delivery is not None
    assert heard.answer.delivery.first_word_s == pytest.approx(5.0, abs=0.04)


def test_times_behind_a_pause_that_was_cut_out_are_put_back() -> None:
    # Two fragments, one piece: 0.7 s, a pause of 1 s, 0.7 s; only 0.5 s of the pause is decoded.
    words = (Word("One", 0.1, 0.4), Word("two.", 1.3, 1.6))
    segment = Segment(" One two.", 0.1, 1.6, words, -0.2, 0.0, 1.0)
    heard, _ = listen(sound((0.7, 1.0), (1.5, 20)), [said(" One"), (segment,)], hints())
    assert [word.t0 for word in heard.answer.words] == pytest.approx([0.1, 1.8], abs=0.05)


@pytest.mark.parametrize(
    ("language", "bad"),
    [
        ("en", said(" NCCL NCCL NCCL NCCL")),
        ("en", said(" We")),
        ("zh", said("通信占比通信占比通信占比")),
        ("zh", said("我")),
        ("en", TranscriptionFailed("maximum decoding length")),
        ("en", ()),
    ],
)
def test_a_decode_that_is_not_believed_is_done_once_more_without_terms(
    language: Language, bad: Result
) -> None:
    good = said(" We tuned the network of the cluster." if language == "en" else "我们调优了网络。")
    told = hints(language, "NCCL", "通信占比")
    heard, transcriber = listen(sound((3, 20)), [bad, good], told)
    assert heard.answer.text == good[0].text.strip()
    assert [terms for _, _, terms in transcriber.calls] == [("NCCL", "通信占比"), ()]


def test_there_is_no_third_decode() -> None:
    looped = said(" so so so so so so", sure=-0.5)
    heard, transcriber = listen(sound((3, 20)), [looped, looped], hints("en", "NCCL"))
    assert len(transcriber.calls) == 2
    assert heard.answer.text == "so"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_silence_is_silent_and_nothing_is_decoded(language: Language) -> None:
    heard, transcriber = listen(sound((0, 30)), [], hints(language))
    assert heard.answer.status == "silent"
    assert heard.answer.note == "no speech: the sound is all zeros"
    assert heard.answer.text == heard.answer.raw_text == ""
    assert transcriber.calls == []


def test_a_click_is_not_speech() -> None:
    heard, transcriber = listen(sound((0.1, 30)), [], hints())
    assert (heard.answer.status, heard.answer.note) == ("silent", "no speech")
    assert transcriber.calls == []


def test_speech_that_is_not_understood_is_doubtful_and_its_raw_text_kept() -> None:
    heard, _ = listen(sound((3, 30)), [said("南欧乡依舍吧", sure=-1.5)], hints("zh"))
    assert heard.answer.status == "doubtful"
    assert heard.answer.text == ""
    assert heard.answer.raw_text == "南欧乡依舍吧"
    assert not heard.answer.understood


def test_a_recogniser_that_fails_loses_no_sound() -> None:
    failure = TranscriptionFailed("Whisper took longer than 30 s")
    heard, _ = listen(sound((3, 30)), [failure], hints())
    assert (heard.answer.status, heard.answer.note) == ("doubtful", failure.message)
    assert heard.recording.seconds > 8


def test_one_piece_that_fails_leaves_the_others() -> None:
    failure = TranscriptionFailed("Whisper took longer than 30 s")
    results: list[Result] = [said(" We ran the first test and"), failure, said(" That's all.")]
    heard, _ = listen(sound((3, 1), (3, 1), (3, 20)), results, hints())
    assert heard.answer.text == "We ran the first test and That's all."
    assert heard.answer.note == failure.message


def test_missing_weights_are_not_an_answer() -> None:
    with pytest.raises(ModelUnavailable):
        listen(sound((3, 30)), [ModelUnavailable("no weights")], hints())


def test_a_microphone_that_ends_ends_the_answer() -> None:
    heard, _ = listen(sound((3, 0.1)), [said(" We ran the test on")], hints())
    assert heard.ended_because == "the microphone ended"
    assert heard.answer.text == "We ran the test on"


def test_a_microphone_is_closed_whatever_happens() -> None:
    async def scene(samples: Samples, failure: Exception | None) -> ScriptedMicrophone:
        microphone = ScriptedMicrophone(samples, failure)
        pipeline = ListeningPipeline(LoudnessVad(), ScriptedTranscriber([said(" I'm done.")] * 2))
        heard = await pipeline.listen(microphone, hints())
        assert heard.lost is failure
        assert heard.answer.text == "I'm done."
        return microphone

    for failure in (None, DeviceUnavailable("The microphone went away")):
        microphone = asyncio.run(scene(sound((3, 0.5 if failure else 20)), failure))
        assert (microphone.opened, microphone.closed) == (1, 1)


def test_a_whole_recording_is_heard_to_its_end() -> None:
    samples = sound((3, 14), (3, 5))
    transcriber = ScriptedTranscriber([said(" That's my answer."), said(" And one more thing.")])
    vad = LoudnessVad()
    heard = asyncio.run(ListeningPipeline(vad, transcriber).hear(AudioClip(samples), hints()))
    assert heard.answer.text == "That's my answer. And one more thing."
    assert heard.ended_because == ""
    np.testing.assert_array_equal(heard.recording.samples, samples)
    assert vad.resets == 1


def test_a_whole_recording_has_the_rate_of_the_pipeline() -> None:
    pipeline = ListeningPipeline(LoudnessVad(), ScriptedTranscriber([]))
    with pytest.raises(ValueError, match="16000"):
        asyncio.run(pipeline.hear(AudioClip(sound((1, 1)), 44_100), hints()))
    empty = asyncio.run(pipeline.hear(AudioClip(np.zeros(0, dtype=np.float32)), hints()))
    assert empty.answer.status == "silent"


class Watcher:
    """A `ListeningWatcher` that remembers what it was shown."""

    def __init__(self) -> None:
        self.levels: list[float] = []
        self.voiced: list[bool] = []
        self.texts: list[str] = []

    def sound(self, level: float, *, voiced: bool) -> None:
        self.levels.append(level)
        self.voiced.append(voiced)

    def words(self, text: str) -> None:
        self.texts.append(text)


def watched(
    samples: Samples, results: list[Result], told: ListeningHints, *, by_key: bool = False
) -> tuple[Heard, Watcher]:
    watcher = Watcher()
    pipeline = ListeningPipeline(LoudnessVad(), ScriptedTranscriber(results))
    microphone = ScriptedMicrophone(samples)
    heard = asyncio.run(pipeline.listen(microphone, told, watcher, by_key=by_key))
    return heard, watcher


def test_who_watches_sees_every_block_and_every_change_of_the_words() -> None:
    results: list[Result] = [said(" We ran the first test and"), said(" That's all.")]
    heard, watcher = watched(sound((3, 4), (3, 20)), results, hints())
    blocks = len(heard.recording.samples) // BLOCK_SAMPLES
    assert len(watcher.levels) == len(watcher.voiced) == blocks
    assert max(watcher.levels) == pytest.approx(0.3 / np.sqrt(3), abs=0.02)
    assert min(watcher.levels) == 0
    assert sum(watcher.voiced) == pytest.approx(6 * SAMPLE_RATE / BLOCK_SAMPLES, abs=4)
    assert watcher.texts == ["We ran the first test and", heard.answer.text]


def test_words_that_come_with_the_end_are_shown_too() -> None:
    heard, watcher = watched(sound((3, 0.1)), [said(" We ran the test on")], hints())
    assert watcher.texts == [heard.answer.text]


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [("en", " That's my answer.", " And one more thing."), ("zh", "我说完了。", "还有一点。")],
)
def test_a_key_alone_ends_the_answer(language: Language, first: str, second: str) -> None:
    results: list[Result] = [said(first), said(second)]
    heard, _ = watched(sound((3, 30), (3, 30)), results, hints(language), by_key=True)
    assert heard.ended_because == "the microphone ended"
    assert heard.recording.seconds == pytest.approx(66, abs=0.1)
    assert first.strip() in heard.answer.text
    assert second.strip() in heard.answer.text


LOST = DeviceUnavailable("The microphone went away")


@pytest.mark.parametrize(
    ("language", "text"), [("en", "We ran the test on"), ("zh", "我们把优化器状态切分，然后")]
)
def test_what_was_heard_before_the_microphone_was_lost_is_kept(
    language: Language, text: str
) -> None:
    transcriber = ScriptedTranscriber([said(text)])
    pipeline = ListeningPipeline(LoudnessVad(), transcriber)
    microphone = ScriptedMicrophone(sound((3, 0.1)), LOST)
    heard = asyncio.run(pipeline.listen(microphone, hints(language)))
    assert heard.lost is LOST
    assert (heard.answer.status, heard.answer.text) == ("spoken", text)
    assert heard.recording.seconds == pytest.approx(3.1, abs=0.05)
    assert heard.ended_because == "the microphone was lost"


def test_a_microphone_that_is_lost_at_once_is_a_silent_answer() -> None:
    pipeline = ListeningPipeline(LoudnessVad(), ScriptedTranscriber([]))
    microphone = ScriptedMicrophone(np.zeros(0, dtype=np.float32), LOST)
    heard = asyncio.run(pipeline.listen(microphone, hints()))
    assert heard.lost is LOST
    assert heard.answer.status == "silent"
    assert len(heard.recording.samples) == 0


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The loss kept oscillating after twenty thousand steps of the training run."),
        ("zh", "我首先排除了数据质量问题和代码问题。"),
    ],
)
def test_an_interviewer_may_cut_in(language: Language, text: str) -> None:
    def ended(cut_in_s: float | None) -> Heard:
        told = ListeningHints(language=language, frame="star", cut_in_s=cut_in_s, patience_s=4.0)
        return listen(sound((10, 2), (10, 2)), [said(text), said(text)], told)[0]

    cut, spared = ended(10.0), ended(None)
    assert cut.answer.cut_in
    assert cut.ended_because.startswith("cut in")
    assert cut.recording.seconds == pytest.approx(10.75, abs=0.1)
    assert not spared.answer.cut_in
    assert spared.recording.seconds > 20

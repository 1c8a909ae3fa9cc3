"""Whisper base itself, and the contract that its stand-in passes too."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from agent.adapters.file_microphone import read_clip
from agent.adapters.whisper.transcriber import WhisperTranscriber, worth_naming
from agent.domain.audio import SAMPLE_RATE, Samples
from agent.domain.errors import ModelUnavailable, TranscriptionFailed
from agent.domain.interview import Word
from agent.domain.language import Language
from agent.ports import Segment, Transcriber
from agent.testing import ScriptedTranscriber
from tests.clips import Clip
from tests.speech import base_model


@pytest.fixture(scope="module")
def model_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return base_model(tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="module")
def whisper(model_dir: Path) -> Iterator[WhisperTranscriber]:
    transcriber = WhisperTranscriber(model_dir)
    asyncio.run(transcriber.warm_up())
    yield transcriber
    transcriber.close()


def part(clip: Clip, t0: float, t1: float) -> Samples:
    return read_clip(clip.path).samples[int(t0 * SAMPLE_RATE) : int(t1 * SAMPLE_RATE)]


def text_of(segments: tuple[Segment, ...]) -> str:
    return "".join(segment.text for segment in segments)


def test_a_hotword_changes_the_result(whisper: WhisperTranscriber, clips: dict[str, Clip]) -> None:
    samples = part(clips["en_star_strong"], 38.0, 46.3)
    terms = ("reduce-scatter", "NCCL", "InfiniBand")
    plain = text_of(asyncio.run(whisper.transcribe(samples, "en")))
    named = text_of(asyncio.run(whisper.transcribe(samples, "en", terms)))
    assert "InfiniBand" not in plain
    assert "InfiniBand" in named
    assert "NCCL" in named


def test_chinese_stays_chinese(whisper: WhisperTranscriber, clips: dict[str, Clip]) -> None:
    text = text_of(asyncio.run(whisper.transcribe(part(clips["zh_star_weak"], 0, 8.6), "zh")))
    assert not text.isascii()
    assert "大" in text


@pytest.mark.parametrize("which", ["whisper", "stand-in"])
def test_contract(which: str, whisper: WhisperTranscriber, clips: dict[str, Clip]) -> None:
    samples = part(clips["en_dont_know"], 0, 4.5)
    said = Segment(
        " I do not know.", 0.5, 3.7, (Word("I", 0.5, 0.7), Word("know.", 3.0, 3.7)), -0.3, 0.1, 1.0
    )
    transcriber: Transcriber = whisper if which == "whisper" else ScriptedTranscriber([(said,)])
    segments = asyncio.run(transcriber.transcribe(samples, "en", ("ring attention",)))
    assert segments
    seconds = len(samples) / SAMPLE_RATE
    for segment in segments:
        assert segment.text.strip()
        assert 0 <= segment.t0 < segment.t1 <= seconds + 0.5
        assert all(0 <= word.t0 <= word.t1 <= seconds + 0.5 for word in segment.words)
        assert all(word.text and word.text in segment.text for word in segment.words)
        assert len(segment.sureness) in {0, len(segment.words)}
        assert all(0 <= sure <= 1 for sure in segment.sureness)
        assert 0 <= segment.no_speech_prob <= 1
        assert segment.avg_logprob <= 0
        numbers = [
            segment.t0,
            segment.avg_logprob,
            segment.compression_ratio,
            *segment.words[0][1:],
        ]
        assert {type(number) for number in numbers} == {float}
        json.dumps(numbers)


@pytest.mark.parametrize(
    ("clip_id", "t0", "t1", "said"),
    [
        ("en_dp_vs_mp_right", 15.9, 18.8, "model size with a ring"),
        ("en_star_weak", 0.3, 17.5, "everybody was happy with it"),
        ("zh_star_weak", 8.7, 14.0, "满意"),
    ],
)
def test_the_end_is_heard_and_nothing_after_it(
    clip_id: str,
    t0: float,
    t1: float,
    said: str,
    whisper: WhisperTranscriber,
    clips: dict[str, Clip],
) -> None:
    clip = clips[clip_id]
    text = text_of(asyncio.run(whisper.transcribe(part(clip, t0, t1), clip.language, ("NCCL",))))
    assert text.strip(" .,。").endswith(said)


def test_a_decode_past_its_deadline_fails_and_the_next_one_works(
    model_dir: Path, clips: dict[str, Clip]
) -> None:
    samples = part(clips["en_dont_know"], 0, 4.5)

    async def scene() -> str:
        transcriber = WhisperTranscriber(model_dir, deadline_s=0.001)
        await transcriber.warm_up()
        with pytest.raises(TranscriptionFailed, match="longer than"):
            await transcriber.transcribe(samples, "en")
        transcriber.deadline_s = 60.0
        text = text_of(await transcriber.transcribe(samples, "en"))
        transcriber.close()
        return text

    assert "know" in asyncio.run(scene())


def test_a_closed_transcriber_says_so(model_dir: Path) -> None:
    transcriber = WhisperTranscriber(model_dir)
    transcriber.close()
    with pytest.raises(TranscriptionFailed, match="not running"):
        asyncio.run(transcriber.transcribe(np.zeros(SAMPLE_RATE, dtype=np.float32), "en"))


def test_weights_that_cannot_be_loaded_are_named(model_dir: Path, tmp_path: Path) -> None:
    for name in ("config.json", "tokenizer.json", "vocabulary.txt"):
        (tmp_path / name).write_bytes((model_dir / name).read_bytes())
    (tmp_path / "model.bin").write_bytes((model_dir / "model.bin").read_bytes()[:1_000_000])
    transcriber = WhisperTranscriber(tmp_path)
    with pytest.raises(ModelUnavailable, match="cannot be loaded"):
        asyncio.run(transcriber.warm_up())
    transcriber.close()


@pytest.mark.parametrize(
    ("language", "terms", "named"),
    [
        ("en", ["NCCL", "数据并行", " ZeRO ", "NCCL", ""], ["NCCL", "ZeRO"]),
        ("zh", ["NCCL", "数据并行", "NCCL"], ["NCCL", "数据并行"]),
        ("en", [f"term{n}" for n in range(100)], [f"term{n}" for n in range(30)]),
        ("zh", ["并" * 100, "行" * 100], ["并" * 100]),
    ],
)
def test_whisper_is_told_few_terms_of_its_language(
    language: Language, terms: list[str], named: list[str]
) -> None:
    assert worth_naming(terms, language) == named

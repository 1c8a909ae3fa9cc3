"""What the voices say is heard by Whisper again."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import soxr

from agent.adapters.faster_whisper_stt import WhisperTranscriber
from agent.adapters.hibari_tts import HibariSynthesizer
from agent.adapters.pyttsx3_tts import Pyttsx3Synthesizer
from agent.adapters.whisper_models import locate
from agent.domain.audio import SAMPLE_RATE
from agent.domain.language import Language
from agent.ports import Synthesizer

ENGLISH = "Please tell me about a project where you found the root cause of a slow training run."


@pytest.fixture(scope="module")
def ear(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WhisperTranscriber]:
    cache: Path = tmp_path_factory.mktemp("models")
    transcriber = WhisperTranscriber(locate("base", "zh", cache, lambda _: None))
    yield transcriber
    transcriber.close()


def heard(ear: WhisperTranscriber, voice: Synthesizer, text: str, language: Language) -> str:
    async def there_and_back() -> str:
        clip = await voice.synthesize(text, language)
        samples = soxr.resample(clip.samples, clip.sample_rate, SAMPLE_RATE)
        segments = await ear.transcribe(samples, language)
        return "".join(segment.text for segment in segments).lower()

    return asyncio.run(there_and_back())


def test_hibari_is_understood(ear: WhisperTranscriber) -> None:
    voice = HibariSynthesizer()
    words = re.findall("[a-z]+", heard(ear, voice, ENGLISH, "en"))
    voice.close()
    assert words == re.findall("[a-z]+", ENGLISH.lower())


def test_espeak_is_understood_in_english(ear: WhisperTranscriber) -> None:
    voice = Pyttsx3Synthesizer()
    words = set(re.findall("[a-z]+", heard(ear, voice, ENGLISH, "en")))
    voice.close()
    wanted = set(re.findall("[a-z]+", ENGLISH.lower()))
    assert len(words & wanted) >= 0.8 * len(wanted)


def test_espeak_is_half_understood_in_chinese(ear: WhisperTranscriber) -> None:
    voice = Pyttsx3Synthesizer()
    text = heard(ear, voice, "我们开始今天的面试，请先做一个自我介绍。", "zh")
    voice.close()
    assert "一" in text
    assert "面" in text

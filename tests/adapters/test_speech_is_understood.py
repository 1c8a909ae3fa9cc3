"""What the voices say is heard by Whisper again."""

import asyncio
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import soxr
from pypinyin import lazy_pinyin

from agent.adapters.hibari_tts import HibariSynthesizer
from agent.adapters.kokoro.synthesizer import KokoroSynthesizer
from agent.adapters.pyttsx3_tts import Pyttsx3Synthesizer
from agent.adapters.whisper.models import locate
from agent.adapters.whisper.transcriber import WhisperTranscriber
from agent.app.catalog import open_catalog
from agent.domain.audio import SAMPLE_RATE
from agent.domain.language import Language
from agent.policy.chinese import simplified
from agent.policy.mandarin import spelt_out
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


def test_kokoro_is_understood_in_chinese(ear: WhisperTranscriber, tmp_path: Path) -> None:
    """A seeded sample of the bank; the whole of it is in the single figures."""
    prompts = [prompt for prompt in prompts_of_the_bank() if not re.search("[A-Za-z]", prompt)]
    wrong = there = 0
    voice = KokoroSynthesizer(tmp_path, wait_s=120)
    for prompt in random.Random(7).sample(prompts, 2):
        said = syllables(prompt)
        wrong += distance(said, syllables(heard(ear, voice, prompt, "zh")))
        there += len(said)
    voice.close()
    assert wrong <= 0.15 * there


def test_kokoro_is_understood_with_english_terms(ear: WhisperTranscriber, tmp_path: Path) -> None:
    voice = KokoroSynthesizer(tmp_path, wait_s=120)
    texts = ("FlashAttention 和 KV cache 有什么关系？", "MoE 的通信走 InfiniBand 还是 NVLink？")
    letters = [re.sub("[^a-z]", "", heard(ear, voice, text, "zh")) for text in texts]
    voice.close()
    terms = ("flash", "kvcache", "infiniband", "nvlink")
    assert sum(term in "".join(letters) for term in terms) >= 3, letters


def prompts_of_the_bank() -> list[str]:
    return [entry.item.prompt.zh for entry in open_catalog().bank]


def syllables(text: str) -> list[str]:
    """Return the sounds of the Chinese in `text`, numbers spelt out, without their tones."""
    characters = re.sub(r"[^\u4e00-\u9fff]", "", spelt_out(simplified(text)))
    return lazy_pinyin(characters)


def distance(said: list[str], understood: list[str]) -> int:
    """Return how many syllables were changed, lost or added."""
    row = list(range(len(understood) + 1))
    for number, wanted in enumerate(said, start=1):
        diagonal, row[0] = row[0], number
        for place, got in enumerate(understood, start=1):
            best = min(row[place] + 1, row[place - 1] + 1, diagonal + (wanted != got))
            diagonal, row[place] = row[place], best
    return row[-1]

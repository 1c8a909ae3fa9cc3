# pyright: reportPrivateUsage=false
# The tests kill the worker that a synthesizer owns.

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from agent.adapters.hibari_tts import HibariSynthesizer
from agent.adapters.kokoro.synthesizer import KokoroSynthesizer
from agent.adapters.pyttsx3_tts import WORKER, Pyttsx3Synthesizer
from agent.adapters.pyttsx3_worker import ranked_voices, speakable
from agent.domain.audio import AudioClip
from agent.domain.errors import SynthesisFailed
from agent.domain.language import Language
from agent.ports import Synthesizer
from agent.testing import ToneSynthesizer


@pytest.fixture(scope="module")
def espeak() -> Iterator[Pyttsx3Synthesizer]:
    synthesizer = Pyttsx3Synthesizer()
    yield synthesizer
    synthesizer.close()


@pytest.fixture(scope="module")
def hibari() -> Iterator[HibariSynthesizer]:
    synthesizer = HibariSynthesizer()
    yield synthesizer
    synthesizer.close()


@pytest.fixture(scope="module")
def kokoro(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KokoroSynthesizer]:
    synthesizer = KokoroSynthesizer(tmp_path_factory.mktemp("voices"), wait_s=120)
    yield synthesizer
    synthesizer.close()


def spoken(synthesizer: Synthesizer, text: str, language: Language = "en") -> AudioClip:
    return asyncio.run(synthesizer.synthesize(text, language))


def energy(clip: AudioClip) -> float:
    return float(np.sqrt(np.mean(np.square(clip.samples))))


class SynthesizerContract:
    """What every `Synthesizer` does with a language that it speaks."""

    language: Language = "en"
    word = "Why?"
    sentence = "Why does the loss diverge?"
    longer = "Why does the loss diverge after the first warm-up steps?"
    longest = ("We shard the optimizer state over all ranks. " * 45)[:2000]
    longest_s = 60.0

    @pytest.fixture
    def synthesizer(self) -> Synthesizer:
        raise NotImplementedError

    def test_speech_is_mono_and_loud_enough(self, synthesizer: Synthesizer) -> None:
        clip = spoken(synthesizer, self.sentence, self.language)
        assert clip.samples.dtype == np.float32
        assert clip.samples.ndim == 1
        assert float(np.max(np.abs(clip.samples))) <= 1.0
        assert clip.sample_rate >= 16_000
        assert energy(clip) > 0.01

    def test_more_words_take_longer(self, synthesizer: Synthesizer) -> None:
        short = spoken(synthesizer, self.word, self.language)
        long = spoken(synthesizer, self.longer, self.language)
        assert 0 < short.seconds < long.seconds

    @pytest.mark.parametrize("text", ["", "  \n", "…?!", "🎉🎉", "——。"])
    def test_nothing_to_say_is_no_sound(self, synthesizer: Synthesizer, text: str) -> None:
        assert len(spoken(synthesizer, text, self.language).samples) == 0

    @pytest.mark.parametrize(
        "text", ["broken \udcff \x00 text", "<speak>one</speak>", "[[volm 0]] two", "🎉 party"]
    )
    def test_odd_text_is_spoken(self, synthesizer: Synthesizer, text: str) -> None:
        assert energy(spoken(synthesizer, text, self.language)) > 0.01

    def test_longest_text(self, synthesizer: Synthesizer) -> None:
        assert spoken(synthesizer, self.longest, self.language).seconds > self.longest_s


class TestToneSynthesizer(SynthesizerContract):
    @pytest.fixture
    def synthesizer(self) -> Synthesizer:
        return ToneSynthesizer()


class TestPyttsx3(SynthesizerContract):
    @pytest.fixture
    def synthesizer(self, espeak: Pyttsx3Synthesizer) -> Synthesizer:
        return espeak


class TestHibari(SynthesizerContract):
    @pytest.fixture
    def synthesizer(self, hibari: HibariSynthesizer) -> Synthesizer:
        assert hibari.available()
        return hibari


class TestKokoro(SynthesizerContract):
    language: Language = "zh"
    word = "为什么？"
    sentence = "损失为什么会发散？"
    longer = "预热结束之后，损失为什么会发散？"
    longest = (
        "我们把优化器状态切分到每一张卡上，" * 6
    )  # more phonemes than the network takes at once
    longest_s = 15.0

    @pytest.fixture
    def synthesizer(self, kokoro: KokoroSynthesizer) -> Synthesizer:
        return kokoro


def test_hibari_leaves_chinese_to_others(hibari: HibariSynthesizer) -> None:
    with pytest.raises(SynthesisFailed, match="English only"):
        spoken(hibari, "你好", "zh")


def test_forty_utterances_from_one_worker(espeak: Pyttsx3Synthesizer) -> None:
    texts: list[tuple[str, Language]] = []
    for number in range(20):
        texts.append((f"Question {number}: what is tensor parallelism?", "en"))
        texts.append((f"第{number}题：什么是张量并行？", "zh"))

    async def all_of_them() -> list[AudioClip]:
        return await asyncio.gather(*(espeak.synthesize(*text) for text in texts))

    spoken(espeak, "Ready.")
    worker = worker_of(espeak)
    clips = asyncio.run(all_of_them())
    assert worker_of(espeak) == worker
    assert len(clips) == 40
    assert all(energy(clip) > 0.01 for clip in clips)
    assert len({clip.samples.tobytes() for clip in clips}) == 40


def worker_of(synthesizer: Pyttsx3Synthesizer) -> int:
    worker = synthesizer._worker
    assert worker is not None
    return worker.lines.pid


def folder_of(synthesizer: Pyttsx3Synthesizer) -> Path:
    worker = synthesizer._worker
    assert worker is not None
    return Path(worker._folder.name)


def test_next_sentence_is_spoken_after_the_worker_was_killed() -> None:
    synthesizer = Pyttsx3Synthesizer()
    spoken(synthesizer, "One.")
    killed, folder = worker_of(synthesizer), folder_of(synthesizer)
    os.kill(killed, signal.SIGKILL)
    assert energy(spoken(synthesizer, "Two.")) > 0.01
    assert worker_of(synthesizer) != killed
    assert not folder.exists()
    synthesizer.close()


def test_closing_leaves_no_process_and_no_file() -> None:
    synthesizer = Pyttsx3Synthesizer()
    spoken(synthesizer, "One.")
    worker, folder = worker_of(synthesizer), folder_of(synthesizer)
    assert list(folder.iterdir()) == []
    synthesizer.close()
    synthesizer.close()
    assert not folder.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)
    with pytest.raises(SynthesisFailed, match="closed"):
        spoken(synthesizer, "Two.")


def test_worker_ends_with_its_owner(tmp_path: Path) -> None:
    folder = tmp_path / "sounds"
    folder.mkdir()
    asked = {"text": "One.", "language": "en", "voice": "gmw/en-us", "path": f"{folder}/one.wav"}
    request = json.dumps(asked) + "\n"
    ended = subprocess.run(
        [*WORKER, str(folder)],
        check=False,
        input=request,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == 0
    assert [line[:9] for line in ended.stdout.splitlines()] == ['{"voices"', '{"path": ']
    assert not folder.exists()


def scripted_worker(tmp_path: Path, answer: str) -> tuple[Sequence[str], Path]:
    script, starts = tmp_path / "worker.py", tmp_path / "starts"
    script.write_text(
        "import sys\n"
        f"open({str(starts)!r}, 'a').write('x')\n"
        'print(\'{"voices": {"en": [["a", "A"]], "zh": []}}\', flush=True)\n'
        f"for line in sys.stdin:\n    {answer}\n",
        "utf-8",
    )
    return (sys.executable, str(script)), starts


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("pass", "no speech within"),
        ("sys.exit()", "process has ended"),
        ('print(\'{"path": "x"}\', flush=True)', "no sound was written"),
        ('print(\'{"error": "out of breath"}\', flush=True)', "out of breath"),
    ],
    ids=["hangs", "dies", "writes nothing", "fails"],
)
def test_worker_that_fails_twice_is_named(tmp_path: Path, answer: str, said: str) -> None:
    command, starts = scripted_worker(tmp_path, answer)
    synthesizer = Pyttsx3Synthesizer(limit_s=0.2, command=command)
    with pytest.raises(SynthesisFailed, match=said):
        spoken(synthesizer, "Hello")
    assert starts.read_text() == "xx"
    synthesizer.close()


@pytest.mark.parametrize(
    ("language", "wanted", "voice"),
    [("en", "great britain", "gmw/en"), ("zh", "mandarin", "sit/cmn")],
)
def test_voice_that_is_wanted_speaks(language: Language, wanted: str, voice: str) -> None:
    synthesizer = Pyttsx3Synthesizer(wanted)
    offered = asyncio.run(synthesizer.offered(language))
    assert any(wanted in name.casefold() for name in offered)
    assert synthesizer.voice(language) == voice
    synthesizer.close()


def test_language_without_a_voice_is_named(tmp_path: Path) -> None:
    synthesizer = Pyttsx3Synthesizer(command=scripted_worker(tmp_path, "pass")[0])
    with pytest.raises(SynthesisFailed, match="no Chinese voice") as missing:
        spoken(synthesizer, "你好", "zh")
    assert missing.value.hint
    synthesizer.close()


@dataclass
class Listed:
    id: str
    name: str | None
    languages: Sequence[str | bytes] | None


ESPEAK = [
    Listed("zls/bg", "Bulgarian", ["bg"]),
    Listed("sit/cmn", "Chinese (Mandarin, latin as English)", ["cmn"]),
    Listed("sit/cmn-latn-pinyin", "Chinese (Mandarin, latin as Pinyin)", ["cmn-latn-pinyin"]),
    Listed("gmw/en", "English (Great Britain)", [b"\x05en-gb"]),
    Listed("gmw/en-us", "English (America)", ["en-us"]),
    Listed("sit/yue", "Chinese (Cantonese)", ["yue"]),
]
MAC = [
    Listed("com.apple.speech.synthesis.voice.Bells", "Bells", ["en_US"]),
    Listed("com.apple.voice.compact.zh-HK.Sinji", "Sinji", ["zh_HK"]),
    Listed("com.apple.voice.compact.en-US.Samantha", "Samantha", ["en_US"]),
    Listed("com.apple.voice.compact.zh-CN.Tingting", "Tingting", ["zh_CN"]),
    Listed("com.apple.voice.compact.fr-FR.Thomas", None, None),
]
WINDOWS = [
    Listed(r"HKLM\Tokens\TTS_MS_ZH-CN_HUIHUI_11.0", "Microsoft Huihui Desktop", []),
    Listed(r"HKLM\Tokens\TTS_MS_EN-US_ZIRA_11.0", "Microsoft Zira Desktop", ["en-US"]),
]


@pytest.mark.parametrize(
    ("voices", "language", "best"),
    [
        (ESPEAK, "en", "gmw/en-us"),
        (ESPEAK, "zh", "sit/cmn"),
        (MAC, "en", "com.apple.voice.compact.en-US.Samantha"),
        (MAC, "zh", "com.apple.voice.compact.zh-CN.Tingting"),
        (WINDOWS, "en", WINDOWS[1].id),
        (WINDOWS, "zh", WINDOWS[0].id),
    ],
)
def test_voice_is_chosen_by_name_and_tag(
    voices: list[Listed], language: Language, best: str
) -> None:
    assert ranked_voices(voices, language)[0][0] == best


def test_no_voice_is_better_than_a_wrong_one() -> None:
    assert ranked_voices([ESPEAK[0], ESPEAK[5], MAC[1]], "zh") == []
    assert ranked_voices([ESPEAK[0], MAC[4]], "en") == []


def test_syllables_that_espeak_cannot_spell() -> None:
    assert speakable("雄心", "sit/cmn") == " xong2 心"
    assert speakable("雄心", "Tingting") == "雄心"

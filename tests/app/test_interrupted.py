"""An interview that is killed goes on as if nothing had happened."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from agent.domain.language import Language

VIVA = str(Path(sys.executable).with_name("viva"))
ANSWERS: dict[Language, tuple[str, ...]] = {
    "en": (
        "We trained a big model and it became thirty percent faster.",
        "I profiled it and chose ZeRO-2 over ZeRO-3. The step fell from four seconds to three.",
        "I do not know.",
        "",
        "Data parallelism splits the batch, and model parallelism splits the model.",
        "Each worker keeps a full copy, and the gradients are averaged with an all-reduce.",
        "I do not know.",
    ),
    "zh": (
        "我们团队训练了一个大模型，速度提升了百分之三十。",
        "我做了性能分析，选择了 ZeRO-2，没有选 ZeRO-3。每一步从四秒降到三秒。",
        "这个我不清楚。",
        "",
        "数据并行切数据，模型并行切模型。",
        "每张卡保存完整的副本，梯度用 AllReduce 求平均。",
        "这个我不清楚。",
    ),
}


@pytest.fixture(params=["en", "zh"])
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Language, Path]:
    language: Language = request.param
    folder = tmp_path / "answers"
    folder.mkdir()
    for number, text in enumerate(ANSWERS[language]):
        (folder / f"{number:02d}.txt").write_text(text, encoding="utf-8")
    return language, folder


def command(language: Language, folder: Path, recordings: Path, *, go_on: bool) -> list[str]:
    words = [VIVA, "practice", "--input", str(folder), "--output", "text", "--json"]
    words += ["--recordings", str(recordings)]
    asked = ["--continue"] if go_on else ["--lang", language, "--seed", "11", "--questions", "4"]
    return words + asked


def run(words: list[str]) -> None:
    subprocess.run(words, check=True, capture_output=True, timeout=120)


def kill_after(words: list[str], lines: int, pause_s: float) -> bool:
    """Start, read `lines` events, wait a little, kill; return whether it was still at work."""
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for read, _ in enumerate(process.stdout, 1):
            if read == lines:
                time.sleep(pause_s)  # the moment of the kill is what is tried here
                break
        alive = process.poll() is None
        if alive:
            os.kill(process.pid, signal.SIGKILL)
    return alive


def logged(recordings: Path) -> list[dict[str, Any]]:
    (folder,) = recordings.iterdir()
    lines = (folder / "turns.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads((folder / "session.json").read_text(encoding="utf-8"))["status"] == "finished"
    return [{**json.loads(line), "at": None} for line in lines]


@pytest.mark.timeout(600)
def test_killed_at_any_moment_it_holds_the_same_turns(
    scene: tuple[Language, Path], tmp_path: Path
) -> None:
    language, folder = scene
    calm = tmp_path / "calm"
    run(command(language, folder, calm, go_on=False))
    expected = logged(calm)
    chance = random.Random(5)
    killed = 0
    for attempt in range(10):
        stormy = tmp_path / f"stormy-{attempt}"
        killed += kill_after(
            command(language, folder, stormy, go_on=False),
            lines=chance.randint(1, 20),
            pause_s=chance.uniform(0, 0.02),
        )
        if not_finished(stormy):
            run(command(language, folder, stormy, go_on=True))
        assert logged(stormy) == expected
    assert killed >= 7, "most runs must have been killed at work for this to show anything"


def not_finished(recordings: Path) -> bool:
    (folder,) = recordings.iterdir()
    return json.loads((folder / "session.json").read_text(encoding="utf-8"))["status"] == "running"

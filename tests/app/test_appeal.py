"""An appeal grades a turn again without its grade in view; both grades are kept and shown."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent.adapters.folder_store import FolderStore
from agent.adapters.yaml_catalog import data_root
from agent.app.commands import appeal
from agent.domain.assessment import Assessment, GradingTask
from agent.domain.interview import Correction
from agent.domain.language import LANGUAGES, Language
from tests.app.test_cli import practise, viva

ANSWERS: dict[Language, str] = {
    "en": (
        "Data parallelism puts a full copy of the model on every card and splits the batch; "
        "the gradients are averaged with an all-reduce."
    ),
    "zh": "数据并行在每张卡上放一份完整的模型，切分数据，梯度用 AllReduce 求平均。",
}
SAMPLE = data_root() / "recordings" / "sample" / "en"


@pytest.fixture(params=LANGUAGES)
def folder(request: pytest.FixtureRequest) -> Path:
    language: Language = request.param
    ran = practise(language, "--question", "dp-vs-mp", "--questions", "1", typed=ANSWERS[language])
    return Path(ran.events[-1]["session"])


def log(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "turns.jsonl").read_bytes().splitlines()]


def judged(folder: Path) -> list[dict[str, Any]]:
    return [item for item in log(folder) if item["kind"] == "assessment"]


def rewrite(folder: Path, **fields: Any) -> None:
    lines = [item | fields if item["kind"] == "assessment" else item for item in log(folder)]
    text = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in lines)
    (folder / "turns.jsonl").write_text(text, encoding="utf-8")


def test_the_same_answer_gets_the_same_grade_in_every_variation(folder: Path) -> None:
    before = (folder / "turns.jsonl").read_bytes()
    ran = viva("appeal", folder.name, "1", "--json")
    assert ran.code == 0, ran.err
    assert (folder / "turns.jsonl").read_bytes().startswith(before)
    first, again = judged(folder)
    told = json.loads(ran.out)
    assert again["score"] == first["score"] == told["old"] == told["new"]
    assert again["appeal"]["reasons"] == ["same"]
    varied = {item["name"]: item["score"] for item in again["appeal"]["variations"]}
    assert list(varied) == ["as_given", "criteria_reversed", "points_reversed", "words_only"]
    assert varied["as_given"] == varied["criteria_reversed"] == varied["points_reversed"]
    assert Path(told["report"]).is_file()


@pytest.mark.parametrize(
    ("fields", "reasons"),
    [
        ({"score": 3.0, "grader": "builtin 0"}, ["grader"]),
        ({"score": 3.0, "rubric_version": "direct 0"}, ["rubric"]),
        ({"score": 3.0}, ["reading"]),
    ],
)
def test_what_is_different_is_kept_with_the_reason(
    folder: Path, fields: dict[str, Any], reasons: list[str]
) -> None:
    rewrite(folder, **fields)
    assert viva("appeal", folder.name, "1").code == 0
    first, again = judged(folder)
    assert first["score"] == again["appeal"]["earlier"] == 3.0
    assert again["score"] > 3.0
    assert again["appeal"]["reasons"] == reasons


def test_words_that_were_set_right_since_are_a_reason(folder: Path) -> None:
    store = FolderStore.open(folder)
    question = next(item for item in store.manifest.questions if item.id == "dp-vs-mp")
    said = question.example.get(store.manifest.language)
    store.append(Correction(turn=1, text=said))
    store.close()
    assert viva("appeal", folder.name, "1").code == 0
    assert judged(folder)[-1]["appeal"]["reasons"] == ["words"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_grades_are_told_and_in_the_report(
    language: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", {"en": "C", "zh": "zh_CN.UTF-8"}[language])
    ran = practise(language, "--question", "dp-vs-mp", "--questions", "1", typed=ANSWERS[language])
    folder = Path(ran.events[-1]["session"])
    rewrite(folder, score=3.0)
    told = viva("appeal", folder.name, "1").out
    sentence = {"en": "Turn 1: 3 before", "zh": "第 1 轮：原评分 3"}[language]
    assert told.startswith(sentence)
    assert sentence in (folder / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("turn", ["2", "99"])
def test_a_turn_without_a_grade_is_refused(folder: Path, turn: str) -> None:
    before = (folder / "turns.jsonl").read_bytes()
    ran = viva("appeal", folder.name, turn)
    assert ran.code == 2
    assert turn in ran.err
    assert f"viva appeal {json.loads((folder / 'session.json').read_text())['id']} 1" in ran.err
    assert (folder / "turns.jsonl").read_bytes() == before


def test_when_the_grader_fails_the_earlier_grade_stands(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        async def grade(self, task: GradingTask) -> Assessment:
            return Assessment(
                question_id=task.question.id,
                frame=task.frame.id,
                score=None,
                failure="no model",
                grader="test",
                rubric_version="1",
            )

    before = (folder / "turns.jsonl").read_bytes()
    monkeypatch.setattr(appeal.wiring, "grader", Broken)
    ran = viva("appeal", folder.name, "1")
    assert ran.code == 1
    assert "no model" in ran.err
    assert (folder / "turns.jsonl").read_bytes() == before


@pytest.mark.parametrize("name", ["sample", str(SAMPLE)])
@pytest.mark.parametrize("words", [("appeal", "1"), ("regrade",)])
def test_the_sample_is_read_only(name: str, words: tuple[str, ...]) -> None:
    before = {path: path.read_bytes() for path in SAMPLE.glob("*.json*")}
    ran = viva(words[0], name, *words[1:])
    assert ran.code == 2
    assert "sample" in ran.err.lower()
    assert "viva list sessions" in ran.err
    assert {path: path.read_bytes() for path in SAMPLE.glob("*.json*")} == before

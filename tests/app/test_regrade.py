"""An old session is judged by the rules of today, and nothing that was written is lost."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent.adapters.folder_store import FolderStore
from agent.domain.interview import Correction
from agent.domain.language import LANGUAGES, Language
from tests.app.test_cli import Ran, practise, viva

ANSWERS: dict[Language, tuple[str, str]] = {
    "en": (
        (
            "Data parallelism puts a full copy of the model on every card and splits the batch; "
            "the gradients are averaged with an all-reduce."
        ),
        "I do not know.",
    ),
    "zh": (
        "数据并行在每张卡上放一份完整的模型，切分数据，梯度用 AllReduce 求平均。",
        "这个我不会。",
    ),
}


@pytest.fixture(params=LANGUAGES)
def folder(request: pytest.FixtureRequest) -> Path:
    language: Language = request.param
    ran = practise(
        language, "--questions", "2", "--input", "text", typed="\n".join(ANSWERS[language] * 3)
    )
    return Path(ran.events[-1]["session"])


def rows(ran: Ran) -> list[dict[str, Any]]:
    assert ran.code == 0, ran.err
    return [json.loads(line) for line in ran.out.splitlines()]


def records(folder: Path, kind: str) -> list[dict[str, Any]]:
    lines = (folder / "turns.jsonl").read_text(encoding="utf-8").splitlines()
    return [record for record in map(json.loads, lines) if record["kind"] == kind]


def rewrite(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def test_the_same_rules_give_the_same_grades_and_append_them(folder: Path) -> None:
    before = (folder / "turns.jsonl").read_bytes()
    judged = records(folder, "assessment")
    *questions, overall, report = rows(viva("regrade", folder.name, "--json"))
    assert (folder / "turns.jsonl").read_bytes().startswith(before)
    again = records(folder, "assessment")
    assert again[: len(judged)] == judged
    fresh = again[len(judged) :]
    assert [{**item, "at": ""} for item in fresh] == [{**item, "at": ""} for item in judged]
    assert all(row["old"] == row["new"] for row in questions)
    assert not any(row["own_copy"] for row in questions)
    assert overall["old"] == overall["new"]
    assert Path(report["report"]).is_file()
    assert not (folder / "session.first.json").exists()


def test_todays_rules_replace_those_of_the_session_and_the_first_ones_are_kept(
    folder: Path,
) -> None:
    path = folder / "session.json"
    told = json.loads(path.read_text(encoding="utf-8"))
    for frame in told["rubric"]:
        frame["version"] = "999"
    for question in told["questions"]:
        question["key_points"] = question["key_points"][:1]
    old = json.dumps(told)
    path.write_text(old, encoding="utf-8")
    assert viva("regrade", folder.name).code == 0
    today = json.loads(path.read_text(encoding="utf-8"))
    assert all(frame["version"] != "999" for frame in today["rubric"])
    assert all(len(question["key_points"]) > 1 for question in today["questions"])
    first = json.loads((folder / "session.first.json").read_text(encoding="utf-8"))
    assert first["rubric"] == told["rubric"]
    assert today["status"] == told["status"]
    assert viva("regrade", folder.name).code == 0
    assert json.loads((folder / "session.first.json").read_text(encoding="utf-8")) == first


def test_a_question_that_the_bank_lost_is_judged_by_the_sessions_own_copy(folder: Path) -> None:
    asked = json.loads((folder / "session.json").read_text(encoding="utf-8"))["questions"][0]["id"]
    for name in ("session.json", "turns.jsonl"):
        rewrite(folder / name, f'"{asked}"', '"a-question-of-old"')
    questions = rows(viva("regrade", folder.name, "--json"))[:-2]
    assert {row["question"]: row["own_copy"] for row in questions}["a-question-of-old"]
    told = viva("regrade", folder.name).out
    assert "a-question-of-old" in told
    assert "own copy" in told or "副本" in told


def test_what_the_candidate_set_right_is_what_is_judged(folder: Path) -> None:
    store = FolderStore.open(folder)
    language = store.manifest.language
    turn = records(folder, "turn")[1]
    (asked,) = [
        item for item in store.manifest.questions if item.id == turn["utterance"]["question_id"]
    ]
    said = asked.example.get(language)
    store.append(Correction(turn=turn["number"], text=said))
    store.close()
    questions = rows(viva("regrade", folder.name, "--json"))[:-2]
    (row,) = [item for item in questions if item["question"] == asked.id]
    assert row["new"] > (row["old"] or 0)
    quoted = [
        item
        for criterion in records(folder, "assessment")[-1]["criteria"]
        for item in criterion["evidence"]
        if item["turn"] == turn["number"]
    ]
    assert all(said[item["start"] : item["end"]] == item["quote"] for item in quoted)


@pytest.mark.parametrize("language", LANGUAGES)
def test_old_and_new_are_shown(language: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", {"en": "C", "zh": "zh_CN.UTF-8"}[language])
    ran = practise(language, "--questions", "1", "--input", "text", typed=ANSWERS[language][0])
    told = viva("regrade", Path(ran.events[-1]["session"]).name)
    assert told.code == 0
    assert " -> " in told.out
    assert {"en": "Overall: ", "zh": "总分："}[language] in told.out
    assert "report.html" in told.out


def test_a_session_that_is_being_held_is_refused(folder: Path) -> None:
    before = (folder / "turns.jsonl").read_bytes()
    store = FolderStore.open(folder)
    store.acquire()
    ran = viva("regrade", folder.name)
    store.close()
    assert ran.code == 1
    assert "another interview" in ran.err
    assert (folder / "turns.jsonl").read_bytes() == before


@pytest.mark.parametrize(("name", "text"), [("session.json", "{"), ("turns.jsonl", "not json\n")])
def test_a_damaged_session_is_refused(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)
    ran = viva("regrade", folder.name)
    assert ran.code == 1
    assert name in ran.err
    assert "should not have happened" not in ran.err
    assert (folder / name).read_text() == text


def test_a_session_without_an_answer_is_graded_as_one() -> None:
    ran = practise("en", "--questions", "1", "--input", "text", typed="")
    *questions, overall, _ = rows(viva("regrade", Path(ran.events[-1]["session"]).name, "--json"))
    assert questions == []
    assert overall["new"] is None

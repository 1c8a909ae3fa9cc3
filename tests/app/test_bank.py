"""`viva bank` and the checks of `viva list questions`, as a user types them."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent.adapters.yaml_catalog import QUESTIONS, data_root, load_questions
from agent.app import catalog as catalog_module
from agent.app import wiring
from agent.app.commands.bank_check import SHORT_NAMES
from tests.app.test_cli import Ran, practise, viva

CSV = """question,reference answer,source,category
Why is a warm-up needed with Adam?,"Early moments are noisy, so steps are too large.",Mine,principle
为什么要做权重衰减？,它限制权重的大小，减少过拟合。,,原理
"""
BANK = load_questions(data_root() / QUESTIONS.folder)


def add(tmp_path: Path, name: str, text: str, *words: str) -> Ran:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return viva("bank", "add", str(path), *words)


def own() -> list[dict[str, Any]]:
    return [json.loads(line) for line in viva("bank", "list", "--json").out.splitlines()]


def jsonl(*rows: dict[str, str]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


ROW = {"question": "What is a barrier?", "reference": "All wait for the last one to come."}


def test_added_questions_are_listed_with_their_files_and_removed(tmp_path: Path) -> None:
    ran = add(tmp_path, "own.csv", "\ufeff" + CSV)
    assert ran.code == 0
    rows = own()
    assert [row["topic"] for row in rows] == ["own", "own"]
    assert all(Path(row["file"]).is_file() and row["id"] in ran.out for row in rows)
    listed = viva("list", "questions", "--json").out.splitlines()
    assert [json.loads(line)["id"] for line in listed[len(BANK) :]] == [row["id"] for row in rows]
    assert viva("bank", "remove", rows[0]["id"]).code == 0
    assert own() == rows[1:]
    again = viva("bank", "remove", rows[0]["id"])
    assert again.code == 2
    assert rows[0]["id"] in again.err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "question,reference\nWhat is a barrier?,All wait for the last one to come.\n"),
        ("a.tsv", "question\treference\nWhat is a barrier?\tAll wait for the last one to come.\n"),
        ("a.jsonl", jsonl(ROW)),
        ("a.yaml", "questions:\n  - question: What is a barrier?\n    reference: All wait.\n"),
        ("a.yml", "- question: What is a barrier?\n  reference: All wait for the last one.\n"),
        ("a.CSV", "question;reference\nWhat is a barrier?;All wait for the last one to come.\n"),
    ],
)
def test_every_kind_of_file_will_do(tmp_path: Path, name: str, text: str) -> None:
    assert add(tmp_path, name, text).code == 0
    assert [row["prompt"] for row in own()] == ["What is a barrier?"]


def test_a_question_of_the_bank_itself_can_be_one_s_own(tmp_path: Path) -> None:
    text = (data_root() / QUESTIONS.folder / "moe.yaml").read_text(encoding="utf-8")
    refused = add(tmp_path, "moe.yaml", text)
    assert refused.code == 1
    assert "moe-balance already" in refused.err
    renamed = text.replace("id: moe", "id: my-moe")
    assert add(tmp_path, "mine.yaml", renamed).code == 0
    assert {row["id"] for row in own()} >= {"my-moe-balance"}


NO_REFERENCE = {"question": "What?"}
ODD_COLUMN = {"question": "Why?", "reference": "So.", "x": "y"}
BAD = jsonl(ROW, NO_REFERENCE, ROW, ODD_COLUMN) + "{broken\n"


def test_bad_rows_are_named_by_line_and_nothing_is_added(tmp_path: Path) -> None:
    ran = add(tmp_path, "own.jsonl", BAD)
    assert ran.code == 1
    assert [line.split("own.jsonl: ")[1][:7] for line in ran.err.splitlines()[:4]] == [
        "line 2:",
        "line 3:",
        "line 4:",
        "line 5:",
    ]
    assert "--good-only" in ran.err
    assert ran.out == ""
    assert own() == []


def test_the_good_ones_can_be_added_alone(tmp_path: Path) -> None:
    ran = add(tmp_path, "own.jsonl", BAD, "--good-only")
    assert ran.code == 0
    assert "line 2:" in ran.err
    assert [row["prompt"] for row in own()] == [ROW["question"]]
    assert add(tmp_path, "own.jsonl", BAD, "--good-only").code == 1


@pytest.mark.parametrize(
    ("name", "content", "code", "told"),
    [
        ("own.csv", "问题,参考答案\n".encode("gb18030"), 1, "UTF-8"),
        ("own.csv", b"", 1, "no questions"),
        ("own.csv", b"question,reference\n", 1, "no questions"),
        ("own.yaml", b"questions: [\n", 1, "line 2"),
        ("own.yaml", b"a: &a [1]\nb: *a\n", 1, "alias"),
        ("own.yaml", b"just words\n", 1, "no such list"),
        ("own.txt", b"words", 2, ".jsonl"),
    ],
)
def test_a_file_that_is_no_bank_is_refused(
    tmp_path: Path, name: str, content: bytes, code: int, told: str
) -> None:
    (tmp_path / name).write_bytes(content)
    ran = viva("bank", "add", str(tmp_path / name))
    assert (ran.code, ran.out) == (code, "")
    assert told in ran.err
    assert viva("bank", "add", str(tmp_path / "nothing.csv")).code == 2


def test_messages_are_told_in_chinese(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    ran = add(tmp_path, "own.jsonl", BAD)
    assert "第 2 行：" in ran.err
    assert "没有添加任何题目" in ran.err
    assert "没有需要修改" in viva("list", "questions", "--check").out


@pytest.mark.parametrize(("language", "asked"), [("en", True), ("zh", False)])
def test_an_own_question_is_asked_in_its_language_only(
    tmp_path: Path, language: str, asked: bool
) -> None:
    add(tmp_path, "own.jsonl", jsonl(ROW))
    ran = practise(language, "--topic", "own", "--questions", "1", "--input", "text", typed="x\n")
    assert (ran.code == 0) is asked
    assert (ROW["question"] in ran.out) is asked


def test_an_own_question_is_graded_by_its_id(tmp_path: Path) -> None:
    add(tmp_path, "own.jsonl", jsonl(ROW | {"id": "barrier"}))
    answers, out = tmp_path / "answers.jsonl", tmp_path / "scores.jsonl"
    answer = "Every rank has to wait there until the last one has come."
    answers.write_text(
        jsonl(
            {"id": "1", "lang": "en", "question_id": "barrier", "answer": answer},
            {"id": "2", "lang": "en", "question": ROW["question"], "answer": answer},
            {"id": "3", "lang": "zh", "question_id": "barrier", "answer": "大家都要等。"},
        ),
        encoding="utf-8",
    )
    assert viva("grade", str(answers), "--out", str(out)).code == 0
    first, second, third = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert first["question_id"] == second["question_id"] == "barrier"
    assert first["score"] == second["score"] is not None
    assert third["score"] is None
    assert "barrier" in third["error"]


def test_a_broken_own_bank_stops_no_interview(tmp_path: Path) -> None:
    add(tmp_path, "own.jsonl", jsonl(ROW))
    folder = Path(own()[0]["file"]).parent
    (folder / "broken.yaml").write_text("questions: [\n", encoding="utf-8")
    (folder / "half.jsonl").write_text("{}\n", encoding="utf-8")
    ran = practise("en", "--questions", "1", "--input", "text", typed="I do not know.\n")
    assert ran.code == 0
    notices = " ".join(event["text"] for event in ran.named("notice"))
    assert "broken.yaml" in notices
    assert "half.jsonl: line 1" in notices
    assert "broken.yaml" in viva("list", "questions").err
    assert viva("list", "questions", "--check").code == 1
    assert len(own()) == 1


def test_lint_finds_a_question_that_is_in_the_bank_in_other_words(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    asked = next(question for question in BANK if question.id == "dp-vs-mp").prompt.en
    path.write_text(
        jsonl({"question": asked.replace("?", ""), "reference": "One splits the data."}, ROW)
    )
    ran = viva("bank", "lint", str(path))
    assert ran.code == 1
    assert "line 1: asks the same as dp-vs-mp" in ran.out
    assert "line 2" not in ran.out
    assert own() == []
    path.write_text(jsonl(ROW))
    assert viva("bank", "lint", str(path)).code == 0


def test_without_an_encoder_the_check_says_what_it_did_not_look_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(wiring, "encoder", lambda: None)
    ran = viva("list", "questions", "--check")
    assert ran.code == 0
    assert "encoder is missing" in ran.err
    (tmp_path / "own.jsonl").write_text(jsonl(ROW))
    assert "encoder is missing" in viva("bank", "lint", str(tmp_path / "own.jsonl")).err


def test_the_project_s_bank_has_nothing_to_mend() -> None:
    ran = viva("list", "questions", "--check")
    assert (ran.code, ran.err) == (0, "")
    assert viva("list", "questions", "--check", "--json").out == ""


def test_findings_are_told_with_file_and_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "rubrics/questions"
    folder.mkdir(parents=True)
    text = (data_root() / QUESTIONS.folder / "moe.yaml").read_text(encoding="utf-8")
    (folder / "moe.yaml").write_text(text.replace("rung: mechanism", "rung: numbers"))
    monkeypatch.setattr(catalog_module, "data_root", lambda: tmp_path)
    ran = viva("list", "questions", "--check")
    assert ran.code == 1
    assert "moe.yaml: moe-balance: probes: the ladder lacks mechanism" in ran.out
    rows = [
        json.loads(line)
        for line in viva("list", "questions", "--check", "--json").out.split("\n")[:-1]
    ]
    assert {"file", "question", "place", "problem"} == set(rows[0])
    assert len(rows) == len(ran.out.splitlines())


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_coverage_table_fits_a_terminal(language: str, tmp_path: Path) -> None:
    add(tmp_path, "own.jsonl", jsonl(ROW | {"topic": "a-topic-of-a-rather-long-name"}))
    lines = viva("list", "questions", "--coverage", "--lang", language).out.splitlines()
    wide = {line: len(line) + sum(char > "\u2e7f" for char in line) for line in lines}
    assert max(wide.values()) <= 80
    assert len(lines) >= 22 + 3
    assert str(len(BANK) + 1) in lines[-1]


def test_coverage_can_be_read_by_a_program() -> None:
    rows = [
        json.loads(line)
        for line in viva("list", "questions", "--coverage", "--json").out.splitlines()
    ]
    assert {row["category"] for row in rows} == set(SHORT_NAMES)
    assert sum(row["questions"] for row in rows) == sum(len(item.levels) for item in BANK)


@pytest.mark.parametrize(
    "words",
    [
        ("list", "personas", "--check"),
        ("list", "sessions", "--coverage"),
        ("list", "questions", "--check", "--coverage"),
    ],
)
def test_checks_are_for_questions_one_at_a_time(words: tuple[str, ...]) -> None:
    ran = viva(*words)
    assert ran.code == 2
    assert "--check" in ran.err

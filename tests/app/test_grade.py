"""`viva grade` as a user types it: begun, killed, begun again."""

import json
from pathlib import Path

import pytest

from agent.app.commands import grade
from tests.app.test_cli import Ran, viva

ROWS = [
    {
        "id": "a",
        "lang": "en",
        "question_id": "dp-vs-mp",
        "answer": "Data parallelism copies the model to every card and splits the batch.",
    },
    {"id": "b", "lang": "zh", "question_id": "dp-vs-mp", "answer": "数据并行复制模型，切分数据。"},
    {"id": "c", "lang": "fr", "question": "Quoi ?", "answer": "Rien."},
    {"id": "a", "lang": "zh", "question": "什么是互斥锁？", "answer": "同一时间只有一方持有的锁。"},
    {"id": "d", "lang": "en", "question_id": "dp-vs-mp", "answer": "🚀🚀🚀"},
]


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    lines = [json.dumps(row, ensure_ascii=False) for row in ROWS]
    path.write_bytes("\n".join(lines).encode() + b"\n\xff\n")
    return path


def judge(answers: Path, *words: str) -> Ran:
    return viva("grade", str(answers), "--out", str(out_of(answers)), *words)


def out_of(answers: Path) -> Path:
    return answers.with_name("scores.jsonl")


def test_every_row_has_its_line_and_what_went_wrong_is_told(answers: Path) -> None:
    ran = judge(answers)
    assert (ran.code, ran.out) == (0, "")
    rows = [json.loads(line) for line in out_of(answers).read_text("utf-8").splitlines()]
    assert [row["id"] for row in rows] == ["a", "b", "c", "a", "d", None]
    assert [row["error"] is None for row in rows] == [True, True, False, True, True, False]
    assert [row["score"] is None for row in rows] == [
        False,
        False,
        True,
        False,
        True,
        True,
    ]
    assert rows[4]["reason"]
    assert "6 rows in" in ran.err
    assert "3 graded, 1 not judged, 2 errors." in ran.err
    assert "1 rows repeat an id, each is graded: a" in ran.err


def test_a_killed_run_goes_on_to_the_same_file(answers: Path) -> None:
    judge(answers)
    whole = out_of(answers).read_bytes()
    out_of(answers).write_bytes(whole[: whole.index(b"\n") + 40])
    ran = judge(answers)
    assert out_of(answers).read_bytes() == whole
    assert "1 rows were graded before and are kept." in ran.err
    again = judge(answers)
    assert "6 rows were graded before" in again.err
    assert "3 graded, 1 not judged, 2 errors." in again.err
    assert out_of(answers).read_bytes() == whole


def test_ctrl_c_keeps_what_was_judged(answers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge(answers)
    whole = out_of(answers).read_bytes()
    out_of(answers).unlink()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(grade, "judged", interrupted)
    ran = judge(answers)
    assert ran.code == 130
    assert "the same command goes on" in ran.err
    monkeypatch.undo()
    judge(answers)
    assert out_of(answers).read_bytes() == whole


def test_it_speaks_chinese_too(answers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    ran = judge(answers)
    assert "共 6 行：已评分 3 行，未作评判 1 行，出错 2 行" in ran.err
    assert "1 行的 id 重复" in ran.err


def test_the_answers_are_never_overwritten(answers: Path) -> None:
    before = answers.read_bytes()
    ran = viva("grade", str(answers), "--out", str(answers))
    assert ran.code == 2
    assert "overwrite" in ran.err
    assert answers.read_bytes() == before


def test_a_place_that_cannot_be_written_is_named(answers: Path) -> None:
    ran = viva("grade", str(answers), "--out", str(answers.parent / "no" / "such" / "scores.jsonl"))
    assert ran.code == 1
    assert "cannot be written" in ran.err

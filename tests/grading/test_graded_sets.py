"""Sets that people graded: what is one, and what is wrong with those that are none."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent.domain.errors import InvalidFiles
from agent.grading.graded_sets import NAMED, beside, read_set
from agent.grading.rows import parse

EN: dict[str, Any] = {
    "id": "a1",
    "qid": 3,
    "lang": "en",
    "question": "What is a mutex?",
    "reference": "A lock with one owner.",
    "answer": "A lock with one owner at a time.",
    "score": 1.5,
    "score_max": 2,
    "split": "train",
}
ZH: dict[str, Any] = EN | {
    "id": "a2",
    "lang": "zh",
    "question": "什么是互斥锁？",
    "reference": "同一时间只有一方持有的锁。",
    "answer": "",
    "score": 0,
}


def written(folder: Path, *lines: object) -> Path:
    path = folder / "set.jsonl"
    data = [
        item if isinstance(item, bytes) else json.dumps(item, ensure_ascii=False).encode()
        for item in lines
    ]
    path.write_bytes(b"\n".join(data) + b"\n")
    return path


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in EN.items() if key != name}


def test_rows_of_both_languages_are_read(tmp_path: Path) -> None:
    rows = read_set(written(tmp_path, EN, b"  ", ZH))
    assert [(row.id, row.qid, row.lang, row.score) for row in rows] == [
        ("a1", "3", "en", 1.5),
        ("a2", "3", "zh", 0),
    ]
    asked = parse(rows[0].as_line())
    assert (asked.question, asked.reference, asked.answer) == (
        EN["question"],
        EN["reference"],
        EN["answer"],
    )


@pytest.mark.parametrize(
    ("bad", "en", "zh"),
    [
        (without("score"), "it lacks score", "缺少 score"),
        (EN | {"lang": "fr"}, "it has a wrong lang", "lang 的值不对"),
        (EN | {"reference": " "}, "it has a wrong reference", "reference 的值不对"),
        (EN | {"score": -1}, "it has a wrong score", "score 的值不对"),
        (EN | {"score": float("nan")}, "it has a wrong score", "score 的值不对"),
        (EN | {"score_max": 0}, "it has a wrong score_max", "score_max 的值不对"),
        (EN | {"score": 3}, "its score is above score_max", "score 高于 score_max"),
        ([1], "not a JSON object", "不是 JSON 对象"),
        (b"{", "not a JSON object", "不是 JSON 对象"),
        (b"\xff\xfe", "not UTF-8", "不是 UTF-8 编码"),
    ],
)
def test_a_bad_row_is_named_by_its_line(bad: object, en: str, zh: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidFiles) as found:
        read_set(written(tmp_path, EN, b"", bad))
    assert found.value.text("en").endswith(f"set.jsonl: line 3: {en}")
    assert found.value.text("zh").endswith(f"set.jsonl：第 3 行：{zh}")


def test_of_many_bad_rows_the_first_are_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidFiles) as found:
        read_set(written(tmp_path, EN, *[b"{}"] * (NAMED + 7)))
    assert len(found.value.problems) == NAMED + 1
    assert "and 7 more rows" in found.value.text("en")


@pytest.mark.parametrize("lines", [(), ({"name": "something else"},)])
def test_what_is_no_set_is_called_so(lines: tuple[object, ...], tmp_path: Path) -> None:
    with pytest.raises(InvalidFiles) as found:
        read_set(written(tmp_path, *lines))
    assert "no row of it is an answer that people graded" in found.value.text("en")
    assert "没有一行是人工评过分的回答" in found.value.text("zh")


@pytest.mark.parametrize(
    ("answer", "score", "grader"),
    [("A lock.", 80.0, 0.8), ("", None, 0.0), ("A lock.", None, None)],
)
def test_only_a_blank_answer_is_worth_nothing_where_no_score_was_given(
    answer: str, score: float | None, grader: float | None, tmp_path: Path
) -> None:
    rows = read_set(written(tmp_path, EN | {"answer": answer}))
    (graded,) = beside(rows, [json.dumps({"score": score})])
    assert (graded and graded.grader) == grader

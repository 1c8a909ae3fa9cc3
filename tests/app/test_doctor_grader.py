"""The card of the grader, on a few questions of the bank."""

import json
import re
from pathlib import Path

import pytest

from agent.app.commands import doctor_grader
from agent.domain.language import Language
from agent.grading.properties import PROPERTIES
from tests.app.test_cli import viva
from tests.grading.conftest import QUESTIONS

FEW = [QUESTIONS["dp-vs-mp"]]
WANTED = ("a list of terms", "said twice", "orders to the examiner, at the end")
SOME = [item for item in PROPERTIES if item.name.en in WANTED]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["must be at the bottom: 0.0% broken, at most 2%: passed", "0/2  a list of terms"]),
        ("zh", ["必须在最低档：违反 0.0%，上限 2%：通过", "0/2  罗列术语"]),
    ],
)
def test_the_card_tells_rates(
    language: Language, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert doctor_grader.run(language, as_json=False, questions=FEW, properties=SOME)
    shown = capsys.readouterr().out
    assert all(text in shown for text in words)


def test_a_broken_property_is_named_and_fails_the_card(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    echo = next(item for item in PROPERTIES if item.kind == "must not change")
    always = type(echo)(echo.name, echo.kind, echo.make, lambda right, changed: True)
    assert not doctor_grader.run("en", as_json=False, questions=FEW, properties=[always])
    shown = capsys.readouterr().out
    assert "must not change: 100.0% broken, at most 5%: missed" in shown
    assert re.search(r"\(dp-vs-mp \w\w \d+ -> \d+, dp-vs-mp \w\w \d+ -> \d+\)", shown)


def test_programs_get_every_violation(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor_grader.run("en", as_json=True, questions=FEW, properties=SOME)
    *rows, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["property"] for row in rows] == [item.name.en for item in SOME]
    assert all(row["tried"] == 2 for row in rows)
    assert last["questions"] == 1
    assert last["rates"]["must not rise"] == 0
    assert last["rates"]["must fall"] is None


def graded(name: str, answer: str, score: float) -> dict[str, object]:
    return {
        "id": name,
        "qid": "1",
        "lang": "en",
        "question": "What is a mutex?",
        "reference": "A lock that one thread at a time can hold, so that data stay whole.",
        "answer": answer,
        "score": score,
        "score_max": 2,
    }


ROWS = [
    graded("a", "A lock which only one thread may hold, so that shared data stay whole.", 2),
    graded("b", "Some kind of lock.", 1),
    graded("c", "A green vegetable that grows in gardens.", 0),
    graded("d", "", 0),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = [json.dumps(row) for row in ROWS]
    (tmp_path / "small.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def test_agreement_with_people_stands_on_the_card(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert doctor_grader.run("en", True, folder, questions=FEW, properties=SOME)
    row = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (row["set"], row["unjudged"]) == ("small", 0)
    assert (row["all"]["answers"], row["not_blank"]["answers"]) == (4, 3)
    assert row["all"]["within"] > 0.5
    assert row["all"]["spearman"] > 0.5


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["Agreement with people", "within r", "small, blank ones left out"]),
        ("zh", ["与人工评分的一致程度", "题内 r", "small（不计空白回答）"]),
    ],
)
def test_agreement_is_told_in_both_languages(
    language: Language, words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    doctor_grader.run(language, False, folder, questions=FEW, properties=SOME)
    shown = capsys.readouterr().out
    assert all(text in shown for text in words)


def test_a_folder_without_a_set_is_refused_before_anything_is_tried(folder: Path) -> None:
    missing = viva("doctor", "--grader", str(folder / "nowhere"))
    assert (missing.code, missing.out) == (2, "")
    assert "There is no folder" in missing.err
    (folder / "small.jsonl").rename(folder / "small.csv")
    without = viva("doctor", "--grader", str(folder))
    assert (without.code, without.out) == (2, "")
    assert "no file that ends in .jsonl" in without.err


def test_bad_rows_of_every_set_are_named(folder: Path) -> None:
    (folder / "other.jsonl").write_text('{"id": "x"}\n', encoding="utf-8")
    with (folder / "small.jsonl").open("a", encoding="utf-8") as more:
        more.write("\nnonsense\n")
    ran = viva("doctor", "--grader", str(folder))
    assert (ran.code, ran.out) == (2, "")
    assert "small.jsonl: line 5: not a JSON object" in ran.err
    assert "other.jsonl: file: no row of it is an answer that people graded" in ran.err


def test_a_folder_is_for_the_grader_alone(folder: Path) -> None:
    ran = viva("doctor", str(folder))
    assert ran.code == 2
    assert "viva doctor --grader" in ran.err


def card(processes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def fixed(_items: int, _few: int) -> int:
        return processes

    monkeypatch.setattr(doctor_grader, "processes_for", fixed)
    doctor_grader.run("en", as_json=True, questions=FEW, properties=PROPERTIES)


def test_processes_side_by_side_judge_as_one_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    card(1, monkeypatch)
    alone = capsys.readouterr().out
    card(2, monkeypatch)
    assert capsys.readouterr().out == alone
    assert len(alone.splitlines()) == len(PROPERTIES) + 1

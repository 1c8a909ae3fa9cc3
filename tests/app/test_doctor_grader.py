"""The card of the grader, on a few questions of the bank."""

import json

import pytest

from agent.app.commands import doctor_grader
from agent.domain.language import Language
from agent.grading.properties import PROPERTIES
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
    assert "(dp-vs-mp en, dp-vs-mp zh)" in shown


def test_programs_get_every_violation(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor_grader.run("en", as_json=True, questions=FEW, properties=SOME)
    *rows, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["property"] for row in rows] == [item.name.en for item in SOME]
    assert all(row["tried"] == 2 for row in rows)
    assert last["questions"] == 1
    assert last["rates"]["must not rise"] == 0
    assert last["rates"]["must fall"] is None

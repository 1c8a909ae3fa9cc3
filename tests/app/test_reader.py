"""Which language the user is spoken to in outside the interview."""

import pytest

from agent.app.reader import asked_for
from agent.domain.language import LANGUAGES, Language
from tests.app.test_cli import practise, viva

LINES: list[tuple[list[str], Language | None]] = [
    (["practice", "--lang", "zh"], "zh"),
    (["practice", "--lang=en", "--seed", "1"], "en"),
    (["report", "sample", "--lang", "zh", "--format", "md"], "zh"),
    (["practice", "--lang", "fr"], None),
    (["practice", "--lang"], None),
    (["practice"], None),
    ([], None),
]


@pytest.mark.parametrize(("line", "language"), LINES)
def test_the_command_line_names_it(line: list[str], language: Language | None) -> None:
    assert asked_for(line) == language


SPOKEN = {"en": "there is no session", "zh": "没有会话"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_failure_speaks_the_language_asked_for(
    language: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert SPOKEN[language] in viva("report", "nowhere", "--lang", language).err
    assert SPOKEN["en"] in viva("report", "nowhere").err


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_done_to_a_session_is_told_in_its_language(
    language: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    ended = practise(language, "--questions", "1", "--input", "text", typed="42\n")
    told = viva("regrade", ended.events[-1]["session"]).out
    assert ("报告：" in told) == (language == "zh")

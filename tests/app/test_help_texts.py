"""The help, and what Typer finds wrong in a command line, in the language of the system."""

from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from agent.app.cli import app
from agent.app.help_texts import CHINESE

HELP = "Show this message and exit."


def commands(
    command: Any = None, words: tuple[str, ...] = ()
) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """Every command of the tree, with the words that call it."""
    command = command or get_command(app)
    yield command, words
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below, (*words, name))


def texts() -> set[str]:
    found = {HELP}
    for command, _ in commands():
        found.add(command.help)
        found |= {text for item in command.params if (text := getattr(item, "help", None))}
    return found


CALLS = [words for _, words in commands()]


@pytest.fixture(params=["en", "zh"])
def language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The language of the system."""
    monkeypatch.setenv("LC_ALL", {"en": "en_GB.UTF-8", "zh": "zh_CN.UTF-8"}[request.param])
    return request.param


def flat(text: str) -> str:
    """Text without the frames and breaks of a terminal."""
    return "".join(text.translate(dict.fromkeys(map(ord, "│╭╮╰╯─"), None)).split())


def said(*words: str, columns: int = 200) -> str:
    ran = CliRunner().invoke(app, list(words), env={"COLUMNS": str(columns)})
    return flat(ran.output)


def test_every_help_text_has_chinese_and_nothing_else_has() -> None:
    assert texts() == set(CHINESE)
    assert all(any("\u4e00" <= sign <= "\u9fff" for sign in text) for text in CHINESE.values())


@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_help_speaks_the_language_of_the_system(words: tuple[str, ...], language: str) -> None:
    shown = said(*words, "--help")
    command = next(item for item, called in commands() if called == words)
    mine = [command.help, *(getattr(item, "help", None) for item in command.params), HELP]
    for text in filter(None, mine):
        other, own = (text, CHINESE[text]) if language == "zh" else (CHINESE[text], text)
        assert flat(own) in shown
        assert flat(other) not in shown
    assert ("用法：" in shown, "Usage:" in shown) == (language == "zh", language == "en")
    assert ("选项" in shown, "Options" in shown) == (language == "zh", language == "en")


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize("columns", [40, 80])
def test_nothing_of_the_help_is_cut_off(columns: int) -> None:
    shown = said("practice", "--help", columns=columns)
    assert "--json" in shown
    assert "…" not in shown


@pytest.mark.parametrize(
    ("words", "en", "zh"),
    [
        ("foo", "No such command 'foo'.", "没有命令 'foo'。"),
        ("practise", "Did you mean 'practice'?", "是不是想用 'practice'？"),
        ("demo --out", "No such option: --out", "没有选项 --out。"),
        ("demo --json=3", "Option '--json' does not take a value.", "选项 '--json' 后面不能有值。"),
        ("practice --seed", "requires an argument.", "选项 '--seed' 后面要有一个值。"),
        ("practice --seed x", "Input should be a valid integer", "'--seed' 的值不对：应为整数"),
        ("practice --questions 99", "less than or equal to 20", "应小于或等于 20"),
        ("practice --lang xx", "'xx' is not one of", "'xx' 不在可选值之内"),
        ("practice --output loud", "'loud' is not one of", "'loud' 不在可选值之内"),
        ("replay a b", "Got unexpected extra argument", "多出了参数：b"),
        ("regrade", "Missing argument 'session'.", "缺少参数 'session'。"),
        ("list", "Missing argument 'what'. Choose from:", "缺少参数 'what'。可选："),
        ("grade x", "Missing option '--out'.", "缺少选项 '--out'。"),
    ],
)
def test_a_mistake_is_told_in_the_language_of_the_system(
    words: str, en: str, zh: str, language: str
) -> None:
    shown = said(*words.split())
    assert (flat(en) in shown) == (language == "en")
    assert (flat(zh) in shown) == (language == "zh")

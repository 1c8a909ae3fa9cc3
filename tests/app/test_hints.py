"""A command that a message advises can be typed: it exists, and so do its options and values."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.exceptions import TyperException
from typer.main import get_command

import agent
from agent.app.cli import app

PACKAGE = Path(next(iter(agent.__path__)))
COMMAND = re.compile(r"(?<![\w/.-])viva((?: +[\w-]+)+)")


def docstrings(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def texts(tree: ast.AST) -> Iterator[str]:
    """The strings of a module without its docstrings; `7` stands where a value is put in."""
    passed_over = set(docstrings(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            passed_over.update(node.values)
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "7" for part in node.values
            )
        elif isinstance(node, ast.Constant) and node not in passed_over:
            yield str(node.value)


def advised() -> list[str]:
    return sorted(
        {
            found.group(1).strip()
            for path in PACKAGE.rglob("*.py")
            for text in texts(ast.parse(path.read_text(encoding="utf-8")))
            for found in COMMAND.finditer(text)
        }
    )


def parse(line: str) -> None:
    """Read `line` as the command line does, and run nothing."""
    viva = get_command(app)
    assert isinstance(viva, TyperGroup)
    context = viva.make_context("viva", line.split())
    if line not in {"7", "--debug 7"}:  # 7 is the version, or the line that was typed
        name, command, rest = viva.resolve_command(context, line.split())
        assert command is not None
        command.make_context(name, rest, parent=context)


@pytest.mark.parametrize("line", advised())
def test_a_command_that_is_advised_exists(line: str) -> None:
    parse(line)


@pytest.mark.parametrize(
    "line", ["practise", "practice --resume", "practice --lang fr", "list voices", "report"]
)
def test_a_command_that_does_not_exist_is_found_out(line: str) -> None:
    with pytest.raises(TyperException):
        parse(line)


def test_hints_are_found() -> None:
    found = advised()
    assert "practice --continue --session 7" in found
    assert "report 7" in found
    assert "list questions" in found

"""Whatever goes wrong is told in English and in Chinese."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.domain import errors
from agent.domain.errors import InvalidFiles, Problem, VivaError
from agent.domain.language import both

AGENT = Path(errors.__file__).parent.parent
TOLD_FIRST = {
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type)
    and issubclass(kind, VivaError)
    and (kind is VivaError or "__init__" not in vars(kind))  # the others word themselves
}
AFTER_ITS_PATH = {"AudioUnreadable": 1, "Problem": 2}
"""Which argument says what is wrong, where it is not the first."""
EXCEPT = {
    "testing.py",  # what tests alone see
    "holding.py",
    "wiring.py",
}


def messages(tree: ast.AST) -> Iterator[ast.expr]:
    """Every message that a failure is made with."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            place = AFTER_ITS_PATH.get(call.func.id, 0)
            known = call.func.id in TOLD_FIRST | AFTER_ITS_PATH.keys()
            if known and len(call.args) > place:
                yield call.args[place]


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(AGENT.rglob("*.py")) if path.name not in EXCEPT],
    ids=lambda path: str(path.relative_to(AGENT)),
)
def test_no_failure_is_told_in_one_language_alone(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    alone = [
        f"{path.name}:{message.lineno}: {ast.unparse(message)}"
        for message in messages(tree)
        if isinstance(message, ast.JoinedStr)
        or (isinstance(message, ast.Constant) and isinstance(message.value, str))
    ]
    assert alone == []


@pytest.mark.parametrize(
    ("place", "en", "zh"),
    [
        ("file", "a.yaml: file: is empty", "a.yaml：文件：是空的"),
        ("line 3", "a.yaml: line 3: is empty", "a.yaml：第 3 行：是空的"),
        (
            "levels[0] (line 7)",
            "a.yaml: levels[0] (line 7): is empty",
            "a.yaml：levels[0]（第 7 行）：是空的",
        ),
    ],
)
def test_a_broken_file_is_told_with_its_place(place: str, en: str, zh: str) -> None:
    error = InvalidFiles([Problem(Path("a.yaml"), place, both("is empty", "是空的"))])
    assert (error.text("en"), error.text("zh")) == (en, zh)

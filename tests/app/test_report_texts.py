"""The report's tables of words hold what the report uses, and nothing else."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from jinja2 import Environment, nodes

from agent.app import report_texts
from agent.app.report_texts import label, words
from agent.domain.assessment import (
    AppealReason,
    Band,
    NoBandReason,
    NoScoreReason,
    PointStatus,
)
from agent.domain.chat import ChatFault, ChatPurpose
from agent.domain.dialogue import ProbeReason, UtteranceKind
from agent.domain.interview import AnswerStatus, SessionStatus
from agent.domain.question import Category, Level, Rung
from agent.domain.rubric import Dimension
from agent.policy.flags import Flag
from agent.policy.spoken_words import Objection

APP = Path(report_texts.__file__).parent
BY_STATUS = set(get_args(SessionStatus)) - {"finished"}
"""The banner of a session that is not finished is found by its status."""


def keys_of_template(path: Path) -> Iterator[str]:
    tree = Environment(autoescape=True).parse(path.read_text(encoding="utf-8"))
    for node in tree.find_all(nodes.Getattr):
        if isinstance(node.node, nodes.Name) and node.node.name == "t":
            yield node.attr


def keys_of_module(path: Path) -> Iterator[str]:
    """The keys of the tables called `t` or `words`; a key with a variable part as a pattern."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Subscript):
            continue
        table = node.value
        name = table.attr if isinstance(table, ast.Attribute) else getattr(table, "id", "")
        if name not in {"t", "words"}:
            continue
        if isinstance(node.slice, ast.Constant):
            yield str(node.slice.value)
        elif isinstance(node.slice, ast.JoinedStr):
            parts = node.slice.values
            yield "".join(str(p.value) if isinstance(p, ast.Constant) else r"\w+" for p in parts)


def test_every_word_is_used_and_every_word_used_exists() -> None:
    used = set(BY_STATUS)
    for template in APP.glob("*.j2"):
        used.update(keys_of_template(template))
    for module in APP.glob("report*.py"):
        used.update(keys_of_module(module))
    known = set(words("en"))
    assert {key for key in known if not any(re.fullmatch(use, key) for use in used)} == set()
    assert {use for use in used if not any(re.fullmatch(use, key) for key in known)} == set()


@pytest.mark.parametrize(
    ("group", "codes"),
    [
        ("dimension", Dimension),
        ("category", Category),
        ("level", Level),
        ("session", SessionStatus),
        ("status", AnswerStatus),
        ("point", PointStatus),
        ("kind", UtteranceKind),
        ("rung", Rung),
        ("reason", ProbeReason),
        ("flag", Flag),
        ("why", NoScoreReason),
        ("why", NoBandReason),
        ("band", Band),
        ("appeal", AppealReason),
        ("purpose", ChatPurpose),
        ("stood_in", ChatFault),
        ("stood_in", Objection),
    ],
)
def test_every_code_has_a_name_in_both_languages(group: str, codes: Any) -> None:
    for code in get_args(codes):
        english, chinese = label(group, code, "en"), label(group, code, "zh")
        assert "_" not in english
        assert re.search(r"[\u4e00-\u9fff]", chinese)

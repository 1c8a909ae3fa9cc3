"""Rows of a user's own questions, as a spreadsheet or a JSON file has them, made into texts.

What a row says comes from anywhere, so everything is limited in length and freed of control
characters, and all that is wrong with it is told at once.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from agent.domain.language import Language, LocalizedText, both
from agent.domain.question import Category, Level
from agent.policy.folding import fold, printable

LIMITS = {
    "question": 2_000,
    "reference": 10_000,
    "source": 500,
    "category": 60,
    "id": 80,
    "topic": 40,
    "level": 120,
    "lang": 20,
    "minutes": 20,
}
"""Columns of a row, with the most characters that each may have."""
REQUIRED = ("question", "reference")
MINUTES = 3.0

_COLUMNS = {
    "question": ("prompt text", "问题", "题目"),
    "reference": ("reference answer", "model answer", "answer", "参考答案", "答案", "标准答案"),
    "source": ("sources", "来源", "出处"),
    "category": ("类别", "分类", "题型"),
    "id": ("编号",),
    "topic": ("主题", "话题"),
    "level": ("levels", "级别", "难度"),
    "lang": ("language", "语言"),
    "minutes": ("分钟", "时长"),
}
CATEGORIES: dict[str, Category] = {
    "项目": "project",
    "项目经历": "project",
    "工程": "engineering",
    "工程实践": "engineering",
    "原理": "principle",
    "设计": "design",
    "系统设计": "design",
    "评估": "evaluation",
    "评测": "evaluation",
    "趋势": "trends",
    "前沿": "trends",
    "编程": "coding",
    "代码": "coding",
    "行为": "behavioural",
    "行为面试": "behavioural",
    "behavioral": "behavioural",
    "trend": "trends",
    "system design": "design",
}
LEVELS: dict[str, Level] = {
    "应届": "new-graduate",
    "应届生": "new-graduate",
    "1-3年": "1-3-years",
    "1-3 years": "1-3-years",
    "资深": "senior",
    "高级": "senior",
    "new graduate": "new-graduate",
}
LANGUAGE_NAMES: dict[str, Language] = {
    "english": "en",
    "英文": "en",
    "英语": "en",
    "chinese": "zh",
    "中文": "zh",
    "汉语": "zh",
    "zh-cn": "zh",
}
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class Unusable(ValueError):
    """A row that is not a question; carries everything that is wrong with it."""

    def __init__(self, faults: Iterable[LocalizedText]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(fault.en for fault in self.faults))


def column(name: str) -> str | None:
    """Return the column that a heading names, in either language, or None."""
    plain = " ".join(fold(name).replace("_", " ").replace("-", " ").split())
    for key, others in _COLUMNS.items():
        if plain == key or plain in others:
            return key
    return None


@dataclass
class Row:
    """A row as it is read.

    Attributes:
        texts: By column.
        faults: What is wrong so far.
    """

    texts: dict[str, str]
    faults: list[LocalizedText]

    def choice(self, name: str, known: Mapping[str, Any], ids: tuple[str, ...]) -> list[Any]:
        """Return the values of a column that takes some of `ids`; the others are faults."""
        found: list[Any] = []
        for part in re.split(r"[,;，；、/|]", self.texts.get(name, "")):
            plain = fold(part).strip()
            value = plain if plain in ids else known.get(plain)
            if value is not None:
                found.append(value)
            elif plain:
                choices = ", ".join(ids)
                self.faults.append(
                    both(
                        f"{name}: {part.strip()!r} is none of {choices}",
                        f"{name}：“{part.strip()}”不在可选值之内：{choices}",
                    )
                )
        return list(dict.fromkeys(found))

    def slug(self, name: str, otherwise: str) -> str:
        """Return a column that is an id."""
        text = self.texts.get(name, "").lower()
        if text and not _SLUG.fullmatch(text):
            self.faults.append(
                both(
                    f"{name}: {text!r} may have a-z, 0-9 and single hyphens only",
                    f"{name}：“{text}”只能用小写字母、数字和单个连字符",
                )
            )
        return text or otherwise

    def minutes(self) -> float:
        """Return how long an answer may take."""
        text = self.texts.get("minutes", "")
        try:
            value = float(text) if text else MINUTES
        except ValueError:
            value = 0.0
        if not 0 < value <= 30:  # also what is not a number
            self.faults.append(
                both(
                    f"minutes: {text!r} is not a number up to 30",
                    f"minutes：“{text}”不是 30 以内的数字",
                )
            )
        return value


def read_row(fields: Mapping[str, object]) -> Row:
    """Return the texts of a row, with columns by their own names and faults where it has any."""
    row = Row({}, [])
    for heading, value in fields.items():
        name = column(heading)
        text = _as_text(value)
        shown = printable(heading)[:40]
        if name is None:
            row.faults.append(both(f"{shown}: unknown column", f"{shown}：没有这一列"))
        elif name in row.texts:
            row.faults.append(both(f"{shown}: given twice", f"{shown}：出现了两次"))
        elif text is None:
            row.faults.append(both(f"{shown}: is not a text", f"{shown}：不是文本"))
        elif len(text) > LIMITS[name]:
            row.faults.append(too_long(name, LIMITS[name]))
            row.texts[name] = text[: LIMITS[name]]
        else:
            row.texts[name] = text
    row.faults += [
        both(f"{name}: is missing", f"{name}：没有填写")
        for name in REQUIRED
        if not any(character.isalnum() for character in row.texts.get(name, ""))
    ]
    return row


def too_long(name: str, most: int) -> LocalizedText:
    """Return the fault of a text with more than `most` characters."""
    lead_en, lead_zh = (f"{name}: ", f"{name}：") if name else ("", "")
    return both(f"{lead_en}is longer than {most} characters", f"{lead_zh}超过了 {most} 个字符")


def _as_text(value: object) -> str | None:
    if value is None:
        return ""
    if isinstance(value, list):
        parts = [_as_text(item) for item in cast("list[object]", value)]
        return None if None in parts else ", ".join(part for part in parts if part)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return printable(str(value)).strip()

"""Rows of batch grading, as they are read and as they are written."""

import json
from typing import Any, Self, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agent.domain.assessment import Assessment, CriterionResult
from agent.domain.language import Language, NonBlank
from agent.domain.question import Category
from agent.policy.folding import printable

LONGEST_ANSWER = 50_000
LONGEST_QUESTION = 2_000
LONGEST_REFERENCE = 10_000
"""Characters: about an hour of talk. A longer answer is refused, not cut."""


LONGEST_LINE = 16_000_000
"""Bytes of a line that are read at all."""


class BadRow(ValueError):
    """A line that cannot be graded; `id` where one could be read."""

    def __init__(self, text: str, row_id: str | None = None) -> None:
        super().__init__(text)
        self.id = row_id


class GradingRow(BaseModel):
    """One line in. Fields that are not named here are left alone."""

    model_config = ConfigDict(extra="ignore", frozen=True, coerce_numbers_to_str=True)

    id: NonBlank
    lang: Language
    question: str | None = Field(default=None, max_length=LONGEST_QUESTION)
    question_id: str | None = None
    reference: str | None = Field(default=None, max_length=LONGEST_REFERENCE)
    category: Category | None = None
    answer: str | None = Field(default=None, max_length=LONGEST_ANSWER)
    audio: str | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if not (self.question or "").strip() and not (self.question_id or "").strip():
            raise ValueError("needs question or question_id")
        if (self.answer is None) == (self.audio is None):
            raise ValueError("needs answer or audio, one of them")
        if self.answer is not None and not self.answer.strip():
            raise ValueError("empty answer")
        if self.audio is not None and not self.audio.strip():
            raise ValueError("audio names no file")
        return self


class RowResult(BaseModel):
    """One line out; `error` says why a row was not graded.

    Attributes:
        digest: Stands for everything that the result depends on; None: another run may better it.
    """

    model_config = ConfigDict(frozen=True)

    id: str | None
    score: float | None = None
    reason: str | None = None
    category: Category | None = None
    question_id: str | None = None
    assessment: Assessment | None = None
    flags: tuple[str, ...] = ()
    transcript: str | None = None
    raw_transcript: str | None = None
    grader: str = ""
    rubric_version: str = ""
    error: str | None = None
    digest: str | None = None

    def to_json(self) -> str:
        """Return the line: all fields of the interface, optional ones only where they are set."""
        assessment = self.assessment
        line: dict[str, Any] = {
            "id": self.id,
            "score": self.score,
            "criteria": [_criterion(item) for item in assessment.criteria] if assessment else [],
            "flags": list(self.flags),
        }
        if assessment:
            line["key_points"] = [
                {"id": item.id, "status": item.status, "coverage": item.coverage}
                for item in assessment.key_points
            ]
            line["misconceptions"] = [
                item.model_dump(exclude_none=True) for item in assessment.misconceptions
            ]
        optional = ("reason", "category", "question_id", "transcript", "raw_transcript", "digest")
        line |= {name: getattr(self, name) for name in optional if getattr(self, name) is not None}
        line |= {
            "grader": self.grader,
            "rubric_version": self.rubric_version,
            "error": self.error,
        }
        return json.dumps(line, ensure_ascii=False)


def parse(line: str | bytes) -> GradingRow:
    """Read one line.

    Raises:
        BadRow: It is not UTF-8, not a JSON object, or not a complete row; the text says which.
    """
    if len(line) >= LONGEST_LINE:
        raise BadRow(f"longer than {LONGEST_LINE} bytes")
    try:
        text = line.decode("utf-8-sig") if isinstance(line, bytes) else line.removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise BadRow(f"not UTF-8: {error.reason} at byte {error.start}") from error
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits is a ValueError
        raise BadRow(f"invalid JSON: {error}") from error
    if not isinstance(data, dict):
        raise BadRow("not a JSON object")
    fields: dict[str, object] = {
        str(name): printable(value) if isinstance(value, str) else value
        for name, value in cast("dict[object, object]", data).items()
    }
    try:
        return GradingRow.model_validate(fields)
    except ValidationError as error:
        named = fields.get("id")
        given = str(named) if isinstance(named, str | int) else None
        raise BadRow(_problems(error), given) from error


def _problems(error: ValidationError) -> str:
    parts: list[str] = []
    for item in error.errors(include_url=False, include_input=False):
        place = ".".join(str(part) for part in item["loc"])
        text = item["msg"].removeprefix("Value error, ")
        parts.append(f"{place}: {text}" if place else text)
    return "; ".join(parts)


def _criterion(item: CriterionResult) -> dict[str, Any]:
    return {
        "id": item.id,
        "level": item.level,
        "reason": item.reason,
        "evidence": [
            quote.model_dump(exclude_none=True, exclude={"turn"}) for quote in item.evidence
        ],
    }

"""Sets of answers that people have graded: read, and put beside what the grader says."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agent.domain.errors import InvalidFiles, Problem
from agent.domain.language import Language, LocalizedText, NonBlank
from agent.grading.batch_lines import long_lines
from agent.grading.rows import LONGEST_LINE
from agent.policy.agreement import Graded
from agent.policy.folding import weight
from agent.policy.reference_words import stems

NAMED = 20
"""Most bad rows of a file that are named."""
FIELDS = "id, qid, lang, question, reference, answer, score, score_max"
NOT_A_SET = LocalizedText(
    en=f"no row of it is an answer that people graded; a row needs {FIELDS}",
    zh=f"没有一行是人工评过分的回答；每行需要 {FIELDS}",
)
MORE = LocalizedText(en="and {count} more rows", zh="另有 {count} 行")
NOT_UTF8 = LocalizedText(en="not UTF-8", zh="不是 UTF-8 编码")
NOT_OBJECT = LocalizedText(en="not a JSON object", zh="不是 JSON 对象")
TOO_LONG = LocalizedText(en=f"longer than {LONGEST_LINE} bytes", zh=f"超过 {LONGEST_LINE} 字节")


class GradedRow(BaseModel):
    """One line: an answer and the score that people gave it. Other fields are left alone."""

    model_config = ConfigDict(
        extra="ignore", frozen=True, coerce_numbers_to_str=True, allow_inf_nan=False
    )

    id: NonBlank
    qid: NonBlank
    lang: Language
    question: NonBlank
    reference: NonBlank
    answer: str
    score: float = Field(ge=0)
    score_max: float = Field(gt=0)

    @model_validator(mode="after")
    def _within_scale(self) -> "GradedRow":
        if self.score > self.score_max:
            raise ValueError("score is above score_max")
        return self

    def as_line(self) -> str:
        """Return the row of `viva grade` that asks for a score."""
        return self.model_dump_json(include={"id", "lang", "question", "reference", "answer"})


def read_set(path: Path) -> list[GradedRow]:
    """Return the rows of a file.

    Raises:
        InvalidFiles: Rows are not graded answers, each named by its line.
        OSError: It cannot be read.
    """
    rows: list[GradedRow] = []
    problems: list[Problem] = []
    with path.open("rb") as source:
        for number, line in enumerate(long_lines(source), 1):
            if not line.strip():
                continue
            row = _row(line)
            if isinstance(row, GradedRow):
                rows.append(row)
            else:
                problems.append(Problem(path, f"line {number}", row))
    if not rows:
        raise InvalidFiles([Problem(path, "file", NOT_A_SET), *_few(problems, path)])
    if problems:
        raise InvalidFiles(_few(problems, path))
    return rows


def beside(rows: Sequence[GradedRow], results: Iterable[str]) -> Iterator[Graded | None]:
    """Yield each row with the grader's score; None where it gave none to an answer with words.

    Args:
        rows: What people graded.
        results: The line that `viva grade` writes for each, in order.
    """
    for row, result in zip(rows, results, strict=True):
        score: float | None = json.loads(result)["score"]
        words = weight(row.answer)
        if score is None and words > 0:
            yield None
            continue
        yield Graded(
            question=f"{row.qid} {row.question}",
            people=row.score / row.score_max,
            grader=(score or 0.0) / 100,
            words=words,
            shared=_shared(row.answer, row.reference),
        )


def _row(line: bytes) -> GradedRow | LocalizedText:
    if len(line) >= LONGEST_LINE:
        return TOO_LONG
    try:
        data: Any = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return NOT_UTF8
    except (ValueError, RecursionError):
        return NOT_OBJECT
    if not isinstance(data, dict):
        return NOT_OBJECT
    try:
        return GradedRow.model_validate(data)
    except ValidationError as error:
        return _told(error)


def _told(error: ValidationError) -> LocalizedText:
    missing = [item["loc"][0] for item in error.errors() if item["type"] == "missing"]
    wrong = [item["loc"][0] for item in error.errors() if item["loc"] and item["type"] != "missing"]
    if missing:
        names = ", ".join(map(str, missing))
        return LocalizedText(en=f"it lacks {names}", zh=f"缺少 {names}")
    names = ", ".join(map(str, wrong))
    if names:
        return LocalizedText(en=f"it has a wrong {names}", zh=f"{names} 的值不对")
    return LocalizedText(en="its score is above score_max", zh="score 高于 score_max")


def _few(problems: Sequence[Problem], path: Path) -> list[Problem]:
    named = list(problems[:NAMED])
    if len(problems) > NAMED:
        count = len(problems) - NAMED
        more = LocalizedText(en=MORE.en.format(count=count), zh=MORE.zh.format(count=count))
        named.append(Problem(path, "file", more))
    return named


def _shared(answer: str, reference: str) -> float:
    wanted = stems(reference).keys()
    return len(wanted & stems(answer).keys()) / max(1, len(wanted))

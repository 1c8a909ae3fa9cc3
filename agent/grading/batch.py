"""Batch grading: rows in, rows out, in the same order; a bad row never stops the run."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from agent.domain.assessment import Assessment, BranchAnswer, GradingTask
from agent.domain.errors import VivaError
from agent.domain.interview import Answer
from agent.domain.language import Language
from agent.domain.question import Category, LocalizedQuestion, Question
from agent.domain.rubric import Frame
from agent.grading.rows import BadRow, GradingRow, RowResult, parse
from agent.policy.categories import guess_category
from agent.policy.folding import tokens
from agent.policy.nearness import VectorNearness
from agent.policy.question_match import match_question
from agent.policy.references import points_from_reference
from agent.ports import SentenceEncoder

CHUNK = 64
"""Rows that are held, encoded and judged together."""
UNLISTED = "unlisted"
"""Id of a question that the bank does not know."""

Hear = Callable[[Path, Language, Sequence[str]], Awaitable[Answer]]
"""Listens to a file, told the language and which terms to expect."""
GradeMany = Callable[[Sequence[GradingTask]], Awaitable[list[Assessment]]]


@dataclass(frozen=True)
class _Work:
    """A row on its way: what to judge, or why it will not be judged."""

    result: RowResult
    task: GradingTask | None = None


@dataclass(frozen=True)
class BatchGrading:
    """What a run needs.

    Attributes:
        grade_many: Judges several tasks, in order.
        bank: The questions; `frames`: one for each category.
        encoder: Recognises reworded questions; None: only the same spelling is recognised.
        hear: For audio rows; None: they get an error row.
        folder: What relative audio paths start from.
    """

    grade_many: GradeMany
    bank: Sequence[Question]
    frames: Sequence[Frame]
    encoder: SentenceEncoder | None = None
    hear: Hear | None = None
    folder: Path = field(default_factory=Path)

    async def run(self, lines: Iterable[str | bytes]) -> AsyncIterator[RowResult]:
        """Yield one result a line, in order; blank lines are passed over.

        Args:
            lines: JSON objects; bytes are taken for UTF-8.
        """
        numbered = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
        seen: set[str] = set()
        while chunk := list(islice(numbered, CHUNK)):
            works = [await self._prepare(number, line, seen) for number, line in chunk]
            for result in await self._judge(works):
                yield result

    async def _judge(self, works: Sequence[_Work]) -> list[RowResult]:
        tasks = [work.task for work in works if work.task]
        try:
            judged = iter(await self.grade_many(tasks) if tasks else [])
        except VivaError as error:
            return [
                work.result.model_copy(update={"error": work.result.error or error.message})
                for work in works
            ]
        return [_finished(work, next(judged)) if work.task else work.result for work in works]

    async def _prepare(self, number: int, line: str | bytes, seen: set[str]) -> _Work:
        try:
            row = parse(line)
            flags = ("duplicate_id",) if row.id in seen else ()
            seen.add(row.id)
            question, category = await asyncio.to_thread(self._question, row)
            answer = await self._answer(row, question)
        except BadRow as error:
            return _Work(RowResult(id=error.id, error=f"line {number}: {error}"))
        frame = next((item for item in self.frames if category in item.categories), None)
        result = RowResult(
            id=row.id,
            category=category,
            question_id=None if question.id == UNLISTED else question.id,
            flags=flags,
            transcript=answer.text if row.audio else None,
            raw_transcript=answer.raw_text if row.audio else None,
        )
        if frame is None:
            text = f"line {number}: no frame judges the category {category}"
            return _Work(result.model_copy(update={"error": text}))
        return _Work(result, GradingTask(question, frame, (BranchAnswer(answer),)))

    def _question(self, row: GradingRow) -> tuple[LocalizedQuestion, Category]:
        listed = self._listed(row)
        if listed:
            return listed, row.category or listed.category
        text = row.question or ""
        category = row.category or guess_category(text)
        points = points_from_reference(row.reference) if row.reference else ()
        terms = tuple(dict.fromkeys(word for word in tokens(text) if len(word) > 2))
        return LocalizedQuestion(
            id=UNLISTED,
            category=category,
            language=row.lang,
            prompt=text,
            key_points=points,
            outline=row.reference or "",
            speech_terms=terms if row.audio else (),
        ), category

    def _listed(self, row: GradingRow) -> LocalizedQuestion | None:
        if row.question_id:
            found = next((item for item in self.bank if item.id == row.question_id), None)
            if found is None and not (row.question or "").strip():
                raise BadRow(f"unknown question_id {row.question_id!r}", row.id)
            if found and row.lang not in found.languages:
                raise BadRow(f"question {found.id!r} is not written in {row.lang}", row.id)
            if found:
                return found.localized(row.lang)
        bank = [item.localized(row.lang) for item in self.bank if row.lang in item.languages]
        text = row.question or ""
        if self.encoder is None or not bank:
            return match_question(text, bank, None)
        texts = list(dict.fromkeys([text, *(item.prompt for item in bank)]))
        near = VectorNearness(dict(zip(texts, self.encoder.encode(texts), strict=True)))
        return match_question(text, bank, near)

    async def _answer(self, row: GradingRow, question: LocalizedQuestion) -> Answer:
        if row.audio is None:
            text = row.answer or ""
            return Answer(text=text, raw_text=text, status="typed")
        if self.hear is None:
            raise BadRow("audio cannot be heard here", row.id)
        path = self.folder / row.audio
        if not path.is_file():
            raise BadRow(f"no such file: {row.audio}", row.id)
        try:
            answer = await self.hear(path, row.lang, question.speech_terms)
        except VivaError as error:
            raise BadRow(error.message, row.id) from error
        if answer.status == "unreadable":
            raise BadRow(answer.note or f"{row.audio} cannot be decoded", row.id)
        return answer


def _finished(work: _Work, assessment: Assessment) -> RowResult:
    return work.result.model_copy(
        update={
            "score": assessment.score,
            "reason": assessment.reason,
            "assessment": assessment,
            "flags": (*work.result.flags, *assessment.flags),
            "grader": assessment.grader,
            "rubric_version": assessment.rubric_version,
            "error": assessment.failure,
        }
    )

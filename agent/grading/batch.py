"""Batch grading: rows in, rows out, in the same order; a bad row never stops the run."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from agent.domain.assessment import Assessment, BranchAnswer, GradingTask
from agent.domain.errors import AudioUnreadable, VivaError
from agent.domain.interview import Answer
from agent.domain.language import Language
from agent.domain.question import LocalizedQuestion, Question
from agent.domain.rubric import Frame
from agent.grading.batch_lines import BatchLine, chunks, read_lines
from agent.grading.batch_questions import RowQuestions
from agent.grading.rows import BadRow, GradingRow, RowResult
from agent.policy.references import UNLISTED
from agent.ports import SentenceEncoder

Hear = Callable[[Path, Language, Sequence[str]], Awaitable[Answer]]
"""Listens to a file, told the language and which terms to expect."""
GradeMany = Callable[[Sequence[GradingTask]], Awaitable[list[Assessment]]]


class _NotNow(BadRow):
    """A row that may well be graded another time."""


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
        for chunk in chunks(read_lines(lines)):
            for result in await self.judge(chunk):
                yield result

    async def judge(self, chunk: Sequence[BatchLine]) -> list[RowResult]:
        """Return the results of `chunk`, in order; its texts are encoded together.

        A result that another run may better, because a model was missing, has no digest.
        """
        works = [await self._prepare(line) for line in chunk]
        tasks = [work.task for work in works if work.task]
        try:
            judged = iter(await self.grade_many(tasks) if tasks else [])
        except VivaError as error:
            return [_refused(work, error.message) if work.task else work.result for work in works]
        return [_finished(work, next(judged)) if work.task else work.result for work in works]

    @cached_property
    def _questions(self) -> RowQuestions:
        return RowQuestions(self.bank, self.encoder)

    async def _prepare(self, line: BatchLine) -> _Work:
        if line.row is None:
            return _Work(_error(line, line.problem))
        row = line.row
        try:
            question, category = await asyncio.to_thread(self._questions.find, row)
            answer = await self._answer(row, question)
        except BadRow as error:
            result = _error(line, str(error))
            return _Work(_passing(result) if isinstance(error, _NotNow) else result)
        frame = next((item for item in self.frames if category in item.categories), None)
        if frame is None:
            return _Work(_error(line, f"no frame judges the category {category}"))
        result = RowResult(
            id=row.id,
            category=category,
            question_id=None if question.id == UNLISTED else question.id,
            flags=_flags(line),
            transcript=answer.text if row.audio else None,
            raw_transcript=answer.raw_text if row.audio else None,
            digest=line.digest,
        )
        return _Work(result, GradingTask(question, frame, (BranchAnswer(answer),)))

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
        except AudioUnreadable as error:
            raise BadRow(error.message, row.id) from error
        except VivaError as error:
            raise _NotNow(error.message, row.id) from error
        if answer.status == "unreadable":
            raise BadRow(answer.note or f"{row.audio} cannot be decoded", row.id)
        return answer


def _flags(line: BatchLine) -> tuple[str, ...]:
    return ("duplicate_id",) if line.repeats else ()


def _error(line: BatchLine, problem: str) -> RowResult:
    text = f"line {line.number}: {problem}"
    return RowResult(id=line.id, flags=_flags(line), error=text, digest=line.digest)


def _passing(result: RowResult) -> RowResult:
    return result.model_copy(update={"digest": None})


def _refused(work: _Work, reason: str) -> RowResult:
    return _passing(work.result.model_copy(update={"error": reason}))


def _finished(work: _Work, assessment: Assessment) -> RowResult:
    result = work.result.model_copy(
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
    return _passing(result) if assessment.failure else result

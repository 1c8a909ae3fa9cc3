"""The grader that needs nothing but itself: deterministic, offline, both languages."""

import asyncio
from collections.abc import Sequence

from agent.domain.assessment import Assessment, GradingTask
from agent.domain.question import LocalizedQuestion
from agent.policy.nearness import Nearness, VectorNearness, WordNearness
from agent.policy.reading import Reading, reference_texts
from agent.policy.reference_judgement import judge_task, read_task, unjudgeable
from agent.policy.reference_reading import texts_to_encode
from agent.policy.references import rests_on_reference
from agent.ports import SentenceEncoder

VERSION = 2


class BuiltinGrader:
    """Grades by reading: clauses, key points, misconceptions, a ladder of signs a criterion.

    Args:
        encoder: Gives nearness of meaning; without one, shared words stand in for it.
    """

    def __init__(self, encoder: SentenceEncoder | None) -> None:
        self._encoder = encoder
        self.name = f"builtin {VERSION} ({'encoder' if encoder else 'lexical'})"

    async def expect(self, questions: Sequence[LocalizedQuestion]) -> None:
        """Get ready for answers to `questions`: what they are compared with is encoded now."""
        texts = [text for question in questions for text in reference_texts(question)]
        if self._encoder is not None and texts:
            await asyncio.to_thread(self._encoder.encode, texts)

    async def grade(self, task: GradingTask) -> Assessment:
        """Judge all answers of `task` together, off the event loop."""
        return await asyncio.to_thread(self.assess, task)

    async def grade_many(self, tasks: Sequence[GradingTask]) -> list[Assessment]:
        """Judge `tasks` in order, off the event loop."""
        return await asyncio.to_thread(self.assess_many, tasks)

    def assess(self, task: GradingTask) -> Assessment:
        """Judge one task."""
        return self.assess_many([task])[0]

    def assess_many(self, tasks: Sequence[GradingTask]) -> list[Assessment]:
        """Judge `tasks` in order; their texts are encoded in one call."""
        silent = [unjudgeable(task, self.name) for task in tasks]
        readings = [
            None if missing else read_task(task)
            for task, missing in zip(tasks, silent, strict=True)
        ]
        near = self._nearness([reading for reading in readings if reading])
        return [
            missing or judge_task(task, reading or read_task(task), near, self.name)
            for task, missing, reading in zip(tasks, silent, readings, strict=True)
        ]

    def _nearness(self, readings: Sequence[Reading]) -> Nearness:
        if self._encoder is None:
            return WordNearness()
        texts = list(
            dict.fromkeys(
                text
                for reading in readings
                for text in (
                    reading.whole,
                    *(passage.text for passage in reading.passages),
                    *reference_texts(reading.question),
                    *(texts_to_encode(reading) if rests_on_reference(reading.question) else ()),
                )
            )
        )
        rows = self._encoder.encode(texts) if texts else ()
        return VectorNearness(dict(zip(texts, rows, strict=True)))

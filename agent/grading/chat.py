"""A grader that asks a language model, several times, and believes nothing without a quote."""

import asyncio
from collections.abc import Awaitable, Sequence

from agent.domain.assessment import Assessment, GradingTask
from agent.domain.errors import ChatFailed
from agent.domain.proposals import ProposedJudgement
from agent.grading.rubric_prompt import judging
from agent.policy.judgement import unjudged
from agent.policy.model_judgement import credible, majority, settle
from agent.policy.reading import Reading, read
from agent.ports import ChatModel, Grader

VERSION = 1
SAMPLES = 3
UNBELIEVED = "its judgements do not stand on what was said"


class ChatGrader:
    """Grades by the median of several readings by a language model.

    What needs no reading is not sent: an answer that was not understood, or in which nothing
    counts, is judged by the builtin grader alone.

    Args:
        model: Reads the answers.
        builtin: Judges first; it says what the question asks for, and what is no answer.
        model_name: For the record.
        samples: How often the model is asked; an odd number.
    """

    def __init__(
        self, model: ChatModel, builtin: Grader, model_name: str, samples: int = SAMPLES
    ) -> None:
        self._model = model
        self._builtin = builtin
        self._samples = samples
        self.name = f"llm {VERSION} ({model_name}, median of {samples})"

    async def grade(self, task: GradingTask) -> Assessment:
        """Judge all answers of `task` together; a model that cannot has judged nothing."""
        base = await self._builtin.grade(task)
        reading = read(task)
        if base.score is None or not reading.counted or {"gave_up", "off_topic"} & {*base.flags}:
            return base
        readings, failures = await self._readings(task, reading)
        if len(readings) < majority(self._samples):
            failure = failures[0] if failures else UNBELIEVED
            return unjudged(task, self.name, "the grader failed", failure)
        return settle(readings, self._samples, task.frame, reading, base, self.name)

    async def _readings(
        self, task: GradingTask, reading: Reading
    ) -> tuple[Sequence[ProposedJudgement], Sequence[str]]:
        """Return the credible readings, and why others failed."""
        asked = (
            self._model.structured(judging(task.frame, reading, turn), ProposedJudgement)
            for turn in range(self._samples)
        )
        found = await asyncio.gather(*(_caught(one) for one in asked))
        failures = [
            item.text(reading.question.language) for item in found if isinstance(item, ChatFailed)
        ]
        readings = [
            item
            for item in found
            if isinstance(item, ProposedJudgement) and credible(item, task.frame, reading)
        ]
        return readings, failures


async def _caught(asked: Awaitable[ProposedJudgement]) -> ProposedJudgement | ChatFailed:
    try:
        return await asked
    except ChatFailed as fault:
        return fault

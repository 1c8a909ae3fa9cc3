"""The builtin judgement, with what a language model saw in the answers added to it."""

import asyncio
from dataclasses import dataclass

from agent.domain.assessment import Assessment, GradingTask
from agent.domain.errors import ChatFailed
from agent.domain.proposals import ProposedView
from agent.grading.view_prompt import viewing
from agent.policy.folding import weight
from agent.policy.model_view import with_view
from agent.policy.reading import Reading, read
from agent.ports import ChatModel, Grader

WAIT_S = 1.5
"""Seconds that a typed answer's turn waits for the model's view. A spoken one waits for none: it is
looked at while it is spoken."""
LOOK_S = 6.0
"""Seconds that are waited while the candidate still speaks."""
UNSEEN = 30.0
"""Words that may have been said since the last view; then another is not asked for."""
IN_VAIN = 2
"""Replies in a row without the form asked for, after which the model is too small for this."""


@dataclass(frozen=True)
class _Seen:
    """A view, and how many words there were to see."""

    view: ProposedView
    words: float


class SeeingGrader:
    """Grades as another does and adds a model's view; without one the judgement stands alone.

    A view that comes late, of what had been said by then, serves the next turn of its question.

    Args:
        builtin: Judges.
        model: Looks.
        wait_s: Limit of the wait for a view of a typed answer.
    """

    def __init__(self, builtin: Grader, model: ChatModel, *, wait_s: float = WAIT_S) -> None:
        self._builtin = builtin
        self._model = model
        self._wait_s = wait_s
        self._seen: dict[str, _Seen] = {}
        self._looking: dict[str, asyncio.Task[None]] = {}
        self._in_vain = 0

    async def grade(self, task: GradingTask) -> Assessment:
        """Judge all answers of `task` together."""
        base = await self._builtin.grade(task)
        reading = read(task)
        if base.score is None or not reading.counted:
            return base
        seen = self._seen.get(task.question.id)
        typed = reading.given[-1].answer.status == "typed"
        if typed and (seen is None or _size(reading) - seen.words > UNSEEN):
            await self._look(reading, self._wait_s)
            seen = self._seen.get(task.question.id)
        return with_view(base, seen.view, reading, task.frame) if seen else base

    async def look(self, task: GradingTask) -> None:
        """Look at what was said so far, ahead of the judgement."""
        reading = read(task)
        if reading.counted:
            await self._look(reading, LOOK_S)

    async def close(self) -> None:
        """Stop looking."""
        for looking in self._looking.values():
            looking.cancel()
        await asyncio.gather(*self._looking.values(), return_exceptions=True)

    async def _look(self, reading: Reading, wait_s: float) -> None:
        """Wait for a view of `reading`, or for the one that is under way."""
        if self._in_vain >= IN_VAIN:
            return
        name = reading.question.id
        looking = self._looking.get(name)
        if looking is None or looking.done():
            looking = self._looking[name] = asyncio.create_task(self._ask(reading))
        await asyncio.wait({looking}, timeout=wait_s)

    async def _ask(self, reading: Reading) -> None:
        try:
            view = await self._model.structured(viewing(reading), ProposedView)
        except ChatFailed as failed:
            self._in_vain += failed.fault == "malformed"
            return
        self._in_vain = 0
        self._seen[reading.question.id] = _Seen(view, _size(reading))


def _size(reading: Reading) -> float:
    return sum(weight(item.answer.text) for item in reading.given)

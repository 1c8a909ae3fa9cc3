"""Thinking ahead while the candidate speaks: what was understood so far goes to the machine."""

import asyncio

from agent.domain.assessment import GradingTask
from agent.domain.dialogue import Move
from agent.grading.seeing import SeeingGrader
from agent.graph.machine import InterviewMachine
from agent.policy.folding import weight
from agent.ports import Scene
from agent.wording.chat import ChatWording

FIRST, STEP = 25.0, 40.0
"""Words of an answer from which it is looked at, and after how many more it is looked at again."""


class ModelForesight:
    """A language model that looks at answers and words follow-ups before they are due."""

    def __init__(self, grader: SeeingGrader, wording: ChatWording) -> None:
        self._grader = grader
        self._wording = wording

    async def look(self, task: GradingTask) -> None:
        """Have the answers so far looked at."""
        await self._grader.look(task)

    async def prepare(self, move: Move, scene: Scene) -> None:
        """Have the words for `move` chosen."""
        await self._wording.prepare(move, scene)

    async def close(self) -> None:
        """Stop both."""
        self._wording.close()
        await self._grader.close()


class ThinkingAhead:
    """Has the machine think ahead whenever enough was said since it last did."""

    def __init__(self, machine: InterviewMachine, foresight: ModelForesight) -> None:
        self._machine = machine
        self._foresight = foresight
        self._thought_of = 0.0
        self._thinking: asyncio.Task[None] | None = None

    def words(self, so_far: str) -> None:
        """Take notice of all that was understood of the answer under way."""
        said = weight(so_far)
        if said < self._thought_of:  # another answer
            self._thought_of = 0.0
        enough = self._thought_of + STEP if self._thought_of else FIRST
        if said < enough or (self._thinking and not self._thinking.done()):
            return
        self._thought_of = said
        self._thinking = asyncio.create_task(self._machine.foresee(so_far))

    async def close(self) -> None:
        """Stop thinking."""
        if self._thinking is not None:
            self._thinking.cancel()
            await asyncio.gather(self._thinking, return_exceptions=True)
        await self._foresight.close()

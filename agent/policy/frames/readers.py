"""Which reader judges which frame."""

from collections.abc import Callable, Mapping, Sequence

from agent.domain.rubric import FrameId
from agent.policy.clauses import Clause
from agent.policy.frames import argument, coding, design, direct, evaluation, problem, star
from agent.policy.ladders import Judged

Reader = Callable[[Sequence[Clause]], tuple[Judged, ...]]

READERS: Mapping[FrameId, Reader] = {
    "star": star.read,
    "problem": problem.read,
    "direct": direct.read,
    "design": design.read,
    "evaluation": evaluation.read,
    "argument": argument.read,
    "coding": coding.read,
}
EXPERIENCE: frozenset[FrameId] = frozenset({"star", "problem"})
"""Frames of own experience."""

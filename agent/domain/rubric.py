"""Frames: how an answer of one kind is judged (`rubrics/frames/<id>.yaml`)."""

from typing import Literal

from pydantic import Field, model_validator

from agent.domain.language import Frozen, LocalizedText, NonBlank
from agent.domain.question import Category

FrameId = Literal["star", "problem", "direct", "design", "evaluation", "argument", "coding"]
Dimension = Literal["principle", "authenticity", "judgement", "structure", "depth"]
DIMENSIONS: tuple[Dimension, ...] = (
    "principle",
    "authenticity",
    "judgement",
    "structure",
    "depth",
)
TOP_LEVEL = 4


class Anchors(Frozen):
    """What each level of a criterion looks like."""

    level_0: LocalizedText
    level_1: LocalizedText
    level_2: LocalizedText
    level_3: LocalizedText
    level_4: LocalizedText

    def at(self, level: int) -> LocalizedText:
        """Return the anchor of `level` (0 to 4)."""
        anchors = (self.level_0, self.level_1, self.level_2, self.level_3, self.level_4)
        return anchors[level]


class Criterion(Frozen):
    """One thing that is judged on levels 0 to 4.

    Attributes:
        id: `<frame>.<name>`, or `key_points`.
        weight: Relative to the frame's other criteria.
        dimensions: The dimensions that its level counts in.
        fault: What spoils it.
    """

    id: NonBlank
    name: LocalizedText
    weight: float = Field(gt=0, le=10)
    dimensions: tuple[Dimension, ...] = Field(min_length=1)
    anchors: Anchors
    fault: LocalizedText | None = None


class Frame(Frozen):
    """A way of judging, and the categories of question that it judges.

    Attributes:
        key_points_weight: Share of the score that key-point coverage has when the question
            has key points, 0 to 1; the criteria share the rest.
    """

    id: FrameId
    version: NonBlank
    name: LocalizedText
    categories: tuple[Category, ...] = Field(min_length=1)
    criteria: tuple[Criterion, ...] = Field(min_length=1)
    key_points_weight: float = Field(ge=0, le=1)
    key_points_dimensions: tuple[Dimension, ...] = ("principle",)

    @model_validator(mode="after")
    def _criteria_belong_here(self) -> "Frame":
        ids = [criterion.id for criterion in self.criteria]
        strangers = [name for name in ids if not name.startswith(f"{self.id}.")]
        if strangers:
            raise ValueError(f"criteria of another frame: {', '.join(strangers)}")
        if len(set(ids)) < len(ids):
            raise ValueError("a criterion id occurs twice")
        return self

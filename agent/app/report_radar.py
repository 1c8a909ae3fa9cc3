"""The dimensions as a radar picture, in the coordinates of an SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from agent.app.report_view import DimensionView

RADIUS = 80.0
"""Of the rim, in SVG units; the centre is at (0, 0)."""
LINE = 14.0
"""Height of a line of a label."""


@dataclass(frozen=True)
class Axis:
    """A dimension's axis: its rim, its label in lines, and the point of its score, if judged."""

    lines: tuple[str, ...]
    text: str
    rim: tuple[float, float]
    label: tuple[float, float]
    anchor: str
    point: tuple[float, float] | None


@dataclass(frozen=True)
class Radar:
    """Axes clockwise from the top, rings at a quarter each, and the area of what was judged."""

    axes: tuple[Axis, ...]
    rings: tuple[str, ...]
    area: str


def radar(dimensions: Sequence[DimensionView]) -> Radar | None:
    """Return the picture; None when fewer than three dimensions were judged."""
    judged = [item for item in dimensions if item.score is not None]
    if len(judged) < 3:
        return None
    axes = tuple(_axis(item, i / len(dimensions)) for i, item in enumerate(dimensions))
    return Radar(
        axes=axes,
        rings=tuple(
            _path([(x * part, y * part) for x, y in (axis.rim for axis in axes)])
            for part in (0.25, 0.5, 0.75, 1.0)
        ),
        area=_path([axis.point for axis in axes if axis.point is not None]),
    )


def _axis(item: DimensionView, turn: float) -> Axis:
    x, y = sin(2 * pi * turn), -cos(2 * pi * turn)
    lines = tuple(item.name.split(" ", 1))
    above = LINE * (len(lines) - 1) if y < -0.9 else 0.0
    label_x, label_y = _at(x, y, RADIUS + 12)
    reach = None if item.score is None else RADIUS * min(100.0, max(0.0, item.score)) / 100
    return Axis(
        lines=lines,
        text="–" if item.score is None else item.text,
        rim=_at(x, y, RADIUS),
        label=(label_x, label_y - above),
        anchor="middle" if abs(x) < 0.1 else "start" if x > 0 else "end",
        point=None if reach is None else _at(x, y, reach),
    )


def _at(x: float, y: float, reach: float) -> tuple[float, float]:
    return round(x * reach, 1), round(y * reach, 1)


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)

"""The one change to an answer that would raise its score most, computed from the score itself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.domain.assessment import Assessment, CriterionResult
from agent.domain.coaching import Change
from agent.domain.language import Language
from agent.domain.question import Question
from agent.domain.rubric import TOP_LEVEL, Frame
from agent.policy.judgement import form_counts, tells_a_story
from agent.policy.scoring import question_score

SOUND_LEVEL = 2
"""Lowest level worth aiming for: the anchor of level 1 describes what is still wrong."""


@dataclass(frozen=True)
class _Judged:
    """What a question's score is computed from."""

    frame: Frame
    criteria: tuple[CriterionResult, ...]
    points: dict[str, float]
    weights: dict[str, float]
    wrong: int

    @property
    def coverage(self) -> float | None:
        total = sum(self.weights[name] for name in self.points)
        made = sum(self.weights[name] * share for name, share in self.points.items())
        return made / total if total else None

    @property
    def score(self) -> float:
        return question_score(self.frame, self.criteria, self.coverage, self.wrong) or 0.0

    def with_level(self, name: str, level: int) -> "_Judged":
        criteria = tuple(
            item.model_copy(update={"level": level}) if item.id == name else item
            for item in self.criteria
        )
        return _Judged(self.frame, criteria, self.points, self.weights, self.wrong)

    def with_points(self, names: Sequence[str], wrong: int) -> "_Judged":
        points = self.points | {name: 1.0 for name in names if name in self.points}
        return _Judged(self.frame, self.criteria, points, self.weights, wrong)


def best_change(
    question: Question, frame: Frame, assessment: Assessment, language: Language
) -> Change | None:
    """Return the single change that would raise the score most; None where none would.

    A criterion would rise to its next anchor, from nothing to the first sound one, and count as
    much as the form does beside the content that is there; a key point
    would be made in full; a misconception would give way to the points that it contradicts. Of
    equal gains the first named counts.
    """
    weights = {item.id: item.weight for item in question.key_points}
    points = {item.id: item.coverage for item in assessment.key_points if item.id in weights}
    wrong = len(assessment.misconceptions)
    judged = _Judged(frame, assessment.criteria, points, weights, wrong)
    changes = [
        *_misconceptions(question, assessment, judged, language),
        *_levels(judged, language),
        *_points(question, judged, language),
    ]
    best = max(changes, key=lambda change: change.gain, default=None)
    return best if best is not None and best.gain > 0 else None


def _misconceptions(
    question: Question, assessment: Assessment, judged: _Judged, language: Language
) -> Iterator[Change]:
    known = {item.id: item for item in question.misconceptions}
    for item in assessment.misconceptions:
        if item.id not in known:
            continue
        righted = judged.with_points(known[item.id].contradicts, judged.wrong - 1)
        yield Change(
            kind="misconception",
            id=item.id,
            text=known[item.id].why.get(language),
            gain=_gain(judged, righted),
        )


def _levels(judged: _Judged, language: Language) -> Iterator[Change]:
    criteria = {item.id: item for item in judged.frame.criteria}
    for item in judged.criteria:
        if item.level is None or item.level >= TOP_LEVEL or item.id not in criteria:
            continue
        level = max(item.level + 1, SOUND_LEVEL)
        share = 1.0 if tells_a_story(judged.frame) else form_counts(judged.coverage)
        counted = int(level * share)
        criterion = criteria[item.id]
        yield Change(
            kind="criterion",
            id=item.id,
            name=criterion.name.get(language),
            level=level,
            text=criterion.anchors.at(level).get(language),
            gain=_gain(judged, judged.with_level(item.id, max(counted, item.level))),
        )


def _points(question: Question, judged: _Judged, language: Language) -> Iterator[Change]:
    for point in question.key_points:
        if point.id in judged.points:
            yield Change(
                kind="key_point",
                id=point.id,
                text=point.statement.get(language),
                gain=_gain(judged, judged.with_points([point.id], judged.wrong)),
            )


def _gain(before: _Judged, after: _Judged) -> float:
    return round(max(0.0, after.score - before.score), 1)

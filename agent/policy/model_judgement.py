"""From what a language model proposes, several times over, to a judgement that stands on quotes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median_low

from agent.domain.assessment import (
    Assessment,
    CriterionResult,
    Evidence,
    KeyPointResult,
    MisconceptionResult,
    PointStatus,
)
from agent.domain.language import Language
from agent.domain.proposals import ProposedJudgement, ProposedLevel
from agent.domain.rubric import TOP_LEVEL, Frame
from agent.policy.chinese import simplified
from agent.policy.folding import printable, weight
from agent.policy.judgement import form_counts, lowered, points_row
from agent.policy.key_points import weighted_coverage
from agent.policy.model_quotes import MOST_QUOTES, verified
from agent.policy.non_answers import orders_examiner
from agent.policy.reading import Reading
from agent.policy.references import rests_on_reference
from agent.policy.scoring import question_score

WORDS_NEEDED = (0, 2, 5, 8, 12)
"""Words that must be quoted for each level: what was not said cannot have earned it."""
STANDING = 0.5
"""Share of what a reading claims that must stand on real quotes; one below it is not believed."""
REASON_CHARACTERS = 240
COVERAGE: dict[PointStatus, float] = {
    "present": 1.0,
    "partly": 0.5,
    "absent": 0.0,
    "contradicted": 0.0,
}
_NO_VOTE = {
    "en": "the language model gave no judgement that stands on a quote",
    "zh": "语言模型没有给出有原话依据的判断",
}


@dataclass(frozen=True)
class _Vote:
    level: int
    reason: str
    evidence: tuple[Evidence, ...]


def majority(samples: int) -> int:
    """Return how many of `samples` readings must be usable."""
    return samples // 2 + 1


def credible(proposed: ProposedJudgement, frame: Frame, reading: Reading) -> bool:
    """Tell whether a reading can be believed: it keeps to the frame, and its quotes are real."""
    wanted = {item.id for item in frame.criteria}
    if 2 * len(wanted & {item.id for item in proposed.criteria}) < len(wanted):
        return False
    if not all(0 <= item.level <= TOP_LEVEL for item in proposed.criteria):
        return False
    claims = [item.quotes for item in proposed.criteria if item.level]
    claims += [item.quotes for item in proposed.key_points if item.status != "absent"]
    standing = sum(bool(verified(quotes, reading)) for quotes in claims)
    return standing >= STANDING * len(claims)


def orders_given(reading: Reading, base: Assessment) -> bool:
    """Tell whether the answers speak to the examiner, in a clause or across several."""
    whole = (item.answer.text for item in reading.given)
    return "injection" in base.flags or any(map(orders_examiner, whole))


def settle(
    readings: Sequence[ProposedJudgement],
    samples: int,
    frame: Frame,
    reading: Reading,
    base: Assessment,
    grader: str,
) -> Assessment:
    """Return what the credible readings come to: the median of each criterion and key point.

    Args:
        readings: Those that are credible.
        samples: How many were asked for.
        frame: How the answers are judged.
        reading: The answers.
        base: The builtin judgement of the same. What the question does not ask for is left out as
            there; where words to the examiner were found it is the most that can be earned.
        grader: Name of what judged.
    """
    question = reading.question
    language = question.language
    levels = [
        _settled(item.id, readings, samples, reading, _row(base, item.id))
        for item in frame.criteria
    ]
    points = tuple(_point(item.id, readings, reading) for item in question.key_points)
    coverage = weighted_coverage(question, points) if points else None
    wrong = tuple(_mistakes(readings, samples, reading))
    by_reference = rests_on_reference(question)
    share = 1.0 if by_reference else form_counts(coverage)
    levels = [lowered(item, share, frame, language) for item in levels]
    ceiling = base.score if orders_given(reading, base) else None
    if ceiling is not None:
        levels = [_below(item, _row(base, item.id)) for item in levels]
    score = question_score(frame, [] if by_reference else levels, coverage, len(wrong))
    if score is not None and ceiling is not None:
        score = min(score, ceiling)
    rows = [*levels]
    if coverage is not None:
        rows.append(points_row(points, coverage, language))
    flags = [flag for flag in base.flags if flag != "misconception"]
    return base.model_copy(
        update={
            "score": score,
            "reason": None if score is not None else _NO_VOTE[language],
            "criteria": tuple(rows),
            "key_points": points,
            "misconceptions": wrong,
            "flags": (*flags, *(["misconception"] if wrong else [])),
            "grader": grader,
        }
    )


def _settled(
    criterion: str,
    readings: Sequence[ProposedJudgement],
    samples: int,
    reading: Reading,
    base: CriterionResult | None,
) -> CriterionResult:
    language = reading.question.language
    votes = [
        vote
        for proposed in readings
        for item in proposed.criteria[: 4 * TOP_LEVEL]
        if item.id == criterion
        for vote in [_vote(item, reading)]
    ]
    if len(votes) < majority(samples):
        return CriterionResult(id=criterion, level=None, reason=_NO_VOTE[language])
    levels = [vote.level for vote in votes]
    level = median_low(levels)
    if not level and base is not None and base.level is None:
        return base  # the question does not ask for it
    vote = next(item for item in votes if item.level == level)
    return CriterionResult(
        id=criterion,
        level=level,
        reason=vote.reason,
        evidence=vote.evidence if level else (),
        spread=(min(levels), max(levels)),
    )


def _vote(item: ProposedLevel, reading: Reading) -> _Vote:
    evidence = verified(item.quotes, reading)
    words = sum(weight(one.quote) for one in evidence)
    earned = max(level for level, needed in enumerate(WORDS_NEEDED) if words >= needed)
    reason = _clean(item.reason, reading.question.language)
    return _Vote(min(item.level, earned), reason or "-", evidence)


def _point(point: str, readings: Sequence[ProposedJudgement], reading: Reading) -> KeyPointResult:
    votes: list[tuple[float, PointStatus, tuple[Evidence, ...]]] = []
    for proposed in readings:
        item = next((one for one in proposed.key_points if one.id == point), None)
        evidence = verified(item.quotes, reading) if item else ()
        status: PointStatus = item.status if item and evidence else "absent"
        votes.append((COVERAGE[status], status, evidence))
    coverage = median_low([value for value, _, _ in votes]) if votes else 0.0
    denied = sum(status == "contradicted" for _, status, _ in votes)
    status = "contradicted" if 2 * denied > len(votes) else "absent"
    for value, name, evidence in votes:
        if value == coverage and (coverage or name == status):
            return KeyPointResult(id=point, status=name, coverage=coverage, evidence=evidence)
    return KeyPointResult(id=point, status="absent", coverage=0.0)


def _mistakes(
    readings: Sequence[ProposedJudgement], samples: int, reading: Reading
) -> Iterator[MisconceptionResult]:
    for known in reading.question.misconceptions:
        voiced = [
            evidence
            for proposed in readings
            for item in proposed.misconceptions[:MOST_QUOTES]
            if item.id == known.id and (evidence := verified(item.quotes, reading))
        ]
        if len(voiced) >= majority(samples):
            yield MisconceptionResult(id=known.id, why=known.why, evidence=voiced[0])


def _below(item: CriterionResult, base: CriterionResult | None) -> CriterionResult:
    if base is None or item.level is None or (base.level is not None and base.level >= item.level):
        return item
    return base


def _row(base: Assessment, criterion: str) -> CriterionResult | None:
    return next((item for item in base.criteria if item.id == criterion), None)


def _clean(text: str, language: Language) -> str:
    line = " ".join(printable(text).split())[:REASON_CHARACTERS]
    return simplified(line) if language == "zh" else line

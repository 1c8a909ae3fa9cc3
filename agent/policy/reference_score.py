"""From what an answer shares with a reference to its score, and to the parts that were found."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from agent.domain.assessment import CriterionResult, Evidence, KeyPointResult, PointStatus
from agent.domain.language import Language
from agent.domain.question import LocalizedQuestion
from agent.domain.rubric import TOP_LEVEL
from agent.policy.nearness import Nearness
from agent.policy.reading import Reading
from agent.policy.reference_features import Comparison, PartMatch, ReferenceFeatures
from agent.policy.reference_text import ReferenceText, reference_text
from agent.policy.scoring import KEY_POINTS

MEASURES = tuple(item.name for item in fields(ReferenceFeatures))
WEIGHTS = ReferenceFeatures(
    words=36.0, letters=29.5, parts=24.0, meaning=18.5, relevance=10.0, verdict=11.5
)
"""Points of 100 for each measure."""
PRESENT, PARTLY = 0.5, 0.25
"""Coverage from which a sentence of the reference counts as made, and as made in part."""
_FOUND = {
    "en": "{made} of {all} statements of the reference, {partly} more in part; its words "
    "{words:.0%}, its meaning {meaning:.0%}, to the matter {relevance:.0%}",
    "zh": "参考答案的 {all} 句中讲到 {made} 句，另有 {partly} 句讲到一部分；用词 {words:.0%}，"
    "语义 {meaning:.0%}，切题 {relevance:.0%}",
}
_VERDICT = {
    1: {"en": "; the same verdict", "zh": "；判断一致"},
    -1: {"en": "; the opposite verdict", "zh": "；判断相反"},
}


@dataclass(frozen=True)
class ReferenceResult:
    """What beside a reference stands for the judgement of key points.

    Attributes:
        score: 0 to 100.
        points: For each sentence of the reference whether it was made, with the words that did.
        row: The same as a criterion.
    """

    score: float
    points: tuple[KeyPointResult, ...]
    row: CriterionResult


def reference_score(features: ReferenceFeatures) -> float:
    """Return 0 to 100: a weighted sum of the measures; where nothing was found, nothing is earned.

    Source of the weights: a ridge (penalty 0.6, no weight below 0, no constant) fitted on two
    public sets of exam answers that people graded, 1,476 English ones to 18 questions on networks
    (SAF, Filighera et al. 2022) and 1,107 Chinese ones to 15 questions on data structures
    (SAS-Datasets, Lai et al. 2024). Both weigh the same, and so does each question; what is
    fitted is how the answers to one question differ. Length is no measure.
    """
    total = sum(getattr(WEIGHTS, name) * getattr(features, name) for name in MEASURES)
    return round(min(100.0, max(0.0, total)), 1)


def judge_reference(reading: Reading, near: Nearness) -> ReferenceResult:
    """Judge an answer by the reference of its question, which has at least one key point.

    Args:
        reading: The answer, as `lenient` leaves it.
        near: Gives nearness of its passages and of `texts_to_encode`.
    """
    question = reading.question
    if not reading.counted:
        none = tuple(
            KeyPointResult(id=item.id, status="absent", coverage=0) for item in question.key_points
        )
        return ReferenceResult(0.0, none, _row(ReferenceFeatures(), 0.0, none, question.language))
    reference = reference_text(question)
    comparison = Comparison(reading, reference, near)
    features = comparison.features()
    score = reference_score(features)
    points = _points(reading, question, reference, comparison.parts)
    return ReferenceResult(score, points, _row(features, score, points, question.language))


def _points(
    reading: Reading,
    question: LocalizedQuestion,
    reference: ReferenceText,
    matches: Sequence[PartMatch],
) -> tuple[KeyPointResult, ...]:
    results: list[KeyPointResult] = []
    for index, point in enumerate(question.key_points):
        own = [
            (part.size, match)
            for part, match in zip(reference.parts, matches, strict=True)
            if part.point == index
        ]
        total = sum(size for size, _ in own)
        coverage = sum(size * match.coverage for size, match in own) / total if total else 0.0
        results.append(_point(reading, point.id, coverage, [match for _, match in own]))
    return tuple(results)


def _point(
    reading: Reading, name: str, coverage: float, matches: Sequence[PartMatch]
) -> KeyPointResult:
    denied = [match.denied for match in matches if match.denied]
    if denied and coverage < PRESENT:
        evidence = reading.evidence(denied)
        return KeyPointResult(id=name, status="contradicted", coverage=0, evidence=evidence)
    if coverage < PARTLY:
        return KeyPointResult(id=name, status="absent", coverage=0)
    status: PointStatus = "present" if coverage >= PRESENT else "partly"
    made = [match for match in matches if match.coverage >= PARTLY]
    evidence = reading.evidence([clause for match in made for clause in match.passage.clauses])
    if not evidence:
        return KeyPointResult(id=name, status="absent", coverage=0)
    return KeyPointResult(id=name, status=status, coverage=round(coverage, 3), evidence=evidence)


def _row(
    features: ReferenceFeatures,
    score: float,
    points: Sequence[KeyPointResult],
    language: Language,
) -> CriterionResult:
    reason = _FOUND[language].format(
        made=sum(1 for item in points if item.status == "present"),
        partly=sum(1 for item in points if item.status == "partly"),
        all=len(points),
        words=features.words,
        meaning=features.meaning,
        relevance=features.relevance,
    )
    if features.verdict:
        reason += _VERDICT[int(features.verdict)][language]
    quotes = {
        (quote.turn, quote.start, quote.end): quote
        for item in points
        if item.coverage > 0
        for quote in item.evidence
    }
    evidence = _in_order(quotes)
    level = int(score / 100 * TOP_LEVEL + 0.5) if evidence else 0
    return CriterionResult(
        id=KEY_POINTS, level=level, reason=reason, evidence=evidence if level else ()
    )


def _in_order(quotes: dict[tuple[int | None, int, int], Evidence]) -> tuple[Evidence, ...]:
    return tuple(quotes[key] for key in sorted(quotes, key=lambda key: (key[0] or 0, *key[1:])))

"""Which key points an answer makes, and which misconceptions it voices."""

from collections.abc import Mapping, Sequence

from agent.domain.assessment import KeyPointResult, MisconceptionResult, PointStatus
from agent.domain.question import LocalizedQuestion, Mistake, Point
from agent.policy.clauses import Clause
from agent.policy.folding import content, fold, weight
from agent.policy.nearness import Nearness, ramp
from agent.policy.negation import disowned, negated
from agent.policy.point_match import Match, match_point, signs_of
from agent.policy.reading import Passage, Reading
from agent.policy.rivals import binds_alike, crossed, mentions, opposed

PRESENT = 0.6
PARTLY = 0.3
"""Coverage from which a point counts as made, and as partly made."""
VOICED = 0.6
"""Share of the way from floor to ceiling at which a passage voices a misconception."""
DISTINCTIVE = 0.34
"""Share of the words that only the misconception uses which a passage must use too."""
VERBATIM = 0.9
"""Nearness at which a passage is all but the misconception's own wording."""
MARGIN = 0.04
"""How much nearer a passage must be to the misconception than to any key point."""
ANSWERED = (0.3, 0.6)
"""Coverage of all key points between which an answer goes from straying to answering."""
TO_THE_POINT = (0.1, 0.6)
"""Share of its words that make key points, likewise."""
LIKE_QUESTION, LIKE_EXAMPLE, TOLD = 1.5, 1.5, (0.43, 0.88)
"""All stories tell of a setting, own steps and a result. Whether one is about what was asked shows
in coverage and in nearness to question and example, and comes to count between these sums."""
NO_EXAMPLE = 0.5
"""Nearness to an example where the question has none: that of a middling story."""
SOUND = (0.3, 0.65)
"""Share of what is made in what is made or denied, between which an answer comes to be believed."""

Matches = Mapping[str, tuple[Match, ...]]
"""By key point, how far each passage makes it."""


def match_all(reading: Reading, near: Nearness, wrong: set[Clause]) -> Matches:
    """Match every passage with every key point.

    Args:
        reading: The answer.
        near: Gives nearness of its passages to the key points.
        wrong: The clauses that voice a misconception or exchange roles, which cannot make a
            point; nor can those that ask.
    """
    barred = wrong | reading.asked
    passages = [item for item in reading.passages if not barred & set(item.clauses)]
    signs = signs_of(reading.question.category)
    return {
        point.id: tuple(match_point(passage, point, near, signs) for passage in passages)
        for point in reading.question.key_points
    }


def cover(
    reading: Reading,
    matches: Matches,
    counts: float,
    wrong: Sequence[MisconceptionResult],
    spoilt: set[str],
) -> tuple[KeyPointResult, ...]:
    """Judge every key point of the question.

    Where the answer strays, what it happens to touch counts for less.

    Args:
        reading: The answer.
        matches: How far each passage makes each point.
        counts: What the answer counts for, as `answers` gives it.
        wrong: The misconceptions that were voiced; points they contradict are lost, unless the
            answer makes them in so many words elsewhere.
        spoilt: Likewise the points of which the answer says the same about something else.
    """
    mistakes = {item.id: item for item in reading.question.misconceptions}
    lost = spoilt.union(point for item in wrong for point in mistakes[item.id].contradicts)
    results: list[KeyPointResult] = []
    for point in reading.question.key_points:
        best = max(matches[point.id], key=lambda match: match.coverage, default=None)
        against = max(matches[point.id], key=lambda match: match.denied, default=None)
        results.append(_result(reading, point, best, against, point.id in lost, counts))
    return tuple(results)


def answers(reading: Reading, matches: Matches, near: Nearness) -> float:
    """Return 0 to 1: how far an answer is one to this question, and says what is so."""
    return _relevance(reading, matches, near) * _soundness(reading, matches)


def _relevance(reading: Reading, matches: Matches, near: Nearness) -> float:
    """Return 0 to 1: how far an answer is one to this question and not to its neighbour.

    Either it makes a good part of the key points, or a good part of what it says makes them.
    """
    weights = {point.id: point.weight for point in reading.question.key_points}
    best = {
        name: max((match.coverage for match in found), default=0.0)
        for name, found in matches.items()
    }
    coverage = sum(weights[name] * share for name, share in best.items()) / sum(weights.values())
    making = {
        clause
        for found in matches.values()
        for match in found
        if match.coverage >= PARTLY
        for clause in match.passage.clauses
    }
    said = sum(weight(clause.text) for clause in reading.counted)
    to_the_point = sum(weight(clause.text) for clause in making) / said if said else 0.0
    if signs_of(reading.question.category).story:
        return ramp(coverage + _subject(reading, near), *TOLD) if coverage else 0.0
    return max(ramp(coverage, *ANSWERED), ramp(to_the_point, *TO_THE_POINT))


def _subject(reading: Reading, near: Nearness) -> float:
    """Return how far a story is about what was asked, beside the key points that it makes."""
    question = reading.question
    span = near.ceiling - near.floor
    asked = max(near(item.text, question.prompt) for item in reading.passages)
    like_question = (asked - near.floor) / span
    like_example = (
        (near(reading.whole, question.example) - near.floor) / span
        if question.example
        else NO_EXAMPLE
    )
    return LIKE_QUESTION * like_question + LIKE_EXAMPLE * like_example


def _soundness(reading: Reading, matches: Matches) -> float:
    """Return 0 to 1: lower the more of the key points an answer turns into their opposite."""
    made = against = 0.0
    for point in reading.question.key_points:
        found = matches[point.id]
        made += point.weight * max((match.coverage for match in found), default=0.0)
        contrary = max((match.contrary for match in found), default=0.0)
        against += point.weight * contrary if contrary >= PRESENT else 0.0
    return ramp(made / (made + against), *SOUND) if made else 1.0


def weighted_coverage(question: LocalizedQuestion, results: Sequence[KeyPointResult]) -> float:
    """Return the mean coverage, 0 to 1, each point by its weight."""
    weights = {point.id: point.weight for point in question.key_points}
    total = sum(weights[result.id] for result in results)
    return sum(weights[result.id] * result.coverage for result in results) / total if total else 0.0


def misconceptions(
    reading: Reading, near: Nearness
) -> tuple[tuple[MisconceptionResult, ...], set[Clause]]:
    """Return the misconceptions that were voiced, and the clauses that voice them."""
    question = reading.question
    rights = [text for point in question.key_points for text in (point.statement, point.aloud)]
    words = {
        word for text in (question.prompt, question.outline, *rights) for word in content(text)
    }
    found: list[MisconceptionResult] = []
    clauses: set[Clause] = set()
    for mistake in question.misconceptions:
        said = [
            passage
            for passage in reading.passages
            if _voices(passage, mistake, near, words)
            and not _righter(passage, mistake, near, rights)
        ]
        if not said:
            continue
        best = max(said, key=lambda passage: _nearest(passage, mistake, near))
        evidence = reading.evidence(best.clauses)
        found.append(MisconceptionResult(id=mistake.id, why=mistake.why, evidence=evidence))
        clauses |= {clause for passage in said for clause in passage.clauses}
    return tuple(found), clauses


def _voices(passage: Passage, mistake: Mistake, near: Nearness, right_words: set[str]) -> bool:
    """Whether `passage` claims what `mistake` claims.

    It must be near a wording of it, agree in polarity and in which concepts go together, and,
    where it is not all but that wording, hold some of the words that only the mistake uses.
    """
    wording = max((mistake.statement, *mistake.aloud), key=lambda text: near(passage.text, text))
    if near(passage.text, wording) < near.floor + VOICED * (near.ceiling - near.floor):
        return False
    if disowned(passage.folded) or negated(passage.folded) != negated(fold(wording)):
        return False
    if not binds_alike(passage.text, wording) or crossed(passage.text, wording, splits=True):
        return False
    own_words = content(wording) - right_words
    if near(passage.text, wording) >= VERBATIM:
        return True
    return len(own_words & content(passage.text)) >= DISTINCTIVE * len(own_words)


def _righter(passage: Passage, mistake: Mistake, near: Nearness, rights: Sequence[str]) -> bool:
    """Whether `passage` is as near to something right, said of the same subject."""
    same = [
        near(passage.text, text) for text in rights if not opposed(passage.about, mentions(text))
    ]
    return _nearest(passage, mistake, near) < max(same, default=0.0) + MARGIN


def _nearest(passage: Passage, mistake: Mistake, near: Nearness) -> float:
    return max(near(passage.text, text) for text in (mistake.statement, *mistake.aloud))


def _result(
    reading: Reading,
    point: Point,
    best: Match | None,
    against: Match | None,
    lost: bool,
    counts: float,
) -> KeyPointResult:
    coverage = counts * best.coverage if best else 0.0
    if against and against.denied >= PRESENT > coverage:
        evidence = reading.evidence(against.passage.clauses)
        return KeyPointResult(id=point.id, status="contradicted", coverage=0, evidence=evidence)
    if lost and coverage < PRESENT:
        return KeyPointResult(id=point.id, status="contradicted", coverage=0)
    status: PointStatus = (
        "present" if coverage >= PRESENT else "partly" if coverage >= PARTLY else "absent"
    )
    if best is None or status == "absent":
        return KeyPointResult(id=point.id, status="absent", coverage=0)
    evidence = reading.evidence(best.passage.clauses)
    return KeyPointResult(
        id=point.id, status=status, coverage=round(coverage, 3), evidence=evidence
    )

"""Which key points an answer makes, and which misconceptions it voices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.domain.assessment import KeyPointResult, MisconceptionResult, PointStatus
from agent.domain.question import LocalizedQuestion, Mistake, Point
from agent.policy.clauses import Clause, split
from agent.policy.folding import content, fold, weight
from agent.policy.named_terms import terms_share
from agent.policy.nearness import Nearness, ramp
from agent.policy.negation import disowned, negated
from agent.policy.reading import Passage, Reading
from agent.policy.rivals import binds_alike, mentions, opposed

PRESENT = 0.6
PARTLY = 0.3
"""Coverage from which a point counts as made, and as partly made."""
DENIED = 0.25
"""What is left of a passage's coverage when it denies what the point affirms, or the reverse."""
MEANING_ALONE = 0.85
"""Most that nearness of meaning earns without the point's own terms."""
TERMS_ALONE, TERMS_NEED = 0.2, 2.0
"""Most that a point's terms earn alone; with meaning, they earn so much more than it."""
VOICED = 0.6
"""Share of the way from floor to ceiling at which a passage voices a misconception."""
DISTINCTIVE = 0.34
"""Share of the words that only the misconception uses which a passage must use too."""
VERBATIM = 0.9
"""Nearness at which a passage is all but the misconception's own wording."""
MARGIN = 0.04
"""How much nearer a passage must be to the misconception than to any key point."""
ALIGNED = 0.4
"""Share of the words of the shorter of two clauses from which one can deny the other."""
NEXT_BEST = 0.75
"""Part of the highest such share from which another clause's polarity counts as well."""
ANSWERED = (0.3, 0.6)
"""Coverage of all key points between which an answer goes from straying to answering."""
TO_THE_POINT = (0.1, 0.6)
"""Share of its words that make key points, likewise."""


@dataclass(frozen=True)
class Match:
    """A passage's coverage of a point, 0 to 1; `denied`: that of the opposite, where it says it."""

    passage: Passage
    coverage: float
    denied: float = 0.0


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
    return {
        point.id: tuple(match_point(passage, point, near) for passage in passages)
        for point in reading.question.key_points
    }


def cover(
    reading: Reading, matches: Matches, wrong: Sequence[MisconceptionResult], spoilt: set[str]
) -> tuple[KeyPointResult, ...]:
    """Judge every key point of the question.

    Where the answer strays, what it happens to touch counts for less.

    Args:
        reading: The answer.
        matches: How far each passage makes each point.
        wrong: The misconceptions that were voiced; points they contradict are lost, unless the
            answer makes them in so many words elsewhere.
        spoilt: Likewise the points of which the answer says the same about something else.
    """
    mistakes = {item.id: item for item in reading.question.misconceptions}
    lost = spoilt.union(point for item in wrong for point in mistakes[item.id].contradicts)
    counts = _relevance(reading, matches)
    results: list[KeyPointResult] = []
    for point in reading.question.key_points:
        best = max(matches[point.id], key=lambda match: match.coverage, default=None)
        against = max(matches[point.id], key=lambda match: match.denied, default=None)
        results.append(_result(reading, point, best, against, point.id in lost, counts))
    return tuple(results)


def _relevance(reading: Reading, matches: Matches) -> float:
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
    return max(ramp(coverage, *ANSWERED), ramp(to_the_point, *TO_THE_POINT))


def match_point(passage: Passage, point: Point, near: Nearness) -> Match:
    """Return how far `passage` makes `point`: by meaning, by terms, by role and by polarity."""
    nearest = max(near(passage.text, text) for text in (point.statement, point.aloud))
    meaning = ramp(nearest, near.floor, near.ceiling)
    named = (
        terms_share(passage.folded, point.terms) if point.terms else _words_share(passage, point)
    )
    coverage = max((meaning + named) / 2, MEANING_ALONE * meaning)
    coverage = min(coverage, TERMS_ALONE + TERMS_NEED * meaning)
    if opposed(passage.about, mentions(point.statement)):
        return Match(passage, 0.0)
    wordings = (point.statement, point.aloud)
    if any(_denies(clause.folded, wordings) for clause in passage.clauses):
        return Match(passage, DENIED * coverage, denied=coverage)
    return Match(passage, coverage)


def _words_share(passage: Passage, point: Point) -> float:
    """Return the share of a statement's own words, where it lists no terms."""
    wanted = content(point.statement)
    return len(wanted & content(passage.text)) / len(wanted) if wanted else 0.0


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
    if not binds_alike(passage.text, wording):
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
    if against and against.denied >= max(PRESENT, coverage):
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


@lru_cache(maxsize=50_000)
def _denies(folded: str, wordings: tuple[str, ...]) -> bool:
    """Whether a clause says the opposite of what `wordings` say in nearly the same words.

    It is compared with those of their clauses that share the most words with it, or nearly so.
    """
    said = content(folded)
    aligned = [
        (len(said & words) / max(1, min(len(said), len(words))), no)
        for words, no in _polarities(wordings)
        if len(said & words) > 1
    ]
    most = max((share for share, _ in aligned), default=0.0)
    alike = {no for share, no in aligned if share >= NEXT_BEST * most}
    return most >= ALIGNED and len(alike) == 1 and negated(folded) not in alike


@lru_cache(maxsize=5_000)
def _polarities(texts: tuple[str, ...]) -> tuple[tuple[frozenset[str], bool], ...]:
    """Return the words of each clause, and whether it denies."""
    return tuple(
        (frozenset(content(clause.folded)), negated(clause.folded))
        for text in texts
        for clause in split(text)
    )

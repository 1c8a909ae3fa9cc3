"""The builtin judgement: from a reading to an assessment, step by step and without chance."""

from collections.abc import Sequence
from functools import lru_cache

from agent.domain.assessment import (
    Assessment,
    BranchAnswer,
    CriterionResult,
    GradingTask,
    KeyPointResult,
)
from agent.domain.language import Language
from agent.domain.question import LocalizedQuestion
from agent.domain.rubric import TOP_LEVEL, Frame, FrameId
from agent.policy.clauses import Clause, split
from agent.policy.cues import either, figure, own, team, technical
from agent.policy.exchanged import exchanged
from agent.policy.findings import findings, notice
from agent.policy.flags import Flag
from agent.policy.frames.readers import READERS
from agent.policy.key_points import answers, cover, match_all, misconceptions, weighted_coverage
from agent.policy.ladders import Judged
from agent.policy.named_terms import terms_share
from agent.policy.nearness import Nearness, ramp
from agent.policy.non_answers import gives_up
from agent.policy.reading import Reading, wanted_texts
from agent.policy.scoring import KEY_POINTS, question_score

OFF_TOPIC = 0.75
"""Share of the floor of nearness below which, without a single term, nothing is on topic."""
CLEARLY = 0.375
"""Share of the way from floor to ceiling at which a sentence is on topic by its meaning alone."""
CONTENT_FIRST = (0.1, 0.4)
"""Coverage of the key points between which the form of an answer comes to count in full."""
told = either(own, team)
_UNHEARD = {
    "silent": "no speech",
    "doubtful": "not understood",
    "unreadable": "recording could not be read",
    "signalled": "no answer",
    "typed": "empty answer",
    "spoken": "no speech",
}
_COVERAGE = {
    "en": "{made} of {all} key points, {partly} more in part",
    "zh": "{all} 个要点中讲到 {made} 个，另有 {partly} 个讲到一部分",
}
_LITTLE_CONTENT = {
    "en": "(Lowered: hardly a key point of the question was made.)",
    "zh": "（已下调：题目的要点几乎没有讲到。）",
}
_NOT_ASKED = {
    "en": "this question does not ask for it",
    "zh": "这道题没有问到这一项",
}


def rubric_version(frame: Frame) -> str:
    """Return the name under which a frame's judgements are kept."""
    return f"{frame.id} {frame.version}"


def unheard(task: GradingTask, grader: str) -> Assessment | None:
    """Return the assessment without a score where no answer was understood, else None."""
    if any(item.answer.understood or _gave_up_by_key(item) for item in task.answers):
        return None
    reason = _UNHEARD[task.answers[-1].answer.status] if task.answers else "no answer"
    return unjudged(task, grader, reason)


def unjudged(task: GradingTask, grader: str, reason: str, failure: str | None = None) -> Assessment:
    """Return the assessment of `task` without a score; `failure`: why the grader could not."""
    return Assessment(
        turn=_turn(task.answers),
        question_id=task.question.id,
        frame=task.frame.id,
        score=None,
        reason=reason,
        criteria=tuple(
            CriterionResult(id=item.id, level=None, reason=reason) for item in task.frame.criteria
        ),
        grader=grader,
        rubric_version=rubric_version(task.frame),
        failure=failure,
    )


def judge(task: GradingTask, reading: Reading, near: Nearness, grader: str) -> Assessment:
    """Judge `reading`: topic first, then misconceptions, key points, the frame, the score."""
    question, frame = task.question, task.frame
    wrong, voiced = misconceptions(reading, near)
    near_topic = topical_clauses(reading, near)
    astray = near_topic is None and not voiced
    topical = voiced.union(near_topic or ())
    mixed_up, spoilt = exchanged(reading)
    matches = match_all(reading, near, voiced | mixed_up)
    counts = answers(reading, matches, near) if question.key_points else 1.0
    points = cover(reading, matches, counts, wrong, spoilt) if question.key_points else ()
    if not topical:
        points = tuple(KeyPointResult(id=item.id, status="absent", coverage=0) for item in points)
    owned = [clause for clause in reading.counted if clause not in voiced | mixed_up]
    story = tells_a_story(frame)
    sound = [
        clause
        for clause in owned
        if clause in topical or (story and clause not in reading.asked and told(clause.folded))
    ]
    coverage = weighted_coverage(question, points) if points else None
    share = counts if story else form_counts(coverage)
    criteria = [
        lowered(item, share, frame, question.language) for item in _criteria(reading, sound, frame)
    ]
    noticed = () if astray else notice(frame.id, owned)
    by_key = any(_gave_up_by_key(item) for item in task.answers)
    void_flags = _void_flags(reading, topical, gave_up=by_key, astray=astray)
    flags: list[Flag] = [*void_flags, *(item.flag for item in noticed)]
    if wrong:
        flags.append("misconception")
    rows = [*criteria]
    if coverage is not None:
        rows.append(points_row(points, coverage, question.language))
    return Assessment(
        turn=_turn(task.answers),
        question_id=question.id,
        frame=frame.id,
        score=question_score(frame, criteria, coverage, len(wrong)),
        reason="gave up" if "gave_up" in flags else None,
        criteria=tuple(rows),
        key_points=points,
        misconceptions=wrong,
        flags=tuple(flags),
        findings=findings(reading, noticed, criteria, points, wrong),
        grader=grader,
        rubric_version=rubric_version(frame),
    )


def tells_a_story(frame: Frame) -> bool:
    """Whether answers tell what happened: then the form counts as soon as it is about that."""
    return frame.id == "star"


def form_counts(coverage: float | None) -> float:
    """Return the share of the form that counts: with hardly a key point made, hardly any.

    Args:
        coverage: Of the key points, 0 to 1; None where the question has none.
    """
    return 1.0 if coverage is None else ramp(coverage, *CONTENT_FIRST)


def lowered(
    item: CriterionResult, share: float, frame: Frame, language: Language
) -> CriterionResult:
    """Return a level that is lower by what the answer leaves out of the question's content."""
    level = int((item.level or 0) * share)
    if item.level is None or level == item.level:
        return item
    anchors = next(criterion.anchors for criterion in frame.criteria if criterion.id == item.id)
    return CriterionResult(
        id=item.id,
        level=level,
        reason=f"{anchors.at(level).get(language)} {_LITTLE_CONTENT[language]}",
        evidence=item.evidence if level else (),
    )


def topical_clauses(reading: Reading, near: Nearness) -> list[Clause] | None:
    """Return the clauses of those sentences that speak to the question; None: all lead elsewhere.

    Such a sentence is clearly near the question, its key points or its outline, or names one of
    their terms, or gives a figure of the trade, or an own step in its words.
    """
    wanted = wanted_texts(reading.question)
    groups = [group for point in reading.question.key_points for group in point.terms]
    groups += [(term,) for term in reading.question.speech_terms]
    nearest: dict[tuple[int, int], float] = {}
    named: set[tuple[int, int]] = set()
    for passage in reading.passages:
        value = max((near(passage.text, text) for text in wanted), default=0.0)
        places = {(clause.answer, clause.sentence) for clause in passage.clauses}
        if len(places) > 1:
            continue
        place = places.pop()
        nearest[place] = max(value, nearest.get(place, 0.0))
        if terms_share(passage.folded, groups) > 0:
            named.add(place)
    if max(nearest.values(), default=0.0) < OFF_TOPIC * near.floor and not named:
        return None
    clearly = near.floor + CLEARLY * (near.ceiling - near.floor)
    return [
        clause
        for clause in reading.counted
        if nearest.get((clause.answer, clause.sentence), 0.0) >= clearly
        or (clause.answer, clause.sentence) in named
        or (technical(clause.folded) and (figure(clause.folded) or own(clause.folded)))
    ]


def _criteria(reading: Reading, sound: Sequence[Clause], frame: Frame) -> list[CriterionResult]:
    language = reading.question.language
    asked = asked_for(reading.question, frame)
    return [
        _not_asked(judged.criterion, language)
        if not judged.level and asked is not None and judged.criterion not in asked
        else _criterion(reading, judged, frame, language)
        for judged in READERS[frame.id](sound)
    ]


def asked_for(question: LocalizedQuestion, frame: Frame) -> frozenset[str] | None:
    """Return the criteria that `question` asks for; None: all those of the frame."""
    return _asked(frame.id, tuple(wanted_texts(question)[1:]))


@lru_cache(maxsize=500)
def _asked(frame: FrameId, texts: tuple[str, ...]) -> frozenset[str] | None:
    """Return the criteria that a question's own outline and key points touch; None: all count.

    A question about gradient norms asks for no business metric; STAR is always asked in full.
    """
    if frame == "star" or not texts:
        return None
    clauses = [clause for index, text in enumerate(texts) for clause in split(text, index)]
    return frozenset(item.criterion for item in READERS[frame](clauses) if item.level > 1)


def _not_asked(criterion: str, language: Language) -> CriterionResult:
    return CriterionResult(id=criterion, level=None, reason=_NOT_ASKED[language])


def _criterion(
    reading: Reading, judged: Judged, frame: Frame, language: Language
) -> CriterionResult:
    anchors = next(item.anchors for item in frame.criteria if item.id == judged.criterion)
    evidence = reading.evidence(judged.clauses) if judged.level else ()
    level = judged.level if evidence else 0
    reason = anchors.at(level).get(language)
    return CriterionResult(id=judged.criterion, level=level, reason=reason, evidence=evidence)


def points_row(
    points: Sequence[KeyPointResult], coverage: float, language: Language
) -> CriterionResult:
    """Return the coverage of the key points as a row among the criteria."""
    made = sum(1 for item in points if item.status == "present")
    partly = sum(1 for item in points if item.status == "partly")
    quotes = {
        (quote.turn, quote.start, quote.end): quote
        for item in points
        if item.coverage > 0
        for quote in item.evidence
    }
    level = int(coverage * TOP_LEVEL + 0.5) if quotes else 0
    reason = _COVERAGE[language].format(made=made, all=len(points), partly=partly)
    evidence = tuple(quotes[key] for key in sorted(quotes, key=lambda key: (key[0] or 0, key[1])))
    return CriterionResult(
        id=KEY_POINTS, level=level, reason=reason, evidence=evidence if level else ()
    )


def _gave_up_by_key(item: BranchAnswer) -> bool:
    return item.answer.wish == "skip" and not item.answer.understood


def _void_flags(
    reading: Reading, topical: set[Clause], *, gave_up: bool, astray: bool
) -> list[Flag]:
    voids = {void for void in reading.voided if void}
    named: tuple[Flag, ...] = ("injection", "echo", "repeated", "term_list")
    flags: list[Flag] = [name for name in named if name in voids]
    if topical:
        return flags
    whole = (item.text for item in reading.plain)
    if (
        gave_up
        or "gave_up" in voids
        or any(gives_up(text, reading.question.language) for text in whole)
    ):
        return ["gave_up", *flags]
    return ["off_topic", *flags] if astray and reading.counted else flags


def _turn(answers: Sequence[BranchAnswer]) -> int | None:
    return answers[-1].turn if answers else None

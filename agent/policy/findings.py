"""What in an answer is worth a follow-up, and the words that set it off."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.domain.assessment import (
    CriterionResult,
    Finding,
    KeyPointResult,
    MisconceptionResult,
)
from agent.domain.dialogue import ProbeReason
from agent.domain.question import LocalizedQuestion, Rung
from agent.domain.rubric import FrameId
from agent.policy.clauses import Clause
from agent.policy.cues import (
    alternative,
    baseline,
    every,
    figure,
    goal,
    own_actions,
    says,
    team_actions,
)
from agent.policy.flags import Flag
from agent.policy.folding import fold
from agent.policy.frames.star import measured, outcome
from agent.policy.ladders import within_reach
from agent.policy.reading import Reading

_decision = says(
    r"decided|chose|picked|went with|opted|i (?:would )?(?:choose|pick|go with)|my choice",
    r"决定|选择|选了|选用|采用|我会选|我选",
)
_takes_back = says(
    r"mixed (?:them|it|that|those|the two) up|take (?:that|it) back|got (?:that|it|them) (?:wrong|"
    r"backwards)|(?:i was|that was) wrong|the other way (?:a)?round|correct myself|i misspoke",
    r"说反了|搞反了|弄反了|搞混了|记混了|说错了|讲错了|更正一下|纠正一下|我刚才说的不对",
)
_OUTCOME: dict[FrameId, str] = {"star": "star.result", "problem": "problem.verification"}
_DECIDED: dict[FrameId, str] = {
    "star": "star.action",
    "problem": "problem.fix",
    "design": "design.options",
}
_ACTED: dict[FrameId, str] = {"star": "star.action", "problem": "problem.fix"}
_RUNGS: dict[str, Rung] = {
    "star.action": "mechanism",
    "star.result": "numbers",
    "problem.hypotheses": "alternatives",
    "problem.root_cause": "mechanism",
    "problem.verification": "numbers",
    "problem.transfer": "transfer",
    "direct.mechanism": "mechanism",
    "direct.quantities": "numbers",
    "direct.limits": "limits",
    "design.estimate": "numbers",
    "design.options": "alternatives",
    "design.tradeoff": "alternatives",
    "design.risks": "limits",
    "evaluation.ablation": "alternatives",
    "argument.evidence": "numbers",
    "argument.other_side": "alternatives",
    "coding.complexity": "numbers",
    "coding.edge_cases": "limits",
}


def target_of(reason: ProbeReason, frame: FrameId) -> str | None:
    """Return the criterion that a shortcoming of that kind is about; None: the frame has none."""
    by_frame = {"no_baseline": _OUTCOME, "we_without_i": _ACTED, "no_alternative": _DECIDED}
    return by_frame.get(reason, {}).get(frame)


@dataclass(frozen=True)
class Noticed:
    """A shortcoming that an answer itself shows, and the clauses that show it."""

    flag: Flag
    target: str
    rung: Rung
    clauses: tuple[Clause, ...]


def notice(frame: FrameId, clauses: Sequence[Clause]) -> tuple[Noticed, ...]:
    """Return outcomes without a baseline, a team without a speaker, decisions without options."""
    found: list[Noticed] = []
    mine = own_actions(clauses)
    if target := target_of("no_baseline", frame):
        counted = every(outcome, figure, measured)
        bare = [item for item in clauses if counted(item.folded) and not goal(item.folded)]
        compared = [item for item in within_reach(bare, clauses, 1) if baseline(item.folded)]
        if bare and not compared:
            found.append(Noticed("no_baseline", target, "numbers", tuple(bare)))
    if (
        (target := target_of("we_without_i", frame))
        and not mine
        and (others := team_actions(clauses))
    ):
        found.append(Noticed("we_without_i", target, "clarify", tuple(others)))
    if target := target_of("no_alternative", frame):
        decided = [item for item in clauses if _decision(item.folded)]
        if decided and not any(alternative(item.folded) for item in clauses):
            found.append(Noticed("no_alternative", target, "alternatives", tuple(decided)))
    return tuple(found)


def findings(
    reading: Reading,
    noticed: Sequence[Noticed],
    criteria: Sequence[CriterionResult],
    points: Sequence[KeyPointResult],
    wrong: Sequence[MisconceptionResult],
) -> tuple[Finding, ...]:
    """Return what could be asked about, those that stand on a quote first."""
    found = [
        Finding(reason="misconception", rung="mechanism", target=item.id, evidence=item.evidence[0])
        for item in wrong
        if not _put_right(item, reading, points)
    ]
    for item in noticed:
        quotes = reading.evidence(item.clauses)
        found += [
            Finding(reason=reason, rung=item.rung, target=item.target, evidence=quotes[0])
            for reason in ("no_baseline", "we_without_i", "no_alternative")
            if reason == item.flag
        ]
    found += [
        Finding(reason="missing_part", rung=_RUNGS.get(item.id, "clarify"), target=item.id)
        for item in criteria
        if item.level in {0, 1} and item.id != "key_points"
    ]
    weights = {point.id: point.weight for point in reading.question.key_points}
    rungs = point_rungs(reading.question)
    missed = [item for item in points if item.status in {"absent", "contradicted"}]
    missed.sort(key=lambda item: -weights[item.id])
    found += [
        Finding(reason="missing_key_point", rung=rungs.get(item.id, "mechanism"), target=item.id)
        for item in missed
    ]
    return tuple(found)


def _put_right(
    wrong: MisconceptionResult, reading: Reading, points: Sequence[KeyPointResult]
) -> bool:
    """Whether a later answer takes it back, or makes a point that the misconception contradicts."""
    mistakes = {item.id: item for item in reading.question.misconceptions}
    voiced = max((quote.turn or 0 for quote in wrong.evidence), default=0)
    later = (
        said.text
        for said, given in zip(reading.plain, reading.given, strict=True)
        if (given.turn or 0) > voiced
    )
    return any(_takes_back(fold(text)) for text in later) or any(
        (quote.turn or 0) > voiced
        for point in points
        if point.status == "present" and point.id in mistakes[wrong.id].contradicts
        for quote in point.evidence
    )


def point_rungs(question: LocalizedQuestion) -> dict[str, Rung]:
    """Return the rung of the probe that leads to each key point."""
    return {probe.key_point: probe.rung for probe in question.probes if probe.key_point}

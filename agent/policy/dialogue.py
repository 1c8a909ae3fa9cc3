"""What the interviewer does next: a fold over what was asked, answered and judged so far.

There is no other state: an interview that broke off goes on from its log, and a given history
always leads to the same move. Every candidate reaches the end, since a question is asked once, has
at most the persona's budget of follow-ups, and each of these is put again `MAX_AGAIN` times at
most.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from agent.domain.dialogue import Ask, AskAgain, AskAgainReason, Close, Move, Probe, ProbeReason
from agent.domain.interview import Turn
from agent.domain.persona import Persona
from agent.domain.question import RUNGS, LocalizedQuestion, Rung
from agent.policy.drilldown import DrillDown, Hearing, History, drilldown_of, hear, said_in
from agent.policy.probes import phrasings, spoken_quote

MAX_NOT_HEARD = 2
"""Answers to a question or follow-up that may not be understood before it is dropped."""

MAX_AGAIN = 3
"""Times that a question or follow-up is put again, for whatever reason."""

MAX_WORTHLESS = 2
"""Answers in a row that may earn nothing before a question is left."""

_AGAIN: Mapping[Hearing, AskAgainReason] = {
    "not_heard": "not_heard",
    "repeat": "repeat",
    "clarify": "clarify",
    "hint": "hint",
    "think": "think",
    "misheard": "misheard",
}
_BRIDGES: Mapping[Hearing, Literal["answered", "gave_up", "not_heard"]] = {
    "answer": "answered",
    "done": "answered",
    "skip": "gave_up",
}


def next_move(plan: Sequence[LocalizedQuestion], persona: Persona, history: History) -> Move:
    """Return the interviewer's next move; before the first turn that is the first question.

    Args:
        plan: The questions of the interview, in order.
        persona: Orders the reasons for a follow-up and owns its budget.
        history: All turns and assessments, oldest first. Each graded answer
            (`drilldown.is_graded`) has been assessed.
    """
    turns = [item for item in history if isinstance(item, Turn)]
    if not turns:
        return Ask(plan[0].id)
    place = [question.id for question in plan].index(turns[-1].utterance.question_id or "")
    drill = drilldown_of(plan[place], history)
    hearing = hear(turns[-1], drill.question.language)
    if hearing == "stop":
        return Close("stopped")
    stay: Move | None = None
    if hearing in _AGAIN:
        stay = _ask_again(drill, hearing)
    elif hearing == "answer":
        stay = _probe(drill, persona, said_in(history))
    if stay is not None:
        return stay
    if place + 1 == len(plan):
        return Close("plan_done")
    return Ask(plan[place + 1].id, _BRIDGES.get(hearing, "not_heard"))


def _ask_again(drill: DrillDown, hearing: Hearing) -> AskAgain | None:
    lost = sum(hear(turn, drill.question.language) == "not_heard" for turn in drill.pending)
    put_again = len(drill.pending) - 1
    if lost >= MAX_NOT_HEARD or put_again >= MAX_AGAIN:
        return None
    return AskAgain(drill.question.id, _AGAIN[hearing])


def _probe(drill: DrillDown, persona: Persona, said: Sequence[str]) -> Probe | None:
    if len(drill.probes) >= persona.probes.budget or _is_exhausted(drill):
        return None
    for reason in persona.probes.order:
        for probe in _climbs(drill) if reason == "climb" else _gaps(drill, reason):
            if phrasings(drill.question, persona, probe, said):
                return probe
    return None


def _is_exhausted(drill: DrillDown) -> bool:
    """Whether the top rung was reached or the last answers earned nothing."""
    at_top = any(
        turn.utterance.reason == "climb" and turn.utterance.rung == RUNGS[-1]
        for turn in drill.probes
    )
    last = [drill.earned(turn) for turn in drill.graded[-MAX_WORTHLESS:]]
    return at_top or last == [False] * MAX_WORTHLESS


def _gaps(drill: DrillDown, reason: ProbeReason) -> Iterator[Probe]:
    """What the last assessment found worth asking for `reason` and was not asked yet."""
    asked = {(turn.utterance.reason, turn.utterance.target) for turn in drill.probes}
    quoted = {spoken_quote(turn.utterance.quote or "") for turn in drill.probes} - {""}
    for finding in drill.assessment.findings if drill.assessment else ():
        if finding.reason == reason and asked.isdisjoint(_alike(reason, finding.target)):
            quote = finding.evidence.quote if finding.evidence else None
            if (
                quote and spoken_quote(quote) in quoted
            ):  # the same words are not held against anyone twice
                continue
            yield Probe(drill.question.id, reason, finding.rung, finding.target, quote)


def _alike(reason: ProbeReason, target: str) -> set[tuple[ProbeReason | None, str | None]]:
    """What, once asked, makes asking about `target` for `reason` a repetition."""
    same: Mapping[ProbeReason, tuple[ProbeReason, ...]] = {
        "missing_part": ("no_baseline", "we_without_i", "no_alternative"),
        "missing_key_point": ("climb",),
    }
    return {(item, target) for item in (reason, *same.get(reason, ()))}


def _climbs(drill: DrillDown) -> Iterator[Probe]:
    """The rungs above the last one climbed to, lowest first, if the last answer earned that.

    A follow-up that leads to a key point already made or already asked about is passed over.
    """
    if not drill.earned(drill.graded[-1]):
        return
    climbed = max(
        (
            RUNGS.index(turn.utterance.rung)
            for turn in drill.probes
            if turn.utterance.reason == "climb" and turn.utterance.rung
        ),
        default=-1,
    )
    told = {turn.utterance.target for turn in drill.probes}
    if drill.assessment:
        told |= {item.id for item in drill.assessment.key_points if item.status == "present"}
    steps: list[tuple[Rung, str | None]] = [
        (text.rung, text.key_point) for text in drill.question.probes
    ] or [(rung, None) for rung in RUNGS]
    for rung, target in sorted(steps, key=lambda step: RUNGS.index(step[0])):
        if RUNGS.index(rung) > climbed and (target is None or target not in told):
            yield Probe(drill.question.id, "climb", rung, target)

"""What the interviewer does next: a fold over what was asked, answered and judged so far.

There is no other state: an interview that broke off goes on from its log, and a given history
always leads to the same move. Every candidate reaches the end: a question is asked once, has at
most the budget's follow-ups, and each of these is put again `MAX_AGAIN` times at most, and once
more for each of at most `MAX_MISHEARD` turns that are about an answer that was misheard.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.domain.dialogue import Ask, AskAgain, AskAgainReason, Close, Move, Probe, ProbeReason
from agent.domain.interview import Correction, Turn
from agent.domain.persona import Persona
from agent.domain.question import RUNGS, Level, LocalizedQuestion, Rung
from agent.policy.branches import as_corrected
from agent.policy.corrections import misheard, waves_off
from agent.policy.drilldown import DrillDown, Hearing, History, drilldown_of, hear, said_in
from agent.policy.intents import classify
from agent.policy.levels import CLIMBS, Climb
from agent.policy.probes import phrasings, spoken_quote

MAX_NOT_HEARD = 2
"""Answers to a question or follow-up that may not be understood before it is dropped."""

MAX_AGAIN = 3
"""Times that a question or follow-up is put again, for whatever reason."""

MAX_MISHEARD = 4
"""Turns under a question or follow-up that may be about an answer that was misheard."""

MAX_WORTHLESS = 2
"""Answers in a row that may earn nothing before a question is left."""

Bridge = Literal["answered", "gave_up", "not_heard"]
_AGAIN: Mapping[Hearing, AskAgainReason] = {
    "not_heard": "not_heard",
    "repeat": "repeat",
    "clarify": "clarify",
    "hint": "hint",
    "think": "think",
}


@dataclass(frozen=True)
class _Moment:
    """Where the interview stands.

    Attributes:
        drill: The question at hand and all that was said and judged under it.
        turns: All turns; the last one is what the interviewer reacts to.
        since: The turns since the question or follow-up at hand was first put.
        hearing: What the last turn wanted.
        set_right: The last turn corrected an earlier answer.
    """

    drill: DrillDown
    turns: tuple[Turn, ...]
    since: tuple[Turn, ...]
    hearing: Hearing
    set_right: bool

    @property
    def last(self) -> Turn:
        return self.turns[-1]

    @property
    def about_misheard(self) -> int:
        """How many turns since then were about an answer that was misheard."""
        language = self.drill.question.language
        return sum(
            turn.utterance.corrects is not None or hear(turn, language) == "misheard"
            for turn in self.since
        )

    def again(self, why: AskAgainReason) -> AskAgain:
        """Put what is at hand again."""
        asked = self.since[0].utterance
        return AskAgain(self.drill.question.id, why, asked.rung, asked.target)


def next_move(
    plan: Sequence[LocalizedQuestion], persona: Persona, history: History, level: Level
) -> Move:
    """Return the interviewer's next move; before the first turn that is the first question.

    Args:
        plan: The questions of the interview, in order.
        persona: Orders the reasons for a follow-up and owns its budget.
        history: All that was said, judged and set right, oldest first. What the last turn sets
            right is in it (`corrections.correction_due`), and no judgement is due
            (`drilldown.due`).
        level: What the candidate is expected to reach.
    """
    turns = as_corrected(history)
    if not turns:
        return Ask(plan[0].id)
    moment = _moment(plan, turns, history)
    if moment.hearing == "stop":
        return Close("stopped")
    stay = _stay(moment, persona, CLIMBS[level])
    if stay is not None:
        return stay
    place = plan.index(moment.drill.question)
    if place + 1 == len(plan):
        return Close("plan_done")
    return Ask(plan[place + 1].id, _bridge(moment))


def _moment(
    plan: Sequence[LocalizedQuestion], turns: tuple[Turn, ...], history: History
) -> _Moment:
    firsts = [place for place, turn in enumerate(turns) if turn.utterance.kind != "clarify"]
    since = turns[firsts[-1] if firsts else 0 :]
    question = next(item for item in plan if item.id == since[0].utterance.question_id)
    hearing = hear(turns[-1], question.language)
    spoken = [place for place, item in enumerate(history) if isinstance(item, Turn)]
    corrected = any(isinstance(item, Correction) for item in history[spoken[-1] :])
    correcting = hearing == "misheard" or turns[-1].utterance.corrects is not None
    drill = drilldown_of(question, history)
    judged = drill.assessments.get(turns[-1].number)
    if hearing == "answer" and judged is not None and judged.wish is not None:
        hearing = judged.wish
    return _Moment(drill, turns, since, hearing, corrected and correcting)


def _stay(moment: _Moment, persona: Persona, climb: Climb) -> Move | None:
    """Return the next move under the question at hand; None when there is nothing more to do."""
    if moment.last.utterance.corrects is not None and not moment.set_right:
        return _nothing_set_right(moment)
    if moment.set_right and _still_applies(moment):
        bounded = moment.last.utterance.corrects or moment.about_misheard <= MAX_MISHEARD
        return moment.again("corrected") if bounded else None
    if moment.set_right or moment.hearing == "answer":
        return _probe(moment.drill, persona, climb, said_in(moment.turns))
    if moment.hearing == "misheard":
        return _misheard(moment)
    return _again(moment, _AGAIN[moment.hearing]) if moment.hearing in _AGAIN else None


def _bridge(moment: _Moment) -> Bridge:
    """Return how the question at hand is left."""
    if moment.hearing in {"answer", "done"} or moment.set_right:
        return "answered"
    if moment.hearing != "skip":
        return "not_heard"
    answer = moment.last.answer
    said = answer.understood and classify(answer.text, moment.drill.question.language) == "answer"
    return "answered" if said else "gave_up"


def _misheard(moment: _Moment) -> AskAgain | None:
    """Ask for the misheard answer; where nothing was answered yet, the question was misheard."""
    meant = misheard(moment.turns, moment.drill.question.language)
    if meant is None or moment.about_misheard > MAX_MISHEARD:
        return _again(moment, "not_heard")
    return AskAgain(meant.utterance.question_id or "", "misheard", corrects=meant.number)


def _nothing_set_right(moment: _Moment) -> AskAgain:
    """Wait a little longer for the misheard answer, or come back to what is at hand."""
    last = moment.last
    waits = moment.hearing in {"think", "misheard"} or last.answer.status == "doubtful"
    if waits and not waves_off(last) and moment.about_misheard <= MAX_MISHEARD:
        why: AskAgainReason = "think" if moment.hearing == "think" else "misheard"
        number = last.utterance.corrects
        return AskAgain(last.utterance.question_id or "", why, corrects=number)
    wanted: Mapping[Hearing, AskAgainReason] = {
        "repeat": "repeat",
        "clarify": "clarify",
        "hint": "hint",
    }
    return moment.again(wanted.get(moment.hearing, "uncorrected"))


def _still_applies(moment: _Moment) -> bool:
    """Whether what is at hand would be asked of the answer as it was set right."""
    asked, judged = moment.since[0].utterance, moment.drill.assessment
    if asked.reason in {None, "climb"} or judged is None or judged.failure is not None:
        return True
    return (asked.reason, asked.target, asked.quote) in {
        (item.reason, item.target, item.evidence.quote if item.evidence else None)
        for item in judged.findings
    }


def _again(moment: _Moment, why: AskAgainReason) -> AskAgain | None:
    plain = [turn for turn in moment.since if turn.utterance.corrects is None]
    language = moment.drill.question.language
    lost = sum(hear(turn, language) == "not_heard" for turn in plain)
    if lost >= MAX_NOT_HEARD or len(plain) - 1 >= MAX_AGAIN:
        return None
    return moment.again(why)


def _probe(drill: DrillDown, persona: Persona, climb: Climb, said: Sequence[str]) -> Probe | None:
    budget = climb.budget(persona.probes.budget)
    if not drill.graded or len(drill.probes) >= budget or _is_exhausted(drill, climb.top):
        return None
    for reason in persona.probes.order:
        for probe in _climbs(drill, climb.rungs) if reason == "climb" else _gaps(drill, reason):
            if phrasings(drill.question, persona, probe, said):
                return probe
    return None


def _is_exhausted(drill: DrillDown, top: Rung) -> bool:
    """Whether the top rung was reached or the last answers earned nothing."""
    at_top = any(
        turn.utterance.reason == "climb" and turn.utterance.rung == top for turn in drill.probes
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


def _climbs(drill: DrillDown, rungs: Sequence[Rung]) -> Iterator[Probe]:
    """Those of `rungs` above the last one climbed to, lowest first, if the last answer earned that.

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
    ] or [(rung, None) for rung in rungs]
    for rung, target in sorted(steps, key=lambda step: RUNGS.index(step[0])):
        above = rung in rungs and RUNGS.index(rung) > climbed
        if above and (target is None or target not in told):
            yield Probe(drill.question.id, "climb", rung, target)

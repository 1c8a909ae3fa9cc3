"""What a language model sees in answers, added to a judgement: no point is earned by it.

The model says where to look; what it says counts where its quote was said, and the ladder of
follow-ups chooses among it as among all other findings.
"""

from agent.domain.assessment import Assessment, Evidence, Finding
from agent.domain.dialogue import ProbeReason, Wish
from agent.domain.proposals import ProposedProbe, ProposedView
from agent.domain.question import Rung
from agent.domain.rubric import Frame
from agent.policy.findings import target_of
from agent.policy.folding import weight
from agent.policy.model_quotes import verified
from agent.policy.reading import Reading

TOUCHED = 4.0
"""Words that must be quoted for a key point not to be asked for as if nobody had spoken of it."""
CLAIM = 3.0
"""Words of the shortest claim."""
MOST_CLAIMS = 3
MOST_PROBES = 3
LONGEST_WISH = 30.0
"""Words of the longest answer that is nothing but a wish."""
_RUNGS: dict[ProbeReason, Rung] = {
    "no_baseline": "numbers",
    "we_without_i": "clarify",
    "no_alternative": "alternatives",
    "conflict": "clarify",
    "implausible_figure": "numbers",
}
_ANYWHERE: frozenset[ProbeReason] = frozenset({"conflict", "implausible_figure"})
"""What can be asked about whatever the frame."""


def with_view(base: Assessment, view: ProposedView, reading: Reading, frame: Frame) -> Assessment:
    """Return `base` with what a model saw and can show; its levels and points stay as they are.

    Args:
        base: The judgement of the answers.
        view: What the model proposes.
        reading: The same answers.
        frame: How they are judged.
    """
    return base.model_copy(
        update={
            "findings": _findings(base, view, reading, frame),
            "claims": _claims(view, reading),
            "wish": _wish(base, view, reading),
        }
    )


def _findings(
    base: Assessment, view: ProposedView, reading: Reading, frame: Frame
) -> tuple[Finding, ...]:
    touched = {item.id for item in view.key_points if _words(item.quotes, reading) >= TOUCHED}
    touched -= {item.id for item in base.key_points if item.status == "contradicted"}
    left = [
        item
        for item in base.findings
        if item.reason != "missing_key_point" or item.target not in touched
    ]
    known = {item.reason for item in left}
    fresh: dict[ProbeReason, Finding] = {}
    for probe in view.probes[:MOST_PROBES]:
        found = _finding(probe, reading, frame)
        if found is not None and found.reason not in known:
            fresh.setdefault(found.reason, found)
    on_quotes = sum(item.evidence is not None for item in left)
    return (*left[:on_quotes], *fresh.values(), *left[on_quotes:])


def _finding(probe: ProposedProbe, reading: Reading, frame: Frame) -> Finding | None:
    quotes = verified([probe.quote], reading)
    target = target_of(probe.reason, frame.id)
    if target is None and probe.reason in _ANYWHERE:
        target = frame.criteria[0].id
    if target is None or not quotes:
        return None
    return Finding(
        reason=probe.reason, rung=_RUNGS[probe.reason], target=target, evidence=quotes[0]
    )


def _claims(view: ProposedView, reading: Reading) -> tuple[Evidence, ...]:
    found = verified(view.claims, reading)
    return tuple(item for item in found if weight(item.quote) >= CLAIM)[:MOST_CLAIMS]


def _wish(base: Assessment, view: ProposedView, reading: Reading) -> Wish | None:
    """Return a wish that makes up the whole of an answer that earned nothing."""
    last = reading.given[-1]
    earned = any(item.turn == last.turn for row in base.criteria for item in row.evidence)
    earned |= any(item.turn == last.turn for point in base.key_points for item in point.evidence)
    if earned or weight(last.answer.text) > LONGEST_WISH:
        return None
    for item in view.wishes:
        if any(quote.turn == last.turn for quote in verified([item.quote], reading)):
            return item.wish
    return None


def _words(quotes: list[str], reading: Reading) -> float:
    return sum(weight(item.quote) for item in verified(quotes, reading))

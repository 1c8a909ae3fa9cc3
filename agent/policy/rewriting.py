"""An answer told again in its frame's shape: the candidate's own words, and open slots.

Nothing else can stand in it: a piece is a verbatim span of an answer, or a slot that says what
belongs there.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from agent.domain.assessment import Assessment, CriterionResult, Evidence, KeyPointResult
from agent.domain.coaching import Piece, RewritePart
from agent.domain.language import Language
from agent.domain.question import Question
from agent.domain.rubric import TOP_LEVEL, Criterion, Frame
from agent.policy.clauses import split
from agent.policy.cues import figure, technical
from agent.policy.evidence import verify
from agent.policy.folding import fold, weight
from agent.policy.frames.readers import EXPERIENCE
from agent.policy.scoring import KEY_POINTS
from agent.policy.slots.lookup import (
    KEY_POINTS_NAME,
    POINT_SLOT,
    empty_slot,
    open_slots,
    signs,
)

Answers = Mapping[int, str]
"""Text of each answer by the number of its turn, oldest first."""

MOST_WORDS = 36.0
"""Of own words in one part; a Chinese character counts half. More is the old answer again."""
MOST_POINT_SLOTS = 2
TOLD_LEVEL = 2
"""Below it, nothing is told again that was said along with a misconception."""

_HANGING = re.compile(r"(?:[\s,;]+(?:and|but|so|or|because|then))+[\s,;]*$", re.IGNORECASE)
"""What a clause leads on with; it goes where the next clause does not."""


@dataclass(frozen=True, order=True)
class _Span:
    turn: int
    start: int
    end: int


@dataclass(frozen=True)
class _Claims:
    """Which clauses each part could be told with.

    Attributes:
        of: The clauses by the id of the part, in the order they were said.
        doubtful: Turns in which a misconception was voiced; their clauses come last.
    """

    texts: Answers
    of: Mapping[str, Sequence[_Span]]
    doubtful: Collection[int]

    def fit(self, part: str, span: _Span) -> int:
        """Return how well a clause suits a part: the more of its signs, the better."""
        folded = fold(self.texts[span.turn][span.start : span.end])
        general = technical(folded) + figure(folded) - (span.turn in self.doubtful)
        return signs(part, folded) + general

    def best(self, part: str, spans: Sequence[_Span]) -> _Span | None:
        """Return the clause that suits best, of equals the first."""
        return max(spans, key=lambda span: self.fit(part, span), default=None)


def rewrite(
    question: Question,
    frame: Frame,
    assessment: Assessment,
    texts: Answers,
    language: Language,
) -> tuple[RewritePart, ...]:
    """Return the frame's parts in order, each with the words that belong there and its slots.

    A clause stands in the part that it suits best. Questions of knowledge have their key points
    at the end: words that no part holds, and slots for the weightiest that are missing.
    """
    results = {item.id: item for item in assessment.criteria if item.level is not None}
    asked = [item for item in frame.criteria if item.id in results]
    doubtful = {
        quote.turn for item in assessment.misconceptions for quote in item.evidence if quote.turn
    }
    sound = {turn: text for turn, text in texts.items() if turn not in doubtful}
    told = {
        name: texts if (item.level or 0) >= TOLD_LEVEL else sound for name, item in results.items()
    }
    claims = {item.id: _clauses(results[item.id].evidence, told[item.id]) for item in asked}
    owned = _shared_out(_Claims(texts, claims, doubtful))
    parts = [
        RewritePart(
            id=item.id,
            name=item.name.get(language),
            pieces=(
                *_pieces(owned[item.id], texts),
                *_slots(item, results[item.id], told[item.id], language),
            ),
        )
        for item in asked
    ]
    if frame.id not in EXPERIENCE:
        used = {span for spans in owned.values() for span in spans}
        points = _points(question, assessment.key_points, used, sound, language)
        parts += [points] if points.pieces else []
    return tuple(parts)


def _slots(
    criterion: Criterion, result: CriterionResult, texts: Answers, language: Language
) -> list[Piece]:
    """Return what a part still wants: all of it where nothing was said."""
    said = _clauses(result.evidence, texts)
    if not said or not result.level:
        empty = empty_slot(criterion.id, language)
        return [_slot(empty or criterion.anchors.at(TOP_LEVEL).get(language).rstrip(".。"))]
    if result.level >= TOP_LEVEL:
        return []
    quoted = " ".join(texts[span.turn][span.start : span.end] for span in said)
    return [_slot(text) for text in open_slots(criterion.id, fold(quoted), language)]


def _points(
    question: Question,
    results: Sequence[KeyPointResult],
    used: Collection[_Span],
    texts: Answers,
    language: Language,
) -> RewritePart:
    spans = [
        span
        for item in results
        if item.status in {"present", "partly"}
        for span in _clauses(item.evidence, texts)
        if not _overlaps(span, used)
    ]
    lost = {item.id for item in results if item.status in {"absent", "contradicted"}}
    missing = sorted(
        (item for item in question.key_points if item.id in lost), key=lambda item: -item.weight
    )
    slots = [
        _slot(POINT_SLOT.get(language).format(point=item.statement.get(language).rstrip(".。")))
        for item in missing[:MOST_POINT_SLOTS]
    ]
    pieces = (*_pieces(spans, texts), *slots)
    return RewritePart(id=KEY_POINTS, name=KEY_POINTS_NAME.get(language), pieces=pieces)


def _clauses(evidence: Sequence[Evidence], texts: Answers) -> list[_Span]:
    """Return the clauses of the quotes that stand in the answers, in the order they were said."""
    spans: set[_Span] = set()
    for item in evidence:
        place = placed(item, texts)
        if place is not None and place.turn is not None:
            spans |= {
                _Span(place.turn, place.start + clause.start, place.start + clause.start + length)
                for clause in split(place.quote)
                if (length := len(_HANGING.sub("", clause.text)))
            }
    return sorted(spans)


def placed(item: Evidence, texts: Answers) -> Evidence | None:
    """Return a quote with its turn and its place there; None where no answer says it."""
    for turn in texts if item.turn is None else [item.turn]:
        place = verify(item, texts[turn]) if turn in texts else None
        if place is not None:
            return place.model_copy(update={"turn": turn})
    return None


def _shared_out(claims: _Claims) -> dict[str, list[_Span]]:
    """Give each part its best clause in turn, then each clause that is left to its best part."""
    owned: dict[str, list[_Span]] = {name: [] for name in claims.of}
    taken: set[_Span] = set()
    for name, spans in claims.of.items():
        free = [span for span in spans if not _overlaps(span, taken)]
        best = claims.best(name, free or spans)
        if best is not None:
            owned[name].append(best)
            taken.add(best)
    for span in sorted({span for spans in claims.of.values() for span in spans}):
        if not _overlaps(span, taken):
            wanting = [name for name, spans in claims.of.items() if span in spans]
            name = max(wanting, key=lambda name: claims.fit(name, span))
            if claims.fit(name, span) > 0:
                owned[name].append(span)
                taken.add(span)
    return owned


def _overlaps(span: _Span, taken: Collection[_Span]) -> bool:
    return any(
        span.turn == other.turn and span.start < other.end and other.start < span.end
        for other in taken
    )


def _pieces(spans: Sequence[_Span], texts: Answers) -> list[Piece]:
    """Return clauses as pieces, neighbours as one; what comes first is kept, up to a length."""
    kept: list[_Span] = []
    words = 0.0
    for span in spans:
        words += weight(texts[span.turn][span.start : span.end])
        if kept and words > MOST_WORDS:
            break
        kept.append(span)
    runs: list[_Span] = []
    for span in sorted(set(kept)):
        if runs and _touch(runs[-1], span, texts):
            runs[-1] = _Span(span.turn, runs[-1].start, span.end)
        else:
            runs.append(span)
    return [Piece(text=texts[run.turn][run.start : run.end], turn=run.turn) for run in runs]


def _touch(before: _Span, after: _Span, texts: Answers) -> bool:
    between = texts[before.turn][before.end : after.start]
    return before.turn == after.turn and not any(letter.isalnum() for letter in between)


def _slot(text: str) -> Piece:
    return Piece(text=f"[{text}]", slot=True)

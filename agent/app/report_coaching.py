"""Coaching put into words: short for a terminal, whole for the report."""

from collections.abc import Iterator, Mapping, Sequence

from agent.app.report_figures import whole
from agent.app.report_texts import words
from agent.domain.coaching import Change, Coaching, Gap, Piece, RewritePart, Strength
from agent.domain.rubric import TOP_LEVEL
from agent.policy.probes import spoken_quote
from agent.policy.scoring import KEY_POINTS

SHORT_GAPS = 2
"""Gaps that the short form spells out."""


def change_told(change: Change | None, t: Mapping[str, str]) -> str:
    """Return the one change as a sentence, without its gain."""
    if change is None:
        return t["change_none"]
    if change.kind == "criterion":
        head = t["change_level"].format(name=change.name, level=change.level)
    else:
        head = t["change_point"] if change.kind == "key_point" else t["change_mistake"]
    return f"{head}{t['colon']}{change.text}"


def gain_told(change: Change | None, t: Mapping[str, str]) -> str:
    """Return what the change would bring; empty where there is none."""
    if change is None:
        return ""
    return t["gain"].format(gain=whole(change.gain)) if change.gain >= 1 else t["gain_small"]


def nothing_told(coaching: Coaching, t: Mapping[str, str]) -> str:
    """Return why there is nothing to coach; empty where there is something."""
    return t[f"nothing_{coaching.nothing}"] if coaching.nothing else ""


def gap_told(gap: Gap, t: Mapping[str, str]) -> str:
    """Return what was missing."""
    head = f"{gap.name}{t['colon']}" if gap.name and gap.name != gap.text else ""
    text = gap.text.rstrip(".。")
    return head + (t["partly"].format(text=text) if gap.partly else text)


def part_told(part: RewritePart, t: Mapping[str, str]) -> str:
    """Return a part of the rewrite on one line."""
    return f"{part.name}{t['colon']}{' '.join(_quoted(piece) for piece in part.pieces)}"


def house_told(coaching: Coaching, t: Mapping[str, str]) -> str:
    """Return the house words on one line; empty where there is nothing to say of them."""
    house = coaching.house
    used = f"{t['house_used']}{t['colon']}{t['comma'].join(house.used)}" if house.used else ""
    fitting = f"{t['house_fitting']}{t['colon']}{house.fitting}" if house.fitting else ""
    return " · ".join(filter(None, [used, fitting]))


def clipped(text: str) -> str:
    """Return as much of a quote as can be said in a breath."""
    cut = spoken_quote(text)
    return cut if len(cut) >= len(text.rstrip(" .。")) else f"{cut} …"


def short_lines(coaching: Coaching) -> Iterator[str]:
    """Yield the coaching in about a dozen lines that are short enough for a narrow terminal."""
    t = words(coaching.language)
    if coaching.nothing:
        yield nothing_told(coaching, t)
        yield coaching.outline
        return
    if coaching.strengths:
        yield f"+ {_there(coaching.strengths, t)}"
    if coaching.gaps:
        yield f"- {_lacking(coaching.gaps, t)}"
    gain = gain_told(coaching.change, t)
    change = change_told(coaching.change, t)
    yield f"{t['change_gain'].format(gain=gain)}{t['colon']}{change}" if gain else change
    if coaching.rewrite:
        yield f"{t['rewrite']}{t['colon']}"
    for part in coaching.rewrite:
        if part.id != KEY_POINTS:
            yield f"  {part_told(_shortened(part), t)}"
    told = [f"{t['pitfalls']}{t['colon']}{pitfall}" for pitfall in coaching.pitfalls[:1]]
    extras = " · ".join(filter(None, [*told, house_told(coaching, t)]))
    if extras:
        yield extras


def _there(strengths: Sequence[Strength], t: Mapping[str, str]) -> str:
    named = [f"{item.text} {item.level}/{TOP_LEVEL}" for item in strengths if item.level]
    points = sum(1 for item in strengths if item.kind == "key_point")
    if points:
        named.append(t["point_made"] if points == 1 else t["points_made"].format(count=points))
    return t["comma"].join(named)


def _lacking(gaps: Sequence[Gap], t: Mapping[str, str]) -> str:
    told = [gap_told(gap, t) for gap in gaps[:SHORT_GAPS]]
    if len(gaps) > SHORT_GAPS:
        told.append(t["lacking_more"].format(count=len(gaps) - SHORT_GAPS))
    return " · ".join(told)


def _shortened(part: RewritePart) -> RewritePart:
    """Return a part with its first words, cut to what can be said in a breath, and one slot."""
    own = [piece for piece in part.pieces if not piece.slot][:1]
    slots = [piece for piece in part.pieces if piece.slot][:1]
    cut = [piece.model_copy(update={"text": clipped(piece.text)}) for piece in own]
    return part.model_copy(update={"pieces": (*cut, *slots)})


def _quoted(piece: Piece) -> str:
    return piece.text if piece.slot else f"“{piece.text}”"

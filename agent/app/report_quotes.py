"""Finding the quotes of a branch in what was said, so that each can be seen and heard."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from urllib.parse import quote as percent_encode

from agent.domain.assessment import Evidence
from agent.domain.interview import Correction, Turn
from agent.policy.evidence import span_times
from agent.policy.transcript_view import (
    Mark,
    MarkKind,
    Segment,
    place_of,
    segments,
)


@dataclass(frozen=True)
class QuoteView:
    """A quote as it is listed.

    Attributes:
        anchor: Id of the first marked words; None when the quote stands nowhere in the transcript.
        span: Name of the whole marked span, as each of its marks carries it.
        audio: Id of the player that holds it; None without a recording.
        t0: Seconds into that recording.
    """

    text: str
    turn: int | None = None
    anchor: str | None = None
    span: str | None = None
    audio: str | None = None
    t0: float | None = None


@dataclass
class _Text:
    """A version of what was answered in a turn, and the marks found in it so far."""

    key: str
    turn: Turn
    text: str
    marks: list[Mark] = field(default_factory=list[Mark])


class BranchQuotes:
    """Locates quotes in the answers of a branch and keeps the marks for its transcript.

    Args:
        turns: The branch's turns.
        corrections: By turn number; the last one of a turn is the text that is shown.
    """

    def __init__(
        self, turns: Sequence[Turn], corrections: Mapping[int, Sequence[Correction]]
    ) -> None:
        self._texts: list[_Text] = []
        for turn in turns:
            corrected = corrections.get(turn.number, ())
            if corrected:
                self._texts.append(_Text(f"t{turn.number}", turn, corrected[-1].text))
                self._texts.append(_Text(f"t{turn.number}o", turn, turn.answer.text))
            else:
                self._texts.append(_Text(f"t{turn.number}", turn, turn.answer.text))

    def evidence(self, item: Evidence, kind: MarkKind, label: str) -> QuoteView:
        """Return `item` with its place; what was not said has none."""
        return self._find(self._said_in(item), item, (kind, label))

    def place(self, item: Evidence) -> QuoteView:
        """Return `item` with its place, which is marked where `evidence` was told of it before."""
        return self._find(self._said_in(item), item)

    def trigger(self, quote: str, before: int, label: str) -> QuoteView:
        """Return the words that set off the probe of turn `before`, the latest occurrence."""
        earlier = [text for text in self._texts if text.turn.number < before]
        latest_first = sorted(earlier, key=lambda text: -text.turn.number)
        evidence = Evidence(quote=quote, start=0, end=0)
        return self._find(latest_first, evidence, ("probe", label))

    def shown(self, number: int) -> tuple[Segment, ...]:
        """Return the text of turn `number`, corrected where it was, with its marks."""
        return self._segments(f"t{number}")

    def original(self, number: int) -> tuple[Segment, ...]:
        """Return what turn `number` said before it was corrected; empty when it was not."""
        return self._segments(f"t{number}o")

    def _segments(self, key: str) -> tuple[Segment, ...]:
        for text in self._texts:
            if text.key == key:
                return segments(text.text, text.turn.answer.words, text.marks)
        return ()

    def _said_in(self, item: Evidence) -> list[_Text]:
        return [text for text in self._texts if item.turn in {None, text.turn.number}]

    def _find(
        self,
        candidates: Sequence[_Text],
        item: Evidence,
        marked_as: tuple[MarkKind, str] | None = None,
    ) -> QuoteView:
        for text in candidates:
            span = place_of(text.text, item)
            if span is None:
                continue
            if marked_as is not None:
                text.marks.append(Mark(*span, *marked_as))
            answer = text.turn.answer
            heard = span_times(text.text, answer.words, *span)
            return QuoteView(
                text=item.quote,
                turn=text.turn.number,
                anchor=f"{text.key}-{span[0]}",
                span=f"{text.key}-{span[0]}-{span[1]}",
                audio=player_id(text.turn) if audio_link(answer.audio) else None,
                t0=item.t0 if item.t0 is not None else heard[0] if heard else None,
            )
        return QuoteView(item.quote)


def player_id(turn: Turn) -> str:
    """Return the id of the player of the answer of `turn`."""
    return f"audio-{turn.number}"


def audio_link(path: str | None) -> str | None:
    """Return `path` as a link, or None unless it is a relative path inside the session folder."""
    if not path or "\\" in path or not path.isprintable():
        return None
    parts = PurePosixPath(path)
    if not parts.name or parts.is_absolute() or ".." in parts.parts or ":" in parts.parts[0]:
        return None
    return percent_encode(str(parts))

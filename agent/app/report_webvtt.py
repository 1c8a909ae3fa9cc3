"""The recorded answers of a session as subtitles."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.domain.interview import Answer, Turn
from agent.policy.transcript_view import timed_runs
from agent.ports import SessionRecord

CUE_S = 6.0
"""Longest subtitle, in seconds."""
_SENTENCE_END = re.compile(r"[.?!]\s|[。？！]")


@dataclass(frozen=True)
class _Cue:
    text: str
    t0: float
    t1: float


def as_webvtt(records: Sequence[SessionRecord]) -> str:
    """Return subtitles for the recorded answers, one after another in the order of the turns.

    A note before each answer says which turn it is, where on this timeline its recording begins,
    and what was asked; an answer without recorded words has the note only.
    """
    blocks = ["WEBVTT"]
    offset = 0.0
    for turn in (item for item in records if isinstance(item, Turn)):
        answer = turn.answer
        place = f"turn {turn.number} · {_stamp(offset)} · {answer.audio or answer.status}"
        blocks.append(f"NOTE {_escaped(place)}\n{_escaped(turn.utterance.text)}".rstrip())
        if answer.audio:
            blocks.extend(_block(turn.number, cue, offset) for cue in _cues(answer))
            length = answer.delivery.seconds if answer.delivery else 0.0
            offset += max([length, *(word.t1 for word in answer.words)])
    return "\n\n".join(blocks) + "\n"


def _cues(answer: Answer) -> Iterator[_Cue]:
    """Cut the graded text at the ends of sentences, and before it grows past `CUE_S`."""
    text, t0, t1 = "", None, 0.0
    for run in timed_runs(answer.text, answer.words):
        ends = run.t0 is None and _SENTENCE_END.search(run.text)
        if t0 is not None and run.t1 is not None and run.t1 - t0 > CUE_S:
            yield _Cue(text, t0, t1)
            text, t0 = "", None
        text += run.text
        if run.t0 is not None and run.t1 is not None:
            t0, t1 = run.t0 if t0 is None else t0, run.t1
        if ends and t0 is not None:
            yield _Cue(text, t0, t1)
            text, t0 = "", None
    if t0 is not None:
        yield _Cue(text, t0, t1)


def _block(turn: int, cue: _Cue, offset: float) -> str:
    end = max(cue.t1, cue.t0 + 0.001)
    span = f"{_stamp(offset + cue.t0)} --> {_stamp(offset + end)}"
    return f"{span}\n<v Turn {turn}>{_escaped(cue.text)}"


def _stamp(seconds: float) -> str:
    millis = round(max(0.0, seconds) * 1000)
    minutes, rest = divmod(millis, 60_000)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{rest // 1000:02d}.{rest % 1000:03d}"


def _escaped(text: str) -> str:
    line = " ".join(text.split())
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

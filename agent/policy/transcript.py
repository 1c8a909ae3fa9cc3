"""From what the recogniser gave to what may be graded: hygiene, in a fixed order."""

import re
from collections.abc import Sequence

from agent.domain.language import Language
from agent.policy.chinese import punctuated, simplified, simplified_timed
from agent.policy.homophones import written_as_meant
from agent.policy.phantoms import (
    BARELY_VOICED_S,
    folded,
    is_stock,
    loops,
    without_echoes,
    without_loops,
)
from agent.policy.terms import spelt
from agent.policy.timed_text import TimedText, timed, units
from agent.policy.turn_cues import cue
from agent.ports import Segment

LEAST_SPEECH_S = 0.25
"""Less speech than this is never decoded."""
NO_SPEECH = 0.6
UNSURE = -0.8
COMPRESSED = 2.4
"""A segment that Whisper itself holds for no speech, or that repeats itself, is dropped."""
WILD = -1.2
WILD_WHEN_SHORT = -0.8
"""A segment less sure than this is noise in words; in a barely voiced piece, sooner."""
SLOWEST: dict[Language, float] = {"en": 0.8, "zh": 1.3}
FASTEST: dict[Language, float] = {"en": 6.5, "zh": 11.0}
"""Words or characters a second of speech, outside of which a transcript is not believed."""
JUDGED_FROM_S = 2.0
"""Seconds of speech from which on the pace is judged."""

_TITLE = re.compile(r"[A-Z][a-z]+\b")


def raw_text(segments: Sequence[Segment]) -> str:
    """Return what the recogniser gave, nothing changed."""
    return "".join(segment.text for segment in segments).strip()


def suspicious(segments: Sequence[Segment], voiced_s: float, language: Language) -> str | None:
    """Say why a decode is not to be believed as it stands, None if it is."""
    text = raw_text(segments)
    pace = units(text) / voiced_s
    if loops(text) or any(s.compression_ratio > COMPRESSED for s in segments):
        return "loop"
    if "\N{REPLACEMENT CHARACTER}" in text or any(s.avg_logprob < UNSURE for s in segments):
        return "unsure"
    if voiced_s >= JUDGED_FROM_S and pace < SLOWEST[language]:
        return "too short"
    if voiced_s >= JUDGED_FROM_S and pace > FASTEST[language]:
        return "too long"
    return None


def trusted(segment: Segment, voiced_s: float) -> bool:
    """Whether Whisper's own measures let a segment of a piece stand."""
    phantom = segment.no_speech_prob > NO_SPEECH and segment.avg_logprob < UNSURE
    looped = segment.compression_ratio > COMPRESSED
    wild = WILD if voiced_s >= BARELY_VOICED_S else WILD_WHEN_SHORT
    return not (phantom or looped or segment.avg_logprob < wild)


def cleaned(
    segments: Sequence[Segment], voiced_s: float, terms: Sequence[str], language: Language
) -> TimedText:
    """Return what was said in a piece; empty when nothing in it can be trusted.

    Args:
        segments: One decode of the piece.
        voiced_s: Seconds of speech in the piece.
        terms: What the recogniser was told to expect.
        language: Of the session.
    """
    kept = [segment for segment in segments if trusted(segment, voiced_s)]
    said = sum((timed(s.text, s.words, s.t0, s.t1) for s in kept), TimedText()).stripped()
    if is_stock(simplified(said.text), voiced_s, language):
        return TimedText()
    said = without_loops(without_echoes(said, terms, voiced_s))
    said = _without_debris(said)
    if language == "zh":
        said = punctuated(written_as_meant(simplified_timed(said), terms))
    return spelt(said, terms, language).stripped()


def _without_debris(said: TimedText) -> TimedText:
    """Cut broken characters, and punctuation that has lost the words before it."""
    for match in reversed(list(re.finditer("\N{REPLACEMENT CHARACTER}+", said.text))):
        said = said[: match.start()] + said[match.end() :]
    start = re.match(r"[\s,.;:!?，。；：！？、]*", said.text)
    said = said[start.end() if start else 0 :]
    return said if folded(said.text) else TimedText()


def whole(pieces: Sequence[TimedText], language: Language) -> TimedText:
    """Return the pieces of an answer as one text, parted as their first letters tell.

    The recogniser hears each piece alone: it ends some in the middle of a sentence with a full
    stop, and leaves the end of others open. English shows by a capital where a sentence begins.
    """
    said = TimedText()
    for piece in pieces:
        if said.text and piece.text:
            said = _continued(said, piece.text, language)
        said += piece
    return said


def _continued(said: TimedText, following: str, language: Language) -> TimedText:
    """Return `said` with what belongs between it and `following`."""
    end = len(said.text)
    open_end = said.text[-1].isalnum()
    if language == "zh":
        return said.respelt(end, end, "，") if open_end else said
    if said.text[-1] == "." and following[0].islower():
        return said.respelt(end - 1, end, ", ")
    if open_end and cue(said.text, language) != "hanging":
        return said.respelt(end, end, ". " if _TITLE.match(following) else ", ")
    return said.respelt(end, end, " ")

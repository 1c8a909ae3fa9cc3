"""Decodes the pieces of an answer, once more where the first result is not to be believed."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.domain.audio import AudioClip, Samples
from agent.domain.errors import TranscriptionFailed
from agent.domain.interview import Answer, ListeningHints
from agent.policy.delivery import measure
from agent.policy.fillers import fillers
from agent.policy.segmentation import WINDOW_S, Piece
from agent.policy.timed_text import TimedText
from agent.policy.transcript import LEAST_SPEECH_S, cleaned, raw_text, suspicious, whole
from agent.ports import Segment, Transcriber


@dataclass(frozen=True)
class _Decoded:
    piece: Piece
    raw: str
    said: TimedText


class Recognition:
    """The words of one answer, as its pieces come in."""

    def __init__(self, transcriber: Transcriber, hints: ListeningHints) -> None:
        self._transcriber = transcriber
        self._hints = hints
        self._final: list[_Decoded] = []
        self._tentative: _Decoded | None = None
        self._failure: str | None = None

    @property
    def text(self) -> str:
        """The whole text understood so far."""
        return whole([part.said for part in self._parts], self._hints.language).text

    @property
    def _parts(self) -> list[_Decoded]:
        return [*self._final, *([self._tentative] if self._tentative else [])]

    async def take(self, piece: Piece, samples: Samples) -> str:
        """Decode a piece, or take over what is known of it; return the whole text so far."""
        known = self._tentative
        self._tentative = None
        if known is None or known.piece.spans != piece.spans:
            known = await self._decode(piece, samples)
        if piece.final:
            self._final.append(known)
        else:
            self._tentative = known
        return self.text

    def answer(self, voiced: Sequence[tuple[float, float]], recording: AudioClip) -> Answer:
        """Sum up, after the last piece.

        Args:
            voiced: Stretches of speech, (from, to) in seconds.
            recording: All the sound.
        """
        language = self._hints.language
        said = whole([part.said for part in self._parts], language)
        raw = " ".join(part.raw for part in self._parts if part.raw)
        delivery = measure(voiced, recording.seconds, said.text)
        if said.text:
            count = fillers(said.text, said.words(), voiced, language)
            return Answer(
                text=said.text,
                raw_text=raw,
                status="spoken",
                words=said.words(),
                delivery=delivery.model_copy(update={"fillers": count}),
                note=self._failure,
            )
        if delivery.speech_s < LEAST_SPEECH_S:
            note = "no speech" if recording.samples.any() else "no speech: the sound is all zeros"
            return Answer(text="", raw_text=raw, status="silent", note=note, delivery=delivery)
        note = self._failure or "speech that could not be understood"
        return Answer(text="", raw_text=raw, status="doubtful", note=note, delivery=delivery)

    async def _decode(self, piece: Piece, samples: Samples) -> _Decoded:
        if piece.voiced_s < LEAST_SPEECH_S:
            return _Decoded(piece, "", TimedText())
        segments = await self._believable(piece, samples)
        said = cleaned(segments, piece.voiced_s, self._hints.speech_terms, self._hints.language)
        return _Decoded(piece, raw_text(segments), _in_recording(said, piece))

    async def _believable(self, piece: Piece, samples: Samples) -> tuple[Segment, ...]:
        """Decode with the vocabulary; once more without it when the result is suspicious."""
        language, terms = self._hints.language, self._hints.speech_terms
        first = await self._attempt(samples, terms)
        if first is not None and not suspicious(first, piece.voiced_s, language):
            return first
        if not terms:
            return first or ()
        second = await self._attempt(samples, ())
        if not second:
            return first or ()
        if first and suspicious(second, piece.voiced_s, language):
            return max((first, second), key=_sureness)
        return second

    async def _attempt(self, samples: Samples, terms: Sequence[str]) -> tuple[Segment, ...] | None:
        try:
            return await self._transcriber.transcribe(samples, self._hints.language, terms)
        except TranscriptionFailed as failure:
            self._failure = failure.message
            return None


def _sureness(segments: tuple[Segment, ...]) -> float:
    return min((segment.avg_logprob for segment in segments), default=float("-inf"))


def _in_recording(said: TimedText, piece: Piece) -> TimedText:
    """Return `said` with times in the recording instead of in the piece, pauses put back."""
    starts: list[tuple[float, float]] = []
    passed_s = 0.0
    for span in piece.spans:
        starts.append((passed_s, span.start * WINDOW_S))
        passed_s += len(span) * WINDOW_S

    def moved(time_s: float) -> float:
        here, there = next((pair for pair in reversed(starts) if pair[0] <= time_s), starts[0])
        return round(min(there + time_s - here, piece.end_s), 3)

    return TimedText(said.text, tuple((moved(t0), moved(t1)) for t0, t1 in said.times))

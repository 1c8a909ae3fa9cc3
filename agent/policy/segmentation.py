"""Cuts a running answer into pieces that are worth decoding.

Whisper pays the same for a second as for half a minute, loses its way in long pauses, and hears
a fragment better with its neighbours. So pauses are cut out, neighbours are joined, and a piece
is handed over in a pause, while the answer goes on.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE
from agent.policy.voice_activity import Span, SpeechGate

WINDOW_S = BLOCK_SAMPLES / SAMPLE_RATE


def windows(seconds: float) -> int:
    """Return how many windows make up `seconds`."""
    return round(seconds / WINDOW_S)


GUESS_PAUSE = windows(0.3)
"""After this long decoding may begin, in case that this was all."""
STRETCH_PAUSE = windows(0.5)
"""A pause this long is cut out of what is decoded."""
DECODE_PAUSE = windows(0.6)
"""A pause this long may be the end: what was said is wanted now."""
SETTLED_PAUSE = windows(1.5)
"""After this long a fragment no longer waits for a neighbour."""
FRAGMENT = windows(2.0)
"""Less voice than this is joined with what follows."""
LONG = windows(7.0)
"""A piece this long is handed over at the next breath, so that little is left at the end ..."""
BREATH = windows(0.2)
"""... which is a pause of this length."""
LONGEST = windows(12.0)
"""A piece this long is cut at the quietest place of its last windows ..."""
QUIET_SEARCH = windows(4.0)
"""... which are these; loudness is the mean over this many windows on either side."""
AROUND = 2
MARGIN = windows(0.25)
"""Sound kept on either side of a stretch of speech. Shorter than `GUESS_PAUSE`: what is guessed
to be all is the same sound as what turns out to be."""


@dataclass(frozen=True)
class Piece:
    """Stretches of speech that are decoded together.

    Attributes:
        spans: Disjoint, in order, with margins; the pauses between them are left out.
        voiced: Windows of speech in them.
        final: No more will be joined to it. A piece that is not final comes again, grown.
        guess: Its words are not wanted yet, and will be only if the pause goes on.
    """

    spans: tuple[Span, ...]
    voiced: int
    final: bool
    guess: bool = False

    @property
    def voiced_s(self) -> float:
        """Seconds of speech."""
        return self.voiced * WINDOW_S

    @property
    def end_s(self) -> float:
        """Where it ends, in seconds from the start of the recording."""
        return self.spans[-1].end * WINDOW_S


class Segmenter:
    """Fed with one probability and one loudness a window; hands over pieces.

    Every voiced window is in exactly one final piece, and the pieces come in order.
    """

    def __init__(self) -> None:
        self._gate = SpeechGate()
        self._now = 0
        self._taken = 0
        self._closed: list[Span] = []
        self._start: int | None = None
        self._last_voiced = -1
        self._flags: list[bool] = []
        self._loudness: list[float] = []

    @property
    def voiced(self) -> tuple[Span, ...]:
        """Runs of voiced windows so far, without margins."""
        runs: list[Span] = []
        for index, flag in enumerate(self._flags):
            if not flag:
                continue
            if runs and runs[-1].end == index:
                runs[-1] = Span(runs[-1].start, index + 1)
            else:
                runs.append(Span(index, index + 1))
        return tuple(runs)

    @property
    def speaking(self) -> bool:
        """Whether the last window was voiced."""
        return self._now > 0 and self._last_voiced == self._now - 1

    def push(self, probability: float, loudness: float) -> Piece | None:
        """Take the next window; return a piece when one is due."""
        voiced = self._gate.voiced(probability)
        self._flags.append(voiced)
        self._loudness.append(loudness)
        if voiced:
            self._last_voiced = self._now
            if self._start is None:
                self._start = max(self._taken, self._now - MARGIN)
        self._now += 1
        return self._cut_long() if voiced else self._in_pause()

    def flush(self) -> Piece | None:
        """Return what is left when the answer is over."""
        self._close_stretch()
        return self._hand_over() if self._closed else None

    def _in_pause(self) -> Piece | None:
        pause = self._now - 1 - self._last_voiced
        if pause == BREATH and self._pending() >= LONG:
            self._close_stretch()
        elif pause == GUESS_PAUSE and self._start is not None:
            return self._guess()
        elif pause == STRETCH_PAUSE:
            self._close_stretch()
            return None
        if not self._closed or self._start is not None:
            return None
        piece = self._piece(self._closed, final=False)
        if self._pending() >= LONG or pause == SETTLED_PAUSE:
            return self._hand_over()
        if pause == DECODE_PAUSE:
            return self._hand_over() if piece.voiced >= FRAGMENT else piece
        return None

    def _cut_long(self) -> Piece | None:
        if self._pending() < LONGEST or self._start is None:
            return None
        first = max(self._start + 1, self._now - QUIET_SEARCH)
        quietest = min(range(first, self._now - AROUND), key=self._quietness)
        self._closed.append(Span(self._start, quietest))
        piece = self._hand_over()
        self._start = quietest
        return piece

    def _quietness(self, index: int) -> tuple[float, float]:
        """Order windows by the sound about them: gaps between words before gaps within one."""
        near = self._loudness[max(0, index - AROUND) : index + AROUND + 1]
        return round(sum(near) / len(near), 6), self._loudness[index]

    def _guess(self) -> Piece:
        assert self._start is not None  # noqa: S101 - for the type checker
        stretch = Span(self._start, self._last_voiced + 1 + MARGIN)
        return self._piece([*self._closed, stretch], final=False, guess=True)

    def _close_stretch(self) -> None:
        if self._start is None:
            return
        end = min(self._now, self._last_voiced + 1 + MARGIN)
        self._closed.append(Span(self._start, end))
        self._taken = end
        self._start = None

    def _pending(self) -> int:
        open_windows = 0 if self._start is None else self._now - self._start
        return sum(map(len, self._closed)) + open_windows

    def _piece(self, spans: Sequence[Span], *, final: bool, guess: bool = False) -> Piece:
        voiced = sum(sum(self._flags[span.start : span.end]) for span in spans)
        return Piece(spans=tuple(spans), voiced=voiced, final=final, guess=guess)

    def _hand_over(self) -> Piece:
        piece = self._piece(self._closed, final=True)
        self._closed = []
        self._taken = piece.spans[-1].end
        return piece

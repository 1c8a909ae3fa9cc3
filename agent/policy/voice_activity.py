"""From probabilities of speech to stretches of speech."""

from dataclasses import dataclass

VOICE_BEGINS = 0.5
VOICE_GOES_ON = 0.35
"""Silero's usual pair: a window begins speech above the first, speech ends below the second."""


class SpeechGate:
    """Decides window by window, with hysteresis, whether somebody speaks."""

    def __init__(self) -> None:
        self._open = False

    def voiced(self, probability: float) -> bool:
        """Return whether the window with this speech probability belongs to speech."""
        self._open = probability >= (VOICE_GOES_ON if self._open else VOICE_BEGINS)
        return self._open


@dataclass(frozen=True)
class Span:
    """A stretch of a recording, in windows: from `start` up to, not including, `end`."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

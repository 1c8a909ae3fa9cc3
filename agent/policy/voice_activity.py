"""From probabilities of speech to stretches of speech."""

from dataclasses import dataclass

import numpy as np

from agent.domain.audio import BLOCK_SAMPLES, Samples

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


START_FLOOR = 0.01
"""What is taken for a room's noise before anything was heard: rms of a microphone held usual."""
LEAST_FLOOR = 0.00025
"""Below this there is no sound worth comparing with: a muted microphone, digital silence."""
SPEECH_OVER_FLOOR = 3.0
"""Speech is about 10 dB above the room, whatever the microphone's gain."""
FALLS = 0.3
RISES = 1.015
"""A floor follows quiet at once and noise slowly: a steady fan is the room after some seconds,
a sentence with its gaps is not."""


class LoudnessDetector:
    """Implements `VoiceActivityDetector` by loudness against the room, where no network runs.

    Good enough to part speech from pauses when a key ends the turn; a door that slams is speech.
    """

    def __init__(self) -> None:
        self._floor = START_FLOOR

    def reset(self) -> None:
        """Keep the room: it is the same in the next turn."""

    def probability(self, window: Samples) -> float:
        """Return near 1 for what is well above the room, near 0 for what is not.

        Raises:
            ValueError: `window` has another shape.
        """
        if window.shape != (BLOCK_SAMPLES,):
            raise ValueError(f"a window has shape ({BLOCK_SAMPLES},), not {window.shape}")
        loudness = float(np.sqrt(np.mean(np.square(window))))
        over = loudness / self._floor
        if loudness < self._floor:
            self._floor = max(LEAST_FLOOR, self._floor + FALLS * (loudness - self._floor))
        else:
            self._floor = min(loudness, self._floor * RISES)
        return min(1.0, VOICE_BEGINS * over / SPEECH_OVER_FLOOR)

"""How loud a stretch of sound is, and whether a tone is in it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agent.domain.audio import SAMPLE_RATE, AudioClip, Samples

FLOOR_DB = -120.0
CLIPPED = 0.985
TONE_S = 0.6
TONE_HZ = (500.0, 2000.0)
"""It rises from the first to the second: nothing that people say or play does so evenly."""
TONE_LEVEL = 0.1
"""Full scale is 1: a quiet tone, 20 dB below it."""


def decibels(level: float) -> float:
    """Return `level` in dB; full scale is 0 dB."""
    return max(FLOOR_DB, 20 * float(np.log10(level))) if level > 0 else FLOOR_DB


def peak(sound: Samples) -> float:
    """Return the largest magnitude, 0 to 1."""
    return float(np.abs(sound).max(initial=0.0))


def clipped_share(sound: Samples) -> float:
    """Return the share of samples at full scale, 0 to 1."""
    return float(np.mean(np.abs(sound) >= CLIPPED)) if len(sound) else 0.0


def tone() -> AudioClip:
    """Return a quiet rising tone that fades in and out."""
    time_s = np.arange(int(TONE_S * SAMPLE_RATE)) / SAMPLE_RATE
    fade = np.minimum(1.0, np.minimum(time_s, TONE_S - time_s) / 0.02)
    low, high = TONE_HZ
    turns = low * time_s + (high - low) / (2 * TONE_S) * time_s**2
    return AudioClip((TONE_LEVEL * fade * np.sin(2 * np.pi * turns)).astype(np.float32))


@dataclass(frozen=True)
class Return:
    """What came back of the tone.

    Attributes:
        level_db: How loud it stands in the sound; full scale is 0 dB.
        over_room_db: How far it stands out from what else is heard: the tone's match against that
            of its reverse, which was never played, with every frequency made equally loud.
            Over speech without a tone it stayed below 7 dB; with one at -30 dB it was 7 to 32.
    """

    level_db: float
    over_room_db: float


def what_came_back(sound: Samples) -> Return:
    """Return how much of the tone is in `sound`."""
    played = tone().samples.astype(np.float64)
    size = len(sound) + len(played)
    heard = np.fft.rfft(sound, size)
    frequency = np.fft.rfftfreq(size, 1 / SAMPLE_RATE)
    heard[(frequency < TONE_HZ[0]) | (frequency > TONE_HZ[1])] = 0
    loudness = np.abs(heard)
    evened = heard / np.maximum(loudness, loudness.max() * 1e-9 + 1e-12)

    def match(spectrum: NDArray[np.complex128], wanted: NDArray[np.float64]) -> float:
        product = spectrum * np.conj(np.fft.rfft(wanted, size))
        return float(np.abs(np.fft.irfft(product, size)).max())

    level = TONE_LEVEL * match(heard, played) / float(np.dot(played, played))
    there, not_there = match(evened, played), match(evened, played[::-1])
    return Return(decibels(level), decibels(there) - decibels(not_there))

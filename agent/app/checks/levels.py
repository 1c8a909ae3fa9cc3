"""How loud a stretch of sound is, and whether a tone is in it."""

import numpy as np

from agent.domain.audio import SAMPLE_RATE, AudioClip, Samples

FLOOR_DB = -120.0
CLIPPED = 0.985
TONE_HZ = 1000.0
TONE_S = 0.6
TONE_LEVEL = 0.1
"""Full scale is 1: a quiet tone, 20 dB below it."""
WINDOW_S = 0.1
LASTING = 4
"""Windows in a row in which the tone must stand: a word or a click is shorter."""


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
    """Return a quiet tone that fades in and out."""
    time_s = np.arange(int(TONE_S * SAMPLE_RATE)) / SAMPLE_RATE
    fade = np.minimum(1.0, np.minimum(time_s, TONE_S - time_s) / 0.02)
    sound = TONE_LEVEL * fade * np.sin(2 * np.pi * TONE_HZ * time_s)
    return AudioClip(sound.astype(np.float32))


def tone_level(sound: Samples) -> float:
    """Return the amplitude at which the tone stands in `sound` for `LASTING` windows, 0 to 1."""
    size = int(WINDOW_S * SAMPLE_RATE)
    windows = sound[: len(sound) // size * size].reshape(-1, size)
    if len(windows) < LASTING:
        return 0.0
    wave = np.exp(-2j * np.pi * TONE_HZ * np.arange(size) / SAMPLE_RATE)
    levels = 2 * np.abs(windows @ wave) / size
    return float(max(levels[i : i + LASTING].min() for i in range(len(levels) - LASTING + 1)))

"""Sound as the pipelines pass it around."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]
"""Mono samples, shape (n,), float32 in [-1, 1]."""

SAMPLE_RATE = 16_000
"""Hertz. Everything that listens works at this rate."""

BLOCK_SAMPLES = 512
"""Samples in one block of a `Microphone`: the window that Silero VAD takes (32 ms)."""


@dataclass(frozen=True)
class AudioClip:
    """A finished piece of sound.

    Attributes:
        samples: Mono samples, shape (n,).
        sample_rate: Hertz.
    """

    samples: Samples
    sample_rate: int = SAMPLE_RATE

    @property
    def seconds(self) -> float:
        """Length in seconds."""
        return len(self.samples) / self.sample_rate

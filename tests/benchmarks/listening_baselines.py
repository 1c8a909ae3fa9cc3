"""What others do at the end of a turn: fixed silence, and a model of sentence ends.

Neither does anything while the candidate speaks, so the sound need not be played to them at its
pace: the turn ends at a place in the sound, and the decode that follows is timed.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# onnxruntime ships no types for what a session takes and returns.

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import cast

import numpy as np
import onnxruntime
from faster_whisper.feature_extractor import FeatureExtractor

from agent.adapters.silero_vad import SileroVad
from agent.adapters.whisper.transcriber import WhisperTranscriber
from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, Samples
from agent.domain.language import Language
from agent.policy.segmentation import WINDOW_S
from agent.policy.voice_activity import SpeechGate

FIXED_S = 1.5
TURN_MODEL_SEES_S = 8
TURN_MODEL_ASKED_S = 0.2
TURN_MODEL_GIVES_UP_S = 3.0
"""Defaults of pipecat's analyser: asked in each pause of 0.2 s, overruled by 3 s of silence."""

Ends = Callable[[Samples, float], bool]
"""Whether the turn ends, given the sound so far and the seconds of silence at its end."""


@dataclass(frozen=True)
class Ended:
    """Turns of one clip: where they ended in the sound, and what deciding cost in seconds."""

    at_s: tuple[float, ...]
    decided_in_s: float


def fixed_silence(_sound: Samples, quiet_s: float) -> bool:
    """Say that `FIXED_S` of silence is the end."""
    return quiet_s >= FIXED_S


class TurnModel:
    """smart-turn: gives the probability that the last seconds of sound are a complete turn."""

    def __init__(self, weights: Path) -> None:
        self._session = onnxruntime.InferenceSession(str(weights))
        self._features = FeatureExtractor(feature_size=80)

    def __call__(self, sound: Samples, quiet_s: float) -> bool:
        """Say whether the turn is over."""
        if quiet_s >= TURN_MODEL_GIVES_UP_S:
            return True
        asked = TURN_MODEL_ASKED_S <= quiet_s < TURN_MODEL_ASKED_S + WINDOW_S
        return asked and self.probability(sound) > 0.5

    def probability(self, sound: Samples) -> float:
        """Return the probability that the turn is complete."""
        size = TURN_MODEL_SEES_S * SAMPLE_RATE
        heard = np.pad(sound[-size:], (max(0, size - len(sound)), 0))
        heard = (heard - heard.mean()) / np.sqrt(heard.var() + 1e-7)
        features = self._features(heard.astype(np.float32), padding=0)[:, : size // 160]
        outputs = self._session.run(None, {"input_features": features[None].astype(np.float32)})
        return float(cast("Samples", outputs[0]).reshape(-1)[0])


def turn_model_weights() -> Path | None:
    """Return the weights inside an installed pipecat-ai, which is not among Viva's packages."""
    try:
        files = metadata.files("pipecat-ai") or []
    except metadata.PackageNotFoundError:
        return None
    found = [file for file in files if file.name.startswith("smart-turn") and file.match("*.onnx")]
    return Path(str(found[-1].locate())) if found else None


def turns(sound: Samples, ends: Ends) -> Ended:
    """Return where a system ends the turns of `sound`; speech after an end begins another."""
    vad, gate = SileroVad(), SpeechGate()
    found: list[float] = []
    quiet_from: int | None = None
    began_s, cost_s = 0, 0.0
    for index, window in enumerate(_windows(sound)):
        if gate.voiced(vad.probability(window)):
            quiet_from = index + 1
        elif quiet_from is not None:
            until = (index + 1) * BLOCK_SAMPLES
            before = time.perf_counter()
            over = ends(sound[began_s:until], (index + 1 - quiet_from) * WINDOW_S)
            cost_s = time.perf_counter() - before
            if over:
                found.append(until / SAMPLE_RATE)
                quiet_from, began_s = None, until
    return Ended(tuple(found), cost_s)


async def whole_decode(
    transcriber: WhisperTranscriber, sound: Samples, language: Language
) -> tuple[str, float]:
    """Decode all of `sound` at once; return the text and the seconds it took."""
    before = time.perf_counter()
    segments = await transcriber.transcribe(sound, language)
    return "".join(segment.text for segment in segments).strip(), time.perf_counter() - before


def _windows(sound: Samples) -> Iterator[Samples]:
    whole = len(sound) // BLOCK_SAMPLES * BLOCK_SAMPLES
    yield from sound[:whole].reshape(-1, BLOCK_SAMPLES)

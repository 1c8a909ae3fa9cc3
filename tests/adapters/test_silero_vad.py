from typing import Any

import numpy as np
import pytest
from faster_whisper.vad import get_vad_model

from agent.adapters.file_microphone import read_clip
from agent.adapters.silero_vad import SileroVad
from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, Samples
from agent.policy.voice_activity import VOICE_BEGINS
from agent.ports import VoiceActivityDetector
from agent.testing import LoudnessVad
from tests.clips import Clip


def windows_of(samples: Samples) -> Samples:
    whole = len(samples) // BLOCK_SAMPLES * BLOCK_SAMPLES
    return samples[:whole].reshape(-1, BLOCK_SAMPLES)


def stream(vad: VoiceActivityDetector, samples: Samples) -> list[float]:
    return [vad.probability(window) for window in windows_of(samples)]


@pytest.mark.parametrize("clip_id", ["en_dont_know", "zh_star_weak"])
def test_speech_is_heard_and_pauses_are_not(clips: dict[str, Clip], clip_id: str) -> None:
    clip = clips[clip_id]
    probabilities = stream(SileroVad(), read_clip(clip.path).samples)
    assert clip.speech_end_s is not None
    after = int((clip.speech_end_s + 0.3) * SAMPLE_RATE / BLOCK_SAMPLES)
    assert max(probabilities) > 0.8
    assert np.median(probabilities[20:after]) > 0.8
    assert max(probabilities[after:]) < 0.1


@pytest.mark.parametrize(("clip_id", "most"), [("silence", 0.1), ("room_noise", 0.3)])
def test_silence_and_noise_are_not_speech(
    clips: dict[str, Clip], clip_id: str, most: float
) -> None:
    probabilities = stream(SileroVad(), read_clip(clips[clip_id].path).samples)
    assert max(probabilities) < most < VOICE_BEGINS
    assert np.median(probabilities) < 0.1


def test_a_stream_hears_what_the_whole_file_gives(clips: dict[str, Clip]) -> None:
    samples = windows_of(read_clip(clips["en_dont_know"].path).samples).reshape(-1)
    whole_file: Any = get_vad_model()
    batch: Samples = whole_file(samples.copy()).reshape(-1)
    np.testing.assert_allclose(stream(SileroVad(), samples), batch, atol=1e-4)


@pytest.mark.parametrize("vad", [SileroVad(), LoudnessVad()], ids=["silero", "stand-in"])
def test_contract(vad: VoiceActivityDetector, clips: dict[str, Clip]) -> None:
    samples = read_clip(clips["en_dont_know"].path).samples
    first = stream(vad, samples)
    vad.reset()
    assert stream(vad, samples) == first
    assert all(0 <= probability <= 1 for probability in first)
    assert max(first) > 0.8
    vad.reset()
    assert max(stream(vad, np.zeros(SAMPLE_RATE, dtype=np.float32))) < 0.1
    with pytest.raises(ValueError, match="shape"):
        vad.probability(np.zeros(480, dtype=np.float32))

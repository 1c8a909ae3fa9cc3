"""Speech found by loudness alone, against what the network finds."""

import numpy as np
import pytest

from agent.adapters.file_microphone import read_clip
from agent.adapters.silero_vad import SileroVad
from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, Samples
from agent.policy.voice_activity import LoudnessDetector, SpeechGate
from agent.ports import VoiceActivityDetector
from tests.clips import Clip, load_clips

SPOKEN = [clip for clip in load_clips().values() if clip.text]


def voiced(detector: VoiceActivityDetector, sound: Samples) -> np.ndarray[tuple[int], np.dtype]:
    gate = SpeechGate()
    whole = len(sound) // BLOCK_SAMPLES * BLOCK_SAMPLES
    blocks = sound[:whole].reshape(-1, BLOCK_SAMPLES)
    return np.array([gate.voiced(detector.probability(block)) for block in blocks])


@pytest.mark.parametrize("gain", [1.0, 0.1], ids=["usual", "quiet"])
@pytest.mark.parametrize("clip", SPOKEN, ids=lambda clip: clip.id)
def test_speech_and_pauses_are_told_apart(clip: Clip, gain: float) -> None:
    sound = (gain * read_clip(clip.path).samples).astype(np.float32)
    network = voiced(SileroVad(), sound)
    found = voiced(LoudnessDetector(), sound)
    assert found[network].mean() > 0.8
    assert found[~network].mean() < 0.2


@pytest.mark.parametrize("clip_id", ["silence", "room_noise"])
def test_a_room_is_not_speech(clip_id: str, clips: dict[str, Clip]) -> None:
    assert not voiced(LoudnessDetector(), read_clip(clips[clip_id].path).samples).any()


def test_a_fan_that_starts_is_the_room_after_a_while() -> None:
    noise = np.random.default_rng(3).normal(0, 0.05, 20 * SAMPLE_RATE).astype(np.float32)
    found = voiced(LoudnessDetector(), noise)
    assert found[0]
    assert not found[len(found) // 2 :].any()


def test_a_window_has_one_shape() -> None:
    with pytest.raises(ValueError, match="512"):
        LoudnessDetector().probability(np.zeros(100, dtype=np.float32))

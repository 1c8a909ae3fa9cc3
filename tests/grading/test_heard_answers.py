"""The grader behind the real ear: Silero and Whisper base on the recorded answers."""

import asyncio
from collections.abc import Iterator

import pytest

from agent.adapters.file_microphone import read_clip
from agent.adapters.silero_vad import SileroVad
from agent.adapters.whisper.transcriber import WhisperTranscriber
from agent.domain.assessment import Assessment
from agent.domain.interview import ListeningHints
from agent.domain.language import LANGUAGES, Language
from agent.grading.builtin import BuiltinGrader
from agent.voice.listening import ListeningPipeline
from tests.clips import load_clips
from tests.grading.conftest import QUESTION_OF_CLIP, score_of, task_of
from tests.speech import base_model

CLIPS = load_clips()


@pytest.fixture(scope="module")
def heard(
    tmp_path_factory: pytest.TempPathFactory, grader: BuiltinGrader
) -> Iterator[dict[str, Assessment]]:
    transcriber = WhisperTranscriber(base_model(tmp_path_factory.mktemp("models")))
    ear = ListeningPipeline(SileroVad(), transcriber)

    async def grade_all() -> dict[str, Assessment]:
        graded: dict[str, Assessment] = {}
        for name, question_id in QUESTION_OF_CLIP.items():
            clip = CLIPS[name]
            task = task_of(question_id, clip.language)
            hints = ListeningHints(clip.language, task.frame.id, (), task.question.speech_terms)
            answer = (await ear.hear(read_clip(clip.path), hints)).answer
            graded[name] = grader.assess(task_of(question_id, clip.language, answer))
        return graded

    yield asyncio.run(grade_all())
    transcriber.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_strong_lies_far_above_weak(language: Language, heard: dict[str, Assessment]) -> None:
    strong, weak = heard[f"{language}_star_strong"], heard[f"{language}_star_weak"]
    assert score_of(strong) >= score_of(weak) + 40


@pytest.mark.parametrize(
    ("name", "lowest", "highest"),
    [
        ("en_dp_vs_mp_right", 70, 100),
        ("zh_dp_vs_mp", 70, 100),
        ("en_dp_vs_mp_wrong", 0, 30),
        ("en_think_pause", 60, 100),
        ("zh_loss_debug", 60, 100),
        ("en_off_topic", 0, 15),
        ("en_injection", 0, 15),
        ("en_dont_know", 0, 15),
    ],
)
def test_what_was_heard_is_graded_as_what_was_said(
    name: str, lowest: float, highest: float, heard: dict[str, Assessment]
) -> None:
    assert lowest <= score_of(heard[name]) <= highest


def test_quotes_carry_their_place_in_the_recording(heard: dict[str, Assessment]) -> None:
    for name, assessment in heard.items():
        for item in assessment.criteria:
            for quote in item.evidence:
                assert quote.t0 is not None
                assert quote.t1 is not None
                assert 0 <= quote.t0 <= quote.t1 <= CLIPS[name].seconds

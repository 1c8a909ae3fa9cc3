"""The live bank and frames, the real encoder, and a way to put an answer before the grader."""

from collections.abc import Callable

import pytest

from agent.adapters.sentence_encoder import UniversalSentenceEncoder
from agent.adapters.yaml_catalog import data_root, load_frames, load_questions
from agent.domain.assessment import Assessment, BranchAnswer, GradingTask
from agent.domain.interview import Answer
from agent.domain.language import Language
from agent.domain.question import Question
from agent.domain.rubric import Frame
from agent.grading.builtin import BuiltinGrader

FRAMES = load_frames(data_root() / "rubrics" / "frames")
QUESTIONS = {item.id: item for item in load_questions(data_root() / "rubrics" / "questions")}
QUESTION_OF_CLIP = {
    "en_star_strong": "project-role",
    "en_star_weak": "project-role",
    "zh_star_strong": "project-role",
    "zh_star_weak": "project-role",
    "en_think_pause": "hardest-problem",
    "zh_loss_debug": "hardest-problem",
    "en_fillers": "oom-debug",
    "en_dp_vs_mp_right": "dp-vs-mp",
    "en_dp_vs_mp_wrong": "dp-vs-mp",
    "zh_dp_vs_mp": "dp-vs-mp",
    "en_off_topic": "flash-attention",
    "en_injection": "flash-attention",
    "en_dont_know": "ring-attention",
}

Ask = Callable[[str, Language, str], Assessment]


def frame_of(question: Question) -> Frame:
    return next(frame for frame in FRAMES if question.category in frame.categories)


def typed(text: str) -> Answer:
    return Answer(text=text, raw_text=text, status="typed")


def task_of(question_id: str, language: Language, *answers: Answer) -> GradingTask:
    question = QUESTIONS[question_id]
    given = tuple(
        BranchAnswer(answer, turn=number if len(answers) > 1 else None)
        for number, answer in enumerate(answers, 1)
    )
    return GradingTask(question.localized(language), frame_of(question), given)


def score_of(assessment: Assessment) -> float:
    assert assessment.score is not None
    return assessment.score


def level_of(assessment: Assessment, criterion: str) -> int:
    level = next(item.level for item in assessment.criteria if item.id == criterion)
    assert level is not None
    return level


@pytest.fixture(scope="session")
def encoder() -> UniversalSentenceEncoder:
    return UniversalSentenceEncoder()


@pytest.fixture(scope="session")
def grader(encoder: UniversalSentenceEncoder) -> BuiltinGrader:
    return BuiltinGrader(encoder)


@pytest.fixture(scope="session")
def ask(grader: BuiltinGrader) -> Ask:
    """Grade one typed answer to a question of the bank."""

    def graded(question_id: str, language: Language, text: str) -> Assessment:
        return grader.assess(task_of(question_id, language, typed(text)))

    return graded

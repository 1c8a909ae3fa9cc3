"""What every question of the bank must have, and which questions the bank must have."""

import re
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from agent.adapters.sentence_encoder import UniversalSentenceEncoder
from agent.adapters.yaml_catalog import QUESTIONS, data_root, entries
from agent.domain.language import LANGUAGES, Language
from agent.domain.question import Category, Level, Question
from agent.policy.bank_lint import lint
from agent.policy.folding import fold
from tests.clips import Clip, load_clips

BANK = entries(QUESTIONS, data_root() / QUESTIONS.folder)
IDS = [entry.item.id for entry in BANK]
every_question = pytest.mark.parametrize("question", [entry.item for entry in BANK], ids=IDS)
every_language = pytest.mark.parametrize("language", LANGUAGES)


def length(text: str, language: Language) -> int:
    """Words of an English text, characters of a Chinese one without its punctuation."""
    return len(text.split()) if language == "en" else len(re.findall(r"\w", text))


def texts(question: Question, language: Language) -> list[str]:
    """Every text of a question that a candidate may see or hear."""
    pairs = [question.prompt, question.looks_for, question.outline, question.example]
    pairs += [text for point in question.key_points for text in (point.statement, point.aloud)]
    pairs += [text for item in question.misconceptions for text in (item.statement, item.why)]
    pairs += [probe.ask for probe in question.probes]
    several = [question.pitfalls, *(item.aloud for item in question.misconceptions)]
    return [pair.get(language) for pair in pairs] + [
        text for group in several for text in group.get(language)
    ]


@pytest.mark.parametrize("path", sorted({e.path for e in BANK}), ids=lambda path: path.stem)
def test_a_file_holds_its_topic_and_names_its_schema(path: Path) -> None:
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first == f"# yaml-language-server: $schema={QUESTIONS.schema}"
    assert {e.item.topic for e in BANK if e.path == path} == {path.stem}


@every_question
def test_each_language_is_written_in_itself(question: Question) -> None:
    han = re.compile(r"[\u4e00-\u9fff]")
    assert [text for text in texts(question, "en") if han.search(text)] == []
    assert [text for text in texts(question, "zh") if not han.search(text)] == []


@every_question
def test_the_example_can_be_said_in_a_minute(question: Question) -> None:
    assert 80 <= length(question.example.en, "en") <= 150
    assert 130 <= length(question.example.zh, "zh") <= 300


@every_question
def test_there_are_three_to_seven_key_points(question: Question) -> None:
    assert 3 <= len(question.key_points) <= 7
    assert all(len(point.terms) <= 3 for point in question.key_points)


def test_the_lint_has_nothing_to_say() -> None:
    assert lint([entry.item for entry in BANK]) == ()


@every_question
def test_no_follow_up_is_written_twice(question: Question) -> None:
    asked = [probe.ask.en for probe in question.probes]
    assert len(set(asked)) == len(asked)


@every_language
@every_question
def test_the_ear_gets_a_short_vocabulary(question: Question, language: Language) -> None:
    terms = question.speech_terms.get(language)
    assert 8 <= len(terms) <= 15
    assert len({fold(term) for term in terms}) == len(terms)


@every_question
def test_facts_name_their_source(question: Question) -> None:
    if question.category in {"principle", "design", "evaluation", "trends"}:
        assert question.sources
    assert all(re.search(r"\(?(19|20)\d\d", source) for source in question.sources)


CLASSICS = {
    "data against model parallelism": "dp-vs-mp",
    "parameter server against all-reduce": "parameter-server-vs-all-reduce",
    "the stages of ZeRO": "zero-stages",
    "when 3D parallelism and when ZeRO": "zero-vs-3d",
    "gradient accumulation and throughput": "gradient-accumulation",
    "mixed precision and loss scaling": "mixed-precision-loss-scaling",
    "out of memory": "oom-debug",
    "throughput that will not rise": "throughput-will-not-rise",
    "a node that dies": "node-dies",
    "checkpoint and resume": "checkpoint-resume",
    "8 A100s and 13B": "design-13b-on-8-a100",
    "8 A100s and 70B": "design-70b-on-8-a100",
    "thousand-card platform": "design-thousand-card-platform",
    "training scheduler": "design-training-scheduler",
    "a small all-reduce aloud": "code-small-all-reduce",
    "FlashAttention": "flash-attention",
    "ring attention": "ring-attention",
    "sequence parallelism": "sequence-parallelism",
    "balance of experts": "moe-balance",
    "multimodal training": "multimodal-training",
    "how quality is judged": "model-quality",
    "a strange gradient norm": "gradient-norm-anomaly",
    "benchmark against business metric": "benchmark-vs-business",
    "ablations": "ablation-design",
    "scaling laws": "scaling-laws",
    "project and role": "project-role",
    "the hardest problem": "hardest-problem",
    "reproduction of a paper": "paper-reproduction",
    "conflict": "conflict",
    "failure": "failure",
    "ownership": "ownership",
}
TOPICS = {
    "parallelism",
    "frameworks",
    "collectives",
    "memory",
    "precision",
    "stability",
    "checkpointing",
    "throughput",
    "attention-kernels",
    "long-context",
    "data-pipelines",
    "evaluation",
    "scaling-laws",
    "moe",
    "multimodal",
    "post-training",
    "inference-serving",
    "cluster-hardware",
    "coding",
    "behavioural",
    "projects",
    "training-design",
}


@pytest.mark.parametrize("name", CLASSICS)
def test_the_classics_are_in_it(name: str) -> None:
    assert CLASSICS[name] in IDS


def test_the_classic_misconceptions_are_in_it() -> None:
    question = BANK[IDS.index("dp-vs-mp")].item
    ids = {item.id for item in question.misconceptions}
    assert {"swapped", "no-communication", "always-moves-less"} <= ids


def test_every_topic_and_category_is_asked_about() -> None:
    assert {entry.item.topic for entry in BANK} == TOPICS
    assert {entry.item.category for entry in BANK} == set(get_args(Category))


@pytest.mark.parametrize("level", get_args(Level))
def test_every_level_has_questions_of_most_categories(level: Level) -> None:
    asked = [entry.item for entry in BANK if level in entry.item.levels]
    assert len(asked) >= 12
    assert len({question.category for question in asked}) >= 7


@pytest.mark.parametrize("clip", load_clips().values(), ids=lambda clip: clip.id)
def test_questions_of_the_recorded_answers_are_asked_in_their_words(clip: Clip) -> None:
    prompts = {entry.item.prompt.get(clip.language) for entry in BANK}
    assert not clip.question or clip.question in prompts


def test_no_two_questions_mean_the_same() -> None:
    bank = [entry.item for entry in BANK]
    encoder = UniversalSentenceEncoder()
    rows: dict[Language, NDArray[np.float32]] = {
        language: encoder.encode([question.prompt.get(language) for question in bank])
        for language in LANGUAGES
    }
    assert lint(bank, rows) == ()

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


@pytest.mark.parametrize("path", sorted({e.path for e in BANK}), ids=lambda path: path.stem)
def test_a_file_holds_its_topic_and_names_its_schema(path: Path) -> None:
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first == f"# yaml-language-server: $schema={QUESTIONS.schema}"
    assert {e.item.topic for e in BANK if e.path == path} == {path.stem}


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


SUBJECTS = {
    "data parallelism": "dp-vs-mp",
    "tensor parallelism": "tensor-parallel-layer",
    "pipeline parallelism": "pipeline-bubble",
    "sequence and context parallelism": "sequence-parallelism",
    "expert parallelism": "moe-balance",
    "ZeRO and FSDP": "zero-stages",
    "synchronous and asynchronous training": "sync-vs-async",
    "parameter servers": "parameter-server-vs-all-reduce",
    "frameworks compared": "frameworks-compared",
    "collectives and their traffic": "ring-all-reduce-traffic",
    "memory": "memory-per-parameter",
    "running out of memory": "oom-debug",
    "precision": "mixed-precision-loss-scaling",
    "stability": "hardest-problem",
    "checkpointing": "checkpoint-resume",
    "elastic recovery": "node-dies",
    "profiling": "throughput-will-not-rise",
    "MFU": "mfu",
    "attention kernels": "flash-attention",
    "long context": "ring-attention",
    "data pipelines": "design-data-pipeline",
    "evaluation": "model-quality",
    "scaling laws": "scaling-laws",
    "mixture of experts": "moe-balance",
    "multimodal": "multimodal-training",
    "post-training": "rlhf-vs-dpo",
    "inference serving": "kv-cache",
    "cluster hardware": "interconnects",
    "coding aloud": "code-small-all-reduce",
    "behavioural": "conflict",
}
"""What the bank must cover, each with a question that does."""


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_subject_is_asked_about(name: str) -> None:
    assert SUBJECTS[name] in IDS


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
    assert {question.category for question in asked} == set(get_args(Category))


@pytest.mark.parametrize("level", get_args(Level))
def test_trends_suffice_for_an_interview_about_research(level: Level) -> None:
    asked = [e.item for e in BANK if e.item.category == "trends" and level in e.item.levels]
    assert len(asked) >= 6


def test_a_new_graduate_can_design_something() -> None:
    asked = [e.item for e in BANK if e.item.category == "design"]
    assert len([item for item in asked if "new-graduate" in item.levels]) >= 4


@every_question
def test_the_bank_speaks_both_languages(question: Question) -> None:
    assert question.languages == LANGUAGES


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

"""Rows in, rows out: matched questions, derived key points, and rows that are wrong."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from agent.adapters.sentence_encoder import UniversalSentenceEncoder
from agent.domain.errors import AudioUnreadable
from agent.domain.interview import Answer
from agent.domain.language import LANGUAGES, Language
from agent.grading.batch import BatchGrading
from agent.grading.batch_lines import CHUNK
from agent.grading.builtin import BuiltinGrader
from tests.clips import load_clips
from tests.grading.conftest import FRAMES, QUESTIONS

CLIPS = load_clips()
Row = dict[str, Any]


@pytest.fixture
def batch(grader: BuiltinGrader, encoder: UniversalSentenceEncoder) -> BatchGrading:
    return BatchGrading(grader.grade_many, tuple(QUESTIONS.values()), FRAMES, encoder)


def run(batch: BatchGrading, lines: Sequence[str | bytes]) -> list[Row]:
    async def collect() -> list[Row]:
        return [json.loads(result.to_json()) async for result in batch.run(lines)]

    return asyncio.run(collect())


def line(**fields: Any) -> str:
    return json.dumps({"id": "a", "lang": "en", "answer": "It depends.", **fields})


def test_a_row_has_the_fields_of_the_interface(batch: BatchGrading) -> None:
    clip = CLIPS["en_dp_vs_mp_right"]
    (row,) = run(batch, [line(question_id="dp-vs-mp", answer=clip.text)])
    assert row["id"] == "a"
    assert row["score"] >= 70
    assert row["error"] is None
    assert row["category"] == "principle"
    assert row["grader"] == "builtin 2 (encoder)"
    assert row["rubric_version"] == "direct 1"
    assert [item["id"] for item in row["criteria"]] == [
        "direct.essence",
        "direct.mechanism",
        "direct.quantities",
        "direct.limits",
        "direct.example",
        "key_points",
    ]
    for item in row["criteria"]:
        for quote in item["evidence"]:
            assert clip.text[quote["start"] : quote["end"]] == quote["quote"]
    assert "transcript" not in row


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ("{not json", "invalid JSON"),
        ("[1, 2]", "not a JSON object"),
        (b'{"id": "a\xff"}', "not UTF-8"),
        (json.dumps({"id": "a", "lang": "en", "question": "Why?"}), "needs answer or audio"),
        (json.dumps({"lang": "en", "question": "Why?", "answer": "So."}), "id: Field required"),
        (line(), "needs question or question_id"),
        (line(question_id="no-such-question"), "unknown question_id 'no-such-question'"),
        (line(question="Why?", answer="  "), "empty answer"),
        (line(question="Why?", answer="word " * 200_000), "at most 50000 characters"),
        (line(question="Why? " * 1000), "at most 2000 characters"),
        (line(question="Why?", reference="So. " * 5000), "at most 10000 characters"),
        (
            '{"id": "a", "lang": "en", "question": "Q", "answer": ' + "1" * 5000 + "}",
            "invalid JSON",
        ),
        (line(question="Why?", lang="fr"), "lang: Input should be 'en' or 'zh'"),
        (line(question="Why?", category="poetry"), "category"),
        (line(question="Why?", answer=["a"]), "answer: Input should be a valid string"),
        (json.dumps({"id": "a", "lang": "en", "question": "Q", "audio": "a.wav"}), "audio"),
    ],
)
def test_a_bad_row_says_what_is_wrong_and_the_run_goes_on(
    given: str | bytes, error: str, batch: BatchGrading
) -> None:
    bad, good = run(batch, [given, line(id="b", question="What is a mutex?")])
    assert bad["score"] is None
    assert bad["criteria"] == []
    assert bad["error"].startswith("line 1: ")
    assert error in bad["error"]
    assert (good["id"], good["error"]) == ("b", None)


def test_control_characters_and_broken_surrogates_do_no_harm(batch: BatchGrading) -> None:
    raw = '{"id": "a", "lang": "zh", "question_id": "dp-vs-mp", "answer": "数据\\u0000并行\\ud800"}'
    (row,) = run(batch, [raw])
    assert row["error"] is None
    json.dumps(row, ensure_ascii=False).encode()


def test_order_is_kept_over_chunks_and_equal_ids_are_noted(batch: BatchGrading) -> None:
    names = [str(number % (CHUNK + 3)) for number in range(CHUNK + 5)]
    rows = run(batch, [line(id=name, question_id="dp-vs-mp") for name in names])
    assert [row["id"] for row in rows] == names
    assert ["duplicate_id" in row["flags"] for row in rows] == [False] * (CHUNK + 3) + [True] * 2


@pytest.mark.parametrize(
    ("language", "question", "known"),
    [
        ("en", "what is the diffrence between data parallelism and model parallelism", "dp-vs-mp"),
        ("zh", "数据并行 和 模型并行 的区别是什么", "dp-vs-mp"),
        ("en", "What is the difference between tensor and pipeline parallelism?", None),
        ("zh", "张量并行和流水线并行的区别是什么？", None),
        ("en", "What is your favourite colour?", None),
        *((clip.language, clip.question, "?") for clip in CLIPS.values() if clip.question),
    ],
)
def test_a_question_is_matched_when_it_says_the_same(
    language: Language, question: str, known: str | None, batch: BatchGrading
) -> None:
    (row,) = run(batch, [line(lang=language, question=question)])
    if known == "?":
        assert row["question_id"] in QUESTIONS
    else:
        assert row.get("question_id") == known


def test_key_points_are_derived_from_a_reference(batch: BatchGrading) -> None:
    fields = {
        "question": "Why is a linked list better for frequent insertion?",
        "reference": "Inserting only changes the pointers of the neighbours. An array has to move "
        "all elements behind the place.",
        "category": "principle",
    }
    good, bad = run(
        batch,
        [
            line(
                answer="Insertion just changes neighbour pointers, arrays move elements.", **fields
            ),
            line(
                answer="Arrays are stored in memory and lists are popular in textbooks.", **fields
            ),
        ],
    )
    assert good["score"] > bad["score"] + 20
    assert [item["id"] for item in good["key_points"]] == ["reference-1", "reference-2"]


@pytest.mark.parametrize(
    ("language", "question", "category"),
    [
        ("en", "Tell me about a time you cleaned a dataset.", "project"),
        ("zh", "请分享一个你做过的数据清洗项目。", "project"),
        ("en", "How would you design a feature store?", "design"),
        ("zh", "如何设计一个特征平台？", "design"),
        ("en", "What is a semaphore?", "principle"),
        ("zh", "什么是信号量？", "principle"),
        ("en", "How do you debug a deadlock?", "engineering"),
        ("zh", "死锁怎么排查？", "engineering"),
    ],
)
def test_the_form_of_a_question_tells_its_category(
    language: Language, question: str, category: str, batch: BatchGrading
) -> None:
    (row,) = run(batch, [line(lang=language, question=question)])
    assert row["category"] == category


def test_audio_rows_are_heard_with_the_questions_terms(batch: BatchGrading, tmp_path: Path) -> None:
    heard: list[tuple[str, Language, tuple[str, ...]]] = []

    async def hear(path: Path, language: Language, terms: Sequence[str]) -> Answer:
        heard.append((path.name, language, tuple(terms)))
        if path.name == "broken.wav":
            raise AudioUnreadable(path, "not a sound file")
        if path.name == "silent.wav":
            return Answer(text="", raw_text="", status="silent")
        return Answer(text="数据并行复制模型。", raw_text="數據並行複製模型", status="spoken")

    for name in ("good.wav", "silent.wav", "broken.wav"):
        (tmp_path / name).touch()
    listening = BatchGrading(
        batch.grade_many, batch.bank, batch.frames, batch.encoder, hear, tmp_path
    )
    rows = run(
        listening,
        [
            json.dumps(
                {"id": name, "lang": "zh", "question_id": "dp-vs-mp", "audio": f"{name}.wav"}
            )
            for name in ("good", "silent", "broken", "missing")
        ],
    )
    good, silent, broken, missing = rows
    assert heard[0] == ("good.wav", "zh", QUESTIONS["dp-vs-mp"].speech_terms.zh)
    assert (good["transcript"], good["raw_transcript"]) == (
        "数据并行复制模型。",
        "數據並行複製模型",
    )
    assert (silent["score"], silent["reason"], silent["error"]) == (None, "no speech", None)
    assert "not a sound file" in broken["error"]
    assert "no such file: missing.wav" in missing["error"]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("answer", ["🚀🔥🎉", "...!?", "？？。。", "\u200b\u200d", "\x00\x07"])
def test_an_answer_without_words_has_no_score(
    language: Language, answer: str, batch: BatchGrading
) -> None:
    (row,) = run(batch, [line(lang=language, question_id="dp-vs-mp", answer=answer)])
    assert row["score"] is None
    assert row.get("reason") or row["error"]


@pytest.mark.parametrize("reference", ["...", "。。。", "🚀", "  ", "\x00"])
def test_a_reference_without_content_gives_no_key_points(
    reference: str, batch: BatchGrading
) -> None:
    (row,) = run(batch, [line(question="What is a mutex?", reference=reference)])
    assert row["error"] is None
    assert row["key_points"] == []
    assert "key_points" not in {item["id"] for item in row["criteria"]}


def test_languages_may_mix_within_an_answer(batch: BatchGrading) -> None:
    answer = "Data parallelism 是每张卡有完整的 model copy，split the batch，梯度 all-reduce。"
    rows = run(
        batch, [line(lang=name, question_id="dp-vs-mp", answer=answer) for name in LANGUAGES]
    )
    assert all(row["score"] > 0 for row in rows)

"""The user's own questions: what a row may say, and what becomes of it."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.domain.question import Category, Question
from agent.policy.own_bank import as_written, question_from
from agent.policy.own_rows import LIMITS, Unusable, column

EN = {
    "question": "Why is a warm-up needed with Adam?",
    "reference": "Early moments are noisy. The first steps would be too large.",
    "source": "My notes (2024)",
    "category": "principle",
}
ZH = {
    "问题": "为什么 Adam 要做 warm-up？",
    "参考答案": "刚开始二阶动量不准，方差很大。直接用大学习率会让 loss 发散。",
    "来源": "自己的笔记",
    "类别": "原理",
}


def faults(fields: object) -> list[str]:
    with pytest.raises(Unusable) as caught:
        question_from(fields)
    return [fault.en for fault in caught.value.faults]


@pytest.mark.parametrize(("row", "language"), [(EN, "en"), (ZH, "zh")])
def test_a_row_becomes_a_question_of_its_language(row: dict[str, str], language: str) -> None:
    question = question_from(row)
    asked, reference, source, _ = row.values()
    assert question.languages == (language,)
    assert question.prompt.get(question.languages[0]) == asked
    assert question.category == "principle"
    assert len(question.key_points) == 2
    assert "".join(point.statement.en for point in question.key_points)[:8] in reference
    assert question.sources == (source,)
    assert len(question.levels) == 3


def test_every_field_can_be_given() -> None:
    row = EN | {"id": "my-warmup", "topic": "stability", "level": "senior, 1-3 years"}
    question = question_from(row | {"lang": "English", "minutes": 4.5})
    assert (question.id, question.topic, question.minutes) == ("my-warmup", "stability", 4.5)
    assert question.levels == ("senior", "1-3-years")


def test_terms_for_the_ear_are_taken_from_the_row() -> None:
    assert "warm-up" in question_from(ZH).speech_terms.zh
    spelt = question_from(EN | {"reference": "ZeRO-3 gathers the weights over NCCL."})
    assert spelt.speech_terms.en == ("warm-up", "ZeRO-3", "NCCL")


@pytest.mark.parametrize(
    ("question", "category"),
    [
        ("Tell me about a project you are proud of.", "behavioural"),
        ("介绍一下你参与过的项目。", "project"),
        ("What is a ring?", "principle"),
        ("设计一个训练调度系统。", "design"),
    ],
)
def test_a_missing_category_is_guessed(question: str, category: Category) -> None:
    assert question_from({"question": question, "reference": EN["reference"]}).category == category


def test_the_same_question_has_the_same_id_whatever_its_case_and_width() -> None:
    again = EN | {"question": EN["question"].upper()}
    assert question_from(EN).id == question_from(again).id
    assert question_from(EN).id != question_from(ZH).id


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"question": " "}, "question: is missing"),
        ({"question": "？！"}, "question: is missing"),
        ({"reference": None}, "reference: is missing"),
        ({"question": "x" * 2001}, "question: is longer than 2000 characters"),
        ({"category": "cooking"}, "category: 'cooking' is none of project, engineering"),
        ({"level": "boss"}, "level: 'boss' is none of new-graduate"),
        ({"lang": "fr"}, "lang: 'fr' is none of en, zh"),
        ({"minutes": "long"}, "minutes: 'long' is not a number up to 30"),
        ({"minutes": "nan"}, "minutes: 'nan' is not a number up to 30"),
        ({"minutes": 0}, "minutes: '0' is not a number up to 30"),
        ({"minutes": True}, "minutes: is not a text"),
        ({"id": "My Question"}, "id: 'my question' may have a-z, 0-9"),
        ({"topic": "../up"}, "topic: '../up' may have a-z, 0-9"),
        ({"colour": "red"}, "colour: unknown column"),
        ({"Reference answer": "again"}, "Reference answer: given twice"),
        ({"source": {"a": 1}}, "source: is not a text"),
    ],
)
def test_what_is_wrong_is_named(change: dict[str, Any], told: str) -> None:
    [fault] = faults(EN | change)
    assert fault.startswith(told)


def test_everything_wrong_with_a_row_comes_at_once_and_in_both_languages() -> None:
    with pytest.raises(Unusable) as caught:
        question_from({"question": "", "category": "x", "level": "y", "minutes": "z", "?": "w"})
    assert len(caught.value.faults) == 6
    assert all(fault.zh != fault.en for fault in caught.value.faults)


@pytest.mark.parametrize("fields", [None, 3, "text", [], ["question"]])
def test_what_is_no_row_is_refused(fields: object) -> None:
    assert faults(fields) == ["is not a set of named fields"]


def test_control_characters_do_not_come_in() -> None:
    row = {"question": "What\x1b[31m is\u202e a ring?\x00", "reference": "A\x07 circle of cards."}
    question = question_from(row)
    written = question.prompt.en + question.outline.en
    assert all(character.isprintable() for character in written)


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("Question", "question"),
        ("REFERENCE_ANSWER", "reference"),
        (" 参考答案 ", "reference"),
        ("ｃａｔｅｇｏｒｙ", "category"),
        ("colour", None),
    ],
)
def test_headings_are_known_in_both_languages(heading: str, name: str | None) -> None:
    assert column(heading) == name


FULL: dict[str, Any] = {
    "id": "own-ring",
    "category": "principle",
    "topic": "own",
    "levels": ["senior"],
    "minutes": 3,
    "prompt": {"zh": "环形 all-reduce 是怎么工作的？"},
    "looks_for": {"zh": "两步。"},
    "key_points": [
        {
            "id": "two-steps",
            "statement": {"zh": "先 reduce-scatter，再 all-gather。"},
            "aloud": {"zh": "先做 reduce-scatter，再做 all-gather。"},
            "terms": [["reduce-scatter"], ["all-gather"]],
        }
    ],
    "outline": {"zh": "先 reduce-scatter，再 all-gather。"},
    "example": {"zh": "先 reduce-scatter，再 all-gather。"},
    "pitfalls": {"zh": ["说反了。"]},
    "speech_terms": {"zh": ["all-gather"]},
}


def test_the_banks_own_form_may_be_in_one_language() -> None:
    question = question_from(FULL)
    assert question.languages == ("zh",)
    assert question.localized("zh").key_points[0].terms == (("reduce-scatter",), ("all-gather",))


def test_the_banks_own_form_is_checked() -> None:
    probe = {"rung": "limits", "ask": {"zh": "什么时候不行？"}, "key_point": "none"}
    assert faults(FULL | {"probes": [probe]}) == [
        "probes[0].key_point: there is no key point 'none'"
    ]
    wrong: dict[str, Any] = {"minutes": "long", "levels": []}
    assert [fault.split(":")[0] for fault in faults(FULL | wrong)] == ["levels", "minutes"]
    assert faults(FULL | {"outline": {"zh": "长" * 10_001}}) == ["is longer than 10000 characters"]


@pytest.mark.parametrize("fields", [EN, ZH, FULL])
def test_what_is_written_reads_the_same(fields: dict[str, Any]) -> None:
    question = question_from(fields)
    written = as_written(question)
    assert set(written["prompt"]) == set(question.languages)
    again = question_from(written)
    shown = question.languages[0]
    assert again.localized(shown) == question.localized(shown)
    assert again.languages == question.languages


@settings(suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no fault of the rows
@given(st.dictionaries(st.sampled_from([*LIMITS, "问题", "x"]), st.text(max_size=60) | st.none()))
def test_whatever_a_row_says_it_is_a_question_or_named_faults(fields: dict[str, Any]) -> None:
    try:
        assert isinstance(question_from(fields), Question)
    except Unusable as error:
        assert error.faults  # noqa: PT017


@settings(suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no fault of the rows
@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists, max_leaves=8))
def test_whatever_a_prompt_is_it_is_refused_by_name(prompt: object) -> None:
    assert faults({"prompt": prompt, "question": "What?"})

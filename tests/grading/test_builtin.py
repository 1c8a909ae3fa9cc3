"""The builtin grader on the recorded answers' true words and on the bank's own examples."""

import pytest

from agent.domain.assessment import Assessment, Evidence
from agent.domain.interview import Answer, AnswerStatus
from agent.domain.language import LANGUAGES, Language
from agent.grading.builtin import BuiltinGrader
from agent.policy.evidence import locate
from tests.clips import Clip, load_clips
from tests.grading.conftest import (
    QUESTION_OF_CLIP,
    QUESTIONS,
    Ask,
    level_of,
    score_of,
    task_of,
    typed,
)

WRONG_ZH = (
    "数据并行是把模型切开，每张卡放不同的层。模型并行是每张卡都有完整的模型，处理不同的数据，"
    "而且卡之间完全不需要通信。所以模型并行总是比数据并行快，小模型默认用它。"
)
CLIPS = load_clips()


def graded(ask: Ask, clip: Clip) -> Assessment:
    return ask(QUESTION_OF_CLIP[clip.id], clip.language, clip.text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_full_star_lies_far_above_a_hollow_one(language: Language, ask: Ask) -> None:
    strong = graded(ask, CLIPS[f"{language}_star_strong"])
    weak = graded(ask, CLIPS[f"{language}_star_weak"])
    assert score_of(strong) >= score_of(weak) + 40
    assert level_of(strong, "star.task") == 4
    assert level_of(strong, "star.action") >= 3
    assert level_of(weak, "star.action") == 0
    assert "we_without_i" in weak.flags


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", CLIPS["en_dp_vs_mp_wrong"].text), ("zh", WRONG_ZH)],
    ids=["en", "zh"],
)
def test_swapped_roles_are_wrong_however_fluent(language: Language, text: str, ask: Ask) -> None:
    wrong = ask("dp-vs-mp", language, text)
    assert score_of(wrong) <= 30
    assert "swapped" in {item.id for item in wrong.misconceptions}
    statuses = {item.id: item.status for item in wrong.key_points}
    assert statuses["replica"] == "contradicted"
    assert "present" not in {statuses["replica"], statuses["gradient-sync"], statuses["volume"]}


@pytest.mark.parametrize(
    ("language", "wrong", "after", "asked"),
    [
        ("en", CLIPS["en_dp_vs_mp_wrong"].text, "Sorry, I mixed them up.", False),
        ("en", CLIPS["en_dp_vs_mp_wrong"].text, "Yes, that is what I said.", True),
        ("zh", WRONG_ZH, "对不起，我说反了。", False),
        ("zh", WRONG_ZH, "对，就是这样。", True),
    ],
)
def test_a_misconception_that_was_taken_back_is_not_asked_about(
    language: Language, wrong: str, after: str, asked: bool, grader: BuiltinGrader
) -> None:
    found = grader.assess(task_of("dp-vs-mp", language, typed(wrong), typed(after)))
    assert found.misconceptions
    assert ("misconception" in {item.reason for item in found.findings}) is asked


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "en",
            (
                "Pipeline parallelism has bubbles because stages wait. With four stages, sixteen "
                "micro batches the bubble is three nineteenths, so I use more micro batches."
            ),
        ),
        (
            "zh",
            (
                "流水线并行有气泡，因为各级要互相等。四级流水、十六个微批的时候气泡是十九分之三，"
                "所以我会多切几个微批。"
            ),
        ),
    ],
)
def test_fluent_words_on_another_matter_reach_no_level(
    language: Language, text: str, ask: Ask
) -> None:
    strayed = ask("flash-attention", language, text)
    assert score_of(strayed) <= 15
    assert max(item.level or 0 for item in strayed.criteria) <= 1


@pytest.mark.parametrize("name", ["en_dp_vs_mp_right", "zh_dp_vs_mp"])
def test_the_right_comparison_is_high_and_without_misconception(name: str, ask: Ask) -> None:
    right = graded(ask, CLIPS[name])
    assert score_of(right) >= 70
    assert right.misconceptions == ()


@pytest.mark.parametrize("name", ["en_think_pause", "zh_loss_debug"])
def test_systematic_fault_finding_is_seen(name: str, ask: Ask) -> None:
    found = graded(ask, CLIPS[name])
    assert score_of(found) >= 60
    assert level_of(found, "problem.root_cause") >= 3


@pytest.mark.parametrize(
    ("name", "flag"),
    [("en_off_topic", "off_topic"), ("en_injection", "injection"), ("en_dont_know", "gave_up")],
)
def test_no_answer_earns_nothing(name: str, flag: str, ask: Ask) -> None:
    nothing = graded(ask, CLIPS[name])
    assert nothing.score == 0
    assert flag in nothing.flags
    assert not [item for item in nothing.criteria if item.level]


@pytest.mark.parametrize("text", ["这个我没用过，不知道。", "不好意思，我不太了解这个。"])
def test_honest_ignorance_in_chinese(text: str, ask: Ask) -> None:
    nothing = ask("ring-attention", "zh", text)
    assert (nothing.score, nothing.reason) == (0, "gave up")
    assert "gave_up" in nothing.flags


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("question_id", QUESTIONS)
def test_the_banks_own_examples_are_good(question_id: str, language: Language, ask: Ask) -> None:
    example = ask(question_id, language, QUESTIONS[question_id].example.get(language))
    assert score_of(example) >= 70
    assert example.misconceptions == ()


@pytest.mark.parametrize("name", QUESTION_OF_CLIP)
def test_every_level_stands_on_words_that_were_said(name: str, ask: Ask) -> None:
    text = CLIPS[name].text
    assessment = graded(ask, CLIPS[name])
    for item in assessment.criteria:
        assert bool(item.evidence) == bool(item.level)
        for quote in item.evidence:
            assert text[quote.start : quote.end] == quote.quote
            assert locate(quote.quote, text) is not None


@pytest.mark.parametrize("name", ["en_star_strong", "zh_star_strong", "zh_loss_debug"])
def test_without_its_quotes_a_criterion_loses_its_level(name: str, ask: Ask) -> None:
    whole = graded(ask, CLIPS[name])
    for item in whole.criteria:
        if item.id == "key_points" or not item.level:
            continue
        left = ask(
            QUESTION_OF_CLIP[name],
            CLIPS[name].language,
            without(CLIPS[name].text, item.evidence) or "。",
        )
        rest = next(row.level for row in left.criteria if row.id == item.id)
        assert (rest or 0) < item.level


def without(text: str, quotes: tuple[Evidence, ...]) -> str:
    for quote in sorted(quotes, key=lambda item: -item.start):
        text = text[: quote.start] + text[quote.end :]
    return text


def test_two_runs_are_equal(grader: BuiltinGrader) -> None:
    tasks = [
        task_of(QUESTION_OF_CLIP[name], CLIPS[name].language, typed(CLIPS[name].text))
        for name in QUESTION_OF_CLIP
    ]
    together = grader.assess_many(tasks)
    assert together == grader.assess_many(tasks)
    assert [item.score for item in together] == [grader.assess(task).score for task in tasks]


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("silent", "no speech"),
        ("doubtful", "not understood"),
        ("unreadable", "recording could not be read"),
    ],
)
def test_what_was_not_heard_is_not_graded(
    status: AnswerStatus, reason: str, grader: BuiltinGrader
) -> None:
    nothing = grader.assess(task_of("dp-vs-mp", "en", Answer(text="", raw_text="", status=status)))
    assert (nothing.score, nothing.reason) == (None, reason)
    assert {item.level for item in nothing.criteria} == {None}


def test_follow_ups_count_and_evidence_names_its_turn(grader: BuiltinGrader) -> None:
    text = CLIPS["zh_star_strong"].text
    cut = text.index("最后通信占比")
    first = grader.assess(task_of("project-role", "zh", typed(text[:cut])))
    both = grader.assess(task_of("project-role", "zh", typed(text[:cut]), typed(text[cut:])))
    assert score_of(both) > score_of(first)
    assert level_of(first, "star.result") <= 1 < level_of(both, "star.result")
    result = next(item for item in both.criteria if item.id == "star.result")
    assert {quote.turn for quote in result.evidence} == {2}
    assert both.turn == 2


@pytest.mark.parametrize(
    ("language", "text", "reason", "target"),
    [
        ("en", CLIPS["en_star_weak"].text, "we_without_i", "star.action"),
        ("zh", CLIPS["zh_star_weak"].text, "we_without_i", "star.action"),
        (
            "en",
            (
                "I trained a model on eight GPUs at my company. In the end throughput rose by "
                "thirty percent."
            ),
            "no_baseline",
            "star.result",
        ),
        (
            "zh",
            "去年在公司训练大模型，我优化了数据加载。最后训练吞吐提升了百分之三十。",
            "no_baseline",
            "star.result",
        ),
        (
            "en",
            "At my company we trained a model. I decided on ZeRO stage three for the optimizer.",
            "no_alternative",
            "star.action",
        ),
        ("zh", "去年在公司训练大模型，我选择了 ZeRO 三阶段。", "no_alternative", "star.action"),
    ],
)
def test_a_finding_carries_the_words_that_set_it_off(
    language: Language, text: str, reason: str, target: str, ask: Ask
) -> None:
    findings = {item.reason: item for item in ask("project-role", language, text).findings}
    assert findings[reason].target == target  # pyright: ignore[reportArgumentType]
    evidence = findings[reason].evidence  # pyright: ignore[reportArgumentType]
    assert evidence is not None
    assert evidence.quote in text


def test_without_an_encoder_the_order_is_the_same() -> None:
    grader = BuiltinGrader(None)
    assert grader.name == "builtin 2 (lexical)"
    for language in LANGUAGES:
        strong, weak = (
            grader.assess(
                task_of("project-role", language, typed(CLIPS[f"{language}_star_{kind}"].text))
            )
            for kind in ("strong", "weak")
        )
        assert score_of(strong) >= score_of(weak) + 40

"""Answers changed on purpose, and graders that the properties find out."""

from collections.abc import Callable, Sequence
from functools import partial

import pytest

from agent.domain.assessment import Assessment, GradingTask
from agent.domain.language import LANGUAGES, Language
from agent.grading import denials
from agent.grading import perturbations as change
from agent.grading.metamorphic import Rate, by_kind, trials, violations
from agent.grading.properties import MOST, PROPERTIES
from tests.grading.conftest import FRAMES, QUESTIONS

FEW = [QUESTIONS[name] for name in ("dp-vs-mp", "mfu", "conflict")]


@pytest.mark.parametrize(
    ("language", "clause", "denied"),
    [
        ("en", "the gradients are averaged", "the gradients are not averaged"),
        ("en", "each worker keeps a full copy", "each worker does not keep a full copy"),
        ("en", "the traffic fell", "the traffic did not fall"),
        ("en", "it does not need communication", "it does need communication"),
        ("en", "a copy of the model", "a copy of the model"),
        ("zh", "反向之后需要同步梯度", "反向之后不需要同步梯度"),
        ("zh", "我先跑 profile", "我先不跑 profile"),
        ("zh", "机内有 NVLink", "机内没有 NVLink"),
        ("zh", "它不会变小", "它会变小"),
        ("zh", "百分之四十左右", "百分之四十左右"),
    ],
)
def test_a_clause_is_turned_into_its_opposite(language: Language, clause: str, denied: str) -> None:
    assert denials.deny(clause, language) == denied


@pytest.mark.parametrize(
    ("language", "text", "whole", "half"),
    [
        (
            "en",
            "The weights are copied. The gradients are averaged.",
            "The weights are not copied. The gradients are not averaged.",
            "The weights are not copied. The gradients are averaged.",
        ),
        (
            "zh",
            "反向之后需要同步梯度。吞吐提高了三分之一。",
            "反向之后不需要同步梯度。吞吐不提高了三分之一。",
            "反向之后不需要同步梯度。吞吐提高了三分之一。",
        ),
        ("en", "Much ado about nothing in here. More of the same.", None, None),
    ],
)
def test_answers_are_denied(
    language: Language, text: str, whole: str | None, half: str | None
) -> None:
    question = FEW[0].localized(language)
    assert denials.negated(text, question) == whole
    assert denials.half_negated(text, question) == half


@pytest.mark.parametrize(
    ("language", "make", "text", "changed"),
    [
        (
            "en",
            change.swapped,
            "two for the forward, four backward",
            "two for the backward, four forward",
        ),
        (
            "zh",
            change.swapped,
            "数据并行复制模型，模型并行切模型",
            "模型并行复制模型，数据并行切模型",
        ),
        ("en", change.swapped, "nothing to exchange", None),
        (
            "en",
            change.flat,
            "We ran it, 3.5 hours. Then NCCL hung.",
            "we ran it 3.5 hours then nccl hung",
        ),
        ("zh", change.flat, "先算账，再切分。", "先算账 再切分"),
        ("en", change.full_width, "ZeRO-3", "ＺｅＲＯ－３"),
        ("zh", change.full_width, "用 8 张卡", "用 ８ 张卡"),
        ("en", change.asked, "It is copied. It is split.", "It is copied? It is split?"),
        ("zh", change.asked, "模型被复制。数据被切开。", "模型被复制吗？数据被切开吗？"),
        ("en", change.twice, "It fell.", "It fell. It fell."),
        ("zh", change.twice, "降了。", "降了。降了。"),
        (
            "en",
            change.added({"en": "Well.", "zh": "嗯。"}, "middle"),
            "One. Two.",
            "One. Well. Two.",
        ),
        ("zh", change.added({"en": "Well.", "zh": "嗯。"}, "middle"), "一。二。", "一。嗯。二。"),
    ],
)
def test_answers_are_changed(
    language: Language, make: change.Change, text: str, changed: str | None
) -> None:
    assert make(text, FEW[0].localized(language)) == changed


@pytest.mark.parametrize("language", LANGUAGES)
def test_fillers_are_the_same_every_time(language: Language) -> None:
    question = FEW[0].localized(language)
    text = FEW[0].example.get(language)
    hesitant = change.hesitant(text, question)
    assert hesitant == change.hesitant(text, question)
    assert hesitant is not None
    assert len(hesitant) > len(text)


def judged(task: GradingTask, score: float) -> Assessment:
    return Assessment(
        turn=None,
        question_id=task.question.id,
        frame=task.frame.id,
        score=score,
        criteria=(),
        grader="bad",
        rubric_version="1",
    )


def by_length(tasks: Sequence[GradingTask]) -> list[Assessment]:
    return [judged(task, min(100.0, len(task.answers[0].answer.text) / 8)) for task in tasks]


def generous(tasks: Sequence[GradingTask]) -> list[Assessment]:
    return [judged(task, 70.0) for task in tasks]


def rates_of(assess: Callable[[Sequence[GradingTask]], list[Assessment]]) -> tuple[Rate, ...]:
    done: list[None] = []
    tried = trials(FEW, FRAMES, PROPERTIES)
    rates = violations(tried, PROPERTIES, partial(map, assess), lambda: done.append(None))
    assert len(done) == len(LANGUAGES) * len(FEW)
    return rates


def test_a_grader_that_counts_letters_is_found_out() -> None:
    rates = rates_of(by_length)
    kinds = by_kind(rates)
    assert (kinds["must not rise"] or 0) > MOST["must not rise"]
    assert (kinds["must be at the bottom"] or 0) > MOST["must be at the bottom"]
    padded = next(item for item in rates if item.name.en == "padding, at the end")
    assert padded.tried == 2 * len(FEW)
    assert {item.question for item in padded.broken} <= {item.id for item in FEW}


def test_a_grader_that_reads_nothing_is_found_out() -> None:
    kinds = by_kind(rates_of(generous))
    assert kinds["must be at the bottom"] == 1
    assert kinds["must fall"] == 1
    assert kinds["must not rise"] == 0


def test_what_was_not_tried_has_no_rate() -> None:
    assert by_kind(()) == dict.fromkeys(MOST)

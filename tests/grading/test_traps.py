"""Answers turned into their opposite in the right words, against right ones in other words."""

import pytest

from agent.domain.language import LANGUAGES, Language
from tests.grading.conftest import Ask, score_of

APART = 40
RIGHT: dict[tuple[str, Language], str] = {
    ("dp-vs-mp", "en"): (
        "With data parallelism every card has the whole model and works on its own part of the "
        "batch. After backward the gradients are averaged with an all-reduce, so the traffic "
        "follows the number of parameters. With model parallelism the model itself is cut. Tensor "
        "parallelism cuts every layer and exchanges activations in each of them, so it needs "
        "NVLink. Pipeline parallelism cuts between layers and sends only the activations at the "
        "boundary, and pays with bubbles. If the model fits on one card I use data parallelism."
    ),
    ("dp-vs-mp", "zh"): (
        "数据并行就是每张卡都放一份完整的模型，各算各的那份数据。反向之后用 all-reduce 把梯度平均，"
        "所以通信量跟参数量走。模型并行是把模型本身切开。张量并行把每一层切开，每层都要交换激活值，"
        "需要 NVLink。流水线并行按层切，只传边界上的激活值，代价是气泡。单卡放得下我就用数据并行。"
    ),
    ("flash-attention", "en"): (
        "Attention is bound by memory traffic, because the scores go to HBM and back. Flash "
        "attention loads tiles of Q, K and V into SRAM. It keeps a running maximum and a running "
        "sum for each row, so the softmax is exact. The score matrix is never written, so memory "
        "grows linearly with the length. In the backward pass the scores are recomputed."
    ),
    ("flash-attention", "zh"): (
        "注意力的瓶颈是访存，分数矩阵要在 HBM 里写进写出。Flash Attention 把 Q、K、V "
        "分块搬到 SRAM 里算。每一行维护一个最大值和累加和，也就是在线 softmax，结果是精确的。"
        "分数矩阵从不写回显存，"
        "所以显存随长度线性增长。反向的时候重新算一遍分数。"
    ),
    ("gradient-clipping", "en"): (
        "When the global norm of the gradients is above the threshold, all of them are scaled by "
        "threshold over norm, and the direction stays the same. It protects the run from a rare "
        "bad batch that would spoil Adam's moments. I set the threshold a little above the usual "
        "norm, so that a few percent of the steps are clipped. With loss scaling the gradients are "
        "unscaled first."
    ),
    ("gradient-clipping", "zh"): (
        "所有梯度的全局范数超过阈值，就统一乘以阈值除以范数，方向保持一样。"
        "它防的是偶发的坏批次把训练带偏、"
        "污染 Adam 的动量。阈值我会设得比平时的范数略高，让百分之几的步被裁剪。"
        "用 loss scaling 的话要先还原再裁。"
    ),
}
NEGATED: dict[tuple[str, Language], str] = {
    ("dp-vs-mp", "en"): (
        "With data parallelism no card has the whole model or works on its own part of the batch. "
        "After backward the gradients are not averaged with an all-reduce, so the traffic does not "
        "follow the number of parameters. With model parallelism the model itself is not cut. "
        "Tensor parallelism does not cut every layer or exchange activations in each of them, so "
        "it does not need NVLink. Pipeline parallelism does not cut between layers or send the "
        "activations at the boundary, and never pays with bubbles. If the model fits on one card I "
        "do not use data parallelism."
    ),
    ("dp-vs-mp", "zh"): (
        "数据并行不是每张卡都放一份完整的模型，不是各算各的那份数据。"
        "反向之后不用 all-reduce 把梯度平均，"
        "所以通信量不跟参数量走。模型并行不把模型本身切开。张量并行不把每一层切开，"
        "每层都不要交换激活值，"
        "不需要 NVLink。流水线并行不按层切，不传边界上的激活值，没有气泡。"
        "单卡放得下我不用数据并行。"
    ),
    ("flash-attention", "en"): (
        "Attention is not bound by memory traffic, because the scores do not go to HBM and back. "
        "Flash attention does not load tiles of Q, K and V into SRAM. It does not keep a running "
        "maximum or a running sum for each row, so the softmax is not exact. The score matrix is "
        "written, so memory does not grow linearly with the length. In the backward pass the "
        "scores are not recomputed."
    ),
    ("flash-attention", "zh"): (
        "注意力的瓶颈不是访存，分数矩阵不在 HBM 里写进写出。Flash Attention 不把 Q、K、V "
        "分块搬到 SRAM 里算。每一行不维护最大值和累加和，不是在线 softmax，结果不是精确的。"
        "分数矩阵要写回显存，"
        "所以显存不随长度线性增长。反向的时候不重新算分数。"
    ),
    ("gradient-clipping", "en"): (
        "When the global norm of the gradients is above the threshold, they are not scaled by "
        "threshold over norm, and the direction does not stay the same. It does not protect the "
        "run from a rare bad batch that would spoil Adam's moments. I do not set the threshold "
        "above the usual norm, so that a few percent of the steps are not clipped. With loss "
        "scaling the gradients are not unscaled first."
    ),
    ("gradient-clipping", "zh"): (
        "所有梯度的全局范数超过阈值，不会统一乘以阈值除以范数，方向不能保持一样。"
        "它防不了偶发的坏批次把训练带偏、"
        "污染 Adam 的动量。阈值我不会设得比平时的范数略高，不让百分之几的步被裁剪。"
        "用 loss scaling 的话不要先还原再裁。"
    ),
}
EXCHANGED: dict[Language, tuple[tuple[str, str], ...]] = {
    "en": (
        ("data parallelism", "model parallelism"),
        ("Tensor parallelism", "Pipeline parallelism"),
    ),
    "zh": (("数据并行", "模型并行"), ("张量并行", "流水线并行")),
}
ONE_LINE: dict[Language, tuple[str, str]] = {
    "en": (
        "Data parallelism splits the batch, model parallelism splits the model.",
        "Data parallelism splits the model, model parallelism splits the batch.",
    ),
    "zh": (
        "数据并行是每张卡放完整的模型、各算一份数据，模型并行是把模型本身切开。",
        "模型并行是每张卡放完整的模型、各算一份数据，数据并行是把模型本身切开。",
    ),
}


def exchanged(text: str, language: Language) -> str:
    for first, second in EXCHANGED[language]:
        text = text.replace(first, "\0").replace(second, first).replace("\0", second)
    return text


@pytest.mark.parametrize(("question_id", "language"), RIGHT)
def test_a_negated_answer_lies_far_below_the_right_one(
    question_id: str, language: Language, ask: Ask
) -> None:
    right = ask(question_id, language, RIGHT[question_id, language])
    negated = ask(question_id, language, NEGATED[question_id, language])
    assert score_of(negated) <= score_of(right) - APART
    assert "contradicted" in {point.status for point in negated.key_points}


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_with_its_sides_exchanged_lies_far_below(language: Language, ask: Ask) -> None:
    right = RIGHT["dp-vs-mp", language]
    swapped = ask("dp-vs-mp", language, exchanged(right, language))
    assert score_of(swapped) <= score_of(ask("dp-vs-mp", language, right)) - APART


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_splits_what_matters_in_one_line(language: Language, ask: Ask) -> None:
    right, swapped = (ask("dp-vs-mp", language, text) for text in ONE_LINE[language])
    made = {point.id for point in right.key_points if point.coverage}
    assert made
    lost = {point.id: point for point in swapped.key_points if point.id in made}
    assert all(point.coverage == 0 for point in lost.values())

"""Every figure that an example answer states, computed again from its definition."""

from dataclasses import dataclass
from math import sqrt

import pytest

from agent.adapters.yaml_catalog import QUESTIONS, data_root, load_questions

BANK = {q.id: q for q in load_questions(data_root() / QUESTIONS.folder)}

BILLION = 1e9
GB = 1e9
A100_FLOPS = 312e12
A100_GB = 80
BF16 = 2
ADAM = 4 + 4 + 4
"""Bytes a parameter that Adam adds in mixed precision: fp32 master weight and two moments."""
STATES = BF16 + BF16 + ADAM


@dataclass(frozen=True)
class Fact:
    """A figure in an example answer.

    Attributes:
        stated: The figure as it is said.
        computed: The same from its definition.
        en: The words around it in the English example; `zh`: in the Chinese one.
        tolerance: Relative; answers are spoken, so figures are rounded.
    """

    question: str
    stated: float
    computed: float
    en: str
    zh: str
    tolerance: float = 0.03


def zero_bytes(stage: int, cards: int) -> float:
    """Bytes of states a parameter on each card (ZeRO paper, section 5)."""
    kept = {0: STATES, 1: BF16 + BF16, 2: BF16, 3: 0}[stage]
    return kept + (STATES - kept) / cards


def ring_bytes(cards: int, size: float) -> float:
    """Bytes that each card sends: reduce-scatter and all-gather, n-1 chunks each."""
    chunk = size / cards
    return (cards - 1) * chunk + (cards - 1) * chunk


def bubble(stages: int, micro_batches: int) -> float:
    """Idle share of a step: a stage works m slots of the m+p-1 until the last one ends."""
    slots = micro_batches + stages - 1
    return 1 - micro_batches / slots


def flops(parameters: float, tokens: float) -> float:
    """Of training: forward 2, backward 4, per parameter and token."""
    return (2 + 4) * parameters * tokens


def scores_bytes(tokens: int) -> float:
    """Of one head's score matrix in bf16."""
    return tokens * tokens * BF16


def cache_bytes(layers: int, heads: int, dimension: int) -> float:
    """Of a token's keys and values in bf16."""
    return 2 * layers * heads * dimension * BF16


def optimum_interval(save: float, between_failures: float) -> float:
    """Young's first-order optimum, in the unit of its arguments."""
    return sqrt(2 * save * between_failures)


TOKENS_13B = 8 * A100_FLOPS * 0.45 / flops(13 * BILLION, 1)
OPTIMAL_N = sqrt(1e23 / (6 * 20))
NODE_FLOPS = 8 * A100_FLOPS * 0.4
FIVE_DAYS = NODE_FLOPS * 5 * 86_400
SMALL_N = sqrt(FIVE_DAYS / (6 * 20))

FACTS = (
    Fact("zero-stages", 112, 7 * zero_bytes(0, 8), "112 gigabytes become", "每卡 112G"),
    Fact("zero-stages", 38, 7 * zero_bytes(1, 8), "become 38", "降到 38G"),
    Fact("zero-stages", 26, 7 * zero_bytes(2, 8), "38, 26", "、26G"),
    Fact("zero-stages", 14, 7 * zero_bytes(3, 8), "and 14", "、14G"),
    Fact("zero-stages", 1.5, 3 / 2, "one and a half times", "一点五倍"),
    Fact("memory-per-parameter", 16, STATES, "sixteen bytes", "十六个字节"),
    Fact("memory-per-parameter", 112, 7 * STATES, "112 gigabytes", "要 112G"),
    Fact("oom-debug", 112, 7 * STATES, "112 gigabytes", "就是 112G"),
    Fact("design-13b-on-8-a100", 208, 13 * STATES, "208 gigabytes", "208G"),
    Fact("design-13b-on-8-a100", 640, 8 * A100_GB, "fine for 640", "640G"),
    Fact("design-13b-on-8-a100", 26, 13 * zero_bytes(3, 8), "about 26", "26G"),
    Fact("design-13b-on-8-a100", 14_000, TOKENS_13B, "14 thousand", "一万四千"),
    Fact(
        "design-13b-on-8-a100",
        200,
        20 * 13 * BILLION / TOKENS_13B / 86_400,
        "200 days",
        "两百天",
        tolerance=0.05,
    ),
    Fact("design-70b-on-8-a100", 1120, 70 * STATES, "1,120 gigabytes", "1120G"),
    Fact("design-70b-on-8-a100", 140, 70 * BF16, "140\ngigabytes", "140G"),
    Fact("design-70b-on-8-a100", 18, 70 * BF16 / 8, "eighteen per card", "18G"),
    Fact("design-70b-on-8-a100", 35, 70 * 4 / 8, "thirty-five gigabytes", "35G"),
    Fact("ring-all-reduce-traffic", 24.5, ring_bytes(8, 14), "24.5 gigabytes", "24.5G"),
    Fact("ring-all-reduce-traffic", 0.5, ring_bytes(8, 14) / 50, "half a second", "半秒"),
    Fact("ring-all-reduce-traffic", 14, 2 * (8 - 1), "fourteen steps", "n 减一步"),
    Fact("pipeline-bubble", 0.11, bubble(8, 56), "eleven percent", "百分之十一"),
    Fact("gradient-compression", 33, 2 / (0.01 * (2 + 4)), "thirty-three times", "三十三倍"),
    Fact("gradient-accumulation", 225, (4 * 200 + 100) / 4, "225 each", "平均 225"),
    Fact("gradient-accumulation", 1 / 3, 300 / 225 - 1, "third\nmore", "三分之一"),
    Fact("mfu", 139e12, flops(7 * BILLION, 3300), "139 teraflops", "139T"),
    Fact("mfu", 0.44, flops(7 * BILLION, 3300) / A100_FLOPS, "44 percent", "百分之四十四"),
    Fact("throughput-will-not-rise", 0.94, 900 / 960, "ninety-four percent", "百分之九十四"),
    Fact("mixed-precision-loss-scaling", 6e-8, 2.0**-24, "minus eight", "负八次方"),
    Fact("mixed-precision-loss-scaling", 65_536, 2**16, "65,536", "65536"),
    Fact("fp8-training", 0.4, 1 / (0.4 + 0.6 / 2) - 1, "about forty percent", "快四成多", 0.1),
    Fact("flash-attention", 128, scores_bytes(8192) / 2**20, "128 megabytes", "128 兆"),
    Fact("activation-checkpointing", 1 / 3, (2 + 2 + 4) / 6 - 1, "a third more", "三分之一"),
    Fact("kv-cache", 320, cache_bytes(80, 8, 128) / 2**10, "320 kilobytes", "320K"),
    Fact("kv-cache", 10, 32_768 * cache_bytes(80, 8, 128) / 2**30, "ten gigabytes", "10G 左右"),
    Fact("design-serving-70b", 18, 140 / (4 * 2000) * 1000, "eighteen milliseconds", "18 毫秒"),
    Fact("checkpoint-resume", 14, BF16 + ADAM, "fourteen bytes", "十四个字节"),
    Fact("checkpoint-resume", 1e12, 70 * BILLION * 14, "nearly a terabyte", "一个 T"),
    Fact(
        "node-dies", 2.8, optimum_interval(2, 5 * 24 * 60) / 60, "under three hours", "不到三小时"
    ),
    Fact("design-thousand-card-platform", 17, 1000 / 60, "17 gigabytes", "每秒 17G"),
    Fact("scaling-laws", 29, OPTIMAL_N / BILLION, "29 billion", "290 亿"),
    Fact("scaling-laws", 580, 20 * OPTIMAL_N / BILLION, "580 billion", "5800 亿"),
    Fact("moe-balance", 320, 8192 * 2 / 64 * 1.25, "320 each", "320 个"),
    Fact("moe-or-dense", 18, 671 / 37, "ratio of eighteen", "十八比一"),
    Fact("multimodal-training", 576, (336 / 14) ** 2, "576 tokens", "576 个"),
    Fact("rlhf-vs-dpo", 56, 4 * 7 * BF16, "56 gigabytes", "56G"),
    Fact("model-quality", 4, 100 * sqrt(0.5 * 0.5 / 164), "four points", "四个点"),
    Fact("interconnects", 50, 400 / 8, "50 gigabytes", "50G"),
    Fact("interconnects", 32, 16e9 * 16 * (128 / 130) / 8 / GB, "thirty-two", "32G"),
    Fact("interconnects", 0.2, 10 / 50, "0.2 seconds", "0.2 秒"),
    Fact("design-two-machines", 112, 7 * STATES, "112 gigabytes", "112G"),
    Fact("design-two-machines", 48, 2 * 24, "48 in all", "48G"),
    Fact("design-two-machines", 3.5, 7 * 4 / 8, "three and a half", "3.5G"),
    Fact("design-two-machines", 0.1, 1 / 8, "0.1 gigabytes", "0.1G", 0.25),
    Fact("design-two-machines", 80, 40 * BF16, "80 megabytes", "80M"),
    Fact("lora", 16.8, 4096**2 / 1e6, "16.8 million", "1680 万"),
    Fact("lora", 131, 2 * 4096 * 16 / 1e3, "131 thousand", "13 万"),
    Fact("h100-vs-a100", 3, 989e12 / A100_FLOPS, "about three times", "大约三倍", 0.06),
    Fact("h100-vs-a100", 2.2, 1 / (0.6 / 3 + 0.4 / 1.6), "2.2 times", "2.2 倍"),
    Fact("speculative-decoding", 3.4, (1 - 0.8**5) / (1 - 0.8), "3.4 tokens", "3.4 个"),
    Fact("tensor-parallel-layer", 64, 4096 * 8192 * BF16 / 2**20, "64 megabytes", "64M"),
    Fact("tensor-parallel-layer", 320, 80 * (2 + 2), "times 320", "320 次"),
    Fact("gradient-clipping", 0.2, 0.8 * 1 / 4, "becomes 0.2", "变成 0.2"),
    Fact(
        "long-context-or-retrieval",
        320,
        1e6 * cache_bytes(80, 8, 128) / GB,
        "320 gigabytes",
        "320G",
    ),
    Fact("code-top-p-sampling", 0.67, 0.6 / (0.6 + 0.3), "0.67", "0.67"),
    Fact("training-too-slow", 0.8, 1 / (1 - 0.45) - 1, "eighty percent", "百分之八十", 0.05),
    Fact("benchmark-contamination", 66, 0.2 * 81 + 0.8 * 62, "number is 66", "报的是 66"),
    Fact("judge-model", 0.6, (0.8 - 0.5) / (1 - 0.5), "only 0.6", "只有 0.6"),
    Fact("judge-model", 2, 100 * sqrt(0.5 * 0.5 / 500), "two points", "两个点左右", 0.12),
    Fact("memory-or-compute-bound", 150, A100_FLOPS / 2.039e12, "about 150", "能做 150 次"),
    Fact("memory-or-compute-bound", 6, 3 * BF16, "six bytes", "六个字节"),
    Fact(
        "memory-or-compute-bound",
        1365,
        2 * 4096**3 / (3 * 4096**2 * BF16),
        "over 1,300 per byte",
        "一千三百多次",
    ),
    Fact("continuous-batching", 0.21, (1000 + 7 * 100) / (8 * 1000), "21 percent", "百分之二十一"),
    Fact("quantization-for-serving", 140, 70 * BF16, "from 140", "从 140G"),
    Fact("quantization-for-serving", 35, 70 * 4 / 8, "gigabytes to 35", "35G"),
    Fact("code-answer-only-loss", 1.2, (100 * 3 + 900 * 1) / 1000, "give 1.2", "得到 1.2"),
    Fact("code-answer-only-loss", 2, (3 + 1) / 2, "returns 2", "得到 2"),
    Fact("code-adamw-step", 0.05, (1 - 0.9) * 0.5, "becomes 0.05", "变成 0.05"),
    Fact("code-adamw-step", 1, 0.5 / sqrt(0.5**2), "ratio is 1", "正好是 1"),
    Fact("code-adamw-step", 8, 4 + 4, "eight bytes", "八个字节"),
    Fact("compiled-or-eager", 1800, 3 * 60 / 0.1, "1,800 steps", "一千八百步"),
    Fact("design-instruction-data", 5000, 10_000 * 30 / 60, "5,000 hours", "五千小时"),
    Fact("design-instruction-data", 1000, 10_000 * 6 / 60, "1,000 hours", "一千小时"),
    Fact("design-instruction-data", 5, 30 / 6, "five times cheaper", "便宜五倍"),
    Fact("multimodal-evaluation", 15, 60 - 45, "fifteen points", "十五分"),
    Fact("native-multimodal", 860, 856.481, "860 thousand GPU hours", "八十六万卡时"),
    Fact("native-multimodal", 4000, 856_481 / (8 * 24), "over four thousand", "四千多倍", 0.12),
    Fact("synthetic-data", 1, (2 * 3) / (2 + 4), "costs as much as training", "训练它一样贵"),
    Fact("network-rails", 50, 400 / 8, "50 gigabytes", "每秒 50G"),
    Fact("network-rails", 9, 450 / 50, "nine times", "九倍"),
    Fact("network-rails", 256, 64 // 2 * 8, "256 cards", "256 张卡"),
    Fact("design-accepting-machines", 63, 64 * 63 / 2 / 32, "63 rounds", "63 轮"),
    Fact("design-accepting-machines", 2, 63 * 2 / 60, "about two hours", "大约两小时", 0.06),
    Fact(
        "design-accepting-machines",
        4,
        54 / 419 * 16_384 / 512,
        "every four days",
        "四天断一次",
        tolerance=0.05,
    ),
    Fact(
        "project-role", 0.4, (1 - 0.16) / (1 - 0.4) - 1, "rose by forty percent", "提升了百分之四十"
    ),
    Fact(
        "overlap-communication",
        0.3,
        (1 - 0.08) / (1 - 0.3) - 1,
        "rose by thirty percent",
        "提升了三成",
        tolerance=0.06,
    ),
    Fact("h100-vs-a100", 1.6, 3.35 / 2.039, "the rest 1.6 times", "快 1.6 倍"),
    Fact("network-rails", 450, 900 / 2, "450 each way", "单向 450G"),
    Fact("failure", 3000, 64 * 2 * 24, "three thousand GPU hours", "三千卡时"),
    Fact("training-too-slow", 6, 10 * (1 - 0.45), "under six days", "不到六天", 0.1),
    Fact("straggler", 1.4, 1.1 + (1.3 - 1), "from 1.1 to 1.4", "变慢到 1.4 秒"),
    Fact("throughput-will-not-rise", 1500, 2 * 900 / 1.2, "to 1,500 milliseconds", "涨到 1500"),
    Fact("first-distributed-project", 53, 4 * 24 / 1.8, "two days and five hours", "两天多"),
    Fact("data-loader-bottleneck", 1 / 3, (1.5 - 1) / 1.5, "idle a third", "三分之一的时间"),
    Fact("design-training-scheduler", 15, 30 / 2, "fifteen minutes on average", "平均丢十五分钟"),
    Fact("tensor-parallel-layer", 8, 64 / 8, "its own eight heads", "自己那八个头"),
    Fact("design-first-long-run", 0.03, 1 / 30, "costs three percent", "只占百分之三", 0.11),
    Fact("design-small-pretraining", 1e15, NODE_FLOPS, "one petaflop per second", "每秒大约 1P"),
    Fact("design-small-pretraining", 4e20, FIVE_DAYS, "to the twenty", "二十次方", 0.08),
    Fact("design-small-pretraining", 1.9, SMALL_N / BILLION, "1.9 billion", "19 亿"),
    Fact("design-small-pretraining", 38, 20 * SMALL_N / BILLION, "38 billion", "380 亿"),
    Fact("design-small-pretraining", 30, 1.9 * STATES, "thirty gigabytes", "30G"),
    Fact("design-small-serving", 14, 7 * BF16, "fourteen gigabytes", "14G"),
    Fact("design-small-serving", 128, cache_bytes(32, 8, 128) / 2**10, "128 kilobytes", "128K"),
    Fact(
        "design-small-serving",
        60_000,
        8 * GB / cache_bytes(32, 8, 128),
        "sixty thousand tokens",
        "六万个 token",
    ),
    Fact("design-small-serving", 30, 60_000 / 2000, "thirty such chats", "三十个这样的对话"),
    Fact("design-small-serving", 3.5, 7 * 4 / 8, "three and a half gigabytes", "3.5G"),
    Fact("test-time-compute", 20, (10_000 + 500) / 500, "about twenty times", "大约是二十倍", 0.06),
    Fact(
        "attention-alternatives", 40, cache_bytes(80, 8, 128) / 2**10 / 8, "means forty", "降到 40K"
    ),
)


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: f"{fact.question}-{fact.stated:g}")
def test_figures_follow_from_their_definition(fact: Fact) -> None:
    assert fact.stated == pytest.approx(fact.computed, rel=fact.tolerance)
    example = BANK[fact.question].example
    assert fact.en.replace("\n", " ") in example.en.replace("\n", " ")
    assert fact.zh in example.zh


def test_stages_one_and_two_of_zero_cost_no_traffic_and_three_half_as_much_again() -> None:
    all_reduce = ring_bytes(8, 1)
    half = all_reduce / 2
    gather_forward, gather_backward, scatter = half, half, half
    assert (gather_forward + gather_backward + scatter) / all_reduce == pytest.approx(1.5)


def test_ring_traffic_stays_below_twice_the_data() -> None:
    assert ring_bytes(2, 1) == pytest.approx(1)
    assert ring_bytes(1024, 1) == pytest.approx(2, rel=0.01)
    assert all(ring_bytes(n, 1) < 2 for n in range(2, 2000))


def test_figures_of_misconceptions_follow_too() -> None:
    """A week's compute on a model that just fits, and ZeRO-3 on 70 billion."""
    assert FIVE_DAYS / flops(13 * BILLION, 1) == pytest.approx(5.5 * BILLION, rel=0.03)
    assert 70 * zero_bytes(3, 8) == 140 > A100_GB


@pytest.mark.parametrize("cards", [1, 2, 3, 5, 8])
def test_the_small_all_reduce_as_it_is_described_sums_and_sends_what_the_formula_says(
    cards: int,
) -> None:
    """Chunk r-s goes out and chunk r-s-1 is added to; then the finished ones go round."""
    chunks = [[float(rank * cards + chunk) for chunk in range(cards)] for rank in range(cards)]
    total = [sum(rank[chunk] for rank in chunks) for chunk in range(cards)]
    sent = 0
    for step in range(cards - 1):
        on_the_way = [chunks[rank][(rank - step) % cards] for rank in range(cards)]
        for rank in range(cards):
            chunks[rank][(rank - step - 1) % cards] += on_the_way[rank - 1]
        sent += 1
    if cards == 3:
        assert chunks[0][1] == total[1]  # "rank zero owns the full sum of chunk one"
    for step in range(cards - 1):
        on_the_way = [chunks[rank][(rank + 1 - step) % cards] for rank in range(cards)]
        for rank in range(cards):
            chunks[rank][(rank - step) % cards] = on_the_way[rank - 1]
        sent += 1
    assert chunks == [total] * cards
    assert sent / cards == pytest.approx(ring_bytes(cards, 1))


@pytest.mark.parametrize(("stages", "micro_batches"), [(1, 4), (4, 4), (8, 32), (8, 56)])
def test_the_bubble_is_what_a_schedule_leaves_idle(stages: int, micro_batches: int) -> None:
    """A micro-batch can start on a stage when it has left the one before and the stage is free."""
    ends = [[0.0] * (micro_batches + 1) for _ in range(stages + 1)]
    for stage in range(1, stages + 1):
        for batch in range(1, micro_batches + 1):
            ends[stage][batch] = max(ends[stage - 1][batch], ends[stage][batch - 1]) + 1
    idle = 1 - micro_batches / ends[stages][micro_batches]
    assert idle == pytest.approx(bubble(stages, micro_batches))
    assert idle == pytest.approx((stages - 1) / (micro_batches + stages - 1))


def test_speculative_decoding_keeps_the_distribution_and_gains_by_its_formula() -> None:
    large, draft = (0.5, 0.3, 0.2), (0.2, 0.2, 0.6)
    accepted = [q * min(1.0, p / q) for p, q in zip(large, draft, strict=True)]
    rest = [max(0.0, p - q) for p, q in zip(large, draft, strict=True)]
    drawn = [a + (1 - sum(accepted)) * r / sum(rest) for a, r in zip(accepted, rest, strict=True)]
    assert drawn == pytest.approx(large)
    rate, guesses = 0.8, 4
    counted = sum((n + 1) * rate**n * (1 - rate) for n in range(guesses))
    counted += (guesses + 1) * rate**guesses
    assert counted == pytest.approx((1 - rate ** (guesses + 1)) / (1 - rate))

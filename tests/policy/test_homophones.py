"""Chinese terms by their sound."""

import pytest

from agent.policy.homophones import written_as_meant
from agent.policy.timed_text import spread

TERMS = (
    "数据并行", "张量并行", "梯度", "梯度裁剪", "困惑度", "学习率预热", "步数", "收敛", "同事",
    "通信量", "流水线并行", "激活值", "AllReduce", "并行策略", "参数", "气泡",
)  # fmt: skip


@pytest.mark.parametrize(
    ("heard", "meant"),
    [
        ("我们用数据兵型训练", "我们用数据并行训练"),
        ("我负责病形策略的设计", "我负责并行策略的设计"),
        ("先看踢肚的范数", "先看梯度的范数"),
        ("学西律预热不够", "学习率预热不够"),
        ("学习绿预热不够", "学习率预热不够"),
        ("然后做了提度裁减，损失稳定", "然后做了梯度裁剪，损失稳定"),
        ("定位到学习绿预乐不够", "定位到学习率预热不够"),
        ("昆霍度下降", "困惑度下降"),
        ("困货度下降了", "困惑度下降了"),
        ("流水线冰行有气泡", "流水线并行有气泡"),
    ],
)
def test_a_term_is_written_where_its_sound_is(heard: str, meant: str) -> None:
    assert written_as_meant(spread(heard, 0, 1), TERMS).text == meant


@pytest.mark.parametrize(
    "said",
    [
        "我对这个不熟",
        "同时我们也做了评测",
        "这些参数和数据都在显卡上",
        "每个人都可以提交自己的方案",
        "模型运行训练了三天",
        "我们用 AllReduce 同步",
        "",
        "数据并行和张量并行",
        "The loss fell.",
    ],
)
def test_nobody_is_made_to_say_a_term(said: str) -> None:
    assert written_as_meant(spread(said, 0, 1), TERMS).text == said


def test_a_term_that_is_not_offered_is_not_written() -> None:
    assert written_as_meant(spread("先看踢肚的范数", 0, 1), ("损失",)).text == "先看踢肚的范数"


def test_the_times_stay() -> None:
    heard = spread("我们用数据兵型训练", 1, 10)
    assert written_as_meant(heard, TERMS).times == heard.times

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.policy.mandarin import number, spelt_out


@pytest.mark.parametrize(
    ("figures", "read"),
    [
        ("0", "零"),
        ("2", "二"),
        ("10", "十"),
        ("12", "十二"),
        ("20", "二十"),
        ("100", "一百"),
        ("101", "一百零一"),
        ("110", "一百一十"),
        ("1000", "一千"),
        ("1010", "一千零一十"),
        ("4096", "四千零九十六"),
        ("10000", "一万"),
        ("10001", "一万零一"),
        ("100010", "十万零一十"),
        ("1000000", "一百万"),
        ("10203040", "一千零二十万三千零四十"),
        ("100000000", "一亿"),
        ("1000000001", "十亿零一"),
        ("1,024", "一千零二十四"),
        ("0.95", "零点九五"),
        ("2.5.1", "二点五点一"),
        ("007", "零零七"),
        ("12345678901234567", "一二三四五六七八九零一二三四五六七"),
    ],
)
def test_numbers_are_read(figures: str, read: str) -> None:
    assert number(figures) == read


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("8 台 A100，各 80G", "八 台 A一百，各 八十G"),
        ("loss 降了 12.5%", "loss 降了 百分之十二点五"),
        ("只用了 1/8 的显存", "只用了 八分之一 的显存"),
        ("30%~40% 的时间", "百分之三十到百分之四十 的时间"),
        ("2-4 倍", "二到四 倍"),
        ("2024 年用了 2 台机器、12 台交换机", "二零二四 年用了 两 台机器、十二 台交换机"),
        ("ZeRO-3 和 top-2 个专家", "ZeRO-三 和 top-二 个专家"),
        ("16×8=128", "十六乘八等于一百二十八"),
        ("没有数字", "没有数字"),
    ],
)
def test_texts_are_spelt_out(text: str, said: str) -> None:
    assert spelt_out(text) == said


@given(st.text())
def test_no_figure_is_left(text: str) -> None:
    assert not any(sign in "0123456789" for sign in spelt_out(text))

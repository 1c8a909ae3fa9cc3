"""Coding aloud: restate, approach, complexity, walk through, edge cases."""

from collections.abc import Sequence

from agent.policy.clauses import Clause
from agent.policy.cues import either, example, figure, reason, says, technical
from agent.policy.ladders import Judged, Ladder, climb

_code = either(
    technical,
    figure,
    says(
        r"loops?|lists?|arrays?|maps?|dict\w*|heaps?|queues?|stacks?|pointers?|recurs\w+|"
        r"sort\w*|buffers?|chunks?|functions?|"
        r"keys?|values?|windows?|graphs?|trees?|lengths?|inputs?|outputs?|ring|ranks?|elements?|"
        r"strings?",
        r"循环|列表|数组|字典|堆|队列|栈|指针|递归|排序|缓冲|块|函数|键|值|窗口|图|树|长度|输入|输出|环|元素|字符串|下标",
    ),
)
LADDERS = (
    Ladder(
        "coding.restate",
        says(
            r"so (?:the|we|i)|we (?:need|have|want|are given)|given|inputs?|outputs?|task|"
            r"problem is|asked|return\w*|assum\w+|clarif\w+|goal",
            r"题目|要求|给定|输入|输出|也就是说|需要|返回|假设|先确认|问题是|目标",
        ),
        _code,
        (
            says(
                r"assum\w+|clarif\w+|whether|can i|constraint\w*|range", r"假设|确认|是否|约束|范围"
            ),
            example,
        ),
    ),
    Ladder(
        "coding.approach",
        says(
            r"i (?:would|will|use|keep|start|first|split|walk|store)|approach|idea|use|"
            r"algorithm|then|first|each|brute force|iterat\w+",
            r"我(?:会|先|用|维护|从)|思路|做法|用|算法|然后|首先|先|每个|暴力|遍历|维护|分成",
        ),
        _code,
        (
            reason,
            says(
                r"instead of|rather than|brute force|better than|alternative\w*|naive",
                r"而不是|暴力|优于|朴素|另一种|相比",
            ),
        ),
        several=3,
    ),
    Ladder(
        "coding.complexity",
        says(
            r"complexity|linear|quadratic|logarithmic|o ?\(|o of \w+|time|space|memory|n log n|"
            r"constant|steps?|bandwidth",
            r"复杂度|线性|平方|对数|o\(|时间|空间|常数|步|带宽|最坏",
        ),
        either(
            figure,
            says(r"n|o|linear|quadratic|constant|log\w*|per", r"n|o\(|线性|平方|常数|对数|每"),
        ),
        (says(r"space|memory|extra", r"空间|内存|额外"), reason),
    ),
    Ladder(
        "coding.walkthrough",
        either(
            example,
            says(
                r"walk\w*|trace|step by step|let's (?:say|take)|with (?:input|three|four|two)|"
                r"becomes|iteration",
                r"走一遍|演示|带入|代入|跑一遍|第一步|第二步|变成|迭代|手推",
            ),
        ),
        _code,
        (figure, says(r"becomes|then|after|result\w*|returns?", r"变成|得到|之后|结果|返回|然后")),
    ),
    Ladder(
        "coding.edge_cases",
        says(
            r"edge cases?|corner|empty|zero|null|none|duplicates?|overflow|negative|boundary|"
            r"single|invalid|tests?|not divisible|"
            r"uneven|remainder|timeout|fails?",
            r"边界|空|零|重复|溢出|负数|单个|非法|测试|整除|不均|余数|异常|超时|极端",
        ),
        _code,
        (says(r"tests?|assert|check\w*|verify", r"测试|断言|检查|验证|单测"),),
        several=2,
    ),
)


def read(clauses: Sequence[Clause]) -> tuple[Judged, ...]:
    """Judge the five parts."""
    return tuple(climb(ladder, clauses) for ladder in LADDERS)

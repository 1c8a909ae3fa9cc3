"""Numbers as people say and write them, in both languages."""

import re

_NUMBER_WORDS = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand
million billion trillion half twice double
"""
_WORD = "|".join(_NUMBER_WORDS.split())
_HAN_DIGITS = "零一二两三四五六七八九十百千万亿"
NUMBER = re.compile(
    rf"\d+(?:[.,]\d+)*|\b(?:{_WORD})(?:[ -](?:and |point )?(?:{_WORD}))*\b|"
    rf"百分之[{_HAN_DIGITS}点\d.]+|[{_HAN_DIGITS}]+(?:点[{_HAN_DIGITS}]+)?(?=[个张卡台倍步天周月年次层块人亿万千百%％]|"
    rf"字节|小时|分钟|节点|参数)|"
    rf"(?:从|到|至|为|降|升|提高|增加|减少)(?:了)?[{_HAN_DIGITS}]+(?:点[{_HAN_DIGITS}]+)?"
)
"""A number in folded text. A lone "one" is no number: see `figures`."""
_NO_FIGURE = {"one", "一个", "一些", "十分", "万一"}
RELATION = re.compile(
    r"\bproportional\b|\blinear(?:ly)?\b|\bquadratic(?:ally)?\b|\bsquared?\b|"
    r"\blog(?:arithm\w*)?\b|"
    r"\btimes\b|\btwice\b|\bdouble[sd]?\b|\bhal(?:f|ve[sd]?)\b|\bo\s?\(|\bper (?:parameter|step|"
    r"layer|token|second|gpu|card)\b|"
    r"正比|反比|线性|平方|二次|对数|倍|一半|每个?参数|复杂度|o\("
)
"""A quantity given as a relation, in folded text."""


def figures(folded: str) -> list[str]:
    """Return the numbers of a folded text; articles such as "one" and 一个 are left out."""
    return [
        found.group()
        for found in NUMBER.finditer(folded)
        if found.group() not in _NO_FIGURE and not _article(folded, found)
    ]


def _article(folded: str, found: re.Match[str]) -> bool:
    return found.group() in {"一", "两"} and folded[found.end() : found.end() + 1] in "个些步次张"

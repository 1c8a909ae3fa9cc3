"""Chinese text with everything spelt out that is not a Han character or a Latin letter."""

import re

_DIGITS = "零一二三四五六七八九"
_PLACES = ("", "十", "百", "千")
_MYRIADS = ("", "万", "亿", "万亿")
LONGEST_NUMBER = 4 * len(_MYRIADS)
"""Digits of the longest number that is read as one; a longer one is read digit by digit."""

_SIGNS = {
    "×": "乘",
    "÷": "除以",
    "=": "等于",
    "+": "加",
    "≈": "约等于",
    "≥": "大于等于",
    "≤": "小于等于",
    ">": "大于",
    "<": "小于",
    "&": "和",
    "°": "度",
}
_MEASURES = "个台张块倍份类步组层路条段种次轮套件位家页天周年月项对批"
"""After these two is 两."""

_NUMBER = r"\d[\d,]*(?:\.\d+)*"
_PERCENT = re.compile(rf"({_NUMBER})\s*[%％]")
_FRACTION = re.compile(r"(?<![\d/.])(\d+)/(\d+)(?![\d/.])")
_RANGE = re.compile(r"(?<=[\d%％])\s*[~～–—-]\s*(?=\d)")
_YEAR = re.compile(r"(?<!\d)(\d{4})(?=\s*年)")
_TWO = re.compile(rf"(?<![\d.A-Za-z-])2(?=\s*[{_MEASURES}])")
_ANY = re.compile(_NUMBER)
_SIGN = re.compile("[" + re.escape("".join(_SIGNS)) + "]")


def spelt_out(text: str) -> str:
    """Return `text` with numbers, fractions, per cents and signs in Han characters.

    Numbers inside terms are read in Chinese too, as engineers do: A100 is A一百.
    """
    text = _RANGE.sub("到", text)
    text = _PERCENT.sub(lambda found: f"百分之{number(found[1])}", text)
    text = _FRACTION.sub(lambda found: f"{number(found[2])}分之{number(found[1])}", text)
    text = _YEAR.sub(lambda found: _one_by_one(found[1]), text)
    text = _TWO.sub("两", text)
    text = _ANY.sub(lambda found: number(found[0]), text)
    return _SIGN.sub(lambda found: _SIGNS[found[0]], text)


def number(figures: str) -> str:
    """Return how `figures` (digits, thousands commas, decimal points) are read."""
    whole, *decimals = figures.replace(",", "").split(".")
    return "点".join([_integer(whole), *map(_one_by_one, decimals)])


def _integer(digits: str) -> str:
    if len(digits) > LONGEST_NUMBER or (len(digits) > 1 and digits[0] == "0"):
        return _one_by_one(digits)
    said = ""
    groups = [digits[max(0, end - 4) : end] for end in range(len(digits), 0, -4)][::-1]
    for place, group in enumerate(groups):
        if int(group):
            gap = bool(said) and (group[0] == "0" or said.endswith("零"))
            said = said.removesuffix("零") + ("零" if gap else "")
            said += _group(group) + _MYRIADS[len(groups) - 1 - place]
        elif said and not said.endswith("零"):
            said += "零"
    said = said.removesuffix("零") or "零"
    return said[1:] if said.startswith("一十") else said


def _group(digits: str) -> str:
    """Read one to four digits."""
    said = ""
    for place, digit in enumerate(digits):
        if digit != "0":
            said += _DIGITS[int(digit)] + _PLACES[len(digits) - 1 - place]
        elif said and not said.endswith("零"):
            said += "零"
    return said.strip("零")


def _one_by_one(digits: str) -> str:
    return "".join(_DIGITS[int(digit)] for digit in digits)

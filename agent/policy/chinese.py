"""Chinese in one script, with its own punctuation."""

import re
from collections.abc import Callable
from functools import cache
from typing import cast

from opencc import OpenCC

from agent.policy.timed_text import CJK, TimedText


@cache
def _converter() -> Callable[[str], str]:
    return cast("Callable[[str], str]", getattr(OpenCC("t2s"), "convert"))  # noqa: B009 - untyped


def simplified(text: str) -> str:
    """Return `text` with traditional characters written as simplified ones."""
    return _converter()(text)


def simplified_timed(said: TimedText) -> TimedText:
    """Return `said` in simplified characters; times stay where they were."""
    text = simplified(said.text)
    if len(text) == len(said.text):
        return TimedText(text, said.times)
    return said.respelt(0, len(said.text), text)


_MARKS = {",": "，", ".": "。", "?": "？", "!": "！", ";": "；", ":": "："}
_AFTER_CHINESE = re.compile(rf"(?<=[{CJK}])\s*([,.?!;:])\s*|(?<=[{CJK}，。？！；：])\s+(?=[{CJK}])")


def punctuated(said: TimedText) -> TimedText:
    """Return `said` with full-width punctuation after Chinese, without spaces inside it."""
    for match in reversed(list(_AFTER_CHINESE.finditer(said.text))):
        said = said.respelt(*match.span(), _MARKS.get(match.group(1) or "", ""))
    return said

"""How a spoken interview goes on when a part of its sound fails: a step down, and one sentence."""

from collections.abc import Mapping
from typing import Literal

from agent.domain.language import Language, LocalizedText

Way = Literal["voice", "push_to_talk", "typed"]
"""How answers come in. `push_to_talk`: a key begins and ends each answer."""

Trouble = Literal["no_microphone", "no_recogniser", "no_detector", "noise", "zeros"]

NOISY_TURNS = 2
"""Answers in a row that ended as noise or as zeros before the way of answering is changed."""

_WHAT: Mapping[Trouble, LocalizedText] = {
    "no_microphone": LocalizedText(
        en="There is no microphone to listen to ({detail}).", zh="没有可用的麦克风（{detail}）。"
    ),
    "no_recogniser": LocalizedText(
        en="Speech cannot be understood here ({detail}).", zh="无法识别语音（{detail}）。"
    ),
    "no_detector": LocalizedText(
        en="Speech cannot be told from silence here ({detail}).",
        zh="无法检测语音起止（{detail}）。",
    ),
    "noise": LocalizedText(
        en="It is too loud to hear where an answer ends.", zh="环境太吵，听不出回答在哪里结束。"
    ),
    "zeros": LocalizedText(
        en="The microphone gives nothing but zeros: is it muted, or not allowed for this program?",
        zh="麦克风只有静音：是否被静音，或没有允许本程序使用？",
    ),
}
_THEN: Mapping[Way, LocalizedText] = {
    "voice": LocalizedText(en="Listening goes on.", zh="继续听。"),
    "push_to_talk": LocalizedText(
        en="From now on press Enter to talk and Enter again when you are done.",
        zh="接下来按回车开始说话，说完再按一次回车。",
    ),
    "typed": LocalizedText(
        en="The interview goes on with typed answers: one line each.",
        zh="面试继续，请改为键入回答，一行一个。",
    ),
}


def step_down(way: Way, trouble: Trouble, *, keys: bool) -> Way:
    """Return the best way that `trouble` leaves open.

    Args:
        way: How answers come in now.
        trouble: What failed.
        keys: Single keys can be read, which push-to-talk needs.
    """
    if way == "voice" and trouble in {"no_detector", "noise"} and keys:
        return "push_to_talk"
    if trouble == "noise" and not keys:
        return way
    return "typed"


def failed(trouble: Trouble, detail: str = "") -> LocalizedText:
    """Return the sentence that says what failed."""
    what, detail = _WHAT[trouble], detail.rstrip(".。 ")
    return LocalizedText(en=what.en.format(detail=detail), zh=what.zh.format(detail=detail))


def told(way: Way, trouble: Trouble, language: Language, detail: str = "") -> str:
    """Return the sentence that says what failed and how it goes on."""
    space = " " if language == "en" else ""
    return f"{failed(trouble, detail).get(language)}{space}{_THEN[way].get(language)}"

"""What Whisper says of its own accord: stock phrases, echoes of its prompt, loops."""

import re
from collections.abc import Sequence

from agent.domain.language import Language
from agent.policy.timed_text import CJK, TimedText

STOCK_PHRASES: dict[Language, tuple[str, ...]] = {
    "en": (
        "you",
        "bye",
        "bye bye",
        "so",
        "thank you",
        "thank you very much",
        "thank you so much",
        "thanks",
        "thank you for watching",
        "thanks for watching",
        "thank you for listening",
        "please subscribe",
        "please subscribe to my channel",
        "like and subscribe",
        "see you next time",
        "see you in the next video",
        "subtitles by the amara org community",
        "transcribed by otter ai",
        "music",
        "applause",
        "silence",
        "blank audio",
    ),
    "zh": (
        "谢谢",
        "谢谢大家",
        "谢谢观看",
        "谢谢收看",
        "感谢观看",
        "感谢收听",
        "多谢观看",
        "字幕",
        "字幕组",
        "中文字幕",
        "请订阅",
        "字幕志愿者",
        "下集再见",
        "我们下期再见",
        "本期视频就到这里",
        "音乐",
        "掌声",
    ),
}
STOCK_PATTERNS: dict[Language, re.Pattern[str]] = {
    "en": re.compile(r"^(subtitles?|captions?|transcri(bed|ption)) by |amara ?org|subscribe"),
    "zh": re.compile(
        r"amaraorg|字幕由.{0,12}(提供|制作)|字幕制作|请不吝点赞|订阅.{0,6}(转发|打赏)|"
        r"明镜与点点|点点栏目|优优独播|yoyotelevision|李宗盛|词曲"
    ),
}
"""Compared after folding; the Chinese ones after conversion to simplified characters."""
BARELY_VOICED_S = 2.5
"""Stock phrases are dropped from pieces with less speech than this only: people do say thanks."""

_UNIT = re.compile(rf"[{CJK}]|(?:(?![{CJK}])[\w'’.\-%])+")
LONGEST_LOOP = 20
_NUMERALS = set("零〇一二三四五六七八九十百千万亿两点")


def folded(text: str) -> str:
    """Return the letters and digits of `text` in lower case, words one space apart."""
    return " ".join(re.sub(r"[^\w\s]+", "", text.casefold()).split())


def is_stock(text: str, voiced_s: float, language: Language) -> bool:
    """Whether a barely voiced piece says nothing but what Whisper says to silence.

    Args:
        text: The whole text of the piece, in simplified characters.
        voiced_s: Seconds of speech in the piece.
        language: Of the session; phrases of both languages are known.
    """
    if voiced_s >= BARELY_VOICED_S:
        return False
    spoken = folded(text)
    phrases = STOCK_PHRASES["en"] + STOCK_PHRASES["zh"]
    if language == "zh":
        spoken = spoken.replace(" ", "") if not spoken.isascii() else spoken
    return spoken in phrases or any(pattern.search(spoken) for pattern in STOCK_PATTERNS.values())


def without_echoes(said: TimedText, offered: Sequence[str], voiced_s: float) -> TimedText:
    """Cut runs of the offered terms that repeat the list instead of the speaker.

    A run is an echo when it gives three or more terms in the order of the list with nothing in
    between, or when a barely voiced piece holds nothing but terms, two or more.
    """
    terms = [folded(term) for term in offered if folded(term)]
    found = _listed(said.text, terms)
    alone = "".join(said.text[a:b] for a, b, _ in found)
    nothing_else = folded(alone).replace(" ", "") == folded(said.text).replace(" ", "")
    if nothing_else and len(found) >= 2 and voiced_s < BARELY_VOICED_S:
        return TimedText()
    for start, end in reversed(_ordered_runs(said.text, found)):
        said = said[:start] + said[end:]
    return said


def _listed(text: str, terms: Sequence[str]) -> list[tuple[int, int, int]]:
    """Return where terms stand in `text`: (start, end, place in the list), left to right."""
    if not terms:
        return []
    by_length = sorted(range(len(terms)), key=lambda i: -len(terms[i]))
    pattern = re.compile("|".join(f"({re.escape(terms[i])})" for i in by_length), re.IGNORECASE)
    return [
        (match.start(), match.end(), by_length[(match.lastindex or 1) - 1])
        for match in pattern.finditer(text)
    ]


def _ordered_runs(text: str, found: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    runs: list[list[tuple[int, int, int]]] = []
    for item in found:
        last = runs[-1][-1] if runs else None
        if last and item[2] == last[2] + 1 and not folded(text[last[1] : item[0]]):
            runs[-1].append(item)
        else:
            runs.append([item])
    return [(run[0][0], run[-1][1]) for run in runs if len(run) >= 3]


def without_loops(said: TimedText) -> TimedText:
    """Cut what is said three times and more in a row down to once."""
    for length in range(1, LONGEST_LOOP + 1):
        loop = _loop(said.text, length)
        while loop is not None:
            said = said[: loop[0]] + said[loop[1] :]
            loop = _loop(said.text, length)
    return said


def loops(text: str) -> bool:
    """Whether something is said three times and more in a row."""
    return any(_loop(text, length) is not None for length in range(1, LONGEST_LOOP + 1))


def _loop(text: str, length: int) -> tuple[int, int] | None:
    """Return the span that repeats the `length` units before it, at least twice."""
    spans = [match.span() for match in _UNIT.finditer(text)]
    units = [text[a:b].casefold().rstrip(".'’-") or text[a:b] for a, b in spans]
    for first in range(len(units) - 3 * length + 1):
        unit = units[first : first + length]
        if length == 1 and (unit[0] in _NUMERALS or unit[0][0].isdigit()):
            continue
        times = 1
        while units[first + times * length : first + (times + 1) * length] == unit:
            times += 1
        if times >= 3:
            return spans[first + length - 1][1], spans[first + times * length - 1][1]
    return None

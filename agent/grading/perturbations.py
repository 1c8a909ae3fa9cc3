"""Answers changed on purpose, in both languages: what a grader must or must not notice.

Each function is pure. It returns None where the change cannot be made to that text.
"""

import random
import re
from collections.abc import Callable, Mapping
from typing import Literal

from agent.domain.language import Language
from agent.domain.question import LocalizedQuestion

Where = Literal["start", "middle", "end"]
Change = Callable[[str, LocalizedQuestion], str | None]

_PAIRS: tuple[tuple[str, str], ...] = (
    ("data parallelism", "model parallelism"),
    ("tensor parallelism", "pipeline parallelism"),
    ("data-parallel", "tensor-parallel"),
    ("forward", "backward"),
    ("prefill", "decode"),
    ("fp16", "bf16"),
    ("stage one", "stage three"),
    ("inside", "across"),
    ("HBM", "SRAM"),
    ("parameter server", "all-reduce"),
    ("synchronous", "asynchronous"),
    ("column", "row"),
    ("weak scaling", "strong scaling"),
    ("数据并行", "模型并行"),
    ("张量并行", "流水线并行"),
    ("前向", "反向"),
    ("预填充", "解码"),
    ("第一阶段", "第三阶段"),
    ("机内", "机间"),
    ("参数服务器", "all-reduce"),
    ("同步", "异步"),
    ("弱扩展", "强扩展"),
)


def swapped(text: str, question: LocalizedQuestion) -> str | None:
    """Return `text` with two things that exclude each other exchanged, each named in it."""
    del question
    for first, second in _PAIRS:
        one, other = _named(first), _named(second)
        if one.search(text) and other.search(text):
            both = re.compile(f"(?P<one>{one.pattern})|{other.pattern}", re.IGNORECASE)
            return both.sub(lambda found: second if found["one"] else first, text)  # noqa: B023
    return None


def _named(term: str) -> re.Pattern[str]:
    edge = r"\b" if term.isascii() else ""
    body = re.escape(term) if term != "同步" else "(?<!异)同步"
    return re.compile(f"{edge}{body}{edge}", re.IGNORECASE)


def term_list(text: str, question: LocalizedQuestion) -> str | None:
    """Return the terms of every key point, one wording each, in their order."""
    del text
    terms = _terms(question)
    return ("、" if question.language == "zh" else ", ").join(terms) if terms else None


def shuffled_terms(text: str, question: LocalizedQuestion) -> str | None:
    """Return the terms of every key point in an order of chance, cut into sentences of five."""
    del text
    terms = _terms(question)
    random.Random(question.id).shuffle(terms)  # noqa: S311 - the same every time
    groups = [terms[start : start + 5] for start in range(0, len(terms), 5)]
    blank, stop = ("，", "。") if question.language == "zh" else (" ", ". ")
    return stop.join(blank.join(group) for group in groups) if terms else None


def _terms(question: LocalizedQuestion) -> list[str]:
    groups = [group for point in question.key_points for group in point.terms]
    english = question.language == "en"
    own = [[item for item in group if item.isascii() == english] or group for group in groups]
    return list(dict.fromkeys(wordings[0] for wordings in own))


def asked(text: str, question: LocalizedQuestion) -> str | None:
    """Return `text` with every sentence asked and not said."""
    if question.language == "zh":
        return re.sub(r"[。；]|(?<![。；？])$", "吗？", text)
    return re.sub(r"[.;](?=\s|$)", "?", text)


def echoed(text: str, question: LocalizedQuestion) -> str | None:
    """Return the question itself."""
    del text
    return question.prompt


def flat(text: str, question: LocalizedQuestion) -> str | None:
    """Return `text` in lower case and without punctuation; a decimal point stays."""
    del question
    bare = re.sub(r"(?<!\d)[.,](?!\d)|[.,](?=\s|$)|[，。；、：？！;:?!]", " ", text)
    return re.sub(r" +", " ", bare).strip().lower()


def full_width(text: str, question: LocalizedQuestion) -> str | None:
    """Return `text` with its Latin letters, digits and marks in full width."""
    del question
    return "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else one for one in text)


_FILLERS: dict[Language, tuple[str, ...]] = {"en": ("um ", "uh ", "er "), "zh": ("嗯，", "呃")}
_SHARE: dict[Language, float] = {"en": 0.06, "zh": 0.4}


def hesitant(text: str, question: LocalizedQuestion) -> str | None:
    """Return `text` with about six fillers in a hundred words."""
    language = question.language
    chance = random.Random(text)  # noqa: S311 - the same every time
    places = re.finditer(r"(?<=[a-z,.;]) (?=\w)" if language == "en" else r"(?<=[，。；])", text)
    inserted = [place.end() for place in places if chance.random() < _SHARE[language]]
    for place in reversed(inserted):
        text = text[:place] + chance.choice(_FILLERS[language]) + text[place:]
    return text


def added(words: Mapping[Language, str], where: Where) -> Change:
    """Return the change that adds `words` at the `start`, in the `middle` or at the `end`."""

    def changed(text: str, question: LocalizedQuestion) -> str:
        said = words[question.language]
        gap = " " if question.language == "en" else ""
        if where == "start":
            return f"{said}{gap}{text}"
        if where == "middle":
            sentences = _sentences(text)
            half = len(sentences) // 2
            return gap.join([*sentences[:half], said, *sentences[half:]])
        return f"{text}{gap}{said}"

    return changed


def _sentences(text: str) -> list[str]:
    return [
        part.strip()
        for part in re.findall(r"[^。.？?]+(?:[。.？?]+(?=\s|$)?|$)", text)
        if part.strip()
    ]


def twice(text: str, question: LocalizedQuestion) -> str | None:
    """Return `text` said two times."""
    return text + (" " if question.language == "en" else "") + text


def falsehood(text: str, question: LocalizedQuestion) -> str | None:
    """Return `text` with the question's first misconception at its end."""
    if not question.misconceptions:
        return None
    return f"{text} {question.misconceptions[0].statement}"

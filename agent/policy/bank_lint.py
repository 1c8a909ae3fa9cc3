"""What is missing or contradictory in a question bank, beyond what its schema can tell."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from agent.domain.language import LANGUAGES, Language, LocalizedText
from agent.domain.question import RUNGS, Category, Level, Question, Rung
from agent.policy.folding import fold

LEAST_RUNGS = 4
SAME_MEANING = 0.9
"""Cosine from which two prompts in one language ask the same thing."""
OPEN_RUNGS: frozenset[Rung] = frozenset({"mechanism", "alternatives"})
"""Where a probe may not name what it asks for; on the others it may set a scene with it."""
NEEDS_MISCONCEPTIONS: frozenset[Category] = frozenset({"principle", "design"})
EXAMPLE_LENGTH: dict[Language, tuple[int, int]] = {"en": (80, 150), "zh": (130, 300)}
"""Least and most words (English) or characters (Chinese) of an example: about a minute of talk."""

_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]")


@dataclass(frozen=True)
class Finding:
    """Something to mend.

    Attributes:
        question: Id of the question; None when the bank as a whole is meant.
        place: Where in the question, as `key_points[2].terms`.
        text: What is wrong there.
    """

    question: str | None
    place: str
    text: LocalizedText


Fault = tuple[str, LocalizedText]
"""Something wrong in a question: where, and what."""


def lint(
    questions: Sequence[Question], prompts: dict[Language, NDArray[np.float32]] | None = None
) -> tuple[Finding, ...]:
    """Return every finding.

    Args:
        questions: The bank.
        prompts: By language, the prompts as L2-normalised rows in the order of `questions`,
            shape (n, d); without them no duplicate meaning is looked for.
    """
    findings = [
        Finding(question.id, *fault)
        for question in questions
        for check in (_foreign, _unsaid, _unfounded, _gaps, _leading, _too_short_or_long)
        for fault in check(question)
    ]
    for language, rows in (prompts or {}).items():
        findings += same_meaning(questions, rows, language)
    return (*findings, *_unreachable(questions))


def coverage(questions: Sequence[Question]) -> Counter[tuple[str, Category, Level]]:
    """Count the questions of each topic, category and level."""
    return Counter(
        (question.topic, question.category, level)
        for question in questions
        for level in question.levels
    )


def same_meaning(
    questions: Sequence[Question], rows: NDArray[np.float32], language: Language
) -> list[Finding]:
    """Return a finding for each question that asks in `language` what an earlier one asks."""
    cosines = rows @ rows.T
    return [
        Finding(
            questions[b].id,
            f"prompt.{language}",
            LocalizedText(
                en=f"asks the same as {questions[a].id}", zh=f"和 {questions[a].id} 问的是同一件事"
            ),
        )
        for a, b in combinations(range(len(questions)), 2)
        if cosines[a, b] >= SAME_MEANING
    ]


def says(text: str, wordings: Sequence[str]) -> bool:
    """Whether one of the wordings of a concept stands in `text`."""
    plain = _plain(text)
    return any(_plain(wording) in plain for wording in wordings)


def spoken_length(text: str, language: Language) -> int:
    """Return the words of an English text, the characters of a Chinese one; no punctuation."""
    return len(text.split()) if language == "en" else len(re.findall(r"\w", text))


def _plain(text: str) -> str:
    return " ".join(fold(text).replace("-", " ").split())


def _texts(question: Question) -> Iterator[tuple[str, LocalizedText]]:
    """Every text that a candidate may see or hear, with its place."""
    for name in ("prompt", "looks_for", "outline", "example"):
        yield name, getattr(question, name)
    for n, point in enumerate(question.key_points):
        yield f"key_points[{n}].statement", point.statement
        yield f"key_points[{n}].aloud", point.aloud
    for n, item in enumerate(question.misconceptions):
        yield f"misconceptions[{n}].statement", item.statement
        yield f"misconceptions[{n}].why", item.why
    for n, probe in enumerate(question.probes):
        yield f"probes[{n}].ask", probe.ask


def _foreign(question: Question) -> Iterator[Fault]:
    """Texts that are not written in the language under which they stand."""
    for place, text in _texts(question):
        if _HAN.search(text.en) or not _LATIN.search(text.en):
            yield f"{place}.en", LocalizedText(en="is not English", zh="不是英文")
        if not _HAN.search(text.zh):
            yield f"{place}.zh", LocalizedText(en="is not Chinese", zh="不是中文")


def _unsaid(question: Question) -> Iterator[Fault]:
    """Concepts that a point, the outline or the example does not use itself."""
    for n, point in enumerate(question.key_points):
        place = f"key_points[{n}].terms"
        if not point.terms:
            yield place, LocalizedText(en=f"{point.id}: no terms", zh=f"{point.id}：没有术语")
        for language in LANGUAGES:
            own = f"{point.statement.get(language)} {point.aloud.get(language)}"
            example = question.example.get(language)
            where = [(own, ITS_WORDING, group) for group in point.terms]
            where += [(example, THE_EXAMPLE, group) for group in point.terms]
            where += [
                (question.outline.get(language), THE_OUTLINE, group) for group in point.terms[:1]
            ]
            for text, name, group in where:
                if not says(text, group):
                    yield place, _lacking(point.id, name, language, group)


ITS_WORDING = LocalizedText(en="its own wording", zh="它自己的说法")
THE_EXAMPLE = LocalizedText(en="the example", zh="示例回答")
THE_OUTLINE = LocalizedText(en="the outline", zh="参考提纲")


def _lacking(
    point: str, where: LocalizedText, language: Language, group: Sequence[str]
) -> LocalizedText:
    terms = ", ".join(group[:3])
    return LocalizedText(
        en=f"{point}: {where.en} ({language}) has none of {terms}",
        zh=f"{point}：{where.zh}（{language}）里没有 {terms}",
    )


def _unfounded(question: Question) -> Iterator[Fault]:
    """Lists that are empty in a language, and misconceptions that are due."""
    lists = {"pitfalls": question.pitfalls, "speech_terms": question.speech_terms}
    lists |= {f"misconceptions[{n}].aloud": m.aloud for n, m in enumerate(question.misconceptions)}
    for place, texts in lists.items():
        for language in LANGUAGES:
            if not texts.get(language):
                yield f"{place}.{language}", LocalizedText(en="is empty", zh="是空的")
    if question.category in NEEDS_MISCONCEPTIONS and not question.misconceptions:
        yield (
            "misconceptions",
            LocalizedText(
                en=f"a {question.category} question needs one",
                zh=f"{question.category} 类的题至少要有一个误区",
            ),
        )


def _gaps(question: Question) -> Iterator[Fault]:
    rungs = {probe.rung for probe in question.probes}
    if len(rungs) < LEAST_RUNGS:
        yield (
            "probes",
            LocalizedText(
                en=f"{len(rungs)} rungs, {LEAST_RUNGS} are needed",
                zh=f"只有 {len(rungs)} 级追问，至少要 {LEAST_RUNGS} 级",
            ),
        )
    for rung in RUNGS[: LEAST_RUNGS - 1]:
        if rung not in rungs:
            yield (
                "probes",
                LocalizedText(en=f"the ladder lacks {rung}", zh=f"追问阶梯缺少 {rung}"),
            )


def _leading(question: Question) -> Iterator[Fault]:
    """Probes that ask two things at once, or that say themselves what they should bring out."""
    points = {point.id: point for point in question.key_points}
    for n, probe in enumerate(question.probes):
        point = points.get(probe.key_point or "")
        for language in LANGUAGES:
            ask = probe.ask.get(language)
            if len(re.findall(r"[?？]", ask)) > 1:
                text = LocalizedText(en="asks more than one question", zh="一次问了不止一个问题")
                yield f"probes[{n}].ask.{language}", text
            told = point and point.terms and all(says(ask, group) for group in point.terms)
            if probe.rung in OPEN_RUNGS and told:
                text = LocalizedText(
                    en=f"gives {probe.key_point} away", zh=f"把要点 {probe.key_point} 说出来了"
                )
                yield f"probes[{n}].ask.{language}", text


def _too_short_or_long(question: Question) -> Iterator[Fault]:
    for language, (least, most) in EXAMPLE_LENGTH.items():
        length = spoken_length(question.example.get(language), language)
        if not least <= length <= most:
            yield (
                f"example.{language}",
                LocalizedText(
                    en=f"{length} long, {least} to {most} can be said in a minute",
                    zh=f"长度 {length}，一分钟左右应为 {least} 到 {most}",
                ),
            )


def _unreachable(questions: Sequence[Question]) -> list[Finding]:
    reached = {(category, level) for _, category, level in coverage(questions)}
    return [
        Finding(
            None,
            "levels",
            LocalizedText(
                en=f"no {category} question for the level {level}",
                zh=f"{level} 这一级没有 {category} 类的题",
            ),
        )
        for category in get_args(Category)
        for level in get_args(Level)
        if (category, level) not in reached
    ]

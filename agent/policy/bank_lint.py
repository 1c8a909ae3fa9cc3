"""What is missing or contradictory in a question bank, beyond what its schema can tell."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from agent.domain.language import LANGUAGES, Language
from agent.domain.question import RUNGS, Category, Level, Question
from agent.policy.folding import fold

LEAST_RUNGS = 4
SAME_MEANING = 0.9
"""Cosine from which two prompts in one language ask the same thing."""
NEEDS_MISCONCEPTIONS: frozenset[Category] = frozenset({"principle", "design"})


@dataclass(frozen=True)
class Finding:
    """Something to mend.

    Attributes:
        question: Id of the question; None when the bank as a whole is meant.
        text: What is wrong, with the place in the question.
    """

    question: str | None
    text: str


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
        Finding(question.id, text)
        for question in questions
        for text in (*_unsaid(question), *_unfounded(question), *_gaps(question))
    ]
    for language, rows in (prompts or {}).items():
        findings += _same_meaning(questions, rows, language)
    return (*findings, *_unreachable(questions))


def coverage(questions: Sequence[Question]) -> Counter[tuple[str, Category, Level]]:
    """Count the questions of each topic, category and level."""
    return Counter(
        (question.topic, question.category, level)
        for question in questions
        for level in question.levels
    )


def says(text: str, wordings: Sequence[str]) -> bool:
    """Whether one of the wordings of a concept stands in `text`."""
    plain = _plain(text)
    return any(_plain(wording) in plain for wording in wordings)


def _plain(text: str) -> str:
    return " ".join(fold(text).replace("-", " ").split())


def _unsaid(question: Question) -> list[str]:
    """Concepts that a point, the outline or the example does not use itself."""
    found: list[str] = []
    for language in LANGUAGES:
        outline, example = question.outline.get(language), question.example.get(language)
        for point in question.key_points:
            own = f"{point.statement.get(language)} {point.aloud.get(language)}"
            concepts = [(own, "its own wording", group) for group in point.terms]
            concepts += [(example, "the example", group) for group in point.terms]
            concepts.append((outline, "the outline", point.terms[0]))
            found += [
                f"key point {point.id}: {where} ({language}) has none of {', '.join(group[:3])}"
                for text, where, group in concepts
                if not says(text, group)
            ]
    return found


def _unfounded(question: Question) -> list[str]:
    """Lists that are empty in a language, and misconceptions that are due."""
    lists = {"pitfalls": question.pitfalls, "speech_terms": question.speech_terms}
    lists |= {f"misconception {item.id}: aloud": item.aloud for item in question.misconceptions}
    found = [
        f"{name}: nothing in {language}"
        for name, texts in lists.items()
        for language in LANGUAGES
        if not texts.get(language)
    ]
    if question.category in NEEDS_MISCONCEPTIONS and not question.misconceptions:
        found.append(f"a {question.category} question without a misconception")
    return found


def _gaps(question: Question) -> list[str]:
    rungs = {probe.rung for probe in question.probes}
    found = [] if len(rungs) >= LEAST_RUNGS else [f"probes: only {len(rungs)} rungs"]
    missing = [rung for rung in RUNGS[: LEAST_RUNGS - 1] if rung not in rungs]
    return found + [f"probes: the ladder lacks {rung}" for rung in missing]


def _same_meaning(
    questions: Sequence[Question], rows: NDArray[np.float32], language: Language
) -> list[Finding]:
    cosines = rows @ rows.T
    return [
        Finding(questions[b].id, f"prompt ({language}): asks the same as {questions[a].id}")
        for a, b in combinations(range(len(questions)), 2)
        if cosines[a, b] >= SAME_MEANING
    ]


def _unreachable(questions: Sequence[Question]) -> list[Finding]:
    reached = {(category, level) for _, category, level in coverage(questions)}
    return [
        Finding(None, f"no {category} question for the level {level}")
        for category in get_args(Category)
        for level in get_args(Level)
        if (category, level) not in reached
    ]

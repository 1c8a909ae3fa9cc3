"""`viva list questions --check` and `--coverage`: what is wrong with the questions, and where."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import get_args

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len

from agent.app import wiring
from agent.app.catalog import open_catalog
from agent.app.own_bank import RowProblem
from agent.app.reader import reader_language
from agent.domain.errors import VivaError
from agent.domain.language import LANGUAGES, Language, LocalizedText
from agent.domain.question import Category, Level, Question
from agent.policy.bank_lint import Finding, coverage, lint, same_meaning
from agent.ports import SentenceEncoder

CLEAN = LocalizedText(
    en="{count} questions, nothing to mend.", zh="共 {count} 道题，没有需要修改的地方。"
)
PROBLEMS = LocalizedText(en="To mend: {count}.", zh="有 {count} 处需要修改。")
NO_ENCODER = LocalizedText(
    en="Questions with the same meaning were not looked for: the sentence encoder is missing.",
    zh="没有安装句向量模型，未检查意思重复的题。",
)
SHORT_NAMES: dict[Category, tuple[str, str]] = {
    "project": ("proj", "项目"),
    "engineering": ("eng", "工程"),
    "principle": ("princ", "原理"),
    "design": ("design", "设计"),
    "evaluation": ("eval", "评估"),
    "trends": ("trends", "趋势"),
    "coding": ("code", "编程"),
    "behavioural": ("behav", "行为"),
}
LEGEND = LocalizedText(
    en="In each cell: new graduate / 1-3 years / senior. {count} questions.",
    zh="每格依次为：应届 / 1-3 年 / 资深。共 {count} 道题。",
)
TOPIC, TOTAL = LocalizedText(en="topic", zh="主题"), LocalizedText(en="all", zh="合计")
TOPIC_WIDTH, CELL_WIDTH, TOTAL_WIDTH = 18, 7, 5


def check(language: Language | None, as_json: bool) -> None:
    """Print everything that is wrong with the questions, with file and place.

    Raises:
        InvalidFiles: A file of the project's bank cannot be read; it carries every problem.
        VivaError: There is something to mend.
    """
    language = language or reader_language()
    catalog = open_catalog()
    questions = [entry.item for entry in catalog.bank]
    files = {entry.item.id: str(entry.path) for entry in catalog.bank}
    findings = lint(questions, vectors(questions, wiring.encoder()))
    for finding in findings:
        file = files.get(finding.question or "", str(catalog.bank[0].path.parent))
        _print(file, finding, language, as_json)
    broken = catalog.own.problems
    print_problems(broken, language, as_json)
    if wiring.encoder() is None:
        print(NO_ENCODER.get(language), file=sys.stderr)
    count = len(findings) + len(broken)
    if count:
        raise VivaError(PROBLEMS.model_copy(update=_counted(PROBLEMS, count)))
    if not as_json:
        print(CLEAN.get(language).format(count=len(catalog.questions)))


def vectors(
    questions: Sequence[Question], encoder: SentenceEncoder | None
) -> dict[Language, NDArray[np.float32]]:
    """Return the prompts' vectors by language; nothing without an encoder."""
    if encoder is None or not questions:
        return {}
    return {
        language: encoder.encode([question.prompt.get(language) for question in questions])
        for language in LANGUAGES
    }


def twins(
    fresh: Sequence[Question], known: Sequence[Question], encoder: SentenceEncoder
) -> list[Finding]:
    """Return which of the `fresh` questions ask what another of them or a `known` one asks."""
    names = {question.id for question in fresh}
    found: list[Finding] = []
    for language in LANGUAGES:
        asked = [item for item in (*known, *fresh) if language in item.languages]
        if asked:
            rows = encoder.encode([question.prompt.get(language) for question in asked])
            found += same_meaning(asked, rows, language)
    return [finding for finding in found if finding.question in names]


def print_problems(problems: Iterable[RowProblem], language: Language, as_json: bool) -> None:
    """Print what is wrong in files of questions, a line each."""
    for problem in problems:
        if as_json:
            row = {
                "file": str(problem.path),
                "line": problem.line,
                "problem": problem.text.get(language),
            }
            print(json.dumps(row, ensure_ascii=False))
        else:
            print(problem.spelt(language))


def show_coverage(language: Language | None, as_json: bool) -> None:
    """Print how many questions there are of each topic, category and level."""
    questions = [entry.item for entry in open_catalog().questions]
    lines = _json_rows(questions) if as_json else _table(questions, language or reader_language())
    for line in lines:
        print(line)


def _json_rows(questions: Sequence[Question]) -> Iterator[str]:
    for (topic, category, level), count in sorted(coverage(questions).items()):
        yield json.dumps(
            {"topic": topic, "category": category, "level": level, "questions": count},
            ensure_ascii=False,
        )


def _table(questions: Sequence[Question], language: Language) -> Iterator[str]:
    counts = coverage(questions)
    heads = [name[LANGUAGES.index(language)] for name in SHORT_NAMES.values()]
    yield _line(TOPIC.get(language), [*heads, TOTAL.get(language)])
    for topic, count in sorted(Counter(question.topic for question in questions).items()):
        cells = [
            [counts[topic, category, level] for level in get_args(Level)]
            for category in SHORT_NAMES
        ]
        shown = ["/".join(map(str, cell)) if any(cell) else "·" for cell in cells]
        yield _line(topic, [*shown, str(count)])
    yield ""
    for level in get_args(Level):
        served = Counter(item.category for item in questions if level in item.levels)
        numbers = [str(served[category]) for category in SHORT_NAMES]
        yield _line(level, [*numbers, str(served.total())])
    yield ""
    yield LEGEND.get(language).format(count=len(questions))


def _line(head: str, cells: Sequence[str]) -> str:
    short = head if cell_len(head) < TOPIC_WIDTH else f"{head[: TOPIC_WIDTH - 2]}…"
    widths = [CELL_WIDTH] * (len(cells) - 1) + [TOTAL_WIDTH]
    padded = [
        " " * (width - cell_len(cell)) + cell for cell, width in zip(cells, widths, strict=True)
    ]
    return short + " " * (TOPIC_WIDTH - cell_len(short)) + "".join(padded)


def _print(file: str, finding: Finding, language: Language, as_json: bool) -> None:
    if as_json:
        row = {
            "file": file,
            "question": finding.question,
            "place": finding.place,
            "problem": finding.text.get(language),
        }
        print(json.dumps(row, ensure_ascii=False))
    else:
        name = f" {finding.question}:" if finding.question else ""
        print(f"{file}:{name} {finding.place}: {finding.text.get(language)}")


def _counted(text: LocalizedText, count: int) -> dict[str, str]:
    return {language: text.get(language).format(count=count) for language in LANGUAGES}

"""`viva doctor --grader`: how often the builtin grader breaks what must hold, over the bank."""

import json
from collections.abc import Sequence

from rich.console import Console

from agent.app import wiring
from agent.app.catalog import open_catalog
from agent.app.commands.progress import progress
from agent.app.settings import system_language
from agent.domain.language import Language, LocalizedText
from agent.domain.question import Question
from agent.grading.metamorphic import Rate, by_kind, violations
from agent.grading.properties import KINDS, MOST, PROPERTIES, Property

NAMED = 3
"""Most questions that are named behind a property."""
COUNTED = LocalizedText(en="questions", zh="题")
HEAD = LocalizedText(
    en="{grader}: {count} questions, their examples changed on purpose in both languages",
    zh="{grader}：{count} 道题，两种语言的示例回答，有意改动后再评",
)
TOTAL = LocalizedText(
    en="{kind}: {rate:.1%} broken, at most {most:.0%}: {verdict}",
    zh="{kind}：违反 {rate:.1%}，上限 {most:.0%}：{verdict}",
)
PASSED, MISSED = LocalizedText(en="passed", zh="通过"), LocalizedText(en="missed", zh="未达到")


def run(
    language: Language | None,
    as_json: bool,
    questions: Sequence[Question] | None = None,
    properties: Sequence[Property] = PROPERTIES,
) -> bool:
    """Show the rate of each property and of each kind of property.

    Args:
        language: What the card is written in; None: the system's.
        as_json: One JSON object a line instead, with every violation.
        questions: None: those of the bank, own ones included.
        properties: Those to try.

    Returns:
        Whether every kind stays within its limit.

    Raises:
        InvalidFiles: A file of the catalog is broken.
    """
    shown_in = language or system_language()
    catalog = open_catalog()
    catalog.check()
    tried = questions or [entry.item for entry in catalog.questions]
    frames = [entry.item for entry in catalog.frames]
    grader = wiring.grader()
    with progress(COUNTED.get(shown_in), len(tried)) as advance:
        rates = violations(tried, frames, grader.assess_many, properties, lambda: advance(1))
    if as_json:
        _print_json(grader.name, len(tried), rates)
    else:
        _print(grader.name, len(tried), rates, shown_in)
    return all(rate is None or rate <= MOST[kind] for kind, rate in by_kind(rates).items())


def _print(grader: str, count: int, rates: Sequence[Rate], shown_in: Language) -> None:
    output = Console(highlight=False, soft_wrap=True)
    output.print(HEAD.get(shown_in).format(grader=grader, count=count))
    for kind, rate in by_kind(rates).items():
        if rate is None:
            continue
        verdict = PASSED if rate <= MOST[kind] else MISSED
        told = {"kind": KINDS[kind].get(shown_in), "rate": rate, "most": MOST[kind]}
        output.print(TOTAL.get(shown_in).format(**told, verdict=verdict.get(shown_in)))
        for item in rates:
            if item.kind == kind:
                output.print(_row(item, shown_in), style="dim" if not item.broken else None)


def _row(item: Rate, shown_in: Language) -> str:
    named = [f"{one.question} {one.language}" for one in item.broken[:NAMED]]
    where = f" ({', '.join(named)}{' ...' if len(item.broken) > NAMED else ''})" if named else ""
    return f"  {len(item.broken)}/{item.tried}  {item.name.get(shown_in)}{where}"


def _print_json(grader: str, count: int, rates: Sequence[Rate]) -> None:
    for item in rates:
        broken = [
            {
                "question": one.question,
                "language": one.language,
                "right": one.right,
                "changed": one.changed,
            }
            for one in item.broken
        ]
        row = {"property": item.name.en, "kind": item.kind, "tried": item.tried, "broken": broken}
        print(json.dumps(row, ensure_ascii=False))
    print(json.dumps({"grader": grader, "questions": count, "rates": by_kind(rates), "most": MOST}))

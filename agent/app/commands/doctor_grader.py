"""`viva doctor --grader`: how often the builtin grader breaks what must hold, over the bank."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

from rich.console import Console

from agent.app import wiring
from agent.app.catalog import open_catalog
from agent.app.commands import doctor_agreement
from agent.app.commands.progress import progress
from agent.app.reader import reader_language
from agent.app.session import utc_now
from agent.domain.assessment import Assessment, GradingTask
from agent.domain.language import Language, LocalizedText
from agent.domain.question import Question
from agent.grading.metamorphic import Rate, Violation, by_kind, trials, violations
from agent.grading.processes import processes_for, side_by_side
from agent.grading.properties import KINDS, MOST, PROPERTIES, Property

NAMED = 3
"""Most violations that are named behind a property: those that moved the score most."""
FEW = 12
"""Trials that are judged sooner here than a second process is ready."""
COUNTED = LocalizedText(en="answers", zh="回答")
HEAD = LocalizedText(
    en="Viva {version}, {date}, {grader}: "
    "{count} questions, their examples changed on purpose in both languages",
    zh="Viva {version}，{date}，{grader}：{count} 道题，两种语言的示例回答，有意改动后再评",
)
TOTAL = LocalizedText(
    en="{kind}: {rate:.1%} broken, at most {most:.0%}: {verdict}",
    zh="{kind}：违反 {rate:.1%}，上限 {most:.0%}：{verdict}",
)
PASSED, MISSED = LocalizedText(en="passed", zh="通过"), LocalizedText(en="missed", zh="未达到")


def run(
    language: Language | None,
    as_json: bool,
    folder: Path | None = None,
    questions: Sequence[Question] | None = None,
    properties: Sequence[Property] = PROPERTIES,
) -> bool:
    """Show the rate of each property and of each kind of property.

    Args:
        language: What the card is written in; None: the system's.
        as_json: One JSON object a line instead, with every violation.
        folder: Sets of answers that people graded, to be agreed with; None: none.
        questions: None: those of the bank, own ones included.
        properties: Those to try.

    Returns:
        Whether every kind stays within its limit.

    Raises:
        InvalidFiles: A file of the catalog or of `folder` is broken.
        UsageError: There is no such folder, or no set in it.
    """
    shown_in = language or reader_language()
    catalog = open_catalog()
    catalog.check()
    sets: doctor_agreement.Sets = doctor_agreement.read_sets(folder) if folder else {}
    asked = questions or [entry.item for entry in catalog.questions]
    frames = [entry.item for entry in catalog.frames]
    tried = trials(asked, frames, properties)
    total = len(tried) + sum(map(len, sets.values()))
    with progress(COUNTED.get(shown_in), total) as advance:
        rates = violations(tried, properties, _assess(len(tried)), lambda: advance(1))
        agreed = doctor_agreement.tables(sets, frames, advance) if sets else {}
    if as_json:
        _print_json(len(asked), rates)
        doctor_agreement.show_json(agreed)
    else:
        _print(len(asked), rates, shown_in)
        if agreed:
            doctor_agreement.show(agreed, shown_in)
    return all(rate is None or rate <= MOST[kind] for kind, rate in by_kind(rates).items())


Groups = Iterable[Sequence[GradingTask]]


def _assess(count: int) -> Callable[[Groups], Iterator[Sequence[Assessment]]]:
    """Return the grader, in as many processes as pay for `count` groups."""
    processes = processes_for(count, FEW)
    if processes == 1:
        return lambda groups: map(_build(), groups)
    return lambda groups: side_by_side(_build, groups, processes)


def _build() -> Callable[[Sequence[GradingTask]], list[Assessment]]:
    return wiring.grader().assess_many


def _print(count: int, rates: Sequence[Rate], shown_in: Language) -> None:
    output = Console(highlight=False, soft_wrap=True)
    output.print(HEAD.get(shown_in).format(**_told(count)))
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
    named = [_moved(one) for one in item.worst()[:NAMED]]
    where = f" ({', '.join(named)}{' ...' if len(item.broken) > NAMED else ''})" if named else ""
    return f"  {len(item.broken)}/{item.tried}  {item.name.get(shown_in)}{where}"


def _moved(one: Violation) -> str:
    before, after = ("-" if it is None else f"{it:.0f}" for it in (one.right, one.changed))
    return f"{one.question} {one.language} {before} -> {after}"


def _told(count: int) -> dict[str, object]:
    return {
        "version": version("viva-interview"),
        "date": utc_now()[:10],
        "grader": wiring.grader().name,
        "count": count,
    }


def _print_json(count: int, rates: Sequence[Rate]) -> None:
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
    told = _told(count)
    told["questions"] = told.pop("count")
    print(json.dumps(told | {"rates": by_kind(rates), "most": MOST}))

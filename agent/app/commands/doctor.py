"""`viva doctor`: is this machine ready, and what to do where it is not."""

import json
import shutil
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

from agent.app.checks.machine import check_terminal
from agent.app.checks.result import NAMES, CheckResult, Place, State, both
from agent.app.checks.verdict import model_verdict, verdict
from agent.app.preflight import results
from agent.app.probes import Options
from agent.app.reader import reader_language
from agent.domain.language import Language, LocalizedText

STATES: dict[State, LocalizedText] = {
    "ok": both("ok", "正常"),
    "warn": both("warn", "注意"),
    "fail": both("fail", "失败"),
}
STYLES: dict[State, str] = {"ok": "green", "warn": "yellow", "fail": "bold red"}
LOOKING = both("{name} ...", "{name} ……")
SPEAK = both("{name}: say a few words now ...", "{name}：请说几句话 ……")


Begun = Callable[[Place], None]
"""Told which check begins."""


def run(options: Options, language: Language | None, as_json: bool) -> bool:
    """Show a row for each check as it is done, and then what they come to.

    Returns:
        Whether an interview by voice can be held; of the language model, whether it can be used.
    """
    shown_in = language or reader_language()
    output = Console(highlight=False)
    rows: list[CheckResult] = []

    def show(row: CheckResult) -> None:
        rows.append(row)
        if as_json:
            print(_as_json(row, shown_in), flush=True)
        else:
            _print(output, row, shown_in)

    with _progress(shown_in) as (begun, pause):
        for row in results(options, begun):
            pause()
            show(row)
    if options.llm:
        good, sentence = model_verdict(rows)
        told: dict[str, object] = {"usable": good}
    else:
        show(_terminal(output))
        found = verdict(rows, options.languages)
        good, sentence = bool(found.by_voice), found.sentence
        told = {"by_voice": found.by_voice}
    if as_json:
        print(json.dumps({**told, "verdict": sentence.get(shown_in)}, ensure_ascii=False))
    else:
        output.print()
        _put(output, Text(sentence.get(shown_in), style="bold"), shown_in)
    return good


def _terminal(output: Console) -> CheckResult:
    columns = shutil.get_terminal_size().columns
    colours = None if output.no_color else output.color_system
    return check_terminal(columns, colours, output.encoding, sys.platform)


def _as_json(row: CheckResult, shown_in: Language) -> str:
    fields = {
        "check": row.check,
        "language": row.language,
        "name": row.name(shown_in),
        "state": row.state,
        "found": row.found.get(shown_in),
        "remedy": row.remedy.get(shown_in) if row.remedy else None,
    }
    return json.dumps(fields, ensure_ascii=False)


def _print(output: Console, row: CheckResult, shown_in: Language) -> None:
    style = STYLES[row.state]
    lines = [
        Text.assemble(
            (f"{STATES[row.state].get(shown_in):<5}", style),
            (row.name(shown_in), "bold"),
            f"  {row.found.get(shown_in)}",
        )
    ]
    if row.remedy:
        lines.append(Text(f"     -> {row.remedy.get(shown_in)}", style=style))
    for line in lines:
        _put(output, line, shown_in)


def _put(output: Console, line: Text, shown_in: Language) -> None:
    # Chinese has no spaces to wrap at: the terminal does it, and a pipe gets whole lines.
    output.print(line, soft_wrap=shown_in == "zh" or not output.is_terminal)


@contextmanager
def _progress(shown_in: Language) -> Generator[tuple[Begun, Callable[[], None]]]:
    """Show on standard error, at a terminal, what is being looked at."""
    errors = Console(stderr=True, highlight=False)
    status = errors.status("")

    def begun(place: Place) -> None:
        words = SPEAK if place.check == "microphone" else LOOKING
        status.update(words.get(shown_in).format(name=NAMES[place.check].get(shown_in)))
        if errors.is_terminal:
            status.start()

    try:
        yield begun, status.stop
    finally:
        status.stop()

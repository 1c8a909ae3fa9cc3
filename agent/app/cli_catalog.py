"""The commands about what there is: personas, companies, questions, frames, sessions."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from agent.app.options import AsJson, Lang, Recordings
from agent.domain.errors import UsageError
from agent.domain.language import LocalizedText

QUESTIONS_ALONE = LocalizedText(
    en="--check and --coverage go with questions, one at a time.",
    zh="--check 和 --coverage 只能用于 questions，且一次一个。",
)
BankFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="YAML in the bank's own form, or CSV or JSON lines with question, reference, source, "
        "category, and if you like id, topic, level, lang, minutes.",
    ),
]
Listing = Literal["personas", "companies", "questions", "rubrics", "sessions", "devices"]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command(name="list")(listing)
    bank = typer.Typer(no_args_is_help=True, help="Your own questions, beside the project's.")
    for command in (add, lint, remove):
        bank.command()(command)
    bank.command(name="list")(own)
    app.add_typer(bank, name="bank")


def listing(
    what: Annotated[Listing, typer.Argument(help="What to list.")],
    lang: Lang = None,
    recordings: Recordings = None,
    check: Annotated[
        bool, typer.Option("--check", help="Questions: what is wrong with them, and where.")
    ] = False,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Questions: how many of each topic and category.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List what there is, and from which file."""
    if check or coverage:
        from agent.app.commands import bank_check

        if what != "questions" or (check and coverage):
            raise UsageError(QUESTIONS_ALONE, "viva list questions --check")
        (bank_check.check if check else bank_check.show_coverage)(lang, as_json)
    elif what == "sessions":
        from agent.app.commands import sessions

        sessions.run(recordings, as_json)
    elif what == "devices":
        from agent.app.commands import devices

        devices.run(as_json)
    else:
        from agent.app.commands import listing as catalog

        catalog.run(what, lang, as_json)


def add(
    file: BankFile,
    good_only: Annotated[
        bool, typer.Option("--good-only", help="Add the good ones though others are not.")
    ] = False,
) -> None:
    """Add your own questions; nothing is added unless all are good."""
    from agent.app.commands import bank

    bank.add(file, good_only)


def own(lang: Lang = None, as_json: AsJson = False) -> None:
    """List your own questions, and which file each stands in."""
    from agent.app.commands import bank

    bank.listing(lang, as_json)


def lint(file: BankFile, as_json: AsJson = False) -> None:
    """Say what is wrong with a file of questions, without adding any."""
    from agent.app.commands import bank

    bank.lint(file, as_json)


def remove(
    number: Annotated[str, typer.Argument(metavar="ID", help="An id of `viva bank list`.")],
) -> None:
    """Remove one of your own questions."""
    from agent.app.commands import bank

    bank.remove(number)

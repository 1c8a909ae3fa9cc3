"""The commands about sessions that were held."""

from typing import Annotated, Literal

import typer

from agent.app.options import Lang, Recordings


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command()(report)


def report(
    session: Annotated[str, typer.Argument(help="Id, folder or start of an id.")],
    form: Annotated[Literal["html", "md", "json", "vtt"], typer.Option("--format")] = "html",
    lang: Lang = None,
    recordings: Recordings = None,
) -> None:
    """Build a session's report again."""
    from agent.app.commands import report as command

    command.run(session, form, lang, recordings)

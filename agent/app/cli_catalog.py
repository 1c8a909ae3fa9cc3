"""The commands about what there is: personas, questions, frames, sessions."""

from typing import Annotated, Literal

import typer

from agent.app.options import AsJson, Lang, Recordings

Listing = Literal["personas", "questions", "rubrics", "sessions"]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command(name="list")(listing)


def listing(
    what: Annotated[Listing, typer.Argument(help="What to list.")],
    lang: Lang = None,
    recordings: Recordings = None,
    as_json: AsJson = False,
) -> None:
    """List what there is, and from which file."""
    if what == "sessions":
        from agent.app.commands import sessions

        sessions.run(recordings, as_json)
    else:
        from agent.app.commands import listing as catalog

        catalog.run(what, lang, as_json)

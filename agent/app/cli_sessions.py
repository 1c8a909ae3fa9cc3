"""The commands about sessions that were held."""

from typing import Annotated, Literal

import typer

from agent.app.options import AsJson, Lang, Recordings

Session = Annotated[str, typer.Argument(help="Id, folder or start of an id; `sample`.")]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    for command in (report, replay, regrade, appeal, delete):
        app.command()(command)


def report(
    session: Session,
    form: Annotated[Literal["html", "md", "json", "vtt"], typer.Option("--format")] = "html",
    lang: Lang = None,
    recordings: Recordings = None,
) -> None:
    """Build a session's report again."""
    from agent.app.commands import report as command

    command.run(session, form, lang, recordings)


def replay(
    session: Annotated[
        str | None,
        typer.Argument(help="Id, folder or start of an id; `sample`; default: the newest."),
    ] = None,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Turn by turn, here, with sound.")
    ] = False,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Only say where the report lies.")
    ] = False,
    lang: Lang = None,
    recordings: Recordings = None,
) -> None:
    """Show a graded transcript: in the browser, or turn by turn in the terminal."""
    from agent.app.commands import replay as command

    command.run(session, terminal, no_open, lang, recordings)


def regrade(session: Session, recordings: Recordings = None, as_json: AsJson = False) -> None:
    """Grade a session again by the rules of today; older grades are kept."""
    from agent.app.commands import regrade as command

    command.run(session, recordings, as_json)


def appeal(
    session: Annotated[str, typer.Argument(help="Id, folder or start of an id.")],
    turn: Annotated[int, typer.Argument(min=1, help="Number of the turn, as in the report.")],
    recordings: Recordings = None,
    as_json: AsJson = False,
) -> None:
    """Grade one turn again, blind to its grade; both grades are kept and shown."""
    from agent.app.commands import appeal as command

    command.run(session, turn, recordings, as_json)


def delete(
    session: Annotated[str, typer.Argument(help="Id, folder or start of an id.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    recordings: Recordings = None,
    as_json: AsJson = False,
) -> None:
    """Delete a session with its recordings, for good."""
    from agent.app.commands import delete as command

    command.run(session, yes, recordings, as_json)

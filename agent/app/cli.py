"""The command line: options, and the one boundary where failures become sentences."""

import sys
import traceback
from importlib.metadata import version
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from agent.domain.errors import UsageError, VivaError
from agent.domain.language import Language
from agent.domain.question import Level


class Boundary(TyperGroup):
    """Turns every failure of a command into a sentence and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; with `--debug` a failure also shows where it came from."""
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort, TyperException):
            raise
        except VivaError as error:
            self._trace(ctx)
            self._say(error.message, error.hint)
            raise typer.Exit(error.exit_code) from error
        except KeyboardInterrupt as error:
            self._say("Interrupted.", None)
            raise typer.Exit(130) from error
        except BrokenPipeError as error:
            sys.stderr.close()  # nobody reads any more; say nothing at exit either
            raise typer.Exit(1) from error
        except OSError as error:
            self._trace(ctx)
            self._say(f"The system refused: {error}", None)
            raise typer.Exit(1) from error
        except Exception as error:
            self._trace(ctx)
            self._say(
                f"This should not have happened: {type(error).__name__}: {error}",
                f"viva --debug {' '.join(sys.argv[1:])}",
            )
            raise typer.Exit(1) from error

    @staticmethod
    def _say(message: str, hint: str | None) -> None:
        print(message, file=sys.stderr)
        if hint:
            print(f"Try: {hint}", file=sys.stderr)

    @staticmethod
    def _trace(ctx: Any) -> None:
        if ctx.params.get("debug"):
            traceback.print_exc()


app = typer.Typer(
    cls=Boundary,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Viva, a voice mock interviewer: it asks aloud, listens, digs in, and grades with quotes.",
)


Listing = Literal["personas", "questions", "rubrics", "sessions"]
Lang = Annotated[Language | None, typer.Option("--lang", help="Language; default: the system's.")]
Recordings = Annotated[
    Path | None, typer.Option("--recordings", help="Where sessions are kept [VIVA_RECORDINGS].")
]
AsJson = Annotated[
    bool, typer.Option("--json", help="One JSON object a line on standard output, nothing else.")
]


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"viva {version('viva-interview')}")
        raise typer.Exit


@app.callback()
def viva(
    debug: Annotated[bool, typer.Option("--debug", help="Show where a failure came from.")] = False,
    _version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    """Take the options that every command has."""


@app.command()
def practice(
    persona: Annotated[str, typer.Option(help="Interviewer.")] = "big-tech",
    level: Annotated[Level, typer.Option(help="Your experience.")] = "1-3-years",
    lang: Lang = None,
    questions: Annotated[int, typer.Option(min=1, max=20, help="Planned questions.")] = 6,
    topic: Annotated[str | None, typer.Option(help="Only questions of this topic.")] = None,
    source: Annotated[
        str, typer.Option("--input", metavar="text|FOLDER", help="Typed, or files of a folder.")
    ] = "text",
    output: Annotated[
        Literal["voice", "text"] | None,
        typer.Option(help="Default: text when you type, else voice."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Repeats the same interview.")] = None,
    resume: Annotated[
        bool, typer.Option("--continue", help="Take up the last interrupted interview.")
    ] = False,
    session: Annotated[str | None, typer.Option(help="With --continue: which one.")] = None,
    recordings: Recordings = None,
    as_json: AsJson = False,
) -> None:
    """Hold an interview on typed or recorded answers."""
    from agent.app.commands import practice as command

    if session is not None and not resume:
        raise UsageError(
            "--session goes with --continue.", f"viva practice --continue --session {session}"
        )
    wish = command.Wish(
        persona=persona,
        language=lang,
        level=level,
        questions=questions,
        topic=topic,
        seed=seed,
    )
    how = command.Ways(
        source=source,
        voice=None if output is None else output == "voice",
        as_json=as_json,
        recordings=recordings,
    )
    if resume:
        command.go_on(session, how)
    else:
        command.start(wish, how)


@app.command()
def demo(lang: Lang = None, recordings: Recordings = None, as_json: AsJson = False) -> None:
    """Hold a whole interview on recorded answers: no key, microphone or network."""
    from agent.app.commands import demo as command

    command.run(lang, recordings, as_json)


@app.command()
def grade(
    answers: Annotated[
        Path,
        typer.Argument(
            help="A JSON object a line: id, lang, question or question_id, answer or audio; "
            "reference and category if there are any."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="Where the scores go, a row an answer.")],
    _no_llm: Annotated[
        bool, typer.Option("--no-llm", help="Grade without a language model (as it does now).")
    ] = False,
) -> None:
    """Grade a file of text or audio answers."""
    from agent.app.commands import grade as command

    command.run(answers, out)


@app.command()
def report(
    session: Annotated[str, typer.Argument(help="Id, folder or start of an id.")],
    form: Annotated[Literal["html", "md", "json", "vtt"], typer.Option("--format")] = "html",
    lang: Lang = None,
    recordings: Recordings = None,
) -> None:
    """Build a session's report again."""
    from agent.app.commands import report as command

    command.run(session, form, lang, recordings)


@app.command(name="list")
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


def main() -> None:
    """Run `viva`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    app()

"""The command line: what there is to type, and the options of holding and grading interviews."""

import sys
from importlib.metadata import version
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Literal

import typer

from agent.app import cli_catalog, cli_machine, cli_sessions
from agent.app.boundary import Boundary
from agent.app.options import AsJson, Lang, Recordings
from agent.domain.errors import UsageError
from agent.domain.language import LocalizedText
from agent.domain.question import Level

SESSION_ALONE = LocalizedText(
    en="--session goes with --continue.", zh="--session 要和 --continue 一起使用。"
)

app = typer.Typer(
    cls=Boundary,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Viva, a voice mock interviewer: it asks aloud, listens, digs in, and grades with quotes.",
)


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
    persona: Annotated[
        str | None, typer.Option(help="Interviewer; default: as last time, or big-tech.")
    ] = None,
    company: Annotated[str | None, typer.Option(help="Rehearse for this company.")] = None,
    level: Annotated[
        Level | None, typer.Option(help="Your experience; default: as last time, or 1-3-years.")
    ] = None,
    lang: Lang = None,
    questions: Annotated[
        int | None, typer.Option(min=1, max=20, help="Planned questions; default: 6.")
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(min=1, max=180, help="How long it may take.")
    ] = None,
    topic: Annotated[str | None, typer.Option(help="Only questions of this topic.")] = None,
    question: Annotated[
        list[str] | None,
        typer.Option(help="Ask this one first (an id of `viva list questions`); repeatable."),
    ] = None,
    source: Annotated[
        str,
        typer.Option(
            "--input",
            metavar="mic|text|FOLDER",
            help="Speech, typed answers, or the files of a folder.",
        ),
    ] = "mic",
    output: Annotated[
        Literal["voice", "text"] | None,
        typer.Option(help="Default: text when you type, else voice."),
    ] = None,
    headphones: Annotated[
        bool, typer.Option("--headphones", help="The microphone cannot hear the interviewer.")
    ] = False,
    push_to_talk: Annotated[
        bool, typer.Option("--push-to-talk", help="Enter begins and ends each answer.")
    ] = False,
    explain_turns: Annotated[
        bool, typer.Option("--explain-turns", help="Say why each pause did or did not end a turn.")
    ] = False,
    input_device: Annotated[
        str | None, typer.Option(help="Microphone: part of its name, or its number.")
    ] = None,
    output_device: Annotated[
        str | None, typer.Option(help="Loudspeaker: part of its name, or its number.")
    ] = None,
    voice: Annotated[
        str | None,
        typer.Option(help="Who speaks: kokoro, hibari, or a part of the name of a system voice."),
    ] = None,
    feedback: Annotated[
        Literal["each", "end"] | None,
        typer.Option(help="Coaching after each answer, or at the end; default: at the end."),
    ] = None,
    self_rate: Annotated[
        bool, typer.Option("--self-rate", help="Rate your own answers before you see the grade.")
    ] = False,
    llm: Annotated[
        bool,
        typer.Option(
            "--llm",
            help="Let the language model of VIVA_LLM_* take part; default: where one is named.",
        ),
    ] = False,
    no_llm: Annotated[bool, typer.Option("--no-llm", help="Use no language model.")] = False,
    max_cost: Annotated[
        float | None,
        typer.Option(min=0, help="What the language model may cost, as its prices are given."),
    ] = None,
    offline: Annotated[
        bool, typer.Option("--offline", help="Let nothing leave this machine.")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="Repeats the same interview.")] = None,
    resume: Annotated[
        bool, typer.Option("--continue", help="Take up the last interrupted interview.")
    ] = False,
    session: Annotated[str | None, typer.Option(help="With --continue: which one.")] = None,
    recordings: Recordings = None,
    as_json: AsJson = False,
) -> None:
    """Hold an interview: talk, type, or let files answer."""
    from agent.app.commands import practice as command
    from agent.app.commands.suggesting import Wish
    from agent.app.commands.ways import Ways
    from agent.app.language_model import Consent

    if session is not None and not resume:
        raise UsageError(SESSION_ALONE, f"viva practice --continue --session {session}")
    ways = Ways(
        source=source,
        voice=None if output is None else output == "voice",
        as_json=as_json,
        recordings=recordings,
        microphone=input_device,
        speaker=output_device,
        headphones=headphones,
        by_key=push_to_talk,
        explains_turns=explain_turns,
        minutes=minutes,
        feedback=feedback,
        self_rates=self_rate,
        voice_name=voice,
        consent=Consent(llm, no_llm, max_cost, offline),
    )
    if resume:
        command.go_on(session, ways)
        return
    wish = Wish(
        persona=persona,
        company=company,
        language=lang,
        level=level,
        questions=questions,
        minutes=minutes,
        topic=topic,
        wanted=tuple(question or ()),
        seed=seed,
    )
    command.start(wish, ways)


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
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="Processes that grade at once; default: one a core."),
    ] = None,
) -> None:
    """Grade a file of text or audio answers; begun again, it goes on where it was stopped."""
    from agent.app.commands import grade as command

    command.run(answers, out, workers)


cli_sessions.register(app)
cli_catalog.register(app)
cli_machine.register(app)


def main() -> None:
    """Run `viva`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    app()

"""The command about this machine."""

from pathlib import Path
from typing import Annotated

import typer

from agent.app.options import AsJson, Lang
from agent.domain.errors import UsageError
from agent.domain.language import LANGUAGES, LocalizedText

ONLY_GRADER = LocalizedText(
    en="Only the grader is tried on a folder.", zh="只有检验评分器时才能给出文件夹。"
)


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(doctor)


def doctor(
    folder: Annotated[
        Path | None,
        typer.Argument(help="With --grader: sets of answers that people graded, as .jsonl files."),
    ] = None,
    lang: Lang = None,
    input_device: Annotated[
        str | None, typer.Option(help="Microphone: part of its name, or its number.")
    ] = None,
    output_device: Annotated[
        str | None, typer.Option(help="Loudspeaker: part of its name, or its number.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Load no model, play no tone, do not listen.")
    ] = False,
    llm: Annotated[
        bool,
        typer.Option(
            "--llm", help="Ask the language model of VIVA_LLM_* what it can do, and nothing else."
        ),
    ] = False,
    grader: Annotated[
        bool,
        typer.Option(
            "--grader",
            help="Try the builtin grader on answers changed on purpose, and nothing else.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check microphone, loudspeaker, models and voices; say what to do where one is missing."""
    if folder and not grader:
        raise UsageError(ONLY_GRADER, "viva doctor --grader FOLDER")
    if grader:
        from agent.app.commands import doctor_grader

        if not doctor_grader.run(lang, as_json, folder):
            raise typer.Exit(1)
        return
    from agent.app.commands import doctor as command
    from agent.app.probes import Options

    options = Options(
        languages=(lang,) if lang else LANGUAGES,
        input_device=input_device,
        output_device=output_device,
        quick=quick,
        llm=llm,
    )
    if not command.run(options, lang, as_json):
        raise typer.Exit(1)

"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from agent.domain.language import Language

Lang = Annotated[Language | None, typer.Option("--lang", help="Language; default: the system's.")]
Recordings = Annotated[
    Path | None, typer.Option("--recordings", help="Where sessions are kept [VIVA_RECORDINGS].")
]
AsJson = Annotated[
    bool, typer.Option("--json", help="One JSON object a line on standard output, nothing else.")
]

"""`viva list sessions`: the interviews that are kept."""

from collections.abc import Iterator
from pathlib import Path

from agent.app.commands.listing import Row, show
from agent.app.settings import load_settings
from agent.app.storage import stored_sessions


def run(recordings: Path | None, as_json: bool) -> None:
    """Print a line for each session, newest first; damaged ones say what is wrong."""
    show(_rows(recordings), as_json)


def _rows(recordings: Path | None) -> Iterator[Row]:
    for session in stored_sessions(load_settings(recordings)):
        manifest = session.manifest
        yield {
            "id": manifest.id if manifest else None,
            "status": manifest.status if manifest else session.problem,
            "persona": manifest.persona.id if manifest else None,
            "language": manifest.language if manifest else None,
            "started": manifest.created_at if manifest else None,
            "folder": str(session.folder),
        }

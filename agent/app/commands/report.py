"""`viva report`: build a session's report again."""

from pathlib import Path

from agent.app.outcome import render, write_report
from agent.app.report import ReportFormat
from agent.app.session import SessionStore
from agent.app.settings import Settings, load_settings
from agent.app.storage import is_shipped, open_session, own_copy
from agent.domain.errors import StorageUnavailable
from agent.domain.language import Language


def run(
    session: str, form: ReportFormat, language: Language | None, recordings: Path | None
) -> None:
    """Rebuild the HTML report in its folder, or print another form of it."""
    settings = load_settings(recordings)
    store = open_session(settings, session)
    if form == "html":
        print(rebuilt(settings, store, language))
    else:
        print(render(store.manifest, store.records(), language, form))


def rebuilt(settings: Settings, store: SessionStore, language: Language | None) -> Path:
    """Build a session's report and return where it lies.

    The shipped session is copied to this user's folder where its own place cannot be written.

    Raises:
        StorageUnavailable: The report cannot be written.
    """
    try:
        return write_report(store.folder, store.manifest, store.records(), language).report
    except StorageUnavailable:
        if not is_shipped(store.folder):
            raise
    copy = own_copy(settings, store.folder)
    return write_report(copy.folder, copy.manifest, copy.records(), language).report

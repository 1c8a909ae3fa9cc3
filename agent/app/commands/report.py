"""`viva report`: build a session's report again."""

from pathlib import Path

from agent.app.outcome import render, write_report
from agent.app.report import ReportFormat
from agent.app.settings import load_settings
from agent.app.storage import open_session
from agent.domain.language import Language


def run(
    session: str, form: ReportFormat, language: Language | None, recordings: Path | None
) -> None:
    """Rebuild the HTML report in its folder, or print another form of it."""
    store = open_session(load_settings(recordings), session)
    if form == "html":
        print(write_report(store.folder, store.manifest, store.records(), language).report)
    else:
        print(render(store.manifest, store.records(), language, form))

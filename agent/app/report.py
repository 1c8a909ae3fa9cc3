"""The graded transcript as a page, as Markdown, as JSON and as subtitles."""

import base64
import hashlib
from collections.abc import Sequence
from importlib.resources import files
from typing import Literal

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from agent.app.report_figures import clock
from agent.app.report_json import as_json
from agent.app.report_markdown import as_markdown
from agent.app.report_overview import view_report
from agent.app.report_radar import radar
from agent.app.report_texts import words
from agent.app.report_view import ReportView
from agent.app.report_webvtt import as_webvtt
from agent.domain.assessment import SessionScore
from agent.domain.interview import SessionManifest
from agent.domain.language import Language
from agent.domain.rubric import TOP_LEVEL
from agent.ports import SessionRecord

ReportFormat = Literal["html", "md", "json", "vtt"]


def render_report(
    manifest: SessionManifest,
    records: Sequence[SessionRecord],
    score: SessionScore | None,
    language: Language | None = None,
    format: ReportFormat = "html",  # noqa: A002 - the name of the option that users type
) -> str:
    """Return the report of a session.

    The page is one file that opens without a network; it refers to the session's recordings by
    relative paths and to nothing else. What was said, read or graded is shown as text only.

    Args:
        manifest: The session.
        records: Its log, oldest first.
        score: The session's result; None when it was not computed.
        language: Of the report's own words; the session's when None.
        format: `html`, `md`, `json` (a stable whole for programs) or `vtt` (WebVTT on a timeline
            on which the recorded answers follow one another).
    """
    shown_in = language or manifest.language
    if format == "json":
        return as_json(manifest, records, score)
    if format == "vtt":
        return as_webvtt(records)
    view = view_report(manifest, records, score, shown_in)
    return as_markdown(view, shown_in) if format == "md" else _as_page(view, shown_in)


def _as_page(view: ReportView, language: Language) -> str:
    style, script = _packaged("report.css"), _packaged("report.js")
    environment = Environment(
        loader=PackageLoader("agent", "app"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html.j2").render(
        report=view,
        radar=radar(view.dimensions),
        t=words(language),
        clock=clock,
        top_level=TOP_LEVEL,
        style=Markup(style),  # noqa: S704 - our own packaged file
        script=Markup(script),  # noqa: S704 - our own packaged file
        style_hash=_hash(style),
        script_hash=_hash(script),
    )


def _packaged(name: str) -> str:
    return files("agent.app").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Return the Content-Security-Policy source that allows an inline element with `text`."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"

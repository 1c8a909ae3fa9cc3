"""What an interview ends with: its result, its report, and where its recordings lie."""

from dataclasses import dataclass
from pathlib import Path

from agent.app.report import ReportFormat, render_report
from agent.domain.assessment import SessionScore
from agent.domain.errors import StorageUnavailable
from agent.domain.interview import SessionManifest
from agent.domain.language import Language, LocalizedText
from agent.policy.branches import branches
from agent.policy.scoring import session_score
from agent.ports import SessionRecord

REPORT = "report.html"


@dataclass(frozen=True)
class Outcome:
    """A session's result and the files that hold it."""

    folder: Path
    report: Path
    score: SessionScore


def score_of(manifest: SessionManifest, records: tuple[SessionRecord, ...]) -> SessionScore:
    """Return the session's score over the results of its questions."""
    results = [branch.result for branch in branches(records) if branch.result]
    return session_score(results, manifest.rubric, manifest.persona.weights)


def render(
    manifest: SessionManifest,
    records: tuple[SessionRecord, ...],
    language: Language | None,
    form: ReportFormat,
) -> str:
    """Return the report in one of its forms."""
    return render_report(manifest, records, score_of(manifest, records), language, form)


def write_report(
    folder: Path,
    manifest: SessionManifest,
    records: tuple[SessionRecord, ...],
    language: Language | None = None,
) -> Outcome:
    """Write the report beside the session's files, replacing an older one.

    Raises:
        StorageUnavailable: It could not be written; everything said is kept all the same.
    """
    report = folder / REPORT
    score = score_of(manifest, records)
    page = render_report(manifest, records, score, language)
    try:
        report.write_text(page, encoding="utf-8")
    except OSError as error:
        raise StorageUnavailable(
            LocalizedText(
                en=f"The report could not be written: {error.strerror}",
                zh=f"无法写入报告：{error.strerror}",
            ),
            f"viva report {manifest.id}",
        ) from error
    return Outcome(folder, report, score)

"""`viva appeal`: a turn is graded again, blind; the earlier grade is kept beside the new one."""

import asyncio
import json
from pathlib import Path

from agent.app import wiring
from agent.app.outcome import write_report
from agent.app.reader import reader_language, speak
from agent.app.report_certainty import appeal_told
from agent.app.session import utc_now
from agent.app.settings import load_settings
from agent.app.storage import open_own_session
from agent.domain.assessment import Appeal, Assessment, BranchAnswer, GradingTask
from agent.domain.errors import UsageError, VivaError
from agent.domain.interview import SessionManifest, Turn
from agent.domain.language import LocalizedText
from agent.grading.appeal import graded_blind
from agent.policy.appeals import latest, reasons
from agent.policy.branches import as_corrected
from agent.policy.drilldown import drilldown_of
from agent.ports import Grader, SessionRecord

NO_GRADE = LocalizedText(
    en="Turn {turn} has no grade to appeal against; these have one: {graded}.",
    zh="第 {turn} 轮没有可申诉的评分；有评分的轮次：{graded}。",
)
NONE = LocalizedText(en="none", zh="无")
FAILED = LocalizedText(
    en="Turn {turn} could not be graded again, and its grade stands: {reason}",
    zh="第 {turn} 轮无法重新评分，原评分不变：{reason}",
)
REPORT = LocalizedText(en="Report: {report}", zh="报告：{report}")


def run(session: str, turn: int, recordings: Path | None, as_json: bool) -> None:
    """Judge the answers up to `turn` anew, by the session's own rules, and add the judgement.

    Raises:
        UsageError: The turn has no grade, or the session came with the project.
        SessionUnreadable: There is none of that name, or it is damaged.
        StorageUnavailable: An interview is writing it, or it cannot be written.
        VivaError: The grader failed; the earlier grade stands.
    """
    store = open_own_session(load_settings(recordings), session)
    try:
        store.acquire()
        records, manifest = store.records(), store.manifest
        speak(manifest.language)
        earlier, task = _appealed(manifest, records, turn)
        assessment = asyncio.run(_again(earlier, task, records, wiring.grader()))
        store.append(assessment.model_copy(update={"at": utc_now()}))
        report = write_report(store.folder, manifest, store.records()).report
    finally:
        store.close()
    _tell(earlier, assessment, report, as_json)


def _appealed(
    manifest: SessionManifest, records: tuple[SessionRecord, ...], turn: int
) -> tuple[Assessment, GradingTask]:
    earlier = latest(records, turn)
    task = _task(manifest, records, turn)
    if earlier is None or task is None:
        judged = {item.turn for item in records if isinstance(item, Assessment)}
        known = sorted(number for number in judged if number is not None)
        raise UsageError(
            LocalizedText(
                en=NO_GRADE.en.format(turn=turn, graded=", ".join(map(str, known)) or NONE.en),
                zh=NO_GRADE.zh.format(turn=turn, graded="、".join(map(str, known)) or NONE.zh),
            ),
            f"viva appeal {manifest.id} {known[0]}" if known else f"viva regrade {manifest.id}",
        )
    return earlier, task


def _task(
    manifest: SessionManifest, records: tuple[SessionRecord, ...], number: int
) -> GradingTask | None:
    """Return what is judged at a turn: its question and all answers up to there."""
    asked = {item.number: item.utterance.question_id for item in records if isinstance(item, Turn)}
    question = next((item for item in manifest.questions if item.id == asked.get(number)), None)
    if question is None:
        return None
    frame = next((item for item in manifest.rubric if question.category in item.categories), None)
    drill = drilldown_of(question.localized(manifest.language), as_corrected(records))
    answers = tuple(
        BranchAnswer(turn.answer, turn.number) for turn in drill.graded if turn.number <= number
    )
    if frame is None or not answers or answers[-1].turn != number:
        return None
    return GradingTask(drill.question, frame, answers)


async def _again(
    earlier: Assessment, task: GradingTask, records: tuple[SessionRecord, ...], grader: Grader
) -> Assessment:
    made, variations = await graded_blind(task, grader)
    if made.failure is not None:
        told = {"turn": earlier.turn, "reason": made.failure}
        raise VivaError(
            LocalizedText(en=FAILED.en.format(**told), zh=FAILED.zh.format(**told)),
        )
    new = made.model_copy(update={"turn": earlier.turn})
    why = reasons(earlier, new, records)
    appeal = Appeal(earlier=earlier.score, variations=variations, reasons=why)
    return new.model_copy(update={"appeal": appeal})


def _tell(earlier: Assessment, new: Assessment, report: Path, as_json: bool) -> None:
    before = {item.id: item.level for item in earlier.criteria}
    changed = {
        item.id: (before.get(item.id), item.level)
        for item in new.criteria
        if before.get(item.id) != item.level
    }
    if as_json:
        fields = {
            "turn": new.turn,
            "old": earlier.score,
            "new": new.score,
            "appeal": new.appeal.model_dump(mode="json") if new.appeal else None,
            "levels": changed,
            "report": str(report.resolve()),
        }
        print(json.dumps(fields, ensure_ascii=False))
        return
    language = reader_language()
    if new.appeal:
        print(appeal_told(new.turn, new.score, new.appeal, language))
    for name, (old, level) in changed.items():
        print(f"  {name}: {'-' if old is None else old} -> {'-' if level is None else level}")
    print(REPORT.get(language).format(report=report.resolve()))

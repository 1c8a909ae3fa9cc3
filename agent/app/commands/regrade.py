"""`viva regrade`: an old session judged by the rules of today; every older judgement is kept."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from agent.app import wiring
from agent.app.catalog import Catalog, open_catalog
from agent.app.commands.progress import Advance, progress
from agent.app.outcome import Outcome, score_of, write_report
from agent.app.reader import reader_language, speak
from agent.app.report_figures import whole
from agent.app.session import utc_now
from agent.app.settings import load_settings
from agent.app.storage import open_own_session
from agent.domain.assessment import Assessment, BranchAnswer, GradingTask
from agent.domain.interview import SessionManifest, Turn
from agent.domain.language import LocalizedText
from agent.domain.question import Question
from agent.domain.rubric import Frame
from agent.policy.branches import as_corrected, branches
from agent.policy.drilldown import drilldown_of
from agent.ports import Grader, SessionRecord

OWN_COPY = LocalizedText(
    en="  (no longer in the bank: by the session's own copy)",
    zh="（题库中已没有这道题：按会话自带的副本评分）",
)
UNJUDGED = LocalizedText(en="not judged", zh="未评分")
ANSWERS = LocalizedText(en="answers", zh="回答")
OVERALL = LocalizedText(en="Overall: {old} -> {new}", zh="总分：{old} -> {new}")
REPORT = LocalizedText(en="Report: {report}", zh="报告：{report}")


@dataclass(frozen=True)
class Rules:
    """What a session is judged by: its questions and frames, those of today where there are any.

    Attributes:
        own: Ids of the questions that the bank no longer has.
    """

    questions: tuple[Question, ...]
    frames: tuple[Frame, ...]
    own: frozenset[str]

    def frame(self, question: Question) -> Frame | None:
        """Return the frame that answers to `question` are judged by."""
        return next((item for item in self.frames if question.category in item.categories), None)


@dataclass(frozen=True)
class Change:
    """A question's result before and after."""

    question: str
    old: float | None
    new: float | None
    own_copy: bool


def run(session: str, recordings: Path | None, as_json: bool) -> None:
    """Judge every answer of a session anew, add the judgements, and build the report again.

    Raises:
        SessionUnreadable: There is none of that name, or it is damaged.
        StorageUnavailable: An interview is writing it, or it cannot be written.
        UsageError: The session came with the project.
    """
    store = open_own_session(load_settings(recordings), session)
    try:
        store.acquire()
        before, old = store.records(), store.manifest
        speak(old.language)
        rules = todays_rules(old, open_catalog())
        answers = sum(isinstance(item, Turn) for item in before)
        with progress(ANSWERS.get(reader_language()), answers) as advance:
            made = asyncio.run(judged_anew(old, before, rules, wiring.grader(), advance))
        for assessment in made:
            store.append(assessment.model_copy(update={"at": utc_now()}))
        revised = old.model_copy(update={"questions": rules.questions, "rubric": rules.frames})
        if revised != old:
            store.revise(revised)
        after = store.records()
        outcome = write_report(store.folder, store.manifest, after)
        old_overall = score_of(old, before).overall
        _tell(list(_changes(before, after, rules)), old_overall, outcome, as_json)
    finally:
        store.close()


def todays_rules(manifest: SessionManifest, catalog: Catalog) -> Rules:
    """Return today's form of a session's questions and frames, its own where there is none."""
    bank = {entry.item.id: entry.item for entry in catalog.questions}
    frames = {entry.item.id: entry.item for entry in catalog.frames}
    kept = [frame for frame in manifest.rubric if frame.id not in frames]
    return Rules(
        questions=tuple(bank.get(question.id, question) for question in manifest.questions),
        frames=(*frames.values(), *kept),
        own=frozenset(question.id for question in manifest.questions if question.id not in bank),
    )


async def judged_anew(
    manifest: SessionManifest,
    records: Sequence[SessionRecord],
    rules: Rules,
    grader: Grader,
    advance: Advance = lambda _count: None,
) -> list[Assessment]:
    """Return a judgement for each answer that is judged, as the interview itself would make it."""
    made: list[Assessment] = []
    history = as_corrected(records)
    for question in rules.questions:
        drill = drilldown_of(question.localized(manifest.language), history)
        frame = rules.frame(question)
        if frame is None:
            continue
        answers = [BranchAnswer(turn.answer, turn.number) for turn in drill.graded]
        for place, item in enumerate(answers, 1):
            task = GradingTask(drill.question, frame, tuple(answers[:place]))
            assessment = await grader.grade(task)
            made.append(assessment.model_copy(update={"turn": item.turn}))
            advance(1)
    return made


def _changes(
    before: Sequence[SessionRecord], after: Sequence[SessionRecord], rules: Rules
) -> Iterator[Change]:
    old = {branch.question_id: branch.result for branch in branches(before)}
    for branch in branches(after):
        if branch.question_id is None or branch.result is None:
            continue
        was = old[branch.question_id]
        yield Change(
            question=branch.question_id,
            old=was.score if was else None,
            new=branch.result.score,
            own_copy=branch.question_id in rules.own,
        )


def _tell(
    changes: Sequence[Change], old_overall: float | None, outcome: Outcome, as_json: bool
) -> None:
    if as_json:
        rows: list[dict[str, str | float | bool | None]] = [asdict(change) for change in changes]
        rows.append({"overall": True, "old": old_overall, "new": outcome.score.overall})
        rows.append({"report": str(outcome.report.resolve())})
        for row in rows:
            print(json.dumps(row, ensure_ascii=False))
        return
    language = reader_language()
    for change in changes:
        own = OWN_COPY.get(language) if change.own_copy else ""
        print(f"{_figure(change.old)} -> {_figure(change.new)}  {change.question}{own}")
    overall = {"old": _figure(old_overall), "new": _figure(outcome.score.overall)}
    print(OVERALL.get(language).format(**overall))
    print(REPORT.get(language).format(report=outcome.report.resolve()))


def _figure(score: float | None) -> str:
    return UNJUDGED.get(reader_language()) if score is None else whole(score)

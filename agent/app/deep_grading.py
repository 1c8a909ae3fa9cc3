"""Grading by a language model when the interview is over, so that no turn waits for it."""

import asyncio
from collections.abc import Callable, Iterator

from agent.app.session import SessionStore, utc_now
from agent.domain.assessment import Assessment, BranchAnswer, GradingTask
from agent.domain.interview import Notice, SessionManifest
from agent.domain.language import LocalizedText
from agent.policy.branches import as_corrected
from agent.policy.drilldown import drilldown_of
from agent.ports import Grader

LIMIT_S = 180.0
"""For all questions; what is not judged by then keeps the grade it has."""
CODE = "not_graded_by_model"
GRADING = LocalizedText(
    en="The language model reads the answers to grade them ...",
    zh="语言模型正在阅读回答并评分 ……",
)
KEPT = LocalizedText(
    en="The language model could not grade {count} of {all} questions ({why}); the builtin grades "
    "stand.",
    zh="{all} 道题中有 {count} 道语言模型未能评分（{why}），保留内置评分。",
)
NOTHING = LocalizedText(
    en="The language model graded nothing ({why}); the builtin grades stand.",
    zh="语言模型没有评分（{why}），保留内置评分。",
)
TOO_SMALL = LocalizedText(
    en="it keeps to no form, as models that are too small do", zh="不能按格式回复，模型可能太小"
)
TOO_LATE = LocalizedText(en="it took too long", zh="用时太久")


async def grade_deeply(
    manifest: SessionManifest,
    store: SessionStore,
    grader: Grader,
    notify: Callable[[str], None],
    *,
    limit_s: float = LIMIT_S,
) -> None:
    """Have each question judged once more, all its answers together, and keep what was judged.

    A judgement that fails changes nothing and is told.
    """
    language = manifest.language
    tasks = list(_tasks(manifest, store))
    if not tasks:
        return
    notify(GRADING.get(language))
    failures: list[str] = []
    done = 0
    # A model that hangs is given up on; what was judged before is kept.
    try:
        async with asyncio.timeout(limit_s):
            for task in tasks:
                assessment = await grader.grade(task)
                done += 1
                if assessment.failure is not None:
                    failures.append(assessment.failure)
                else:
                    _keep(assessment, task, store)
    except TimeoutError:
        failures += [TOO_LATE.get(language)] * (len(tasks) - done)
    if failures:
        told = KEPT.get(language).format(
            count=len(failures), all=len(tasks), why=failures[0].rstrip(".。")
        )
        _tell(store, notify, told)


def not_graded(
    manifest: SessionManifest, store: SessionStore, notify: Callable[[str], None], why: str
) -> None:
    """Say, and write down, why a language model was not asked to grade."""
    _tell(store, notify, NOTHING.get(manifest.language).format(why=why))


def _tell(store: SessionStore, notify: Callable[[str], None], text: str) -> None:
    notify(text)
    store.append(Notice(code=CODE, text=text, at=utc_now()))


def _keep(assessment: Assessment, task: GradingTask, store: SessionStore) -> None:
    turn = task.answers[-1].turn
    store.append(assessment.model_copy(update={"turn": turn, "at": utc_now()}))


def _tasks(manifest: SessionManifest, store: SessionStore) -> Iterator[GradingTask]:
    history = as_corrected(store.records())
    frames = {name: frame for frame in manifest.rubric for name in frame.categories}
    for question in manifest.questions:
        drill = drilldown_of(question.localized(manifest.language), history)
        answers = tuple(BranchAnswer(turn.answer, turn.number) for turn in drill.graded)
        if answers:
            yield GradingTask(drill.question, frames[question.category], answers)

"""A whole session turned into what the report shows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import mean

from agent.app.report_certainty import band_told, range_told
from agent.app.report_figures import points_of, whole
from agent.app.report_model import model_told
from agent.app.report_question import view_question
from agent.app.report_texts import words as words_in
from agent.app.report_turn import Setting
from agent.app.report_view import DimensionView, QuestionView, ReportView, ResultView
from agent.domain.assessment import Assessment, SessionScore
from agent.domain.interview import Notice, SelfRating, SessionManifest
from agent.domain.language import Language
from agent.policy.branches import Branch, branches, corrections, notices
from agent.ports import SessionRecord

TELLING_GAP = 5
"""Points below which a rating in steps of 25 agrees with a score."""


def view_report(
    manifest: SessionManifest,
    records: Sequence[SessionRecord],
    score: SessionScore | None,
    language: Language,
) -> ReportView:
    """Return everything that the report shows, in `language`."""
    words = words_in(language)
    ratings = {item.question_id: item.rating for item in records if isinstance(item, SelfRating)}
    setting = Setting(manifest, language, words, corrections(records), records, ratings)
    found = branches(records, [question.id for question in manifest.questions])
    questions = _questions(found, setting, score)
    company = manifest.company
    return ReportView(
        language="en" if language == "en" else "zh-CN",
        session_id=manifest.id,
        heading=" · ".join(
            item.name.get(language) for item in (company, manifest.persona) if item is not None
        ),
        facts=(
            setting.name("level", manifest.level),
            _moment(manifest.created_at),
            setting.name("session", manifest.status),
        ),
        disclaimer=company.disclaimer.get(language) if company else "",
        unfinished=_unfinished(setting),
        overall=_overall(score, setting),
        band=band_told(score.hire if score else None, language),
        dimensions=_dimensions(score, setting),
        rated=_rated(questions, words),
        questions=questions,
        notices=tuple(
            (_moment(item.at), _listed([item.text, *_said(item)], " ")) for item in notices(records)
        ),
        model=model_told(manifest, records, language),
        colophon=_colophon(setting, found, records),
    )


def _questions(
    found: Sequence[Branch], setting: Setting, score: SessionScore | None
) -> tuple[QuestionView, ...]:
    ranges = score.question_intervals if score else {}
    views: list[QuestionView] = []
    for branch in found:
        number = None if branch.question_id is None else 1 + sum(1 for v in views if v.number)
        view = view_question(branch, number, setting)
        told = range_told(ranges.get(branch.question_id or ""), setting.words)
        views.append(replace(view, result=replace(view.result, range=told)))
    return tuple(views)


def _overall(score: SessionScore | None, setting: Setting) -> ResultView:
    words = setting.words
    if score is None:
        return ResultView("ungraded", None, words["not_judged"], words["no_score"])
    if score.overall is None:
        return ResultView("unjudged", None, words["not_judged"], setting.name("why", score.reason))
    told = range_told(score.interval, words)
    return ResultView("scored", score.overall, whole(score.overall), range=told)


def _dimensions(score: SessionScore | None, setting: Setting) -> tuple[DimensionView, ...]:
    return tuple(
        DimensionView(
            setting.name("dimension", item.dimension),
            item.score,
            setting.words["not_judged"] if item.score is None else whole(item.score),
            range_told(item.interval, setting.words),
        )
        for item in (score.dimensions if score else ())
    )


def _rated(questions: Sequence[QuestionView], words: Mapping[str, str]) -> str:
    """Return how far the own ratings, 1 to 5 read as 0 to 100, lie from the scores on average."""
    gaps = [
        points_of(item.rating) - item.result.score
        for item in questions
        if item.rating is not None and item.result.score is not None
    ]
    if not gaps:
        return ""
    gap = int(abs(mean(gaps)) + 0.5)
    key = "even" if gap < TELLING_GAP else "over" if mean(gaps) > 0 else "under"
    return words[f"rating_{key}"].format(gap=gap)


def _unfinished(setting: Setting) -> tuple[str, str] | None:
    manifest = setting.manifest
    if manifest.status == "finished":
        return None
    return setting.words[manifest.status], f"viva practice --continue --session {manifest.id}"


def _colophon(
    setting: Setting, found: Sequence[Branch], records: Sequence[SessionRecord]
) -> tuple[tuple[str, str], ...]:
    words, manifest = setting.words, setting.manifest
    judged = [item for item in records if isinstance(item, Assessment)]
    replaced = sum(branch.replaced for branch in found)
    rows = [
        (words["graded_by"], _listed((item.grader for item in judged), words["comma"])),
        (words["rubric"], _listed((item.rubric_version for item in judged), words["comma"])),
        (words["models"], " · ".join(_models(setting))),
        (words["session"], manifest.id),
        (words["started"], _moment(manifest.created_at)),
        (words["seed"], str(manifest.seed)),
        (words["replaced"], str(replaced) if replaced else ""),
    ]
    return tuple(row for row in rows if row[1])


def _models(setting: Setting) -> Iterator[str]:
    for role, name in setting.manifest.models.items():
        yield f"{setting.name('model', role)}{setting.words['colon']}{name}"


def _listed(names: Iterable[str], comma: str) -> str:
    """Return each name once, in the order of their first mention."""
    return comma.join(dict.fromkeys(names))


def _said(item: Notice) -> tuple[str, ...]:
    return (item.utterance.text,) if item.utterance else ()


def _moment(at: str) -> str:
    """Return an ISO moment in UTC as people write it: `2026-03-02 10:00 UTC`."""
    day, separator, time = at.partition("T")
    return f"{day} {time[:5]} UTC" if separator and time[-1:] in {"Z", "0"} else at

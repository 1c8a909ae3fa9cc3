"""Coaching, self-ratings, companies and what happened in a turn, in every form of the report."""

import json
from collections.abc import Sequence

import pytest

from agent.app.report import ReportFormat, render_report
from agent.domain.assessment import Assessment, SessionScore
from agent.domain.coaching import Coaching
from agent.domain.company import Company
from agent.domain.dialogue import Wish
from agent.domain.interview import Answer, SelfRating, Turn
from agent.domain.language import LANGUAGES, Language
from agent.policy.evidence import verify
from agent.ports import SessionRecord
from tests.app.sessions import (
    PARALLELISM,
    PROJECT,
    asked,
    both,
    full_session,
    judged,
    manifest,
    wordings,
)
from tests.app.test_report import Reader

READABLE: tuple[ReportFormat, ...] = ("html", "md")
COMPANY = Company(
    id="acme",
    name=both("Acme", "阿克米"),
    extends="big-tech",
    style=both("Deep.", "深入。"),
    focus={"training": 2},
    vocabulary=wordings("goodput", "有效产出"),
    disclaimer=both("Viva is not affiliated with Acme.", "Viva 与阿克米无关。"),
    sources=("Acme blog",),
)


def shown(
    format_: ReportFormat,
    language: Language,
    more: Sequence[SessionRecord] = (),
    *,
    session_in: Language | None = None,
    company: Company | None = None,
) -> str:
    session, records, score = full_session(session_in or language)
    session = session.model_copy(update={"company": company})
    text = render_report(session, [*records, *more], score, language, format_)
    return Reader(text).text if format_ == "html" else text.replace("\\", "")


@pytest.mark.parametrize("format_", READABLE)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("session_in", LANGUAGES)
def test_each_question_is_coached_in_the_language_of_the_report(
    session_in: Language, language: Language, format_: ReportFormat
) -> None:
    text = shown(format_, language, session_in=session_in)
    said = {
        "en": (
            "The one change",
            "about +",
            "Make this point: Failures and recovery are planned for.",
            "[the target as a number]",
            "Set this right: Data parallelism splits the batch; every worker holds",
            "You passed on this one",
            "This answer was not judged, so there is nothing to coach.",
        ),
        "zh": (
            "最值得改的一处",
            "约 +",
            "补上这个要点：考虑了故障与恢复。",
            "[量化的目标]",
            "纠正这个说法：数据并行切分的是数据，每张卡都保存完整模型。",
            "这题你没有作答",
            "这个回答没有评分",
        ),
    }  # fmt: skip
    for words in said[language]:
        assert words in text
    own = {"en": "“My responsibility was the parallel strategy”", "zh": "“我负责并行策略的设计”"}
    assert own[session_in] in text or own[session_in].strip("“”") in text


def test_the_program_form_holds_coaching_and_ratings() -> None:
    session, records, score = full_session("zh")
    records = [*records, SelfRating(question_id=PROJECT.id, rating=4)]
    whole = json.loads(render_report(session, records, score, "en", "json"))
    by_id = {item["question_id"]: item for item in whole["questions"]}
    assert by_id[PROJECT.id]["self_rating"] == 4
    assert by_id[PARALLELISM.id]["self_rating"] is None
    coaching = Coaching.model_validate(by_id[PROJECT.id]["coaching"])
    assert coaching.language == "zh"
    answers = {item.number: item.answer.text for item in records if isinstance(item, Turn)}
    for strength in coaching.strengths:
        for quote in strength.evidence:
            assert verify(quote, answers[quote.turn or 0]) == quote
    assert by_id["out-of-memory"]["coaching"] is None


@pytest.mark.parametrize("format_", READABLE)
@pytest.mark.parametrize(
    ("ratings", "language", "told"),
    [
        # 86.5 and 12.5 were scored; ratings of 1 to 5 stand for 0, 25, 50, 75, 100.
        ((4, 4), "en", "On average you rated yourself 26 points above the score."),
        ((4, 4), "zh", "平均而言，自评比得分高 26 分。"),
        ((1, 1), "en", "On average you rated yourself 50 points below the score."),
        ((1, 1), "zh", "平均而言，自评比得分低 50 分。"),
        ((4, 2), "en", "On average you rated yourself as scored."),
        ((4, 2), "zh", "平均而言，自评与得分一致。"),
    ],
)
def test_ratings_stand_beside_the_scores_and_their_distance_is_told(
    ratings: tuple[int, int], language: Language, told: str, format_: ReportFormat
) -> None:
    rated = [
        SelfRating(question_id=PROJECT.id, rating=ratings[0]),
        SelfRating(question_id=PARALLELISM.id, rating=ratings[1]),
        SelfRating(question_id="ring-attention", rating=3),
    ]
    text = shown(format_, language, rated)
    name = {"en": "Own rating", "zh": "自评"}[language]
    assert told in text
    assert f"{name} {ratings[0]}/5" in text
    assert f"{name} {ratings[1]}/5" in text
    assert name not in shown(format_, language)


@pytest.mark.parametrize("format_", READABLE)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_company_is_named_with_its_disclaimer(language: Language, format_: ReportFormat) -> None:
    text = shown(format_, language, company=COMPANY)
    assert f"{COMPANY.name.get(language)} · " in text
    assert COMPANY.disclaimer.get(language) in text
    assert COMPANY.disclaimer.get(language) not in shown(format_, language)


@pytest.mark.parametrize("format_", READABLE)
@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ("skip", ("skipped the question", "跳过了这题")),
        ("repeat", ("asked to hear it again", "要求重复")),
        ("hint", ("asked for a hint", "要求提示")),
        ("misheard", ("said it was misheard", "表示听错了")),
        ("stop", ("asked to stop", "要求结束")),
        ("think", ("asked for time to think", "要求想一想")),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_key_is_told_by_what_it_asked_for(
    wish: Wish, told: tuple[str, str], language: Language, format_: ReportFormat
) -> None:
    turn = Turn(number=1, utterance=asked(PROJECT, language), answer=Answer.signalled(wish))
    text = render_report(manifest(language), [turn], SessionScore(overall=None), None, format_)
    assert told[LANGUAGES.index(language)] in text


@pytest.mark.parametrize("format_", READABLE)
@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ("stopped by the interviewer after", "sets turn 1 right", "by the candidate")),
        ("zh", ("说得太久，被面试官打断", "更正第 1 轮", "候选人已更正")),
    ],
)  # fmt: skip
def test_what_happened_in_a_turn_is_told_in_words(
    language: Language, told: tuple[str, ...], format_: ReportFormat
) -> None:
    session, records, score = full_session(language)
    first = next(item for item in records if isinstance(item, Turn))
    long = first.model_copy(
        update={"answer": first.answer.model_copy(update={"cut_in": True, "wish": "done"})}
    )
    again = asked(PROJECT, language).model_copy(update={"kind": "clarify", "corrects": 1})
    correcting = Turn(number=7, utterance=again, answer=Answer.typed("Seven."))
    kept = [long if item is first else item for item in records]
    text = render_report(session, [*kept, correcting], score, None, format_)
    for words in told:
        assert words in text
    assert "was done" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_question_does_not_ask_for_is_said_in_the_language_of_the_report(
    language: Language,
) -> None:
    reasons = ("this question does not ask for it", "这道题没有问到这一项")
    session, records, score = full_session("en")
    wrong = next(
        item
        for item in records
        if isinstance(item, Assessment) and item.question_id == PARALLELISM.id
    )
    for reason in reasons:
        criteria = (wrong.criteria[2].model_copy(update={"level": None, "reason": reason}),)
        unasked = judged("direct", PARALLELISM.id, 3, 0.0, criteria=criteria)
        text = render_report(session, [*records, unasked], score, language)
        assert reasons[LANGUAGES.index(language)] in text
        assert reasons[1 - LANGUAGES.index(language)] not in text


@pytest.mark.parametrize("format_", READABLE)
@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "Depth reached: numbers and evidence"), ("zh", "追问到的深度：数字与证据")],
)
def test_the_ladder_tells_how_deep_it_went(
    language: Language, told: str, format_: ReportFormat
) -> None:
    assert shown(format_, language).count(told) == 1

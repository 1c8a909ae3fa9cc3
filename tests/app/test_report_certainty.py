"""Ranges, the hire band and appeals, in every form of the report and both languages."""

import json

import pytest

from agent.app.report import ReportFormat, render_report
from agent.app.report_certainty import band_told, range_told
from agent.app.report_texts import words
from agent.domain.assessment import Appeal, Assessment, HireBand, SessionScore, Variation
from agent.domain.language import Language
from tests.app.sessions import full_session

HIRE = HireBand(band="yes", low="lean", high="strong_yes")
TOLD: dict[Language, dict[str, str]] = {
    "en": {
        "band": "yes (from lean to strong yes)",
        "overall": "50 to 67",
        "question": "70 to 98",
        "appeal": "Turn 2: 81 before, 79 when graded again blind "
        "(as given 79, by shared words only 60). Why: the grader is another.",
    },
    "zh": {
        "band": "建议录用（从“尚可，有待观察”到“强烈建议录用”）",
        "overall": "50 至 67",
        "question": "70 至 98",
        "appeal": "第 2 轮：原评分 81，盲评后 79（原样 79，只按字面匹配 60）。原因：评分器不同。",
    },
}


def rendered(language: Language, form: ReportFormat) -> str:
    manifest, records, score = full_session(language)
    first = next(item for item in records if isinstance(item, Assessment) and item.turn == 2)
    appeal = Appeal(
        earlier=81.0,
        variations=(
            Variation(name="as_given", score=79.0),
            Variation(name="words_only", score=60.0),
        ),
        reasons=("grader",),
    )
    records.append(first.model_copy(update={"score": 79.0, "appeal": appeal}))
    sure = score.model_copy(
        update={
            "interval": (50.2, 66.6),
            "hire": HIRE,
            "question_intervals": {first.question_id: (70.0, 98.0)},
        }
    )
    return render_report(manifest, records, sure, language, form)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("form", ["html", "md"])
@pytest.mark.parametrize("what", ["band", "overall", "question", "appeal"])
def test_the_report_says_how_sure_it_is(language: Language, form: ReportFormat, what: str) -> None:
    shown = " ".join(rendered(language, form).split())
    assert TOLD[language][what] in shown
    assert words(language)["range_note"] in shown


def test_the_report_for_programs_has_every_range_and_the_appeal() -> None:
    whole = json.loads(rendered("en", "json"))
    assert whole["score"]["hire"]["band"] == "yes"
    assert whole["score"]["interval"] == [50.2, 66.6]
    assert whole["score"]["question_intervals"]
    assert whole["questions"][0]["result"]["appeal"]["earlier"] == 81.0


@pytest.mark.parametrize(
    ("hire", "language", "told"),
    [
        (None, "en", ""),
        (HireBand(band="no", low="no", high="no"), "en", "no"),
        (HireBand(band="no", low="no", high="no"), "zh", "不建议录用"),
        (
            HireBand(band=None, reason="too_few_questions"),
            "en",
            "Not judged: too few questions were judged",
        ),
        (HireBand(band=None, reason="too_little_said"), "zh", "未评判：说得太少"),
    ],
)
def test_a_band_or_why_there_is_none(hire: HireBand | None, language: Language, told: str) -> None:
    assert band_told(hire, language) == told


def test_what_has_no_range_shows_none() -> None:
    manifest, records, _ = full_session("en")
    shown = render_report(manifest, records, SessionScore(overall=None), "en", "md")
    assert range_told(None, words("en")) == ""
    assert words("en")["range_note"] not in shown

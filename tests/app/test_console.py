import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from agent.app.console import JsonPresenter, TerminalPresenter
from agent.app.outcome import Outcome
from agent.domain.assessment import Assessment, SessionScore
from agent.domain.interview import Answer, Turn, Utterance
from agent.domain.language import Language

PROBE = Utterance(
    kind="probe",
    text='You said "30 percent"? Against what?',
    question_id="q",
    reason="no_baseline",
    rung="numbers",
    target="star.result",
    quote="30 percent",
)
HOSTILE = "[red]bold[/red] \x1b[31m {not markup}"


def turn(answer: Answer) -> Turn:
    return Turn(number=3, utterance=PROBE, answer=answer)


def outcome(score: SessionScore, folder: Path) -> Outcome:
    return Outcome(folder, folder / "report.html", score)


def terminal(language: Language) -> tuple[TerminalPresenter, io.StringIO, io.StringIO]:
    output, notices = io.StringIO(), io.StringIO()
    presenter = TerminalPresenter(
        language, Console(file=output, width=40), Console(file=notices, width=40)
    )
    return presenter, output, notices


def test_json_events_are_one_object_a_line(tmp_path: Path) -> None:
    output = io.StringIO()
    presenter = JsonPresenter(output)
    presenter.utterance(PROBE)
    presenter.answer(turn(Answer.typed("比基线高百分之三十\n第二行")))
    presenter.assessment(
        Assessment(
            turn=3,
            question_id="q",
            frame="star",
            score=None,
            reason="no speech",
            grader="g",
            rubric_version="1",
        )
    )
    presenter.notice("no voice")
    presenter.closed(outcome(SessionScore(overall=None, reason="nothing_judged"), tmp_path))
    events = [json.loads(line) for line in output.getvalue().splitlines()]
    assert [event["event"] for event in events] == [
        "utterance",
        "answer",
        "assessment",
        "notice",
        "closed",
    ]
    assert {"text", "kind", "reason", "rung", "quote"} <= events[0].keys()
    assert events[1]["turn"] == 3
    assert events[1]["text"] == "比基线高百分之三十\n第二行"
    assert events[2]["score"] is None
    assert events[4]["session"] == str(tmp_path.resolve())


def test_a_terminal_shows_words_as_they_are() -> None:
    presenter, output, _ = terminal("en")
    presenter.utterance(PROBE.model_copy(update={"text": HOSTILE}))
    shown = output.getvalue()
    assert "[red]bold[/red]" in shown
    assert "\x1b[31m" not in shown


@pytest.mark.parametrize(
    ("language", "status", "shown"),
    [
        ("en", "silent", "(no answer)"),
        ("en", "doubtful", "(not understood)"),
        ("en", "unreadable", "could not be read"),
        ("zh", "silent", "没有回答"),
        ("zh", "doubtful", "没有听清"),
        ("zh", "unreadable", "无法读取"),
    ],
)
def test_an_answer_without_words_is_said_to_be_one(
    language: Language, status: str, shown: str
) -> None:
    presenter, output, _ = terminal(language)
    presenter.answer(
        turn(Answer.model_validate({"text": "", "raw_text": "", "status": status, "note": "x"}))
    )
    assert shown in output.getvalue()


@pytest.mark.parametrize(
    ("language", "score", "shown"),
    [
        ("en", SessionScore(overall=61.4), "Overall: 61 / 100"),
        ("zh", SessionScore(overall=61.4), "总分：61 / 100"),
        ("en", SessionScore(overall=None), "Overall: not judged"),
        ("zh", SessionScore(overall=None), "总分：未评分"),
        (
            "en",
            SessionScore(overall=None, reason="nothing_judged"),
            "Overall: not judged\nnothing could be judged",
        ),
        (
            "zh",
            SessionScore(overall=None, reason="nothing_judged"),
            "总分：未评分\n没有可评判的内容",
        ),
    ],
)
def test_the_end_names_result_report_and_recordings(
    language: Language, score: SessionScore, shown: str, tmp_path: Path
) -> None:
    presenter, output, _ = terminal(language)
    presenter.closed(outcome(score, tmp_path))
    text = output.getvalue()
    assert shown in text
    assert str(tmp_path / "report.html") in text.replace("\n", "")


def test_notices_go_to_standard_error() -> None:
    presenter, output, notices = terminal("en")
    presenter.notice("No Chinese voice.")
    assert output.getvalue() == ""
    assert "No Chinese voice." in notices.getvalue()

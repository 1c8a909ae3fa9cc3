import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any, get_args

import pytest

from agent.app.report import ReportFormat, render_report
from agent.app.report_figures import clock, whole
from agent.app.report_quotes import audio_link
from agent.app.report_texts import words
from agent.domain.assessment import CriterionResult, Evidence, SessionScore
from agent.domain.interview import Answer, Delivery, Turn, Utterance, Word
from agent.domain.language import LANGUAGES, Language
from tests.app.sessions import (
    ANSWERS,
    PROJECT,
    STAR,
    asked,
    full_session,
    gave_up_branch,
    hostile_session,
    injection_branch,
    judged,
    manifest,
    parallelism_branch,
    project_branch,
    unheard,
)

FORMATS: tuple[ReportFormat, ...] = get_args(ReportFormat)
PAYLOADS = (
    "<script>window.broken=1</script>",
    "</script><script>window.broken=1</script>",
    "</style><img src=x onerror=window.broken=1>",
    "\"' onmouseover='window.broken=1' x=\"",
    "javascript:window.broken=1",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;b&gt; --> <!-- ]]>",
    "../../etc/passwd",
    "\x00\u202ea\u0085",
)


class Reader(HTMLParser):
    """Collects what a page is made of."""

    VOID = frozenset({"meta", "br", "img", "link", "input"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag in {"dt", "dd"}:
            self.texts.append(" ")

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in {"style", "script"}:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())

    def all(self, tag: str) -> list[dict[str, Any]]:
        return [attributes for name, attributes in self.elements if name == tag]


def page(session_in: Language = "en", **more: Any) -> Reader:
    return Reader(render_report(*full_session(session_in), **more))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_what_was_asked_answered_and_judged(language: Language) -> None:
    report = page(language)
    text = report.text
    t = words(language)
    session, _, _ = full_session(language)
    for question in session.questions:
        assert question.prompt.get(language) in text
        assert question.outline.get(language).split("\n")[0] in text
    for answer in ("strong", "reuse", "dont_know", "injection"):
        assert " ".join(ANSWERS[answer][language].split()) in text
    anchors = {item.id: item.anchors for item in STAR.criteria}
    assert anchors["star.situation"].at(4).get(language) in text
    assert anchors["star.task"].at(3).get(language) in text
    assert t["next_level"] + t["colon"] + anchors["star.task"].at(4).get(language) in text
    assert "use-m3" in text
    assert "builtin" in text
    assert t["privacy"] in text
    assert report.open == []
    assert report.all("html")[0]["lang"] == ("en" if language == "en" else "zh-CN")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_the_report_follow_the_language_asked_for(language: Language) -> None:
    other: Language = "zh" if language == "en" else "en"
    text = page(language, language=other).text
    assert words(other)["title"] in text
    assert words(language)["title"] not in text
    assert PROJECT.prompt.get(other) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_not_judged_is_said_with_its_reason_and_never_as_zero(language: Language) -> None:
    t = words(language)
    text = page(language).text
    reasons = {
        "en": ("No sentence to judge it by.", "The candidate does not know.", "in JSON."),
        "zh": ("没有可判断的句子。", "候选人表示不知道。", "有效的 JSON。"),
    }[language]
    listed = text[text.index(t["unjudged_title"]) : text.index(t["legend"])]
    for reason in reasons:
        assert reason in listed
        assert text.count(reason) == 2  # in the list and at its place
    assert t["not_graded"] in text
    assert t["not_reached"] in text


UNSCORED = SessionScore(overall=None, reason="nothing_judged")


@pytest.mark.parametrize(
    ("language", "score", "said"),
    [
        ("en", None, "No score was computed."),
        ("zh", None, "没有计算总分。"),
        ("en", UNSCORED, "nothing could be judged"),
        ("zh", UNSCORED, "没有可评判的内容"),
    ],
)
def test_a_session_without_a_score_says_so(
    language: Language, score: SessionScore | None, said: str
) -> None:
    report = Reader(render_report(manifest(language), [], score))
    assert words(language)["not_judged"] in report.text
    assert said in report.text
    assert not [a for a in report.all("span") if a.get("class") == "number"]


def test_a_failure_shows_no_score_even_where_one_is_written() -> None:
    records = [
        *project_branch("en")[:1],
        judged("star", PROJECT.id, 1, 77.0, failure="Timed out.", criteria=()),
    ]
    text = Reader(render_report(manifest("en"), records, None)).text
    assert "Not graded Timed out." in text
    assert "77" not in text


def test_the_last_assessment_of_a_turn_wins_and_the_last_turn_gives_the_result() -> None:
    records = [
        *project_branch("en"),
        judged("star", PROJECT.id, 2, 41.0),
        judged("star", PROJECT.id, 1, 99.0),
    ]
    report = Reader(render_report(manifest("en", questions=(PROJECT,)), records, None))
    text = report.text
    assert "41 of 100" in text
    assert "87 of 100" not in text
    assert "99 of 100" not in text
    assert "Score after this answer: 41" in text
    assert "Earlier judgements kept in turns.jsonl 2" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_quote_leads_to_its_marked_words_and_their_second(language: Language) -> None:
    report = page(language)
    marks = {a["id"]: a for a in report.all("mark") if "id" in a}
    quotes = [a for a in report.all("a") if (a.get("class") or "").startswith("quote")]
    players = {a["id"]: a for a in report.all("audio")}
    assert len(quotes) >= 10
    for quote in quotes:
        assert quote["href"][1:] in marks
        assert players[quote["data-audio"]]["src"].startswith("audio/")
        assert float(quote["data-t0"]) >= 0
    titles = [a["title"] for a in marks.values()]
    name = STAR.criteria[2].name.get(language)
    assert any(f"{name} · {words(language)['level']} 4/4" in title for title in titles)
    kinds = {kind for a in marks.values() for kind in a["class"].split()}
    assert kinds == {"criterion", "point", "mistake", "probe"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_of_the_report_tells_the_same_second(language: Language) -> None:
    turn = next(item for item in project_branch(language) if isinstance(item, Turn))
    said = turn.answer.text
    quote = Evidence(quote=said, start=0, end=len(said), turn=1, t0=59.6)
    criteria = (CriterionResult(id="star.task", level=3, reason="", evidence=(quote,)),)
    records = [turn, judged("star", PROJECT.id, 1, 60, criteria=criteria)]
    session = manifest(language, questions=(PROJECT,))
    assert (
        f"{words(language)['turn']} 1 · 1:00" in Reader(render_report(session, records, None)).text
    )
    assert "(1:00)" in render_report(session, records, None, format="md")


def test_a_quote_that_was_never_said_is_shown_as_such() -> None:
    records = [
        Turn(
            number=1,
            utterance=asked(PROJECT, "en"),
            answer=Answer(text="We did it.", raw_text="", status="typed"),
        ),
        *project_branch("en")[1:2],
    ]
    report = Reader(render_report(manifest("en"), records, None))
    assert report.text.count("This quote is not in the transcript.") >= 4
    assert not [a for a in report.all("mark") if "id" in a]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_ladder_tells_why_each_follow_up_was_asked(language: Language) -> None:
    text = page(language).text
    expected = {
        "en": "numbers and evidence a number without a baseline Turn 2 About: Result",
        "zh": "数字与证据 数字没有基线 轮次 2 针对：结果",
    }[language]
    assert expected in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_level_is_explained_once_and_coverage_has_a_name(language: Language) -> None:
    anchor = STAR.criteria[1].anchors.at(0).get(language)
    criteria = (
        CriterionResult(id="star.task", level=0, reason=anchor),
        CriterionResult(id="key_points", level=2, reason="1 / 2"),
    )
    records = [*project_branch(language)[:1], judged("star", PROJECT.id, 1, 20, criteria=criteria)]
    text = Reader(render_report(manifest(language), records, None)).text
    assert text.count(anchor) == 1
    assert {"en": "Coverage of key points 2/4 1 / 2", "zh": "要点覆盖 2/4 1 / 2"}[language] in text


@pytest.mark.parametrize(("language", "said"), [("en", "no speech"), ("zh", "没有听到语音")])
def test_an_answer_that_was_not_heard_is_explained_once(language: Language, said: str) -> None:
    criteria = tuple(
        CriterionResult(id=item.id, level=None, reason="no speech") for item in STAR.criteria
    )
    records = [
        Turn(number=1, utterance=asked(PROJECT, language), answer=unheard("silent", "no speech")),
        judged("star", PROJECT.id, 1, None, reason="no speech", criteria=criteria),
    ]
    report = render_report(manifest(language, questions=(PROJECT,)), records, None)
    text = Reader(report).text
    t = words(language)
    listed = text[text.index(t["unjudged_title"]) : text.index(t["legend"])]
    assert listed.count(said) == 1
    assert f"{t['not_judged']} {said}" in text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_question_with_no_answer_understood_says_so(language: Language) -> None:
    records = [
        Turn(number=1, utterance=asked(PROJECT, language), answer=unheard("silent", "no speech"))
    ]
    text = Reader(render_report(manifest(language, questions=(PROJECT,)), records, None)).text
    t = words(language)
    assert f"{t['not_judged']} {t['nothing_understood']}" in text
    assert t["not_graded_yet"] not in text


def test_only_follow_ups_climb_the_ladder() -> None:
    first, *_ = project_branch("en")
    again = Turn(
        number=2,
        utterance=Utterance(kind="clarify", text="Once more, please.", question_id=PROJECT.id),
        answer=unheard("silent", "no speech"),
    )
    report = Reader(render_report(manifest("en", questions=(PROJECT,)), [first, again], None))
    assert words("en")["ladder"] not in report.text
    assert "Once more, please." in report.text


def test_silence_corrections_and_unfinished_sessions_are_marked() -> None:
    _, records, score = full_session("en")
    report = Reader(render_report(manifest("en", status="abandoned"), records, score))
    assert "silent no speech No words." in report.text
    assert "Corrected by the candidate" in report.text
    assert "split across the cards" in report.text
    assert "Before the correction" in report.text
    assert "split across the GPUs" in report.text
    assert "viva practice --continue --session 20260302T100000Z-big-tech-7f3a" in report.text


def test_delivery_is_told_apart_and_only_as_measured() -> None:
    answer = Answer(
        text="短", raw_text="短", status="spoken", delivery=Delivery(seconds=65.4, speech_s=3.0)
    )
    records = [Turn(number=1, utterance=asked(PROJECT, "zh"), answer=answer)]
    text = Reader(render_report(manifest("zh"), records, None)).text
    assert "表达 不计入得分 时长 1:05 有声时长 0:03 停顿 0" in text
    assert "语速" not in text
    assert "口头语" not in text


@pytest.mark.parametrize("payload", PAYLOADS)
def test_nothing_said_read_or_graded_acts_as_markup(payload: str) -> None:
    report = Reader(render_report(*hostile_session(payload)))
    harmless = Reader(render_report(*hostile_session("harmless")))
    varying = {"span", "audio", "button", "p"}  # a word each; only where the payload is a path
    assert [tag for tag, _ in report.elements if tag not in varying] == [
        tag for tag, _ in harmless.elements if tag not in varying
    ]
    for _, attributes in report.elements:
        assert not [name for name in attributes if name.startswith("on")]
        assert re.fullmatch(r"#[\w-]+", str(attributes.get("href", "#none")))
        source = str(attributes.get("src", "none"))
        assert re.fullmatch(r"[\w.%-][\w./%-]*", source)
        assert ".." not in source.split("/")


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("payload", PAYLOADS)
def test_every_format_bears_hostile_texts(payload: str, format_: ReportFormat) -> None:
    rendered = render_report(*hostile_session(payload), format=format_)
    assert rendered.encode("utf-8")
    if format_ in {"md", "vtt"}:
        assert not re.search(r"<(script|img|/style|/script|b\b)", rendered)


def test_the_policy_of_the_page_allows_its_own_code_and_recordings_only() -> None:
    report = page()
    policy = next(
        a["content"] for a in report.all("meta") if a.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none';")
    assert policy.count("'sha256-") == 2
    assert "unsafe" not in policy
    assert "http" not in policy
    assert not [a for _, a in report.elements if "style" in a]


@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("audio/001-answer.flac", "audio/001-answer.flac"),
        ("./audio/a b.flac", "audio/a%20b.flac"),
        ("audio/回答.flac", "audio/%E5%9B%9E%E7%AD%94.flac"),
        ("audio/#1?.flac", "audio/%231%3F.flac"),
        ("audio/%2e%2e/x.flac", "audio/%252e%252e/x.flac"),
        (None, None),
        ("", None),
        (".", None),
        ("/etc/passwd", None),
        ("//host/x.flac", None),
        ("../x.flac", None),
        ("audio/../../x.flac", None),
        ("..\\x.flac", None),
        ("C:/x.flac", None),
        ("javascript:alert(1)", None),
        ("file:///x.flac", None),
        ("audio/\n.flac", None),
    ],
)
def test_only_recordings_inside_the_session_folder_are_linked(
    path: str | None, link: str | None
) -> None:
    assert audio_link(path) == link


def test_headings_are_in_order_and_ids_unique() -> None:
    report = page()
    levels = [int(tag[1]) for tag, _ in report.elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    ids = [a["id"] for _, a in report.elements if "id" in a]
    assert len(set(ids)) == len(ids)
    known = {f"#{name}" for name in ids}
    assert {a["href"] for a in report.all("a")} <= known
    assert {a["aria-labelledby"] for a in report.all("section")} <= set(ids)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_the_report_exists_in_both_languages(language: Language) -> None:
    assert words("en").keys() == words("zh").keys()
    assert all(text.strip() for text in words(language).values())
    chinese = [key for key, text in words("zh").items() if re.search(r"[\u4e00-\u9fff]", text)]
    assert set(words("zh")) - set(chinese) <= {"colon", "comma"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_markdown_holds_the_same_results(language: Language) -> None:
    text = render_report(*full_session(language), format="md")
    t = words(language)
    assert text.startswith(f"# {t['title']}")
    assert f"**{t['overall']}{t['colon']}58**" in text
    assert "**87**" in text
    assert t["not_graded"] in text
    assert t["not_judged"] in text
    assert ANSWERS["reuse"][language] in text
    assert "<script>" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_json_is_the_whole_session_by_question(language: Language) -> None:
    session, records, score = full_session(language)
    whole_report = json.loads(render_report(session, records, score, format="json"))
    assert list(whole_report) == [
        "report_version",
        "session",
        "score",
        "questions",
        "corrections",
        "notices",
        "language_model",
        "graders",
    ]
    assert whole_report["session"] == json.loads(session.model_dump_json())
    questions = whole_report["questions"]
    assert [item["question_id"] for item in questions] == [q.id for q in session.questions]
    assert [len(item["turns"]) for item in questions] == [2, 2, 1, 1, 0]
    results = [item["result"] for item in questions]
    assert [result and result["score"] for result in results] == [86.5, 12.5, None, None, None]
    assert whole_report["corrections"][0]["turn"] == 3


def test_subtitles_follow_the_recordings_one_after_another() -> None:
    def spoken(number: int, text: str, *heard: Word) -> Turn:
        return Turn(
            number=number,
            utterance=asked(PROJECT, "en"),
            answer=Answer(
                text=text,
                raw_text=text,
                status="spoken",
                words=heard,
                delivery=Delivery(seconds=10.0, speech_s=5.0),
                audio=f"audio/{number:03d}-answer.flac",
            ),
        )

    records = [
        spoken(1, "It fell by 0.5 points. Then up.", *(
            Word(w, float(i), i + 0.5)
            for i, w in enumerate((" it", " fell", " by", " 0.5", " points", " then", " up"))
        )),
        injection_branch("en")[0],
        spoken(3, "降了。", Word("降", 0.25, 0.5), Word("了", 0.5, 1.0)),
    ]  # fmt: skip
    assert render_report(manifest("en"), records, None, format="vtt") == (
        "WEBVTT\n\n"
        "NOTE turn 1 · 00:00:00.000 · audio/001-answer.flac\n"
        f"{PROJECT.prompt.en}\n\n"
        "00:00:00.000 --> 00:00:04.500\n<v Turn 1>It fell by 0.5 points.\n\n"
        "00:00:05.000 --> 00:00:06.500\n<v Turn 1>Then up.\n\n"
        "NOTE turn 6 · 00:00:10.000 · typed\nExplain how Flash Attention works.\n\n"
        "NOTE turn 3 · 00:00:10.000 · audio/003-answer.flac\n"
        f"{PROJECT.prompt.en}\n\n"
        "00:00:10.250 --> 00:00:11.000\n<v Turn 3>降了。\n"
    )


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_parts_of_a_session_and_an_empty_one_have_a_report(
    language: Language, format_: ReportFormat
) -> None:
    for records in (
        [],
        project_branch(language)[:1],
        parallelism_branch(language)[1:],
        gave_up_branch(language)[1:],
        injection_branch(language)[2:],
    ):
        session = manifest(language, status="running")
        first = render_report(session, records, None, format=format_)
        assert first == render_report(session, records, None, format=format_)
        assert first.strip()


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (59.4, "0:59"), (59.6, "1:00"), (605, "10:05"), (-1, "0:00")]
)
def test_a_length_reads_as_minutes_and_seconds(seconds: float, text: str) -> None:
    assert clock(seconds) == text


@pytest.mark.parametrize(("score", "text"), [(0, "0"), (86.5, "87"), (86.4, "86"), (100, "100")])
def test_a_score_is_written_without_decimals(score: float, text: str) -> None:
    assert whole(score) == text

"""Coaching, on answers judged by the builtin grader and on judgements made by hand."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.domain.assessment import (
    Assessment,
    BranchAnswer,
    CriterionResult,
    Evidence,
    GradingTask,
    KeyPointResult,
    MisconceptionResult,
)
from agent.domain.coaching import Coaching, Piece
from agent.domain.interview import Answer, Correction
from agent.domain.language import LANGUAGES, Language, LocalizedTexts
from agent.domain.question import Category, Question, QuestionFile
from agent.domain.rubric import Frame
from agent.policy.coaching import coach, coaching_of
from agent.policy.judgement import judge
from agent.policy.nearness import WordNearness
from agent.policy.reading import read
from agent.policy.slots.lookup import PARTS
from tests.app.sessions import (
    ANSWERS,
    DIRECT,
    PARALLELISM,
    PERSONA,
    PROJECT,
    STAR,
    full_session,
    judged,
)

RUBRICS = Path(__file__).resolve().parents[2] / "rubrics"


@cache
def frames() -> dict[Category, Frame]:
    files = sorted((RUBRICS / "frames").glob("*.yaml"))
    found = [Frame.model_validate(yaml.safe_load(file.read_text("utf-8"))) for file in files]
    return {category: frame for frame in found for category in frame.categories}


@cache
def bank() -> tuple[Question, ...]:
    files = sorted((RUBRICS / "questions").glob("*.yaml"))
    return tuple(
        question
        for file in files
        for question in QuestionFile.model_validate(
            yaml.safe_load(file.read_text("utf-8"))
        ).questions
    )


def coached(
    question: Question, texts: Sequence[str], language: Language, **more: Any
) -> tuple[Coaching, Assessment]:
    """Grade `texts` as the answers to `question` and coach them."""
    frame = frames()[question.category]
    given_ = tuple(BranchAnswer(Answer.typed(text), n) for n, text in enumerate(texts, start=1))
    reading = read(GradingTask(question.localized(language), frame, given_))
    assessment = judge(
        GradingTask(question.localized(language), frame, given_), reading, WordNearness(), "t"
    )
    answers = [(item.turn or 0, item.answer.text) for item in given_]
    return coach(question, frame, assessment, answers, language, **more), assessment


def pieces(coaching: Coaching, *, slots: bool) -> list[Piece]:
    return [item for part in coaching.rewrite for item in part.pieces if item.slot == slots]


def assert_own_words(coaching: Coaching, texts: Sequence[str]) -> None:
    for piece in pieces(coaching, slots=False):
        assert piece.turn is not None
        assert piece.text in texts[piece.turn - 1]
    for piece in pieces(coaching, slots=True):
        assert piece.turn is None
        assert piece.text.startswith("[")
        assert piece.text.endswith("]")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("question", bank(), ids=lambda item: item.id)
def test_a_rewrite_holds_the_candidates_own_words_and_slots_alone(
    question: Question, language: Language
) -> None:
    """The example of each question in the bank, cut in two answers, is rewritten."""
    example = question.example.get(language)
    texts = [example[: len(example) // 2], example[len(example) // 2 :]]
    coaching, assessment = coached(question, texts, language)
    assert_own_words(coaching, texts)
    parts = [item.id for item in frames()[question.category].criteria]
    assert [part.id for part in coaching.rewrite if part.id != "key_points"] == [
        item.id for item in assessment.criteria if item.level is not None and item.id in parts
    ]
    assert all(part.pieces for part in coaching.rewrite)


@settings(max_examples=40, deadline=None)
@given(
    parts=st.lists(
        st.sampled_from(
            [
                *ANSWERS["strong"]["en"].split(". "),
                *ANSWERS["strong"]["zh"].split("。"),
                *ANSWERS["wrong"]["en"].split(". "),
                "we fixed it together",
                "[a slot]",
                "我们一起解决了",
                "",
            ]
        ),
        max_size=8,
    ),
    language=st.sampled_from(LANGUAGES),
)
def test_no_fact_is_ever_invented(parts: list[str], language: Language) -> None:
    stop = ". " if language == "en" else "。"
    half = len(parts) // 2
    texts = [stop.join(parts[:half]), stop.join(parts[half:])]
    for question in (PROJECT, PARALLELISM):
        coaching, _ = coached(question, texts, language)
        assert_own_words(coaching, texts)
        for strength in coaching.strengths:
            for quote in strength.evidence:
                assert quote.turn is not None
                assert texts[quote.turn - 1][quote.start : quote.end] == quote.quote


def quote(text: str, said: str, turn: int = 1) -> tuple[Evidence, ...]:
    return (
        Evidence(quote=said, start=text.index(said), end=text.index(said) + len(said), turn=turn),
    )


RESULT = {"en": "throughput rose by thirty percent", "zh": "训练吞吐提升了百分之三十"}
ACTION = {"en": "We profiled the step", "zh": "我们做了性能分析"}


def bare_result(language: Language) -> tuple[str, Assessment]:
    """A team's story whose outcome has no baseline."""
    text = f"{ACTION[language]}, {RESULT[language]}."
    assessment = judged(
        "star",
        PROJECT.id,
        1,
        27.5,
        criteria=(
            CriterionResult(id="star.situation", level=0, reason=""),
            CriterionResult(id="star.task", level=0, reason=""),
            CriterionResult(
                id="star.action", level=1, reason="", evidence=quote(text, ACTION[language])
            ),
            CriterionResult(
                id="star.result", level=2, reason="", evidence=quote(text, RESULT[language])
            ),
        ),
        key_points=(
            KeyPointResult(
                id="bottleneck",
                status="present",
                coverage=1,
                evidence=quote(text, ACTION[language]),
            ),
            KeyPointResult(id="alternative", status="absent", coverage=0),
            KeyPointResult(id="recovery", status="partly", coverage=0.4),
        ),
        flags=("no_baseline", "we_without_i"),
    )
    return text, assessment


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_there_comes_with_its_quote_and_what_was_missing_in_plain_words(
    language: Language,
) -> None:
    text, assessment = bare_result(language)
    coaching = coach(PROJECT, STAR, assessment, [(1, text)], language)
    assert [(item.id, item.level) for item in coaching.strengths] == [
        ("star.result", 2),
        ("bottleneck", None),
    ]
    assert coaching.strengths[0].evidence[0].quote == RESULT[language]
    gaps = {item.id: item for item in coaching.gaps}
    assert list(gaps) == ["star.situation", "star.task", "star.action", "alternative", "recovery"]
    assert (
        gaps["star.task"].text
        == {
            "en": "your own role and the goal you were held to",
            "zh": "你自己的职责和要达成的目标",
        }[language]
    )
    assert [name for name, item in gaps.items() if item.partly] == ["star.action", "recovery"]
    assert coaching.outline == PROJECT.outline.get(language)


@pytest.mark.parametrize(
    ("language", "slot"),
    [
        ("en", "[the number before the change]"),
        ("zh", "[改动之前的数值]"),
    ],
)
def test_an_outcome_without_a_baseline_gets_a_slot_for_it(language: Language, slot: str) -> None:
    text, assessment = bare_result(language)
    coaching = coach(PROJECT, STAR, assessment, [(1, text)], language)
    result = coaching.rewrite[-1]
    assert result.name == {"en": "Result", "zh": "结果"}[language]
    assert result.pieces[0] == Piece(text=RESULT[language], turn=1)
    assert slot in [item.text for item in result.pieces]
    situation = coaching.rewrite[0]
    assert len(situation.pieces) == 1
    assert situation.pieces[0].slot


def test_the_one_change_is_computed_from_the_score() -> None:
    """Form: four criteria of equal weight, 0.7 of the score; three key points share 0.3."""
    text, assessment = bare_result("en")
    coaching = coach(PROJECT, STAR, assessment, [(1, text)], "en")
    assert coaching.change is not None
    # From nothing to level 2: 2 x 25 / 4 x 0.7 = 8.75; a key point: 100 / 3 x 0.3 = 10.
    assert (coaching.change.kind, coaching.change.id) == ("key_point", "alternative")
    assert coaching.change.gain == pytest.approx(10.0, abs=0.1)
    fewer = assessment.model_copy(update={"key_points": assessment.key_points[:1]})
    change = coach(PROJECT, STAR, fewer, [(1, text)], "zh").change
    assert change is not None
    assert (change.id, change.name, change.level) == ("star.situation", "情境", 2)
    assert change.text == STAR.criteria[0].anchors.at(2).zh
    assert change.gain == pytest.approx(8.75, abs=0.1)


def test_form_gains_nothing_where_there_is_no_content() -> None:
    """With no key point made, a level counts for nothing in a frame of knowledge."""
    assessment = judged(
        "direct",
        PARALLELISM.id,
        1,
        0.0,
        criteria=tuple(CriterionResult(id=item.id, level=0, reason="") for item in DIRECT.criteria),
        key_points=tuple(
            KeyPointResult(id=item.id, status="absent", coverage=0)
            for item in PARALLELISM.key_points
        ),
    )
    change = coach(PARALLELISM, DIRECT, assessment, [(1, "It depends.")], "en").change
    assert change is not None
    assert (change.kind, change.id, change.gain) == ("key_point", "copy", 25.0)


def test_a_misconception_gives_way_to_what_is_right() -> None:
    text = ANSWERS["wrong"]["en"]
    wrong = quote(text, "the model is split across the GPUs")
    assessment = judged(
        "direct",
        PARALLELISM.id,
        1,
        30.0,
        criteria=(
            CriterionResult(id="direct.essence", level=3, reason=""),
            CriterionResult(id="direct.mechanism", level=3, reason=""),
            CriterionResult(id="direct.limits", level=None, reason="not asked"),
        ),
        key_points=(
            KeyPointResult(id="copy", status="contradicted", coverage=0, evidence=wrong),
            KeyPointResult(id="traffic", status="absent", coverage=0),
        ),
        misconceptions=(MisconceptionResult(id="swapped", why="Why.", evidence=wrong),),
        flags=("misconception",),
    )
    coaching = coach(PARALLELISM, DIRECT, assessment, [(1, text)], "en")
    assert coaching.change is not None
    assert coaching.change.kind == "misconception"
    assert coaching.change.text == PARALLELISM.misconceptions[0].why.en
    # Capped at 30 before; half of the form's 75 and half of one key point in two afterwards.
    assert coaching.change.gain == pytest.approx(62.5 - 30)
    assert "direct.limits" not in {part.id for part in coaching.rewrite}
    assert "direct.limits" not in {item.id for item in coaching.gaps}


def test_a_perfect_answer_needs_no_change() -> None:
    text = ANSWERS["strong"]["en"]
    every = quote(text, text[:60])
    assessment = judged(
        "star",
        PROJECT.id,
        1,
        100.0,
        criteria=tuple(
            CriterionResult(id=item.id, level=4, reason="", evidence=every)
            for item in STAR.criteria
        ),
        key_points=tuple(
            KeyPointResult(id=item.id, status="present", coverage=1, evidence=every)
            for item in PROJECT.key_points
        ),
    )
    coaching = coach(PROJECT, STAR, assessment, [(1, text)], "en")
    assert coaching.change is None
    assert coaching.gaps == ()
    assert pieces(coaching, slots=True) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("assessment", "answers", "nothing"),
    [
        (judged("star", PROJECT.id, 1, None, reason="no speech"), [], "silent"),
        (judged("star", PROJECT.id, 1, None, reason="no speech"), [(1, "  ")], "silent"),
        (judged("star", PROJECT.id, 1, None, failure="broke"), [(1, "I did it.")], "not_judged"),
        (judged("star", PROJECT.id, 1, 0.0, flags=("gave_up",)), [(1, "No idea.")], "gave_up"),
        (judged("star", PROJECT.id, 1, 0.0, flags=("gave_up",)), [], "gave_up"),
    ],
)
def test_where_there_is_nothing_to_coach_the_outline_is_given(
    assessment: Assessment, answers: list[tuple[int, str]], nothing: str, language: Language
) -> None:
    coaching = coach(PROJECT, STAR, assessment, answers, language)
    assert coaching.nothing == nothing
    assert coaching.outline == PROJECT.outline.get(language)
    assert not coaching.strengths
    assert not coaching.rewrite
    assert coaching.change is None


def test_a_quote_that_nobody_said_counts_for_nothing() -> None:
    _, assessment = bare_result("en")
    coaching = coach(PROJECT, STAR, assessment, [(1, "Something else was said.")], "en")
    assert coaching.strengths == ()
    assert pieces(coaching, slots=False) == []


@pytest.mark.parametrize(
    ("language", "pitfalls", "flags", "fell_into"),
    [
        (
            "en",
            ("“It got much faster” without a before and an after.", "Names of architectures."),
            ("no_baseline",),
            (0,),
        ),
        ("zh", ("只说快了很多，没有前后数字。", "故事里对方一无是处。"), ("no_baseline",), (0,)),
        ("en", ("Work that was one's job.", "“We” throughout."), ("we_without_i",), (1,)),
        ("zh", ("只说找领导拍板，没有自己的动作。",), ("we_without_i",), (0,)),
        ("zh", ("罗列架构名字，没有论证。",), ("term_list",), (0,)),
        ("en", ("A list of courses.",), ("off_topic",), ()),
        ("en", ("Calling it approximate.",), ("no_baseline", "term_list"), ()),
    ],
)
def test_only_pitfalls_that_a_flag_shows_are_named(
    language: Language, pitfalls: tuple[str, ...], flags: tuple[str, ...], fell_into: tuple[int]
) -> None:
    text, assessment = bare_result(language)
    question = PROJECT.model_copy(update={"pitfalls": LocalizedTexts(en=pitfalls, zh=pitfalls)})
    assessment = assessment.model_copy(update={"flags": flags})
    coaching = coach(question, STAR, assessment, [(1, text)], language)
    assert coaching.pitfalls == tuple(pitfalls[place] for place in fell_into)


@pytest.mark.parametrize(
    ("language", "words", "text", "used", "fitting"),
    [
        ("en", ("throughput", "bottleneck"), "Throughput rose.", ("throughput",), "bottleneck"),
        ("zh", ("吞吐", "瓶颈", "有效产出"), "吞吐提升了。", ("吞吐",), "瓶颈"),
        ("en", ("pod", "baseline"), "Podcasts are fine.", (), "baseline"),
        ("en", ("goodput",), "It went well.", (), None),
    ],
)  # fmt: skip
def test_house_words_are_told_and_never_scored(
    language: Language, words: tuple[str, ...], text: str, used: tuple[str], fitting: str | None
) -> None:
    coaching, plain = coached(PROJECT, [text], language, house_words=words)
    assert coaching.house.used == used
    assert coaching.house.fitting == fitting
    assert coached(PROJECT, [text], language)[1].score == plain.score


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("We fixed it together and, in the end it was faster.", "We fixed it together"),
        ("We fixed it, but so", "We fixed it"),
        ("We fixed it. And then", "We fixed it"),
    ],
)
def test_a_piece_does_not_end_on_a_conjunction(text: str, told: str) -> None:
    criteria = (CriterionResult(id="star.action", level=2, reason="", evidence=quote(text, text)),)
    assessment = judged("star", PROJECT.id, 1, 10.0, criteria=criteria)
    own = pieces(coach(PROJECT, STAR, assessment, [(1, text)], "en"), slots=False)
    assert own[0].text == told


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_criterion_has_its_slots_in_both_languages(language: Language) -> None:
    names = {item.id for frame in frames().values() for item in frame.criteria}
    assert names == PARTS.keys()
    texts = [
        text.get(language)
        for part in PARTS.values()
        for text in (part.empty, *(want for _, want in part.wants))
    ]
    assert all(text and not text.endswith((".", "。")) for text in texts)
    chinese = re.compile(r"[\u4e00-\u9fff]")
    assert all(bool(chinese.search(text)) == (language == "zh") for text in texts)


@pytest.mark.parametrize("shown_in", LANGUAGES)
@pytest.mark.parametrize("session_in", LANGUAGES)
def test_a_session_is_coached_by_question_in_any_language(
    session_in: Language, shown_in: Language
) -> None:
    manifest, records, _ = full_session(session_in)
    manifest = manifest.model_copy(
        update={
            "persona": PERSONA.model_copy(
                update={"vocabulary": LocalizedTexts(en=("throughput",), zh=("通信",))}
            )
        }
    )
    last = [item for item in records if isinstance(item, Assessment)][1]
    coaching = coaching_of(manifest, records, last, shown_in)
    assert coaching is not None
    assert coaching.language == shown_in
    assert coaching.outline == PROJECT.outline.get(shown_in)
    assert {quote.turn for item in coaching.strengths for quote in item.evidence} == {1, 2}
    assert coaching.house.used == (("throughput",) if session_in == "en" else ("通信",))


def test_an_answer_that_was_set_right_is_coached_as_it_was_set_right() -> None:
    manifest, records, _ = full_session("en")
    text = f"{ACTION['en']}, {RESULT['en']}."
    corrected = [*records, Correction(turn=1, text=text)]
    _, assessment = bare_result("en")
    coaching = coaching_of(manifest, corrected, assessment)
    assert coaching is not None
    assert coaching.rewrite[-1].pieces[0].text == RESULT["en"]


def test_what_the_session_does_not_know_is_not_coached() -> None:
    manifest, records, _ = full_session("en")
    stray = judged("direct", "elsewhere", 1, 10.0)
    assert coaching_of(manifest, records, stray) is None
    no_frame = manifest.model_copy(update={"rubric": (STAR,)})
    assert coaching_of(no_frame, records, judged("direct", PARALLELISM.id, 3, 10.0)) is None

"""How sure a score is, and what an interviewer would say; nothing where too little was judged."""

import pytest

from agent.domain.assessment import (
    BANDS,
    Appeal,
    Assessment,
    Band,
    CriterionResult,
    DimensionScore,
    Evidence,
    Variation,
)
from agent.domain.rubric import DIMENSIONS, Dimension
from agent.policy.hire_band import band_of, hire_band, leaning
from agent.policy.intervals import evidence_words, interval, mean_error, standard_error
from agent.policy.scoring import session_score
from tests.policy.test_scoring import FRAMES

SAID = {"en": "we cut the memory by half with sharded states ", "zh": "我们用分片把显存降了一半，"}


def quoted(*spans: tuple[int, int], text: str, turn: int | None = None) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(quote=text[start:end], start=start, end=end, turn=turn) for start, end in spans
    )


def judged(
    score: float | None,
    *evidence: Evidence,
    level: int = 2,
    question: str = "a",
    appeal: Appeal | None = None,
) -> Assessment:
    criterion = CriterionResult(id="star.action", level=level, reason="", evidence=evidence)
    return Assessment(
        question_id=question,
        frame="star",
        score=score,
        criteria=(criterion,),
        grader="test",
        rubric_version="star 1",
        appeal=appeal,
    )


def dimensions(**scores: float | None) -> list[DimensionScore]:
    return [
        DimensionScore(dimension=name, score=scores.get(name), judged=1)
        for name in DIMENSIONS
        if name in scores
    ]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_more_evidence_makes_a_score_surer(language: str) -> None:
    errors: list[float] = []
    for times in (1, 3, 10):
        text = SAID[language] * times
        errors.append(standard_error(judged(60, *quoted((0, len(text)), text=text))))
    assert errors == sorted(errors, reverse=True)
    assert len(set(errors)) == 3


def test_words_that_several_quotes_share_count_once() -> None:
    text = "one two three four five six"
    whole, part = quoted((0, 27), (4, 18), text=text)
    assert evidence_words(judged(50, whole, part)) == evidence_words(judged(50, whole)) == 6
    left, right = quoted((0, 13), (8, 27), text=text)
    assert evidence_words(judged(50, left, right)) == 6
    assert evidence_words(judged(50, *quoted((0, 27), text=text, turn=2), whole)) == 12


def test_judgements_that_differ_when_they_are_repeated_make_a_score_less_sure() -> None:
    alike, apart = (
        Appeal(
            earlier=60,
            reasons=("same",),
            variations=tuple(Variation(name=f"v{score}", score=score) for score in scores),
        )
        for scores in ((60, 60, 60, None), (40, 60, 80, None))
    )
    steady = standard_error(judged(60, appeal=alike))
    assert steady == standard_error(judged(60))
    assert standard_error(judged(60, appeal=apart)) > steady + 5


def test_more_questions_make_the_mean_surer_unless_they_disagree() -> None:
    one = mean_error([(60, 15, 1)])
    assert one == 15
    assert mean_error([(60, 15, 1)] * 4) == 7.5
    assert mean_error([(0, 15, 1), (100, 15, 1)]) > 45


@pytest.mark.parametrize(
    ("score", "error", "found"),
    [(50.0, 10.0, (33.5, 66.5)), (5.0, 10.0, (0.0, 21.5)), (None, 10.0, None)],
)
def test_an_interval_stays_on_the_scale(
    score: float | None, error: float, found: tuple[float, float] | None
) -> None:
    given = interval(score, error)
    assert given == (pytest.approx(found, abs=0.11) if found else None)


@pytest.mark.parametrize(
    ("score", "band"),
    [
        (0, "strong_no"),
        (24.9, "strong_no"),
        (25, "no"),
        (45, "lean"),
        (60, "yes"),
        (80, "strong_yes"),
        (100, "strong_yes"),
        (-4, "strong_no"),
        (107, "strong_yes"),
    ],
)
def test_bands(score: float, band: Band) -> None:
    assert band_of(score) == band


def test_the_weights_of_a_persona_move_the_band() -> None:
    found = dimensions(principle=90.0, authenticity=30.0, depth=None)
    assert leaning(found, {"principle": 1, "authenticity": 1, "depth": 5}) == 0
    assert leaning(found, {"principle": 3, "authenticity": 1}) == 15
    assert leaning(found, {}) == 0
    weights: list[dict[Dimension, float]] = [
        {"principle": 3, "authenticity": 1},
        {"principle": 1, "authenticity": 3},
    ]
    kind, strict = (
        hire_band(58, (50, 66), found, weighed, judged=3, words=200) for weighed in weights
    )
    assert (kind.band, strict.band) == ("yes", "no")


def test_a_persona_never_moves_a_level_or_the_score_of_a_question() -> None:
    results = [judged(60, question="a"), judged(40, question="b")]
    first = session_score(results, list(FRAMES.values()), {"authenticity": 3})
    second = session_score(results, list(FRAMES.values()), {"authenticity": 1, "judgement": 9})
    assert first.questions == second.questions
    assert first.dimensions == second.dimensions
    assert first.question_intervals == second.question_intervals


@pytest.mark.parametrize(
    ("overall", "count", "words", "reason"),
    [
        (None, 0, 0.0, "nothing_judged"),
        (70.0, 1, 400.0, "too_few_questions"),
        (70.0, 4, 12.0, "too_little_said"),
    ],
)
def test_where_too_little_was_judged_there_is_no_band(
    overall: float | None, count: int, words: float, reason: str
) -> None:
    reach = None if overall is None else (60.0, 80.0)
    found = hire_band(overall, reach, (), {}, judged=count, words=words)
    assert (found.band, found.low, found.high, found.reason) == (None, None, None, reason)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_session_has_an_interval_on_every_score_it_has(language: str) -> None:
    text = SAID[language] * 6
    evidence = quoted((0, len(text)), text=text)
    results = [
        judged(score, *evidence, level=level, question=name)
        for name, score, level in (("a", 70.0, 3), ("b", 55.0, 2))
    ]
    results.append(judged(None, question="c"))
    found = session_score(results, list(FRAMES.values()), {"authenticity": 1, "judgement": 1})
    assert found.overall is not None
    assert found.interval is not None
    assert found.interval[0] < found.overall < found.interval[1]
    assert found.question_intervals["c"] is None
    for name, score in (("a", 70.0), ("b", 55.0)):
        low, high = found.question_intervals[name] or (0.0, 0.0)
        assert low < score < high
    for item in found.dimensions:
        assert (item.interval is None) == (item.score is None)
    assert found.hire is not None
    assert found.hire.band == "yes"
    places = [BANDS.index(band) for band in (found.hire.low, "yes", found.hire.high) if band]
    assert places == sorted(places)

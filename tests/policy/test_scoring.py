import pytest

from agent.adapters.yaml_catalog import data_root, load_frames
from agent.domain.assessment import Assessment, CriterionResult
from agent.domain.rubric import Frame
from agent.policy.scoring import question_score, session_score

FRAMES = {frame.id: frame for frame in load_frames(data_root() / "rubrics" / "frames")}


def levels(frame: Frame, *given: int | None) -> list[CriterionResult]:
    return [
        CriterionResult(id=criterion.id, level=level, reason="")
        for criterion, level in zip(frame.criteria, given, strict=True)
    ]


@pytest.mark.parametrize(
    ("given", "coverage", "wrong", "score"),
    [
        ((4, 4, 4, 4), None, 0, 100.0),
        ((2, 2, 2, 2), None, 0, 50.0),
        ((4, 0, 0, 0), None, 0, 20.0),
        ((None, None, 3, 3), None, 0, 75.0),
        ((None, None, None, None), None, 0, None),
        ((4, 4, 4, 4), 0.0, 0, 70.0),
        ((None, None, None, None), 0.5, 0, 50.0),
        ((4, 4, 4, 4), 1.0, 1, 70.0),
        ((4, 4, 4, 4), 0.0, 2, 30.0),
    ],
)
def test_a_question_score(
    given: tuple[int | None, ...], coverage: float | None, wrong: int, score: float | None
) -> None:
    star = FRAMES["star"]
    assert question_score(star, levels(star, *given), coverage, wrong) == score


def assessment(question: str, score: float | None, *given: int | None) -> Assessment:
    return Assessment(
        question_id=question,
        frame="star",
        score=score,
        criteria=tuple(levels(FRAMES["star"], *given)),
        grader="test",
        rubric_version="star 1",
    )


def test_a_session_leaves_out_what_was_not_judged() -> None:
    results = [
        assessment("a", 100.0, 4, 4, 4, 4),
        assessment("b", None, None, None, None, None),
    ]
    result = session_score(results, list(FRAMES.values()), {"authenticity": 2, "principle": 1})
    by_name = {item.dimension: item for item in result.dimensions}
    assert result.overall == 100.0
    assert result.questions == {"a": 100.0, "b": None}
    assert (by_name["authenticity"].score, by_name["authenticity"].judged) == (100.0, 4)
    assert (by_name["principle"].score, by_name["principle"].judged) == (None, 0)


def test_the_overall_score_lies_between_those_of_the_questions() -> None:
    """Levels that a misconception made worthless do not come back through the dimensions."""
    results = [assessment("a", 5.0, 4, 4, 4, 4), assessment("b", 40.0, 4, 4, 4, 4)]
    result = session_score(results, list(FRAMES.values()), {"authenticity": 3, "structure": 1})
    assert result.overall == 22.5


def test_a_session_without_a_judgement_has_no_number() -> None:
    empty = session_score([assessment("b", None, None, None, None, None)], [], {"depth": 1})
    assert (empty.overall, empty.reason) == (None, "nothing_judged")

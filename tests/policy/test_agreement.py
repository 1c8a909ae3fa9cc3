"""Agreement with people, from tables whose figures can be worked out by hand."""

import numpy as np
import pytest

from agent.policy.agreement import Graded, agreement, correlation, partial_correlation


def rows(question: str, *given: tuple[float, float], words: float = 9) -> list[Graded]:
    """People's score, then the grader's."""
    return [Graded(question, people, grader, words, 0.5) for people, grader in given]


def test_within_questions_a_shift_between_them_does_not_count() -> None:
    easy = rows("easy", (0.6, 0.1), (0.8, 0.2), (1.0, 0.3))
    hard = rows("hard", (0.0, 0.7), (0.2, 0.8), (0.4, 0.9))
    found = agreement([*easy, *hard])
    assert found.within == pytest.approx(1.0)
    assert found.spearman is not None
    assert found.spearman < 0
    assert (found.answers, found.questions) == (6, 2)


@pytest.mark.parametrize(
    ("given", "spearman"),
    [
        ([(0, 0.1), (0, 0.1), (1, 0.9)], 1.0),
        ([(0, 0.1), (0.5, 0.2), (1, 0.9)], 1.0),
        ([(0, 0.9), (0.5, 0.2), (1, 0.1)], -1.0),
        ([(0, 0.1), (0.5, 0.1), (1, 0.9)], 0.866),
    ],
)
def test_equal_values_share_a_rank(given: list[tuple[float, float]], spearman: float) -> None:
    assert agreement(rows("a", *given)).spearman == pytest.approx(spearman, abs=1e-3)


def test_what_only_goes_with_length_has_no_partial_correlation() -> None:
    rng = np.random.default_rng(1)
    length = rng.normal(size=4000)
    people, grader = (length + rng.normal(size=4000) for _ in range(2))
    assert (correlation(people, grader) or 0) > 0.4
    assert abs(partial_correlation(people, grader, length) or 0) < 0.05


def test_a_grader_that_counts_words_has_the_correlation_of_length_and_no_other() -> None:
    people = (0.1, 0.4, 0.5, 0.9)
    words = (5, 30, 12, 80)
    found = agreement(
        [
            Graded("a", given, float(np.log(length)), length, 0.5)
            for given, length in zip(people, words, strict=True)
        ]
    )
    assert found.within == pytest.approx(found.length)
    assert (found.partial or 0) == pytest.approx(0)


def test_what_people_scored_alike_tells_nothing_about_the_grader() -> None:
    found = agreement(rows("a", (0.5, 0.2), (0.5, 0.9), (0.5, 0.4)))
    assert (found.spearman, found.within, found.partial) == (None, None, None)


def test_a_grader_that_scores_all_alike_agrees_on_nothing() -> None:
    alike = rows("a", (0.1, 0.5), (0.5, 0.5), (0.9, 0.5))
    found = agreement([*alike, *rows("b", (0.1, 0.1), (0.5, 0.5), (0.9, 0.9))])
    assert found.within == pytest.approx(0.5)


def test_two_answers_to_a_question_are_too_few() -> None:
    assert agreement(rows("a", (0, 0), (1, 1))).within is None


def test_the_error_tells_where_scores_are_too_high() -> None:
    found = agreement(rows("a", (0.0, 0.3), (0.5, 0.5), (1.0, 0.8), (0.9, 0.8)))
    assert found.error == pytest.approx((30, 0, -15))


def test_right_answers_in_other_words_lie_above_wrong_ones_in_the_same_words() -> None:
    found = agreement(
        [
            Graded("a", 1.0, 0.8, 9, shared=0.1),
            Graded("a", 1.0, 0.9, 9, shared=0.9),
            Graded("a", 0.2, 0.3, 9, shared=0.8),
            Graded("a", 0.1, 0.1, 9, shared=0.1),
        ]
    )
    assert found.gap == pytest.approx(50)
    assert found.pairs == (1, 1)


def test_an_empty_set_has_no_figures() -> None:
    found = agreement([])
    assert (found.answers, found.spearman, found.within, found.gap) == (0, None, None, None)
    assert found.error == (None, None, None)

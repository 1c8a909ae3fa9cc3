import pytest

from agent.policy.delivery import measure


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("We trained a model on sixteen cards.", 7 / 10 * 60),
        ("我们用 AllReduce 同步梯度。", 8 / 10 * 60),
        ("", None),
    ],
)
def test_rate_counts_words_and_characters_of_speech_only(text: str, rate: float | None) -> None:
    assert measure([(1.0, 6.0), (8.0, 13.0)], 20.0, text).rate == rate


def test_pauses_are_gaps_within_the_answer() -> None:
    delivery = measure([(1.5, 2.0), (2.1, 4.0), (6.0, 7.0)], 12.0, "so we waited")
    assert delivery.pauses == ((4.0, 6.0),)
    assert delivery.first_word_s == 1.5
    assert delivery.speech_s == pytest.approx(3.5)
    assert delivery.seconds == 12.0


def test_what_cannot_be_measured_is_none() -> None:
    delivery = measure([(0.5, 1.5)], 3.0, "No idea")
    assert delivery.rate is None
    assert delivery.fillers is None
    assert measure([], 3.0, "").first_word_s is None

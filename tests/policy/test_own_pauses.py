"""A speaker's own pauses, and what is made of them."""

import pytest

from agent.domain.interview import Answer, Delivery, ListeningHints
from agent.domain.language import Language
from agent.policy.own_pauses import ENOUGH, KEPT, LEAST, MOST, OwnPauses, share_of_patience

HINTS = ListeningHints(language="en", frame="star", patience_s=2.0)
TEXT: dict[Language, str] = {"en": "We measured it twice.", "zh": "我们测了两次。"}


def answer(language: Language, *lengths_s: float, cut_in: bool = False) -> Answer:
    pauses: list[tuple[float, float]] = []
    now_s = 1.0
    for length_s in lengths_s:
        pauses.append((now_s, now_s + length_s))
        now_s += length_s + 2.0
    delivery = Delivery(seconds=now_s, speech_s=now_s - sum(lengths_s), pauses=tuple(pauses))
    text = TEXT[language]
    return Answer(text=text, raw_text=text, status="spoken", delivery=delivery, cut_in=cut_in)


@pytest.mark.parametrize(
    ("pauses_s", "share"),
    [
        ((), 1.0),
        ((4.0,) * (ENOUGH - 1), 1.0),
        ((1.8,) * ENOUGH, 1.0),
        ((2.2,) * 30, 2.2 / 1.8),
        ((4.5,) * 30, MOST),
        ((0.7,) * 30, LEAST),
        ((0.7,) * 25 + (2.4,) * 5, 2.4 / 1.8),
    ],
)
def test_patience_follows_the_longer_pauses_within_limits(
    pauses_s: tuple[float, ...], share: float
) -> None:
    assert share_of_patience(pauses_s) == pytest.approx(share)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_pauses_are_learnt_from_answers(language: Language) -> None:
    known = OwnPauses()
    for _ in range(6):
        known = known.after(answer(language, 0.4, 2.5, 3.0, 8.0))
    assert known.latest == (2.5, 3.0) * 6
    assert 2.0 < known.fitted(HINTS) <= 2.0 * MOST


def test_only_the_latest_are_remembered() -> None:
    known = OwnPauses(latest=(4.0,) * KEPT).after(answer("en", 1.0, 1.2))
    assert len(known.latest) == KEPT
    assert known.latest[-2:] == (1.0, 1.2)


def test_an_answer_that_was_cut_short_teaches_nothing() -> None:
    known = OwnPauses()
    assert known.after(answer("en", 2.0, cut_in=True)) is known
    assert known.after(Answer.typed("We measured it.")) is known
    assert known.after(Answer.signalled("skip")) is known

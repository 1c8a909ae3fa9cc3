"""Fillers and scripts: what is matched changes, what is quoted does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.policy.plain_speech import plain_speech


@pytest.mark.parametrize(
    ("answer", "plain"),
    [
        ("I, uh, look at the um loss", "I look at the loss"),
        ("Um, er... the loss, you know, fell", "the loss fell"),
        ("it was, like, slow", "it was slow"),
        (
            "do you know what an ER diagram looks like?",
            "do you know what an ER diagram looks like?",
        ),
        ("an error of the summer album", "an error of the summer album"),
        ("嗯，我呃看了梯度", "我看了梯度"),
        ("损失震荡，那个，所以我排查", "损失震荡，所以我排查"),
        ("那个模型有额外的份额", "那个模型有额外的份额"),
        ("嗯，損失一直震盪", "损失一直震荡"),
        ("", ""),
    ],
)
def test_fillers_go_and_one_script_stays(answer: str, plain: str) -> None:
    assert plain_speech(answer).text == plain


@given(st.text(alphabet="um uh,損失嗯呃那个。 loss", max_size=80))
def test_every_character_knows_its_place(answer: str) -> None:
    plain = plain_speech(answer)
    assert len(plain.places) == len(plain.text)
    assert list(plain.places) == sorted(set(plain.places))
    for index, character in enumerate(plain.text):
        start, end = plain.span(index, index + 1)
        assert plain_speech(answer[start:end]).text in {character, ""}

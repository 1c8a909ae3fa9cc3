"""Fillers that were written, and those that only sounded."""

import pytest

from agent.domain.interview import Word
from agent.domain.language import Language
from agent.policy.fillers import fillers, unwritten


@pytest.mark.parametrize(
    ("language", "text", "count"),
    [
        ("en", "Um, so first I, uh, look at the memory.", 2),
        ("en", "You know, with Adam it is sixteen bytes.", 1),
        ("en", "Then I would, like, reduce the batch size, I mean, the micro batch.", 2),
        ("en", "It works like a ring, and you know the cost of it.", 0),
        ("en", "The number of errors was actually small.", 0),
        ("en", "The umbrella term is sharding.", 0),
        ("zh", "嗯，我们先看显存，呃，再看激活值。", 2),
        ("zh", "那个，我负责的是数据，就是说，清洗和去重。", 2),
        ("zh", "那个项目就是我负责的，这个方案额外省了显存。", 0),
        ("zh", "我们用 AllReduce 同步梯度。", 0),
        ("en", "", 0),
    ],
)
def test_written_fillers_are_counted(language: Language, text: str, count: int) -> None:
    assert fillers(text, (), (), language) == count


def test_a_short_voice_alone_without_a_word_is_a_hesitation() -> None:
    voiced = [(0.5, 1.6), (1.9, 2.2), (2.5, 4.0)]
    look_at = (Word("look", 1.2, 2.1), Word("at", 2.6, 2.9))
    assert unwritten(look_at, voiced) == [(1.9, 2.2)]


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ((1.9, 2.2), (Word("so", 1.95, 2.15),)),  # a word is there
        ((1.9, 2.0), ()),  # a click
        ((1.65, 2.2), ()),  # right behind other speech
        ((1.9, 2.4), ()),  # right before other speech
    ],
)
def test_what_is_something_else_is_no_hesitation(
    run: tuple[float, float], words: tuple[Word, ...]
) -> None:
    assert unwritten(words, [(0.5, 1.6), run, (2.5, 4.0)]) == []

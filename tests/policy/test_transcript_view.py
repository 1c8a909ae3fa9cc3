import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.domain.assessment import Evidence
from agent.domain.interview import Word
from agent.policy.transcript_view import (
    Mark,
    Run,
    place_of,
    segments,
    timed_runs,
)


def words(*texts: str) -> tuple[Word, ...]:
    return tuple(Word(text, float(i), i + 0.9) for i, text in enumerate(texts))


@pytest.mark.parametrize(
    ("text", "spoken", "expected"),
    [
        (
            "We cut it by 30%.",
            (" We", " cut", " it", " by", " 30%."),
            [("We", 0), ("cut", 1), ("it", 2), ("by", 3), ("30", 4)],
        ),
        (
            "We used NCCL here.",  # a term spelt right after recognition
            (" we", " used", " nickel", " here"),
            [("We", 0), ("used", 1), ("NCCL", 2), ("here", 3)],
        ),
        (
            "Um, we won.",  # a word that the recogniser gave no time for
            (" we", " won"),
            [("we", 0), ("won", 1)],
        ),
        (
            "通信占比，降了。",  # several characters in one word, simplified afterwards
            ("通信", "佔比", "降了"),
            [("通", 0), ("信", 0), ("占", 1), ("比", 1), ("降", 2), ("了", 2)],
        ),
        (
            "用 AllReduce 同步",
            ("用", " All", "Reduce", "同步"),
            [("用", 0), ("AllReduce", 1), ("同", 3), ("步", 3)],
        ),
    ],
)
def test_each_word_of_the_text_gets_its_time(
    text: str, spoken: tuple[str, ...], expected: list[tuple[str, int]]
) -> None:
    runs = timed_runs(text, words(*spoken))
    assert [(run.text, run.t0) for run in runs if run.t0 is not None] == expected
    assert "".join(run.text for run in runs) == text


def test_a_typed_text_is_one_run_without_a_time() -> None:
    assert timed_runs("Typed by hand.", ()) == (Run("Typed by hand."),)
    assert timed_runs("", words("a")) == ()


@pytest.mark.parametrize(
    ("text", "quote", "stored", "expected"),
    [
        ("by 30% and by 30%", "by 30%", (11, 17), (11, 17)),
        ("by 30% and by 30%", "by 30%", (0, 0), (0, 5)),
        ("By ３０%, surely", "by 30%", (0, 6), (0, 5)),  # the same words after folding
        ("降到百分之十五", "百分之十五", (2, 7), (2, 7)),
        ("降到百分之十五", "百分之十五", (0, 5), (2, 7)),  # offsets of an earlier wording
        ("we did it", "I did it", (0, 9), None),
        ("降到百分之十五", "百分之五十", (0, 0), None),
        ("anything", "", (0, 0), None),
        ("...", "!!!", (0, 3), None),
    ],
)
def test_a_quote_is_placed_only_where_it_stands(
    text: str, quote: str, stored: tuple[int, int], expected: tuple[int, int] | None
) -> None:
    evidence = Evidence(quote=quote, start=stored[0], end=stored[1])
    assert place_of(text, evidence) == expected


def test_marks_may_overlap_and_cut_words() -> None:
    text = "we cut traffic"
    first = Mark(0, 6, "criterion", "Action")
    second = Mark(3, 9, "point", "Traffic")
    found = segments(text, words(" we", " cut", " traffic"), (first, second))
    assert [("".join(run.text for run in part.runs), part.marks, part.start) for part in found] == [
        ("we ", (first,), 0),
        ("cut", (first, second), 3),
        (" tr", (second,), 6),
        ("affic", (), 9),
    ]
    assert [run.t0 for part in found for run in part.runs] == [0, None, 1, None, 2, 2]


@given(
    st.text(max_size=60),
    st.lists(st.text(max_size=8), max_size=8),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=5),
)
def test_no_character_is_lost_or_moved(
    text: str, spoken: list[str], spans: list[tuple[int, int]]
) -> None:
    marks = [Mark(min(a, b), max(a, b), "criterion", "x") for a, b in spans]
    parts = segments(text, words(*spoken), marks)
    assert "".join(run.text for part in parts for run in part.runs) == text
    offset = 0
    for part in parts:
        assert part.start == offset
        offset += sum(len(run.text) for run in part.runs)

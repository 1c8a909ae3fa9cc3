import pytest

from agent.domain.assessment import BranchAnswer, Evidence
from agent.domain.interview import Answer, Word
from agent.policy.evidence import cite, locate, verify


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("ZeRO stage three", "I chose zero, stage THREE then.", "zero, stage THREE"),
        ("ＺｅＲＯ 三阶段", "我选了 ZeRO 三阶段。", "ZeRO 三阶段"),
        ("通信占比，降到15%", "最后通信占比降到１５％。", "通信占比降到１５"),
        ("all reduce", "an all-reduce took long", "all-reduce"),
        ("rate", "we separate them", None),
        ("three", "thirty three cards", "three"),
        ("五分", "我说了四分", None),
        ("", "anything", None),
        ("。，", "标点，不算。", None),
    ],
)
def test_a_quote_is_found_where_its_words_stand(quote: str, text: str, found: str | None) -> None:
    span = locate(quote, text)
    assert (text[slice(*span)] if span else None) == found


def test_a_quote_that_was_not_said_is_void() -> None:
    made_up = Evidence(quote="by ninety percent", start=0, end=17)
    assert verify(made_up, "Throughput rose by thirty percent.") is None
    said = verify(Evidence(quote="THIRTY percent", start=0, end=1), "rose by thirty percent.")
    assert said == Evidence(quote="thirty percent", start=8, end=22)


def test_a_quote_that_stands_where_it_says_stays_there() -> None:
    second = Evidence(quote="五分", start=3, end=5, t0=1.0, t1=1.5)
    assert verify(second, "五分，五分") == second


@pytest.mark.parametrize(
    ("text", "words", "quote", "times"),
    [
        (
            "It rose by thirty percent.",
            (("It", 0, 1), ("rose", 1, 2), ("by", 2, 3), ("thirty", 3, 4), ("percent.", 4, 5)),
            "thirty percent",
            (3, 5),
        ),
        ("我用了ZeRO。", (("我", 0, 1), ("用了", 1, 2), ("zero", 2, 3)), "ZeRO", (2, 3)),
        ("we use ZeRO here", (("we", 0, 1), ("use", 1, 2), ("here", 3, 4)), "ZeRO", (2, 3)),
        ("typed words", (), "words", (None, None)),
    ],
)
def test_a_span_has_the_times_of_its_words(
    text: str,
    words: tuple[tuple[str, float, float], ...],
    quote: str,
    times: tuple[float | None, float | None],
) -> None:
    timed = tuple(Word(*word) for word in words)
    given = BranchAnswer(Answer(text=text, raw_text=text, status="spoken", words=timed), turn=3)
    start = text.index(quote)
    cited = cite(given, start, start + len(quote))
    assert (cited.quote, cited.turn, cited.t0, cited.t1) == (quote, 3, *times)

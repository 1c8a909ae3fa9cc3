import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.domain.language import LANGUAGES, Language
from agent.policy.sentences import MAX_CHARACTERS, split_sentences

ALPHABET = "aB9 .,!?;:…\n\t\"'”）(—-。！？；，、：“数据并行NCCL😀é"


@given(st.one_of(st.text(), st.text(alphabet=ALPHABET, max_size=400)), st.sampled_from(LANGUAGES))
def test_pieces_are_the_text_and_each_can_be_spoken(text: str, language: Language) -> None:
    pieces = split_sentences(text, language)
    assert "".join(pieces) == text
    assert all(pieces)
    if len(pieces) > 1:
        assert all(any(c.isalnum() for c in piece) for piece in pieces)


@pytest.mark.parametrize(
    "pieces",
    [
        ("One thing. ", "Another? ", "Yes!"),
        ("Loss fell from 3.5 to 2.1 in v1.2.3 of the run. ", "Why?"),
        ("Use a collective, e.g. all-reduce, i.e. a sum. ", "Then stop."),
        ("Dr. Smith vs. J. Doe in Fig. 3 is clear. ", "Next."),
        ("We saved model.bin at approx. 5 GB. ", "And then?"),
        ("1. Forward pass.\n", "2. Backward pass.\n", "Done."),
        ('He said "stop." ', "Then (really!) he left. ", "Fine."),
        ("Well... let me think. ", "OK."),
        ("Really?! ", "Yes. 🎉"),
        ("No stop at the end",),
        ("Costs 1,000 dollars. ", "It is https://example.com/a?b=c today."),
        ("  Leading space. ", "Trailing space.  "),
        ("Heading\n\n", "Body text."),
        ("Go. ", "🎉🎉 Next!!! ", "— End"),
    ],
)
def test_english(pieces: tuple[str, ...]) -> None:
    assert split_sentences("".join(pieces), "en") == pieces


@pytest.mark.parametrize(
    "pieces",
    [
        ("什么是数据并行？", "它和模型并行有什么区别？", "请说明。"),
        ("损失从3.5降到2.1。", "为什么？"),
        ("他说：“先停下。”", "然后呢？"),
        ("好的！！", "下一个问题……", "请讲。"),
        ("先定位；", "再修复。"),
        ("用 NCCL 2.18 做 all-reduce。", "带宽是多少？"),
        ("这是第一句.", "这是第二句?", "完"),
        ("1.先看日志。", "2.再看指标。"),
        ("没有标点的一句话",),
        ("（先想一想。）", "好了。"),
        ("第一行\n", "第二行"),
    ],
)
def test_chinese(pieces: tuple[str, ...]) -> None:
    assert split_sentences("".join(pieces), "zh") == pieces


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "so we sharded the state, and then the gradients, " * 12),
        ("en", "word " * 200),
        ("en", "x" * 1000),
        ("zh", "我们先把优化器状态切开，然后再切梯度，" * 12),
        ("zh", "没有任何标点的很长的一句话" * 30),
    ],
)
def test_long_sentences_are_cut(language: Language, text: str) -> None:
    pieces = split_sentences(text, language)
    assert "".join(pieces) == text
    assert max(map(len, pieces)) <= MAX_CHARACTERS[language]
    assert min(map(len, pieces[:-1])) > MAX_CHARACTERS[language] // 4
    for mark in ",，":
        if mark in text:
            assert all(piece.rstrip().endswith(mark) for piece in pieces)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", ["", "   ", "。。。", "🎉", "?!\n\n…"])
def test_nothing_to_say(language: Language, text: str) -> None:
    assert split_sentences(text, language) == ((text,) if text else ())

"""Hygiene, in order, in both languages."""

from collections.abc import Sequence

import pytest

from agent.domain.interview import Word
from agent.domain.language import Language
from agent.policy.phantoms import is_stock, loops, without_echoes, without_loops
from agent.policy.timed_text import TimedText, spread
from agent.policy.transcript import cleaned, raw_text, suspicious, whole
from agent.ports import Segment


def segment(
    text: str, *, sure: float = -0.3, no_speech: float = 0.02, compression: float = 1.2
) -> Segment:
    return Segment(text, 0.0, 4.0, (), sure, no_speech, compression)


def clean(language: Language, text: str, terms: Sequence[str] = (), voiced_s: float = 4.0) -> str:
    return cleaned([segment(text)], voiced_s, terms, language).text


@pytest.mark.parametrize(
    ("language", "phantom"),
    [
        ("en", " Thank you."),
        ("en", " You"),
        ("en", " Thanks for watching!"),
        ("en", " Please subscribe to my channel."),
        ("en", " Subtitles by the Amara.org community"),
        ("zh", "字幕由 Amara.org 社群提供"),
        ("zh", "請不吝點贊訂閱轉發打賞支持明鏡與點點欄目"),
        ("zh", "谢谢观看"),
        ("zh", "謝謝大家。"),
        ("zh", "字幕志愿者 李宗盛"),
        ("zh", "Thank you."),
    ],
)
def test_stock_phrases_go_from_barely_voiced_pieces_only(language: Language, phantom: str) -> None:
    assert clean(language, phantom, voiced_s=0.6) == ""
    assert clean(language, phantom, voiced_s=3.0) != ""


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Thank you for the hint, I would shard it."),
        ("en", "No."),
        ("zh", "谢谢提示，我会切分。"),
        ("zh", "不是。"),
    ],
)
def test_short_answers_stay(language: Language, text: str) -> None:
    assert not is_stock(text, 0.8, language)


@pytest.mark.parametrize(
    ("language", "said", "kept"),
    [
        ("en", "we used NCCL we used NCCL we used NCCL", "we used NCCL"),
        (
            "en",
            "It failed. It failed. It failed. It failed. Then it ran.",
            "It failed. Then it ran.",
        ),
        ("en", "very very very fast", "very fast"),
        ("en", "very very fast", "very very fast"),
        ("en", "from 1 0 0 0 to 5 0 0 0", "from 1 0 0 0 to 5 0 0 0"),
        ("en", "so ... it ... ran ... fast", "so ... it ... ran ... fast"),
        ("zh", "业务,业务,业务,业务", "业务"),
        ("zh", "数据并行数据并行数据并行很快", "数据并行很快"),
        ("zh", "请问您的设计设计设计设计", "请问您的设计"),
        ("zh", "一零零零步", "一零零零步"),
        ("zh", "试试看", "试试看"),
    ],
)
def test_loops_are_cut_to_one(language: Language, said: str, kept: str) -> None:
    assert without_loops(spread(said, 0, 1)).text == kept
    assert loops(said) == (said != kept)


TERMS: dict[Language, tuple[str, ...]] = {
    "en": ("AllReduce", "ZeRO", "tensor parallel", "micro batch", "NCCL", "InfiniBand"),
    "zh": ("通信占比", "梯度同步", "张量并行", "AllReduce", "NCCL"),
}


@pytest.mark.parametrize(
    ("language", "said", "voiced_s", "kept"),
    [
        ("en", "AllReduce, ZeRO, tensor parallel", 4.0, ""),
        (
            "en",
            "We tuned it. ZeRO, tensor parallel, micro batch. Then it ran",
            6.0,
            "We tuned it. . Then it ran",
        ),
        ("en", "NCCL and InfiniBand", 2.0, "NCCL and InfiniBand"),
        ("en", "InfiniBand, NCCL", 1.0, ""),
        ("zh", "通信占比, 通信占比", 0.8, ""),
        ("zh", "通信占比，梯度同步，张量并行", 4.0, ""),
        ("zh", "我们用张量并行降低了通信占比", 4.0, "我们用张量并行降低了通信占比"),
        ("zh", "通信占比。", 0.8, "通信占比。"),
    ],
)
def test_echoes_of_the_offered_terms_are_cut(
    language: Language, said: str, voiced_s: float, kept: str
) -> None:
    assert without_echoes(spread(said, 0, 1), TERMS[language], voiced_s).text == kept


@pytest.mark.parametrize(
    ("language", "said", "spelt"),
    [
        ("en", "We used all reduce over N C C L.", "We used AllReduce over NCCL."),
        ("en", "All-reduce took long.", "AllReduce took long."),
        ("en", "We used zero stage 3 and infini band", "We used ZeRO stage 3 and InfiniBand"),
        ("en", "from 1.0 to zero point five", "from 1.0 to zero point five"),
        ("en", "the error was zero", "the error was zero"),
        ("en", "Micro-batch size", "Micro batch size"),
        ("en", "tensor parallelism", "tensor parallelism"),
        ("en", "it all reduces to one thing", "it all reduces to one thing"),
        ("en", "we recall the reduction", "we recall the reduction"),
        ("zh", "反向之后用 all reduce 同步", "反向之后用 AllReduce 同步"),
        ("zh", "用nccl做通信", "用NCCL做通信"),
        ("zh", "我們團隊做了一個大模型項目", "我们团队做了一个大模型项目"),
        ("zh", "效果还不错,领导比较满意.", "效果还不错，领导比较满意。"),
        ("zh", "降到 0.5, 之后稳定", "降到 0.5, 之后稳定"),
    ],
)
def test_spelling_changes_and_nothing_is_put_in(language: Language, said: str, spelt: str) -> None:
    assert clean(language, said, TERMS[language]) == spelt


@pytest.mark.parametrize("language", ["en", "zh"])
def test_segments_that_whisper_does_not_believe_are_dropped(language: Language) -> None:
    good = segment(" We ran it." if language == "en" else "我们跑了。")
    bad = [
        segment(" x", no_speech=0.7, sure=-0.9),
        segment(" y", compression=2.5),
        segment(" z", sure=-1.3),
    ]
    assert cleaned([*bad, good], 4.0, (), language).text == good.text.strip()
    assert cleaned([segment("南欧乡依舍", sure=-0.83)], 1.3, (), "zh").text == ""
    kept = cleaned([segment("We ran", no_speech=0.7, sure=-0.7)], 4.0, (), "en")
    assert kept.text == "We ran"


@pytest.mark.parametrize(
    ("language", "text", "voiced_s", "why"),
    [
        ("en", "We sharded the optimizer over all the cards", 3.0, None),
        ("en", "We sharded", 6.0, "too short"),
        ("en", "a b c d e f g h i j k l m n o p q r s t u v", 2.5, "too long"),
        ("en", "it it it it ran", 3.0, "loop"),
        ("zh", "我们切分了优化器的状态", 3.0, None),
        ("zh", "我们切", 6.0, "too short"),
        ("zh", "业务业务业务业务", 3.0, "loop"),
        ("zh", "我们切分了\N{REPLACEMENT CHARACTER}状态", 2.5, "unsure"),
        ("en", "", 1.0, None),
        ("en", "", 3.0, "too short"),
    ],
)
def test_what_is_not_believed_is_named(
    language: Language, text: str, voiced_s: float, why: str | None
) -> None:
    assert suspicious([segment(text)] if text else [], voiced_s, language) == why


def test_raw_text_is_kept_as_it_came() -> None:
    assert raw_text([segment(" Thank you."), segment(" Thank you.")]) == "Thank you. Thank you."


def test_words_keep_their_times_through_every_change() -> None:
    words = tuple(
        Word(text, t0, t0 + 0.5)
        for text, t0 in [("We", 0.0), ("used", 1.0), ("all", 2.0), ("reduce.", 2.5), ("Good.", 4.0)]
    )
    said = Segment(" We used all reduce. Good.", 0.0, 5.0, words, -0.2, 0.0, 1.0)
    result = cleaned([said], 4.0, ("AllReduce",), "en").words()
    assert result == (
        Word("We", 0.0, 0.5),
        Word("used", 1.0, 1.5),
        Word("AllReduce.", 2.0, 3.0),
        Word("Good.", 4.0, 4.5),
    )


def test_chinese_words_are_characters_and_latin_words() -> None:
    words = spread("用 AllReduce 同步，快3.5%。", 0.0, 1.0).words()
    assert [word.text for word in words] == ["用", "AllReduce", "同", "步，", "快", "3.5%。"]


@pytest.mark.parametrize(
    ("language", "parts", "joined"),
    [
        ("en", ["We ran it.", "", "And it failed"], "We ran it. And it failed"),
        ("en", ["We ran", "it"], "We ran, it"),
        (
            "en",
            ["We split the model", "Each layer has its card"],
            "We split the model. Each layer has its card",
        ),
        (
            "en",
            ["a very fast link such as", "NVLink", "Pipeline stages"],
            "a very fast link such as NVLink. Pipeline stages",
        ),
        (
            "en",
            ["It is proportional to the size.", "about two times"],
            "It is proportional to the size, about two times",
        ),
        (
            "en",
            ["We measured it because", "The", "step was slow"],
            "We measured it because The step was slow",
        ),
        ("en", ["on one card", "and I split it"], "on one card, and I split it"),
        ("en", ["It costs 2.", "5 seconds"], "It costs 2. 5 seconds"),
        ("zh", ["我们跑了", "", "失败了。", "后来好了"], "我们跑了，失败了。后来好了"),
    ],
)
def test_pieces_become_one_text(language: Language, parts: list[str], joined: str) -> None:
    text = whole([spread(part, 0, 1) for part in parts], language)
    assert text.text == joined
    assert len(text.times) == len(text.text)


def test_nothing_is_made_of_nothing() -> None:
    assert cleaned([], 3.0, ("NCCL",), "en") == TimedText()
    assert whole([], "zh") == TimedText()

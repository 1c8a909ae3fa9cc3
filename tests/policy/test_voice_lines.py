import asyncio
from collections.abc import Collection

import pytest

from agent.domain.dialogue import Greet
from agent.domain.interview import SessionManifest
from agent.domain.language import LANGUAGES, Language
from agent.domain.persona import Persona
from agent.policy.probes import part_name
from agent.policy.sentences import split_sentences
from agent.policy.voice_lines import coming_lines, spoken_pieces
from agent.ports import Scene
from agent.wording.builtin import BuiltinWording
from tests.interview_samples import DIRECT, PERSONAS, persona, question

NAMES = sorted(path.stem for path in PERSONAS.glob("*.yaml"))
QUESTIONS = (question("first"), question("second"))


def manifest(who: Persona, language: Language, seed: int = 7) -> SessionManifest:
    return SessionManifest(
        id="s",
        created_at="",
        language=language,
        level="senior",
        seed=seed,
        persona=who,
        questions=QUESTIONS,
        rubric=(DIRECT,),
    )


def place(lines: tuple[str, ...], text: str, language: Language) -> int:
    """Return where the last sentence of `text` stands."""
    return max(lines.index(sentence) for sentence in split_sentences(text, language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_lines_come_in_the_order_in_which_they_are_needed(name: str, language: Language) -> None:
    who = persona(name)
    lines = coming_lines(manifest(who, language), ["General one."])
    prompts = [item.localized(language).prompt for item in QUESTIONS]
    first, second = (place(lines, prompt, language) for prompt in prompts)
    opening = [text for text in who.opening.get(language) if place(lines, text, language) < first]
    assert len(opening) == 1
    probe = place(lines, QUESTIONS[0].localized(language).probes[0].ask, language)
    bridges = [place(lines, text, language) for text in who.bridge.get(language)]
    assert first < probe < min(bridges) <= max(bridges) < second
    for texts in (who.opening, who.closing, who.not_heard, who.gave_up):
        assert {s for t in texts.get(language) for s in split_sentences(t, language)} <= {*lines}
    assert "General one." in lines


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_lines_are_whole_sentences_or_clauses_around_a_gap(name: str, language: Language) -> None:
    lines = coming_lines(manifest(persona(name), language))
    assert len(set(lines)) == len(lines)
    assert not [line for line in lines if "{" in line or "}" in line]
    assert all(any(sign.isalnum() for sign in line) for line in lines)


def test_what_a_criterion_asks_for_is_filled_in() -> None:
    lines = coming_lines(manifest(persona("ai-startup"), "zh"))
    point = part_name("direct.mechanism", "zh")
    assert f"嗯，{point}，这块呢？" in lines


def test_fixed_clauses_around_a_quote_are_lines() -> None:
    lines = coming_lines(manifest(persona("ai-startup"), "zh"))
    assert "从头到尾是谁兜着的？" in lines
    assert "要是什么都不做，" in lines


@pytest.mark.parametrize("seed", range(5))
def test_greeting_is_the_one_that_the_wording_draws(seed: int) -> None:
    who = persona("big-tech")

    async def greeting() -> str:
        scene = Scene(who, "zh", None, said=(), answers=(), seed=seed)
        return "".join([said.text async for said in BuiltinWording().utter(Greet(), scene)])

    pieces = split_sentences(asyncio.run(greeting()), "zh")
    assert coming_lines(manifest(who, "zh", seed))[: len(pieces)] == pieces


@pytest.mark.parametrize(
    ("text", "at_hand", "pieces"),
    [
        ("你好。请讲。", {"你好。", "请讲。"}, ("你好。", "请讲。")),
        (
            "学习率为什么要预热，预热太短会怎样？",
            {"学习率为什么要预热，预热太短会怎样？"},
            ("学习率为什么要预热，预热太短会怎样？",),
        ),
        (
            "学习率为什么要预热，预热太短会怎样？",
            set[str](),
            ("学习率为什么要预热，", "预热太短会怎样？"),
        ),
        (
            "“把批量调大，再调学习率”，从头到尾，是谁兜着的？",
            {"从头到尾，是谁兜着的？"},
            ("“把批量调大，", "再调学习率”，", "从头到尾，是谁兜着的？"),
        ),
        ("嗯，好，这块具体怎么做？", set[str](), ("嗯，好，这块具体怎么做？",)),
        ("这块具体怎么做，说说？", set[str](), ("这块具体怎么做，说说？",)),
        ("嗯，这块呢？", {"这块呢？"}, ("嗯，", "这块呢？")),
        ("", set[str](), ()),
    ],
)
def test_first_sound_comes_soon(
    text: str, at_hand: Collection[str], pieces: tuple[str, ...]
) -> None:
    assert spoken_pieces(text, "zh", at_hand.__contains__) == pieces
    assert "".join(pieces) == text


def test_english_is_cut_the_same_way() -> None:
    text = "If you had done nothing at all, where would it be? Fine."
    assert spoken_pieces(text, "en", {"Fine."}.__contains__) == (
        "If you had done nothing at all, ",
        "where would it be? ",
        "Fine.",
    )

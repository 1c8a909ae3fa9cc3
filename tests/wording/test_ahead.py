"""Words chosen before they are due: said for the very move they were for, dropped for another."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from agent.domain.dialogue import Ask, Move
from agent.domain.errors import ChatFailed
from agent.domain.interview import Utterance
from agent.domain.language import LANGUAGES, Language
from agent.ports import Scene
from agent.testing import ScriptedChat
from agent.wording.builtin import BuiltinWording
from agent.wording.chat import ChatWording
from tests.wording.test_chat import PROBE, QUESTION_ASKED, both, plain, scene

OTHER = replace(PROBE, reason="we_without_i", rung="clarify", target="star.action")
MORE: dict[Language, str] = {
    "en": " We also moved to a larger batch.",
    "zh": "另外我们还把批次调大了。",
}


def later(at: Scene, language: Language) -> Scene:
    """Return the scene with more of the answer."""
    return replace(at, answers=(at.answers[0] + MORE[language],))


def held(
    wording: ChatWording, steps: Callable[[ChatWording], Awaitable[list[Utterance]]]
) -> list[Utterance]:
    async def hold() -> list[Utterance]:
        said = await steps(wording)
        wording.close()
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == 1
        return said

    return asyncio.run(hold())


async def said(wording: ChatWording, move: Move, at: Scene) -> list[Utterance]:
    return [item async for item in wording.utter(move, at)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_that_lie_ready_are_said_without_another_request(language: Language) -> None:
    chat = ScriptedChat(both(language))
    wording = ChatWording(chat, BuiltinWording())

    async def steps(wording: ChatWording) -> list[Utterance]:
        await wording.prepare(PROBE, scene(language))
        await wording.prepare(PROBE, scene(language))
        return await said(wording, PROBE, later(scene(language), language))

    words = held(wording, steps)
    assert words[-1].text == QUESTION_ASKED[language]
    assert words[-1].by_model
    assert (len(chat.requests), wording.ahead, wording.outcomes) == (
        1,
        {"said": 1},
        {"model": 1},
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("other", [OTHER, Ask("ring-attention", "answered")])
def test_another_move_drops_them(language: Language, other: Move) -> None:
    chat = ScriptedChat(both(language), both(language))
    wording = ChatWording(chat, BuiltinWording())

    async def steps(wording: ChatWording) -> list[Utterance]:
        await wording.prepare(PROBE, scene(language))
        await asyncio.sleep(0.05)
        return await said(wording, other, scene(language))

    words = held(wording, steps)
    usual = plain(other, scene(language))
    assert words[-1].model_copy(update={"text": "", "by_model": False}) == usual[-1].model_copy(
        update={"text": ""}
    )
    assert wording.ahead == {"dropped": 1}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_likelier_move_takes_their_place(language: Language) -> None:
    chat = ScriptedChat(both(language), both(language))
    wording = ChatWording(chat, BuiltinWording())

    async def steps(wording: ChatWording) -> list[Utterance]:
        await wording.prepare(OTHER, scene(language))
        await asyncio.sleep(0.05)
        await wording.prepare(PROBE, scene(language))
        return await said(wording, PROBE, scene(language))

    assert held(wording, steps)[-1].by_model
    assert wording.ahead == {"dropped": 1, "said": 1}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_said_meanwhile_is_not_said_again(language: Language) -> None:
    chat = ScriptedChat(both(language), ChatFailed("timeout"))
    wording = ChatWording(chat, BuiltinWording())

    async def steps(wording: ChatWording) -> list[Utterance]:
        await wording.prepare(PROBE, scene(language))
        await asyncio.sleep(0.05)
        at = scene(language)
        return await said(wording, PROBE, replace(at, said=(*at.said, QUESTION_ASKED[language])))

    (word,) = held(wording, steps)
    assert not word.by_model
    assert word.text != QUESTION_ASKED[language]
    assert wording.ahead == {"dropped": 1}


@pytest.mark.parametrize(
    "reply", [ChatFailed("timeout"), ChatFailed("malformed"), "Great answer. Why so?"]
)
def test_words_that_failed_ahead_are_asked_for_once_more(reply: str | ChatFailed) -> None:
    chat = ScriptedChat(reply, both("en"))
    wording = ChatWording(chat, BuiltinWording())

    async def steps(wording: ChatWording) -> list[Utterance]:
        await wording.prepare(PROBE, scene("en"))
        return await said(wording, PROBE, scene("en"))

    assert held(wording, steps)[-1].by_model
    assert wording.ahead == {"dropped": 1}
    assert wording.outcomes == {"model": 1}


def test_what_no_model_words_is_not_prepared() -> None:
    chat = ScriptedChat()
    wording = ChatWording(chat, BuiltinWording())

    async def steps(wording: ChatWording) -> list[Utterance]:
        await wording.prepare(Ask("ring-attention"), scene("en"))
        return await said(wording, Ask("ring-attention"), scene("en"))

    assert held(wording, steps)
    assert (chat.requests, wording.ahead) == ([], {})

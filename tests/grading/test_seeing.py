"""The builtin judgement with a model's view: asked once, waited for briefly, never needed."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from agent.domain.assessment import GradingTask
from agent.domain.chat import ChatFault, ChatRequest
from agent.domain.errors import ChatFailed
from agent.domain.language import LANGUAGES, Language
from agent.grading.builtin import BuiltinGrader
from agent.grading.seeing import IN_VAIN, SeeingGrader
from agent.ports import Reply
from agent.testing import ScriptedChat
from tests.grading.conftest import task_of, typed

TEXT: dict[Language, str] = {
    "en": "The run became faster. It took ten hours before and twelve hours afterwards.",
    "zh": "训练变快了。之前要十个小时，后来用了十二个小时。",
}
QUOTE: dict[Language, str] = {"en": "twelve hours afterwards", "zh": "后来用了十二个小时"}
MORE: dict[Language, str] = {
    "en": " Then we looked at the loader again and again, and in the end it was the disk that was "
    "too slow for what we wanted, so we bought another one and moved all of our files onto it.",
    "zh": "后来我们反复看了数据加载那一块，最后发现是磁盘太慢，撑不住我们的需求，"
    "于是又买了一块新的，把所有文件都搬了过去，再重新跑了一遍完整的实验才放心。",
}


def task(language: Language, text: str = "") -> GradingTask:
    return task_of("dp-vs-mp", language, typed(text or TEXT[language]))


def reply(language: Language) -> str:
    return json.dumps(
        {
            "claims": [QUOTE[language]],
            "key_points": [],
            "probes": [{"quote": QUOTE[language], "reason": "conflict"}],
            "wishes": [],
        },
        ensure_ascii=False,
    )


def run(*tasks: GradingTask, chat: ScriptedChat, looked: GradingTask | None = None) -> list[bool]:
    """Judge `tasks` in order; tell of each judgement whether the model's view is in it."""

    async def judge() -> list[bool]:
        grader = SeeingGrader(BuiltinGrader(None), chat)
        if looked:
            await grader.look(looked)
        found = [await grader.grade(item) for item in tasks]
        await grader.close()
        return [any(item.reason == "conflict" for item in one.findings) for one in found]

    return asyncio.run(judge())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_view_is_added_and_nothing_else_changes(language: Language) -> None:
    chat = ScriptedChat(reply(language))
    seen = asyncio.run(SeeingGrader(BuiltinGrader(None), chat).grade(task(language)))
    base = BuiltinGrader(None).assess(task(language))
    assert [item.quote for item in seen.claims] == [QUOTE[language]]
    assert (seen.score, seen.criteria, seen.grader) == (base.score, base.criteria, base.grader)
    assert [item.purpose for item in chat.requests] == ["extraction"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_seen_ahead_is_not_asked_for_again(language: Language) -> None:
    chat = ScriptedChat(reply(language))
    whole = TEXT[language] + MORE[language][:40]
    assert run(task(language, whole), chat=chat, looked=task(language)) == [True]
    assert len(chat.requests) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_much_that_came_after_is_looked_at_too(language: Language) -> None:
    chat = ScriptedChat(reply(language), reply(language))
    whole = TEXT[language] + MORE[language]
    assert run(task(language, whole), chat=chat, looked=task(language)) == [True]
    assert len(chat.requests) == 2


@pytest.mark.parametrize("fault", ["timeout", "malformed", "offline", "over_budget", "refused"])
def test_without_a_view_the_judgement_stands(fault: ChatFault) -> None:
    base = BuiltinGrader(None).assess(task("en"))
    chat = ScriptedChat(ChatFailed(fault))
    assert asyncio.run(SeeingGrader(BuiltinGrader(None), chat).grade(task("en"))) == base


def test_a_model_that_keeps_to_no_form_is_not_asked_for_ever() -> None:
    chat = ScriptedChat(*(["A red one."] * 9))
    assert run(*([task("en")] * 5), chat=chat) == [False] * 5
    assert len(chat.requests) == IN_VAIN


@pytest.mark.parametrize("text", ["", "I do not know.", "um"])
def test_where_nothing_counts_nothing_is_sent(text: str) -> None:
    chat = ScriptedChat()
    run(task("en", text or " "), chat=chat, looked=task("en", text or " "))
    assert chat.requests == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_spoken_answer_waits_for_no_view(language: Language) -> None:
    given = task(language)
    answer = given.answers[0].answer.model_copy(update={"status": "spoken"})
    spoken = replace(given, answers=(replace(given.answers[0], answer=answer),))
    chat = ScriptedChat(reply(language))
    assert run(spoken, chat=chat) == [False]
    assert chat.requests == []
    assert run(spoken, chat=chat, looked=spoken) == [True]


class Slow:
    """A model that replies when it is let."""

    def __init__(self, text: str) -> None:
        self.let = asyncio.Event()
        self._chat = ScriptedChat(text)

    def stream(self, request: ChatRequest) -> AsyncIterator[str]:
        return self._chat.stream(request)

    async def structured(self, request: ChatRequest, shape: type[Reply]) -> Reply:
        await self.let.wait()
        return await self._chat.structured(request, shape)


def test_a_late_view_serves_the_next_turn() -> None:
    async def judge() -> list[int]:
        slow = Slow(reply("en"))
        grader = SeeingGrader(BuiltinGrader(None), slow, wait_s=0.01)
        first = await grader.grade(task("en"))
        slow.let.set()
        await asyncio.sleep(0.05)
        second = await grader.grade(task("en"))
        return [len(first.claims), len(second.claims)]

    assert asyncio.run(judge()) == [0, 1]


def test_who_leaves_waits_for_no_view() -> None:
    async def judge() -> bool:
        grader = SeeingGrader(BuiltinGrader(None), Slow("{}"), wait_s=0.01)
        await grader.grade(task("en"))
        await asyncio.wait_for(grader.close(), 5)
        return len(asyncio.all_tasks()) == 1

    assert asyncio.run(judge())

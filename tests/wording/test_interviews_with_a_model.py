"""A whole interview worded over the wire: whatever fails, at any call, it comes to its end."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from agent.adapters.openai_chat import chat as adapter
from agent.adapters.openai_chat.chat import OpenAIChat
from agent.adapters.openai_chat.dialect import DialectStore
from agent.adapters.openai_chat.ledger import Ledger
from agent.domain.chat import ChatEndpoint
from agent.domain.interview import Turn, Utterance
from agent.domain.language import LANGUAGES, Language
from agent.wording.builtin import BuiltinWording
from agent.wording.chat import ChatWording
from tests.adapters.fault_scenes import FAULTS, obedient
from tests.adapters.fault_server import FaultServer, Scene, fault_server
from tests.graph.holding import Held, context, hold
from tests.llama_server import LlamaServer


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultServer]:
    monkeypatch.setattr(adapter, "PAUSE_S", 0.0)
    with fault_server() as served:
        served.always(obedient)
        yield served


def interview(
    address: str, home: Path, language: Language, patience_s: float = 5.0
) -> tuple[Held, ChatWording]:
    endpoint = ChatEndpoint(base_url=address, model="m")
    model = OpenAIChat(endpoint, DialectStore(home / "llm.json"), Ledger("m"))
    wording = ChatWording(model, BuiltinWording(), first_s=patience_s / 2, whole_s=patience_s)

    async def held() -> Held:
        try:
            return await hold(replace(context(language), wording=wording))
        finally:
            await model.close()

    return asyncio.run(held()), wording


def asked(held: Held) -> list[Utterance]:
    return [item.utterance for item in held.records if isinstance(item, Turn)]


def without_words(held: Held) -> list[Utterance]:
    blank = {"text": "", "by_model": False}
    return [
        item if item.kind == "question" else item.model_copy(update=blank) for item in asked(held)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_model_words_the_follow_ups_and_nothing_else(
    server: FaultServer, tmp_path: Path, language: Language
) -> None:
    held, wording = interview(server.address, tmp_path, language)
    usual = asyncio.run(hold(context(language)))
    assert without_words(held) == without_words(usual)
    worded = [item for item in asked(held) if item.by_model]
    assert worded
    assert {item.kind for item in worded} <= {"probe", "clarify"}
    assert wording.outcomes["model"] >= 2
    assert sum(wording.outcomes.values()) == len(server.bodies)


@pytest.mark.parametrize("name", FAULTS)
def test_one_failure_at_any_call(server: FaultServer, tmp_path: Path, name: str) -> None:
    place = list(FAULTS).index(name)
    language = LANGUAGES[place % 2]
    scenes: list[Scene] = [obedient] * (place % 4)
    server.play(*scenes, FAULTS[name], FAULTS[name])
    held, wording = interview(server.address, tmp_path, language, patience_s=0.6)
    assert without_words(held) == without_words(asyncio.run(hold(context(language))))
    assert [item.kind for item in held.spoken] == ["close"]
    assert set(wording.outcomes) - {"model"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_server_that_is_gone(tmp_path: Path, language: Language) -> None:
    with fault_server() as served:
        address = served.address
    held, wording = interview(address, tmp_path, language)
    usual = asyncio.run(hold(context(language)))
    assert held.records == usual.records
    assert set(wording.outcomes) <= {"unreachable", "resting"}


def test_a_real_server_with_a_model_far_too_small(tmp_path: Path) -> None:
    with LlamaServer() as served:
        held, wording = interview(served.address, tmp_path, "en", patience_s=1.0)
    assert without_words(held) == without_words(asyncio.run(hold(context("en"))))
    assert sum(wording.outcomes.values()) > 0

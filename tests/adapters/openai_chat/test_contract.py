"""What every server must give through the adapter: the scripted one, and a real one."""

import asyncio
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel

from agent.adapters.openai_chat.ledger import Ledger
from agent.domain.chat import ChatMessage, ChatRequest
from agent.domain.errors import ChatFailed
from tests.adapters.fault_server import FaultServer, Play, say
from tests.adapters.openai_chat.scenes import chat, request, run, streamed
from tests.llama_server import LlamaServer


class Fruit(BaseModel):
    colour: Literal["red", "green"]
    ripe: bool


ASK_FRUIT = ChatRequest(
    (ChatMessage("user", "A green pear, not ripe. Its colour, and is it ripe?"),), "check", 100
)


@pytest.fixture(params=["scripted", "llama.cpp"])
def address(request: pytest.FixtureRequest) -> str:
    if request.param == "scripted":
        served: FaultServer = request.getfixturevalue("server")
        served.always(_scripted)
        return served.address
    real: LlamaServer = request.getfixturevalue("llama")
    return real.address


def _scripted(play: Play) -> None:
    if "response_format" in play.body:
        say('{"colour": "red",', ' "ripe": true}')(play)
    else:
        say("Hello", " there", ", friend.")(play)


def test_a_reply_comes_in_pieces(address: str, tmp_path: Path) -> None:
    pieces, fault = streamed(chat(address, tmp_path), request("Say hello."))
    assert fault is None
    assert len(pieces) > 1
    assert any(character.isalpha() for character in "".join(pieces))


def test_a_reply_has_the_form(address: str, tmp_path: Path) -> None:
    model = chat(address, tmp_path)
    fruit = run(model, lambda: model.structured(ASK_FRUIT, Fruit))
    assert fruit.colour in {"red", "green"}


def test_the_server_is_known_after_one_probe(address: str, tmp_path: Path) -> None:
    model = chat(address, tmp_path)
    found = run(model, model.probe)
    assert (found.probed, found.conforms, found.json_mode) == (True, True, "json_schema")
    assert chat(address, tmp_path).dialect == found


def test_tokens_and_bytes_are_counted(address: str, tmp_path: Path) -> None:
    ledger = Ledger("a-model")
    streamed(chat(address, tmp_path, ledger), request("Say hello."))
    (used,), (sent,) = ledger.use().used, ledger.use().egress
    assert (used.purpose, used.calls, used.failures, used.estimated) == ("wording", 1, 0, False)
    assert min(used.prompt_tokens, used.reply_tokens) > 0
    assert sent.host == address.removeprefix("http://").removesuffix("/v1")
    assert (sent.purpose, sent.requests) == ("wording", 1)
    assert sent.sent_bytes > 200


def test_a_listener_may_leave(address: str, tmp_path: Path) -> None:
    model = chat(address, tmp_path)

    async def leave() -> list[str]:
        heard: list[str] = []
        for _ in range(2):
            stream = model.stream(request("Count to forty."))
            heard.append(await anext(stream))
            await stream.aclose()
        return heard

    assert all(run(model, leave))


def test_calls_run_side_by_side(address: str, tmp_path: Path) -> None:
    model = chat(address, tmp_path)

    async def both() -> list[str]:
        async def whole() -> str:
            asked = request("Say hello.")
            return "".join([piece async for piece in model.stream(asked)])

        return list(await asyncio.gather(whole(), whole()))

    assert all(run(model, both))


def test_a_killed_server_is_a_failure_and_comes_back(llama: LlamaServer, tmp_path: Path) -> None:
    model = chat(llama.address, tmp_path)

    async def die_midway() -> str:
        try:
            async for _ in model.stream(request("Tell a long story.", max_tokens=400)):
                llama.kill()
        except ChatFailed as failed:
            return failed.fault
        return "whole"

    try:
        assert run(model, die_midway) == "cut_short"
        assert streamed(chat(llama.address, tmp_path)) == ([], "unreachable")
    finally:
        llama.start()
    assert streamed(chat(llama.address, tmp_path), request("Say hello."))[0]


def test_a_prompt_beyond_the_context_is_refused_by_name(llama: LlamaServer, tmp_path: Path) -> None:
    asked = request("word " * 4000)
    model = chat(llama.address, tmp_path)
    assert streamed(model, asked) == ([], "bad_request")
    assert model.dialect == chat(llama.address, tmp_path).dialect

"""Each way in which a server can fail is one named failure, and no secret leaves with it."""

import asyncio
import logging
import traceback
from pathlib import Path

import pytest

from agent.adapters.openai_chat.chat import OpenAIChat
from agent.adapters.openai_chat.dialect import Dialect, DialectStore
from agent.adapters.openai_chat.ledger import Ledger
from agent.domain.chat import FAULT_TEXTS, ChatFault
from agent.domain.errors import ChatFailed
from agent.domain.language import LANGUAGES
from tests.adapters.fault_server import (
    FaultServer,
    Scene,
    cut,
    error_inside,
    fault_server,
    flood,
    garbage,
    not_a_stream,
    odd_content,
    redirect,
    refusal,
    say,
    silent,
    stalled,
    status,
    thinking_apart,
)
from tests.adapters.openai_chat.scenes import KEY, Claim, chat, endpoint, formed, request, streamed

GOOD = say("Hel", "lo.")
GOOD_FORM = say('{"text": "it ran", ', '"sure": true, "parts": [1]}')


ONCE: list[tuple[str, Scene, ChatFault]] = [
    ("400", status(400, "what is this?"), "bad_request"),
    ("401", status(401, f"Incorrect API key provided: {KEY}"), "unauthorized"),
    ("402", status(402, "Insufficient Balance"), "unpaid"),
    ("403", status(403), "unauthorized"),
    ("404", status(404, "no such model"), "not_found"),
    ("429 for good", status(429, "pay first", "insufficient_quota"), "unpaid"),
    ("redirection", redirect("http://127.0.0.1:9/elsewhere"), "redirected"),
    ("refusal", refusal, "refused"),
    ("content filter", say("Well", finish="content_filter"), "refused"),
    ("tool calls", say("x", finish="tool_calls"), "odd_finish"),
    ("unheard-of finish", say("x", finish="repetition_truncation"), "odd_finish"),
    ("flood", flood, "oversized"),
]
TWICE: list[tuple[str, Scene, ChatFault]] = [
    ("429", status(429), "rate_limited"),
    ("500", status(500), "server_error"),
    ("503", status(503), "server_error"),
    ("blank", say(), "blank"),
    ("white space", say(" ", "\n"), "blank"),
    ("nothing but thinking", say("<think>hm</think>"), "blank"),
    ("nothing but an endless thought", say("<think>hm"), "blank"),
    ("garbage", garbage, "malformed"),
    ("a page", not_a_stream, "blank"),
    ("a list", odd_content, "malformed"),
]


@pytest.mark.parametrize(("scene", "fault"), [row[1:] for row in ONCE], ids=[r[0] for r in ONCE])
@pytest.mark.parametrize("ask", [streamed, formed])
def test_what_stays_is_not_tried_twice(
    server: FaultServer, tmp_path: Path, scene: Scene, fault: ChatFault, ask: object
) -> None:
    store = DialectStore(tmp_path / "llm.json")
    store.keep(endpoint(server.address), Dialect(json_mode="prompt"))
    model = chat(server.address, tmp_path)
    server.play(scene, GOOD)
    got = streamed(model)[1] if ask is streamed else formed(model)
    assert got == fault
    assert len(server.bodies) == 1


@pytest.mark.parametrize(("scene", "fault"), [row[1:] for row in TWICE], ids=[r[0] for r in TWICE])
def test_what_may_pass_is_tried_twice(
    server: FaultServer, tmp_path: Path, scene: Scene, fault: ChatFault
) -> None:
    server.play(scene, GOOD)
    assert streamed(chat(server.address, tmp_path)) == (["Hel", "lo."], None)
    server.play(scene, scene)
    assert streamed(chat(server.address, tmp_path)) == ([], fault)
    server.play(scene, GOOD_FORM)
    assert formed(chat(server.address, tmp_path)) == Claim(text="it ran", sure=True, parts=[1])


def test_nobody_listens(tmp_path: Path) -> None:
    with fault_server() as gone:
        address = gone.address
    assert streamed(chat(address, tmp_path)) == ([], "unreachable")
    assert formed(chat(address, tmp_path)) == "unreachable"


@pytest.mark.parametrize(
    ("scene", "fault", "heard"),
    [
        (cut, "cut_short", "The first sentence. And then"),
        (say("Half a", finish=None), "cut_short", "Half a"),
        (say("Half a", finish="length"), "cut_short", "Half a"),
        (error_inside, "server_error", "Well, "),
        (stalled, "timeout", "A first sentence. A sec"),
    ],
)
def test_what_came_is_kept_and_not_begun_anew(
    server: FaultServer, tmp_path: Path, scene: Scene, fault: ChatFault, heard: str
) -> None:
    server.play(scene, GOOD)
    pieces, ended = streamed(chat(server.address, tmp_path), request(limit_s=0.5))
    assert ("".join(pieces), ended) == (heard, fault)
    assert server.left == 1


def test_silence_ends_with_the_limit(server: FaultServer, tmp_path: Path) -> None:
    server.always(silent)
    assert streamed(chat(server.address, tmp_path), request(limit_s=0.4)) == ([], "timeout")
    assert formed(chat(server.address, tmp_path), request(limit_s=0.4)) == "timeout"


@pytest.mark.parametrize(
    "wrong",
    [
        "no object at all",
        '{"text": "a"',
        '{"text": "a", "sure": "perhaps"}',
        "[" * 3000,
        "{" * 3000,
    ],
)
def test_a_wrong_form_is_mended_once(server: FaultServer, tmp_path: Path, wrong: str) -> None:
    asked = request(max_tokens=600)
    server.play(say(wrong), GOOD_FORM)
    assert isinstance(formed(chat(server.address, tmp_path), asked), Claim)
    repair = server.bodies[1]["messages"]
    assert [item["role"] for item in repair] == ["system", "user", "assistant", "user"]
    assert '"sure"' in repair[-1]["content"]
    server.play(say(wrong), say(wrong))
    assert formed(chat(server.address, tmp_path), asked) == "malformed"


def test_thinking_is_never_heard(server: FaultServer, tmp_path: Path) -> None:
    server.play(thinking_apart, say("<thi", "nk>no", " no</th", "ink>\n\nYes", "."))
    assert streamed(chat(server.address, tmp_path)) == (["Heard."], None)
    assert "".join(streamed(chat(server.address, tmp_path))[0]) == "Yes."


def test_thinking_that_a_template_opened_is_learnt(server: FaultServer, tmp_path: Path) -> None:
    unopened = say("I must not", " say </think>", "Yes.")
    server.play(unopened, unopened)
    assert streamed(chat(server.address, tmp_path))[1] == "odd_finish"
    assert streamed(chat(server.address, tmp_path)) == (["Yes."], None)
    server.play(say('Hm {"x"} </think> {"text": "a", "sure": false}'))
    assert formed(chat(server.address, tmp_path)) == Claim(text="a", sure=False)


def test_a_server_that_fails_again_and_again_rests(server: FaultServer, tmp_path: Path) -> None:
    server.always(status(500))
    model = chat(server.address, tmp_path)
    assert streamed(model)[1] == "server_error"
    assert streamed(model)[1] == "resting"
    assert len(server.bodies) == 2


def test_every_fault_is_told_in_both_languages() -> None:
    for fault in FAULT_TEXTS:
        failed = ChatFailed(fault, "why")
        assert len({failed.text(language) for language in LANGUAGES}) == 2
        assert all("why" in failed.text(language) for language in LANGUAGES)


def test_the_key_is_nowhere_but_in_the_request(
    server: FaultServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    echo = f"bad key {KEY} in Bearer {KEY}"
    ledger = Ledger("a-model")
    store = DialectStore(tmp_path / "llm.json")
    model = OpenAIChat(endpoint(server.address), store, ledger)
    shown: list[str] = [repr(model), repr(endpoint(server.address)), repr(vars(model))]
    for scene in (status(401, echo), status(400, echo), status(429, echo), error_inside, GOOD):
        server.play(scene, scene)
        try:
            asyncio.run(_once(model))
        except ChatFailed as failed:
            shown += [str(failed), failed.detail, *traceback.format_exception(failed)]
    shown += [caplog.text, repr(ledger.use()), ledger.use().model_dump_json()]
    shown += [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert [text for text in shown if KEY in text] == []
    assert {headers["authorization"] for headers in server.headers} == {f"Bearer {KEY}"}


async def _once(model: OpenAIChat) -> None:
    try:
        async for _ in model.stream(request()):
            pass
    finally:
        await model.close()

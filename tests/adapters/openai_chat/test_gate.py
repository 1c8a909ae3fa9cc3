"""What goes out, and that nothing else does."""

import sys
from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from agent.adapters.openai_chat.chat import OpenAIChat
from agent.adapters.openai_chat.dialect import DialectStore
from agent.adapters.openai_chat.ledger import Ledger
from agent.domain.chat import ChatEndpoint, TokenPrices
from tests.adapters.fault_server import FaultServer, fault_server, redirect, say, status
from tests.adapters.openai_chat.scenes import KEY, chat, endpoint, request, streamed

ELSEWHERE = {
    "OPENAI_API_KEY": "sk-another-key-0815",
    "OPENAI_ADMIN_KEY": "sk-admin-key-0815",
    "OPENAI_ORG_ID": "org-private",
    "OPENAI_PROJECT_ID": "project-private",
    "OPENAI_CUSTOM_HEADERS": "X-Gateway: gateway-private",
    "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "ALL_PROXY": "http://127.0.0.1:9",
}


def test_only_the_own_key_and_plain_headers_are_sent(
    server: FaultServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ELSEWHERE.items():
        monkeypatch.setenv(name, value)
    server.always(say("Hello."))
    assert streamed(chat(server.address, tmp_path)) == (["Hello."], None)
    nameless = OpenAIChat(
        endpoint(server.address, key=None), DialectStore(tmp_path / "l"), Ledger("m")
    )
    assert streamed(nameless) == (["Hello."], None)
    with_key, without = ({name.lower(): value for name, value in h.items()} for h in server.headers)
    assert with_key["authorization"] == f"Bearer {KEY}"
    assert "authorization" not in without
    assert set(without) <= {
        "accept",
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "host",
        "user-agent",
    }
    assert without["user-agent"] == "viva-interview"
    assert not [value for value in ELSEWHERE.values() if value in str(server.headers)]


def test_every_byte_is_in_the_ledger(server: FaultServer, tmp_path: Path) -> None:
    ledger = Ledger("a-model")
    server.play(status(500), say("Hello."))
    streamed(chat(server.address, tmp_path, ledger), request("Wie geht's? 你好吗？"))
    (sent,) = ledger.use().egress
    assert sent.requests == len(server.bodies) == 2
    assert sent.sent_bytes == pytest.approx(sum(server.raw_sizes), abs=40)


def test_a_redirection_is_not_followed(server: FaultServer, tmp_path: Path) -> None:
    with fault_server() as other:
        other.always(say("Gotcha."))
        server.play(redirect(f"{other.address}/chat/completions"))
        assert streamed(chat(server.address, tmp_path)) == ([], "redirected")
        assert other.bodies == []


def test_connections_go_where_the_ledger_says(server: FaultServer, tmp_path: Path) -> None:
    reached: set[str] = set()
    listening = True

    def hear(event: str, arguments: tuple[object, ...]) -> None:
        if listening and event == "socket.connect":
            host, port, *_ = arguments[1]  # type: ignore[misc]
            reached.add(f"{host}:{port}")

    sys.addaudithook(hear)
    ledger = Ledger("a-model")
    server.always(say("Hello."))
    streamed(chat(server.address, tmp_path, ledger))
    listening = False
    assert reached == {entry.host for entry in ledger.use().egress}


def test_offline_closes_the_world_but_not_this_machine(server: FaultServer, tmp_path: Path) -> None:
    ledger = Ledger("a-model")
    far = ChatEndpoint(base_url="https://llm.example.org/v1", model="m", api_key=SecretStr(KEY))
    model = OpenAIChat(far, DialectStore(tmp_path / "l"), ledger, offline=True)
    assert streamed(model) == ([], "offline")
    assert (ledger.use().egress, ledger.use().used) == ((), ())
    server.play(say("Hello."))
    assert streamed(chat(server.address, tmp_path, offline=True)) == (["Hello."], None)


PRICES = TokenPrices(prompt=1_000_000, reply=2_000_000)  # 1 a token of the prompt, 2 of a reply


def test_cost_is_counted_and_kept_within_its_limit(server: FaultServer, tmp_path: Path) -> None:
    server.always(say("Hello."))  # 11 tokens in, 7 out
    ledger = Ledger("a-model", PRICES, max_cost=150)
    model = chat(server.address, tmp_path, ledger)
    assert streamed(model) == (["Hello."], None)
    assert ledger.use().used[0].cost == 25
    assert streamed(model) == ([], "over_budget")
    assert len(server.bodies) == 1
    assert streamed(model, request(max_tokens=20)) == (["Hello."], None)


def test_what_a_server_does_not_count_is_estimated(server: FaultServer, tmp_path: Path) -> None:
    ledger = Ledger("a-model", PRICES)
    server.play(say("Hello.", usage=False))
    streamed(chat(server.address, tmp_path, ledger))
    (used,) = ledger.use().used
    assert (used.estimated, used.prompt_tokens, used.reply_tokens) == (True, 8, 2)


def test_a_failed_call_is_counted(server: FaultServer, tmp_path: Path) -> None:
    ledger = Ledger("a-model")
    server.play(status(400))
    streamed(chat(server.address, tmp_path, ledger))
    assert [(used.calls, used.failures) for used in ledger.use().used] == [(1, 1)]
    assert ledger.use().used[0].cost is None


def test_a_limit_needs_prices() -> None:
    with pytest.raises(ValueError, match="prices"):
        Ledger("a-model", max_cost=1)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "api.openai.com",
        "ftp://example.org/v1",
        "https://",
        "https://user:secret@example.org/v1",
        "https://example.org/v1?key=secret",
    ],
)
def test_an_address_is_plain(address: str) -> None:
    with pytest.raises(ValidationError):
        ChatEndpoint(base_url=address, model="m")


@pytest.mark.parametrize(
    ("address", "host", "local", "clear"),
    [
        ("https://api.deepseek.com/v1/", "api.deepseek.com", False, False),
        ("http://127.0.0.1:11434/v1", "127.0.0.1:11434", True, False),
        ("http://localhost:8000/v1", "localhost:8000", True, False),
        ("http://[::1]:8000/v1", "[::1]:8000", True, False),
        ("http://10.0.0.7:8000/v1", "10.0.0.7:8000", False, True),
    ],
)
def test_where_an_address_is(address: str, host: str, local: bool, clear: bool) -> None:
    found = ChatEndpoint(base_url=address, model="m")
    assert (found.host, found.local, found.in_the_clear) == (host, local, clear)

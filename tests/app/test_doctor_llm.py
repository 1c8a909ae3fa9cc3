"""What the pre-flight finds out about a language model, from servers of every kind."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.adapters.openai_chat.chat import OpenAIChat
from agent.adapters.openai_chat.dialect import DialectStore
from agent.adapters.openai_chat.ledger import Ledger
from agent.app import probes
from agent.app.checks.language_model import check_language_model
from agent.app.checks.result import LANGUAGE_MODEL, CheckResult
from agent.app.checks.verdict import model_verdict
from agent.app.cli import app
from agent.app.probes import Options
from agent.domain.chat import ChatEndpoint, ChatUse
from agent.domain.language import LANGUAGES, Language
from tests.adapters.fault_server import (
    FaultServer,
    Play,
    Scene,
    fault_server,
    garbage,
    refusal,
    say,
    status,
)

KEY = "sk-this-is-the-secret-of-the-test-0042"
PASSWORD = re.compile(r"The password is ([\w-]+)\.")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultServer]:
    with fault_server() as served:
        monkeypatch.setenv("VIVA_LLM_BASE_URL", served.address)
        monkeypatch.setenv("VIVA_LLM_MODEL", "a-model")
        monkeypatch.setenv("VIVA_LLM_API_KEY", KEY)
        yield served


def model(*, form: bool = True, window: int = 1_000_000, memory: bool = True) -> Scene:
    """A model that sees the last `window` characters of what it is asked."""

    def scene(play: Play) -> None:
        seen = "\n".join(message["content"] for message in play.body["messages"])[-window:]
        password = PASSWORD.search(seen)
        if "apple" in seen:
            say('{"colour": "red", "ripe": true}' if form else "A fine apple.")(play)
        elif "password" in seen:
            say(password[1] if password and memory else "I do not know.")(play)
        else:
            say("Hello.")(play)

    return scene


def refuses_long_prompts(play: Play) -> None:
    if len(play.body["messages"][-1]["content"]) > 2000:
        status(400, "the request exceeds the available context size")(play)
    else:
        model()(play)


def rows() -> dict[str, CheckResult]:
    async def made() -> list[CheckResult]:
        return [row async for row in probes.language_model(Options(llm=True))]

    found = asyncio.run(made())
    assert tuple(row.check for row in found) == LANGUAGE_MODEL
    assert all(row.remedy for row in found if row.state != "ok")
    assert not any(KEY in row.model_dump_json() for row in found)
    return {row.check: row for row in found}


def test_a_good_model_passes(server: FaultServer) -> None:
    server.always(model())
    found = rows()
    assert {row.state for row in found.values()} == {"ok"}
    assert "a-model" in found["endpoint"].found.zh
    assert found["forms"].found.en == "json_schema"
    assert "stays on this machine" in found["egress"].found.en
    assert re.search(r"发送了 \d{4,} 字节", found["egress"].found.zh)
    assert model_verdict([*found.values()])[0]


@pytest.mark.parametrize(
    ("scene", "check", "helps"),
    [
        (model(form=False), "forms", "larger model"),
        (model(window=4000), "context", "OLLAMA_CONTEXT_LENGTH"),
        (model(memory=False), "context", "larger model"),
    ],
)
def test_a_weak_server_is_found_out_and_can_be_used(
    server: FaultServer, scene: Scene, check: str, helps: str
) -> None:
    server.always(scene)
    found = rows()
    assert {name for name, row in found.items() if row.state != "ok"} == {check}
    row = found[check]
    assert row.remedy is not None
    assert (row.state, helps in row.remedy.en) == ("warn", True)
    assert model_verdict([*found.values()])[0]


def test_a_server_that_refuses_a_long_prompt_needs_more_context(server: FaultServer) -> None:
    server.always(refuses_long_prompts)
    row = rows()["context"]
    assert row.state == "warn"
    assert "context size" in row.found.en
    assert row.remedy is not None
    assert "OLLAMA_CONTEXT_LENGTH" in row.remedy.zh


@pytest.mark.parametrize(
    ("scene", "helps"),
    [
        (status(401, f"bad key {KEY}"), "VIVA_LLM_API_KEY"),
        (status(402), "VIVA_LLM_API_KEY"),
        (status(404, "no such model"), "VIVA_LLM_MODEL"),
        (status(429), "try again"),
        (status(500), "try again"),
        (refusal, "try again"),
    ],
)
def test_a_server_that_fails_is_told_with_its_remedy(
    server: FaultServer, scene: Scene, helps: str
) -> None:
    server.always(scene)
    found = rows()
    failed = {name for name, row in found.items() if row.state == "fail"}
    assert failed == {"forms", "first_token", "context"}
    remedy = found["forms"].remedy
    assert remedy is not None
    assert helps in remedy.en
    assert "mend the rows above" in (found["context"].remedy or remedy).en
    assert not model_verdict([*found.values()])[0]


def test_garbage_is_no_form(server: FaultServer) -> None:
    server.always(garbage)
    assert rows()["forms"].state == "warn"


def test_a_server_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with fault_server() as gone:
        address = gone.address
    monkeypatch.setenv("VIVA_LLM_BASE_URL", address)
    monkeypatch.setenv("VIVA_LLM_MODEL", "a-model")
    found = rows()
    remedy = found["forms"].remedy
    assert remedy is not None
    assert "ollama serve" in remedy.zh
    assert found["endpoint"].state == "ok"


def test_what_others_could_read_is_told() -> None:
    endpoint = ChatEndpoint(base_url="http://10.0.0.7:8000/v1", model="a-model")
    model = OpenAIChat(endpoint, DialectStore(Path("/nowhere")), Ledger("a-model"), offline=True)

    async def last() -> CheckResult:
        checks = check_language_model(endpoint, model, lambda: ChatUse(model="a-model"), "linux")
        *_, row = [row async for row in checks]
        return row

    row = asyncio.run(last())
    assert (row.check, row.state) == ("egress", "warn")
    assert "10.0.0.7:8000" in row.found.zh
    assert row.remedy is not None
    assert "https" in row.remedy.zh


@pytest.mark.parametrize("language", LANGUAGES)
def test_with_nothing_named_it_says_how(
    language: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    found = rows()
    assert "OPENAI_API_KEY" in found["endpoint"].found.get(language)
    remedy = found["endpoint"].remedy
    assert remedy is not None
    for name in ("VIVA_LLM_BASE_URL", "VIVA_LLM_MODEL", "VIVA_LLM_API_KEY"):
        assert name in remedy.get(language)
    good, sentence = model_verdict([*found.values()])
    assert not good
    assert sentence.get(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_shows_rows_and_ends_with_the_verdict(
    language: Language, server: FaultServer
) -> None:
    server.always(model())
    ran = CliRunner().invoke(app, ["doctor", "--llm", "--json", "--lang", language])
    *shown, last = (json.loads(line) for line in ran.stdout.splitlines())
    assert [row["check"] for row in shown] == [*LANGUAGE_MODEL]
    assert ran.exit_code == 0
    assert last["usable"] is True
    assert KEY not in ran.output


def test_a_model_that_is_not_named_is_a_failure_of_the_command() -> None:
    ran = CliRunner().invoke(app, ["doctor", "--llm"])
    assert ran.exit_code == 1
    assert "viva doctor --llm" in ran.output

"""The servers that the chat adapter is tried against."""

from collections.abc import Iterator

import pytest

from agent.adapters.openai_chat import chat
from tests.adapters.fault_server import FaultServer, fault_server
from tests.llama_server import LlamaServer


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try a second time at once."""
    monkeypatch.setattr(chat, "PAUSE_S", 0.0)


@pytest.fixture
def server() -> Iterator[FaultServer]:
    """A server that plays what it is told."""
    with fault_server() as served:
        yield served


@pytest.fixture(scope="session")
def llama() -> Iterator[LlamaServer]:
    """A real server with a real, very small model."""
    with LlamaServer() as served:
        yield served

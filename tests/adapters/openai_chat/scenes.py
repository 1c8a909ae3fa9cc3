"""What the tests of the chat adapter share."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, Field, SecretStr

from agent.adapters.openai_chat.chat import OpenAIChat
from agent.adapters.openai_chat.dialect import DialectStore
from agent.adapters.openai_chat.ledger import Ledger
from agent.domain.chat import ChatEndpoint, ChatMessage, ChatRequest
from agent.domain.errors import ChatFailed

KEY = "sk-this-is-the-secret-of-the-test-0042"
T = TypeVar("T")


class Claim(BaseModel):
    text: str
    sure: bool
    parts: list[int] = Field(default_factory=list[int], max_length=3)


def endpoint(address: str, key: str | None = KEY, model: str = "a-model") -> ChatEndpoint:
    return ChatEndpoint(base_url=address, model=model, api_key=SecretStr(key) if key else None)


def request(text: str = "Say it.", *, limit_s: float = 30.0, max_tokens: int = 60) -> ChatRequest:
    messages = (ChatMessage("system", "You are brief."), ChatMessage("user", text))
    return ChatRequest(messages, "wording", max_tokens, limit_s=limit_s)


def chat(
    address: str, home: Path, ledger: Ledger | None = None, *, offline: bool = False
) -> OpenAIChat:
    ledger = ledger or Ledger("a-model")
    return OpenAIChat(endpoint(address), DialectStore(home / "llm.json"), ledger, offline=offline)


def run(model: OpenAIChat, act: Callable[[], Awaitable[T]]) -> T:
    async def acted() -> T:
        try:
            return await act()
        finally:
            await model.close()

    return asyncio.run(acted())


def streamed(model: OpenAIChat, asked: ChatRequest | None = None) -> tuple[list[str], str | None]:
    """Return the pieces that came, and the fault that ended them."""
    pieces: list[str] = []

    async def listen() -> str | None:
        try:
            async for piece in model.stream(asked or request()):
                pieces.append(piece)  # noqa: PERF401 - those before a failure count
        except ChatFailed as failed:
            return failed.fault
        return None

    return pieces, run(model, listen)


def formed(model: OpenAIChat, asked: ChatRequest | None = None) -> Claim | str:
    """Return the claim, or the fault."""

    async def ask() -> Claim | str:
        try:
            return await model.structured(asked or request(max_tokens=200), Claim)
        except ChatFailed as failed:
            return failed.fault

    return run(model, ask)

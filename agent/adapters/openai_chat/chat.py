"""A language model behind any address that speaks OpenAI's chat protocol."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportCallIssue=false, reportArgumentType=false
# The client's overloads do not know parameters that are put together at run time.

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Literal

import openai
from openai import AsyncOpenAI
from pydantic import BaseModel

from agent.adapters.openai_chat.dialect import JSON_MODES, Dialect, DialectStore
from agent.adapters.openai_chat.faults import failure
from agent.adapters.openai_chat.forms import read_form, repair, response_format, told_form
from agent.adapters.openai_chat.gate import PURPOSE_HEADER, TOTAL_S, Gate
from agent.adapters.openai_chat.ledger import Ledger
from agent.adapters.openai_chat.reading import Reading
from agent.adapters.openai_chat.rest import Rest
from agent.adapters.openai_chat.thinking import (
    ThinkingFilter,
    UnopenedThinking,
    without_thinking,
)
from agent.domain.chat import ChatEndpoint, ChatFault, ChatMessage, ChatRequest
from agent.domain.errors import ChatFailed, VivaError
from agent.ports import Reply

PAUSE_S = 0.3
"""Before a second try."""

Messages = tuple[ChatMessage, ...]
Shape = type[BaseModel] | None


class _Apple(BaseModel):
    colour: Literal["green", "red"]
    ripe: bool


_PROBE = ChatRequest(
    messages=(
        ChatMessage("user", "A ripe red apple lies on a table. What colour is it, and is it ripe?"),
    ),
    purpose="check",
    max_tokens=400,
)


class OpenAIChat:
    """A `ChatModel` at an endpoint; one second try, and a limit to every wait.

    Args:
        endpoint: Where the model is.
        dialects: What is known of endpoints.
        ledger: Where tokens, cost and bytes are entered.
        offline: Nothing may leave this machine.
    """

    def __init__(
        self,
        endpoint: ChatEndpoint,
        dialects: DialectStore,
        ledger: Ledger,
        *,
        offline: bool = False,
    ) -> None:
        self._endpoint = endpoint
        self._dialects = dialects
        self._dialect = dialects.get(endpoint)
        self._ledger = ledger
        self._gate = Gate(endpoint, ledger, offline=offline)
        self._rest = Rest()
        self._client: AsyncOpenAI | None = None

    @property
    def dialect(self) -> Dialect:
        """What is known of the server."""
        return self._dialect

    async def stream(self, request: ChatRequest) -> AsyncGenerator[str]:
        """Yield the reply in pieces as they come.

        Raises:
            ChatFailed: Nothing, or only the pieces so far, can be had.
        """
        deadline = _deadline(request)
        for last in (False, True):
            begun = False
            try:
                async with aclosing(self._spoken(request, deadline)) as pieces:
                    async for piece in pieces:
                        begun = True
                        yield piece
            except ChatFailed as fault:
                if begun or last or not _worth_trying(fault, deadline):
                    raise
            else:
                return
            await asyncio.sleep(PAUSE_S)

    async def structured(self, request: ChatRequest, shape: type[Reply]) -> Reply:
        """Return a reply of the given shape, mended once where it has another.

        Raises:
            ChatFailed: No reply of that shape can be had.
        """
        deadline = _deadline(request)
        messages = request.messages
        for last in (False, True):
            text = ""
            try:
                text = await self._whole(request, messages, shape, deadline)
                return read_form(text, shape)
            except ChatFailed as fault:
                if last or not _worth_trying(fault, deadline):
                    raise
                if fault.fault == "malformed":
                    messages = repair(request.messages, text, shape, fault.detail)
            await asyncio.sleep(PAUSE_S)
        raise AssertionError("the second try returns or raises")

    async def probe(self) -> Dialect:
        """Find out, and keep, how the server can be asked for a form.

        Raises:
            ChatFailed: It cannot be asked at all.
        """
        for mode in JSON_MODES:
            self._dialect = self._dialect.model_copy(update={"json_mode": mode})
            try:
                text = await self._whole(_PROBE, _PROBE.messages, _Apple, _deadline(_PROBE))
                read_form(text, _Apple)
            except ChatFailed as fault:
                if fault.fault not in {"malformed", "blank", "cut_short", "oversized"}:
                    raise
                continue
            self._learn(self._dialect.model_copy(update={"probed": True, "conforms": True}))
            return self._dialect
        self._learn(self._dialect.model_copy(update={"probed": True, "conforms": False}))
        return self._dialect

    async def close(self) -> None:
        """Let the connections go."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _spoken(self, request: ChatRequest, deadline: float) -> AsyncGenerator[str]:
        """Yield the reply without its thinking."""
        thinking = ThinkingFilter(inside=self._dialect.thinks_first)
        said = False
        async with aclosing(self._pieces(request, request.messages, None, deadline)) as pieces:
            async for piece in pieces:
                try:
                    text = thinking.feed(piece)
                except UnopenedThinking:
                    self._learn(self._dialect.model_copy(update={"thinks_first": True}))
                    raise ChatFailed("odd_finish", "thinking inside the reply") from None
                if text:
                    said = True
                    yield text
        rest = thinking.close()
        if rest:
            yield rest
        elif not said:
            raise ChatFailed("blank")

    async def _whole(
        self, request: ChatRequest, messages: Messages, shape: Shape, deadline: float
    ) -> str:
        async with aclosing(self._pieces(request, messages, shape, deadline)) as pieces:
            return without_thinking("".join([piece async for piece in pieces]))

    async def _pieces(
        self, request: ChatRequest, messages: Messages, shape: Shape, deadline: float
    ) -> AsyncGenerator[str]:
        """Yield the reply as it comes, asking more simply where the server does not understand."""
        while True:
            begun = False
            try:
                async with aclosing(self._call(request, messages, shape, deadline)) as pieces:
                    async for piece in pieces:
                        begun = True
                        yield piece
            except ChatFailed as fault:
                simpler = self._dialect.simpler(fault.detail, structured=shape is not None)
                if begun or fault.fault != "bad_request" or simpler is None:
                    raise
                self._learn(simpler)
            else:
                return

    async def _call(
        self, request: ChatRequest, messages: Messages, shape: Shape, deadline: float
    ) -> AsyncGenerator[str]:
        """Make one request and yield the raw text of its reply."""
        self._gate.check()
        now = asyncio.get_running_loop().time
        self._rest.check(now())
        if shape is not None and self._dialect.json_mode != "json_schema":
            messages = told_form(messages, shape)
        size = sum(len(message.text.encode(errors="replace")) for message in messages)
        call = self._ledger.begin(request.purpose, size, request.max_tokens)
        reading = Reading(call, request.max_tokens)
        fault: ChatFault | None = None
        chunks: Any = None
        try:
            async with asyncio.timeout_at(deadline):
                chunks = await self._opened().chat.completions.create(
                    **self._parameters(request, messages, shape)
                )
            while True:
                async with asyncio.timeout_at(deadline):
                    chunk = await anext(chunks, None)
                if chunk is None:
                    break
                if text := reading.take(chunk):
                    yield text
            reading.end()
        except ChatFailed as error:
            fault = error.fault
            raise
        except (openai.OpenAIError, TimeoutError, ValueError) as error:
            mapped = self._failure(error, begun=reading.characters > 0)
            fault = mapped.fault if isinstance(mapped, ChatFailed) else None
            raise mapped from None  # the client's own holds request and reply
        finally:
            call.failed = fault is not None
            self._ledger.settle(call)
            self._rest.note(fault, now())
            if chunks is not None:
                await chunks.close()

    def _failure(self, error: Exception, *, begun: bool) -> VivaError:
        return failure(error, self._endpoint.api_key, begun=begun)

    def _parameters(self, request: ChatRequest, messages: Messages, shape: Shape) -> dict[str, Any]:
        dialect = self._dialect
        asked: dict[str, Any] = {
            "model": self._endpoint.model,
            "messages": [{"role": item.role, "content": item.text} for item in messages],
            "stream": True,
            dialect.limit_name: request.max_tokens,
            "extra_headers": {PURPOSE_HEADER: request.purpose},
        }
        if dialect.temperature:
            asked["temperature"] = request.temperature
        if dialect.usage:
            asked["stream_options"] = {"include_usage": True}
        form = response_format(shape, dialect.json_mode) if shape is not None else None
        if form is not None:
            asked["response_format"] = form
        return asked

    def _opened(self) -> AsyncOpenAI:
        """Return the client; it is told no key, which the gate adds."""
        if self._client is None:
            self._client = AsyncOpenAI(
                base_url=self._endpoint.base_url,
                api_key="added-at-the-gate",
                max_retries=0,
                timeout=TOTAL_S,
                http_client=self._gate.client(),
            )
        return self._client

    def _learn(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._dialects.keep(self._endpoint, dialect)


def _deadline(request: ChatRequest) -> float:
    return asyncio.get_running_loop().time() + min(request.limit_s, TOTAL_S)


def _worth_trying(fault: ChatFailed, deadline: float) -> bool:
    time_left = asyncio.get_running_loop().time() + PAUSE_S < deadline
    return fault.retryable and time_left

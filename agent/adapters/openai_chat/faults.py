"""What the client raises, as the house's own failure; nothing secret is passed on."""

import re
from typing import cast

import openai
from pydantic import SecretStr

from agent.domain.chat import ChatFault
from agent.domain.errors import ChatFailed, VivaError
from agent.policy.folding import printable

DETAIL_CHARACTERS = 160
_SECRET = re.compile(r"(?i)\b(?:bearer\s+\S+|(?:sk|ak|key|token)[-_][\w*.-]{6,})")
_STATUS: dict[int, ChatFault] = {
    401: "unauthorized",
    402: "unpaid",
    403: "unauthorized",
    404: "not_found",
    408: "timeout",
    413: "bad_request",
    429: "rate_limited",
}


def failure(error: Exception, key: SecretStr | None, *, begun: bool) -> VivaError:
    """Return the house's failure for one of the client's.

    Args:
        error: What the client raised.
        key: What no message may hold.
        begun: Part of the reply had come.
    """
    if isinstance(error.__cause__, VivaError):
        return error.__cause__  # the gate's
    if isinstance(error, TimeoutError | openai.APITimeoutError):
        return ChatFailed("timeout")
    if isinstance(error, openai.APIConnectionError):
        return ChatFailed("cut_short" if begun else "unreachable")
    if isinstance(error, openai.APIStatusError):
        return ChatFailed(_of_status(error), told(f"HTTP {error.status_code}: {_said(error)}", key))
    if isinstance(error, openai.APIError) and error.body:  # an error in the middle of a stream
        return ChatFailed("server_error", told(_said(error), key))
    return ChatFailed("malformed", type(error).__name__)


def told(text: str, key: SecretStr | None) -> str:
    """Return what a server said: short, printable, and without anything that looks like a key."""
    if key is not None and key.get_secret_value():
        text = text.replace(key.get_secret_value(), "***")
    text = " ".join(printable(_SECRET.sub("***", text)).split())
    if len(text) <= DETAIL_CHARACTERS:
        return text
    return f"{text[: DETAIL_CHARACTERS - 1]}…"


def _of_status(error: openai.APIStatusError) -> ChatFault:
    if error.code == "insufficient_quota":
        return "unpaid"
    status = error.status_code
    if status < 400:
        return "redirected"
    return _STATUS.get(status, "server_error" if status >= 500 else "bad_request")


def _said(error: openai.APIError) -> str:
    body: object = error.body
    if isinstance(body, dict):
        message = cast("dict[str, object]", body).get("message")
        return message if isinstance(message, str) else ""
    return error.message

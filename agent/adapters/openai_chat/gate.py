"""The one place through which bytes leave for a language model."""

from typing import Any, cast

from openai import DefaultAsyncHttpxClient, Timeout

from agent.adapters.openai_chat.ledger import Ledger
from agent.domain.chat import ChatEndpoint, ChatPurpose
from agent.domain.errors import ChatFailed

PURPOSE_HEADER = "x-viva-purpose"
"""Tells the gate what a request is for; it is taken off there."""
SENT_HEADERS = frozenset(
    {
        "accept",
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "host",
        "user-agent",
    }
)
"""What a server is told beside the key. The client would add this machine's system and version,
and whatever organisation, project or header the environment names for another provider."""
USER_AGENT = "viva-interview"
CONNECT_S = 5.0
TOTAL_S = 30.0


class Gate:
    """Looks at each request just before it goes out: lets it pass, counts it, adds the key.

    Args:
        endpoint: The only server that is talked to.
        ledger: Where the bytes are entered.
        offline: Nothing may leave this machine.
    """

    def __init__(self, endpoint: ChatEndpoint, ledger: Ledger, *, offline: bool) -> None:
        self._endpoint = endpoint
        self._ledger = ledger
        self._offline = offline

    def check(self) -> None:
        """See whether anything may go out.

        Raises:
            ChatFailed: Not while the network is closed.
        """
        if self._offline and not self._endpoint.local:
            raise ChatFailed("offline")

    def client(self) -> DefaultAsyncHttpxClient:
        """Return a connection that goes through the gate and follows no redirection."""
        return DefaultAsyncHttpxClient(
            event_hooks={"request": [self._pass]},
            follow_redirects=False,
            timeout=Timeout(TOTAL_S, connect=CONNECT_S),
            trust_env=not self._endpoint.local,  # a proxy is for the world, not for this machine
        )

    async def _pass(self, request: Any) -> None:
        self.check()
        headers = request.headers
        purpose = cast(ChatPurpose, headers.get(PURPOSE_HEADER, "check"))
        for name in [name for name in headers if name.lower() not in SENT_HEADERS]:
            del headers[name]
        headers["user-agent"] = USER_AGENT
        key = self._endpoint.api_key
        if key is not None:
            headers["authorization"] = f"Bearer {key.get_secret_value()}"
        head = len(request.method) + len(request.url.raw_path) + len(" HTTP/1.1\r\n\r\n") + 1
        head += sum(len(name) + len(value) + 4 for name, value in headers.raw)
        host = request.url.netloc.decode("ascii")
        self._ledger.sent(host, purpose, head + len(request.content))

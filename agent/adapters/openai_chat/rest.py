"""A server that fails again and again is left alone for a while."""

from agent.domain.chat import ChatFault
from agent.domain.errors import ChatFailed

PATIENCE = 2
"""Requests in a row that may fail."""
REST_S = 30.0
_SERVERS_FAULT: frozenset[ChatFault] = frozenset(
    {"unreachable", "timeout", "unauthorized", "unpaid", "not_found", "server_error"}
)


class Rest:
    """Keeps an interview from waiting for the same failure at every turn."""

    def __init__(self) -> None:
        self._failed = 0
        self._until_s = float("-inf")

    def check(self, now_s: float) -> None:
        """See whether the server may be asked.

        Raises:
            ChatFailed: It rests.
        """
        if now_s < self._until_s:
            raise ChatFailed("resting")

    def note(self, fault: ChatFault | None, now_s: float) -> None:
        """Enter how a request ended; None: well. What is not the server's fault counts as well."""
        self._failed = self._failed + 1 if fault in _SERVERS_FAULT else 0
        if self._failed >= PATIENCE:
            self._until_s = now_s + REST_S

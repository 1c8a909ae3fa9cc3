"""What a session's model was asked, what it cost, and what left this machine."""

from collections import Counter
from dataclasses import dataclass

from agent.domain.chat import ChatPurpose, ChatUse, Egress, ModelUse, TokenPrices
from agent.domain.errors import ChatFailed

BYTES_PER_TOKEN = 3
"""Of UTF-8, where a server does not count: about right for Chinese, too many tokens for English."""
_MILLION = 1_000_000


@dataclass
class _Tally:
    calls: int = 0
    failures: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    estimated: bool = False


@dataclass
class Call:
    """A request on its way.

    Attributes:
        prompt_bytes: Of its messages.
        reserved: What it may cost at most.
        reply_bytes: Of what came back, thinking included.
        prompt_tokens: As the server counted them; None while it has not. `reply_tokens`: likewise.
        failed: Whether it came to nothing.
    """

    purpose: ChatPurpose
    prompt_bytes: int
    reserved: float
    reply_bytes: int = 0
    prompt_tokens: int | None = None
    reply_tokens: int | None = None
    failed: bool = False


class Ledger:
    """Counts tokens, cost and outgoing bytes, and keeps to a limit.

    Args:
        model: Name of the model.
        prices: None where they are not known.
        max_cost: Requests that could cost more in all are not made.

    Raises:
        ValueError: A limit without prices.
    """

    def __init__(
        self, model: str, prices: TokenPrices | None = None, max_cost: float | None = None
    ) -> None:
        if max_cost is not None and prices is None:
            raise ValueError("a limit of cost needs the prices of tokens")
        self._model = model
        self._prices = prices
        self._max_cost = max_cost
        self._tallies: dict[ChatPurpose, _Tally] = {}
        self._requests: Counter[tuple[str, ChatPurpose]] = Counter()
        self._bytes: Counter[tuple[str, ChatPurpose]] = Counter()
        self._spent = 0.0

    def begin(self, purpose: ChatPurpose, prompt_bytes: int, max_tokens: int) -> Call:
        """Enter a request before it is made; what it may cost at most is set aside.

        Raises:
            ChatFailed: It could exceed the limit.
        """
        reserved = self._price(prompt_bytes // BYTES_PER_TOKEN + 1, max_tokens)
        if self._max_cost is not None and self._spent + reserved > self._max_cost:
            raise ChatFailed("over_budget")
        self._spent += reserved
        return Call(purpose, prompt_bytes, reserved)

    def settle(self, call: Call) -> None:
        """Enter what became of a request."""
        tally = self._tallies.setdefault(call.purpose, _Tally())
        prompt, reply = call.prompt_tokens, call.reply_tokens
        if prompt is None or reply is None:
            tally.estimated = True
            prompt = call.prompt_bytes // BYTES_PER_TOKEN + 1
            reply = -(-call.reply_bytes // BYTES_PER_TOKEN)
        tally.calls += 1
        tally.failures += call.failed
        tally.prompt_tokens += prompt
        tally.reply_tokens += reply
        self._spent += self._price(prompt, reply) - call.reserved

    def sent(self, host: str, purpose: ChatPurpose, size: int) -> None:
        """Enter `size` bytes that go out."""
        self._requests[host, purpose] += 1
        self._bytes[host, purpose] += size

    def use(self) -> ChatUse:
        """Return what was entered since the last `drain`."""
        return ChatUse(
            model=self._model,
            used=tuple(
                ModelUse(
                    purpose=purpose,
                    calls=tally.calls,
                    failures=tally.failures,
                    prompt_tokens=tally.prompt_tokens,
                    reply_tokens=tally.reply_tokens,
                    estimated=tally.estimated,
                    cost=self._price(tally.prompt_tokens, tally.reply_tokens)
                    if self._prices
                    else None,
                )
                for purpose, tally in self._tallies.items()
            ),
            egress=tuple(
                Egress(host=host, purpose=purpose, requests=count, sent_bytes=self._bytes[key])
                for key, count in self._requests.items()
                for host, purpose in [key]
            ),
        )

    def drain(self) -> ChatUse:
        """Return what was entered since the last call; what was spent is not forgotten."""
        found = self.use()
        self._tallies.clear()
        self._requests.clear()
        self._bytes.clear()
        return found

    def _price(self, prompt: int, reply: int) -> float:
        if self._prices is None:
            return 0.0
        return (prompt * self._prices.prompt + reply * self._prices.reply) / _MILLION

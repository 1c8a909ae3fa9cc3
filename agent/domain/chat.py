"""A language model behind an address: what it is asked, what it costs, and who hears of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator

from agent.domain.language import Frozen, LocalizedText, NonBlank

ChatPurpose = Literal["wording", "extraction", "grading", "coaching", "check"]
"""What a request is for, as the ledgers name it."""

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
"""Hosts that are this machine."""


class ChatEndpoint(Frozen):
    """Where a model is, and as what it is addressed.

    Attributes:
        base_url: Up to and without `/chat/completions`.
        api_key: None where the server asks for none; shown by no `repr`.
    """

    base_url: str
    model: NonBlank
    api_key: SecretStr | None = None

    @field_validator("base_url")
    @classmethod
    def _plain_address(cls, value: str) -> str:
        parts = urlsplit(value.strip())
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("not an http or https address")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("an address holds no name, key or query")
        return value.strip().rstrip("/")

    @property
    def host(self) -> str:
        """The name of the host, with its port where one is named."""
        return urlsplit(self.base_url).netloc

    @property
    def local(self) -> bool:
        """Whether the model is on this machine."""
        return urlsplit(self.base_url).hostname in LOOPBACK

    @property
    def in_the_clear(self) -> bool:
        """Whether what is sent could be read on its way."""
        return urlsplit(self.base_url).scheme == "http" and not self.local


@dataclass(frozen=True)
class ChatMessage:
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True)
class ChatRequest:
    """What a model is asked.

    Attributes:
        max_tokens: Most tokens of the reply, thinking included.
        temperature: 0 for the likeliest words.
        limit_s: Seconds until the whole reply must be there, a second try included.
    """

    messages: tuple[ChatMessage, ...]
    purpose: ChatPurpose
    max_tokens: int
    temperature: float = 0.0
    limit_s: float = 30.0


class TokenPrices(Frozen):
    """What a provider charges for a million tokens, in whatever currency."""

    prompt: float = Field(ge=0, allow_inf_nan=False)
    reply: float = Field(ge=0, allow_inf_nan=False)


class Egress(Frozen):
    """What left this machine, for one host and one purpose.

    Attributes:
        sent_bytes: Addresses, headers and bodies of the requests.
    """

    host: str
    purpose: ChatPurpose
    requests: int
    sent_bytes: int


class ModelUse(Frozen):
    """What a model did for one purpose.

    Attributes:
        estimated: Some tokens were counted by us, since the server did not report them.
        cost: In the currency of the prices; None where none are known.
    """

    purpose: ChatPurpose
    calls: int
    failures: int
    prompt_tokens: int
    reply_tokens: int
    estimated: bool
    cost: float | None


class ChatUse(Frozen):
    """What a session had from its model, and what went out for it, since the last such record.

    Attributes:
        model: Its name, and where it is.
        stood_in: How often the interviewer's own words took the place of the model's, by why.
    """

    kind: Literal["chat_use"] = "chat_use"
    model: str
    used: tuple[ModelUse, ...] = ()
    egress: tuple[Egress, ...] = ()
    stood_in: dict[str, int] = Field(default_factory=dict[str, int])
    at: str = ""


ChatFault = Literal[
    "offline",
    "over_budget",
    "resting",
    "unreachable",
    "timeout",
    "unauthorized",
    "unpaid",
    "not_found",
    "rate_limited",
    "bad_request",
    "server_error",
    "redirected",
    "refused",
    "blank",
    "cut_short",
    "odd_finish",
    "malformed",
    "oversized",
]
"""Why a model gave nothing that can be used."""

RETRYABLE: frozenset[ChatFault] = frozenset(
    {"unreachable", "timeout", "rate_limited", "server_error", "blank", "malformed", "cut_short"}
)
"""Faults that a second try may not meet."""

FAULT_TEXTS: Mapping[ChatFault, LocalizedText] = {
    "offline": LocalizedText(
        en="The network is closed by --offline.", zh="已使用 --offline，不访问网络。"
    ),
    "over_budget": LocalizedText(
        en="The limit of --max-cost is reached.", zh="已达到 --max-cost 的上限。"
    ),
    "resting": LocalizedText(
        en="The language model failed several times and is left alone for a while.",
        zh="语言模型连续失败，暂时不再请求。",
    ),
    "unreachable": LocalizedText(
        en="The language model cannot be reached.", zh="无法连接语言模型。"
    ),
    "timeout": LocalizedText(
        en="The language model did not answer in time.", zh="语言模型没有及时响应。"
    ),
    "unauthorized": LocalizedText(
        en="The language model's server refused the key.", zh="语言模型服务拒绝了密钥。"
    ),
    "unpaid": LocalizedText(
        en="The account at the language model's provider has no credit.",
        zh="语言模型服务账户余额不足。",
    ),
    "not_found": LocalizedText(
        en="The server knows no such model or address.", zh="服务器上没有这个模型或地址。"
    ),
    "rate_limited": LocalizedText(
        en="The language model's server takes no more requests for now.",
        zh="语言模型服务暂时限制了请求。",
    ),
    "bad_request": LocalizedText(
        en="The language model's server did not accept the request.",
        zh="语言模型服务不接受该请求。",
    ),
    "server_error": LocalizedText(
        en="The language model's server failed.", zh="语言模型服务出错。"
    ),
    "redirected": LocalizedText(
        en="The server points to another address, which is not followed.",
        zh="服务器要求跳转到其他地址，不予跟随。",
    ),
    "refused": LocalizedText(en="The language model declined to answer.", zh="语言模型拒绝回答。"),
    "blank": LocalizedText(en="The language model said nothing.", zh="语言模型没有给出内容。"),
    "cut_short": LocalizedText(
        en="The language model's reply broke off.", zh="语言模型的回复中断了。"
    ),
    "odd_finish": LocalizedText(
        en="The language model ended its reply in a way that cannot be used.",
        zh="语言模型的回复以无法使用的方式结束。",
    ),
    "malformed": LocalizedText(
        en="The language model's reply has not the form asked for.",
        zh="语言模型的回复不符合要求的格式。",
    ),
    "oversized": LocalizedText(
        en="The language model's reply is far too long.", zh="语言模型的回复过长。"
    ),
}

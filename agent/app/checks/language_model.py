"""The language model of an interview: is it there, what can it do, and what goes out to it."""

import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Protocol

from agent.app.checks.remedies import remedy
from agent.app.checks.result import CheckResult, Place, both, lost, not_tried, same, told
from agent.domain.chat import ChatEndpoint, ChatFault, ChatMessage, ChatRequest, ChatUse
from agent.domain.errors import ChatFailed

SLOW_FIRST_S = 1.5
"""From here on a candidate notices the wait for the first word."""
GREETING = "Say hello in one short sentence."
CANARY = "marzipan-7421"
FILLER = "Line {number}: the meeting of that day was put off until the week after."
LONG_LINES = 220
"""Of filler before the question in the long canary: about 3,500 tokens, as a long prompt has."""
FAULTS: Mapping[ChatFault, str] = {
    "unreachable": "model unreachable",
    "timeout": "model unreachable",
    "unauthorized": "model key",
    "unpaid": "model key",
    "not_found": "model name",
    "redirected": "model name",
    "bad_request": "model name",
}
"""What helps; another model where nothing is named."""


class Forms(Protocol):
    """How a server is asked for a reply of a given form."""

    @property
    def json_mode(self) -> str:
        """The strictest way that it understands."""
        ...

    @property
    def conforms(self) -> bool:
        """Whether the reply had the form."""
        ...


class ProbedChat(Protocol):
    """A language model, as the checks see it."""

    def stream(self, request: ChatRequest) -> AsyncGenerator[str]:
        """Yield the reply in pieces as they come."""
        ...

    async def probe(self) -> Forms:
        """Find out how it is asked for a form."""
        ...


def check_unnamed(exported: Sequence[str], platform: str) -> list[CheckResult]:
    """Return the rows where no language model is named.

    Args:
        exported: Keys of others that are set, by name.
        platform: As `sys.platform` names it.
    """
    en, zh = "none is named: interviews are held without", "没有指定：面试不需要它也能进行"
    others = [name for name in exported if not name.startswith("VIVA_")]
    if others:
        names = ", ".join(others)
        en, zh = f"{en}; {names} is exported and not used", f"{zh}；{names} 已导出，但不会使用"
    untried = [
        not_tried(Place(check)).model_copy(update={"state": "warn"})
        for check in ("forms", "first_token", "context")
    ]
    nothing = both("nothing is sent anywhere", "不会向任何地方发送内容")
    return [
        CheckResult(
            check="endpoint",
            state="warn",
            found=both(en, zh),
            remedy=remedy("model unnamed", platform),
        ),
        *untried,
        CheckResult(check="egress", state="ok", found=nothing),
    ]


async def check_language_model(
    endpoint: ChatEndpoint,
    model: ProbedChat,
    use: Callable[[], ChatUse],
    platform: str,
    now: Callable[[], float] = time.monotonic,
) -> AsyncIterator[CheckResult]:
    """Yield a row each for address, forms, first token, context and what is sent.

    Args:
        endpoint: As the settings name it.
        model: Behind it.
        use: What was sent so far.
        platform: As `sys.platform` names it.
        now: Seconds on a clock that never goes back.
    """
    yield _named(endpoint)
    looks: Mapping[str, Callable[[], Awaitable[CheckResult]]] = {
        "forms": lambda: _forms(model, platform),
        "first_token": lambda: _first_token(model, platform, now),
        "context": lambda: _context(model, platform),
    }
    failed = False
    for check, look in looks.items():
        try:
            row = not_tried(Place(check)) if failed else await look()
        except ChatFailed as fault:
            failed = check == "forms"  # it cannot be asked at all
            row = lost(
                Place(check), told(fault), remedy(FAULTS.get(fault.fault, "model other"), platform)
            )
        yield row
    yield _egress(endpoint, use(), platform)


def _named(endpoint: ChatEndpoint) -> CheckResult:
    en, zh = ("with a key", "有密钥") if endpoint.api_key else ("without a key", "无密钥")
    where = f"{endpoint.model}, {endpoint.base_url}"
    return CheckResult(check="endpoint", state="ok", found=both(f"{where}, {en}", f"{where}，{zh}"))


async def _forms(model: ProbedChat, platform: str) -> CheckResult:
    forms = await model.probe()
    if forms.conforms:
        return CheckResult(check="forms", state="ok", found=same(forms.json_mode))
    return CheckResult(
        check="forms",
        state="warn",
        found=both(
            "it keeps to no form, however it is asked: it can word, not grade",
            "怎么要求都不能按格式回复：可以措辞，不能评分",
        ),
        remedy=remedy("model small", platform),
    )


async def _first_token(model: ProbedChat, platform: str, now: Callable[[], float]) -> CheckResult:
    begun = now()
    async with aclosing(model.stream(_asked(GREETING, max_tokens=200))) as pieces:
        await anext(pieces)
        waited_s = now() - begun
    slow = waited_s > SLOW_FIRST_S
    return CheckResult(
        check="first_token",
        state="warn" if slow else "ok",
        found=both(f"after {waited_s:.2f} s", f"{waited_s:.2f} 秒"),
        remedy=remedy("model slow", platform) if slow else None,
    )


async def _context(model: ProbedChat, platform: str) -> CheckResult:
    if not await _remembers(model, lines=2):
        return CheckResult(
            check="context",
            state="warn",
            found=both(
                "cannot be told: the model does not find a word in a short text either",
                "无法判断：短文里的一个词它也找不到",
            ),
            remedy=remedy("model small", platform),
        )
    try:
        whole = await _remembers(model, lines=LONG_LINES)
    except ChatFailed as fault:
        if fault.fault != "bad_request":
            raise
        # It says so itself, which an interview lives with: its prompts are mostly shorter.
        return CheckResult(
            check="context",
            state="warn",
            found=told(fault),
            remedy=remedy("model context", platform),
        )
    if whole:
        found = both(
            "a word at the start of a long prompt was found", "长提示词开头的一个词能够找到"
        )
        return CheckResult(check="context", state="ok", found=found)
    return CheckResult(
        check="context",
        state="warn",
        found=both(
            "the start of a long prompt is lost: the server cuts it off without saying so",
            "长提示词的开头丢失：服务器不声不响地截断了上下文",
        ),
        remedy=remedy("model context", platform),
    )


async def _remembers(model: ProbedChat, lines: int) -> bool:
    filler = "\n".join(FILLER.format(number=number) for number in range(1, lines + 1))
    text = f"The password is {CANARY}.\n{filler}\nWhat is the password? Say only the password."
    async with aclosing(model.stream(_asked(text, max_tokens=400))) as pieces:
        return CANARY in "".join([piece async for piece in pieces]).lower()


def _egress(endpoint: ChatEndpoint, use: ChatUse, platform: str) -> CheckResult:
    size = sum(item.sent_bytes for item in use.egress)
    en = (
        f"to {endpoint.host}: questions, your answers as text, and the interviewer's words; "
        f"never sound; this check sent {size} bytes"
    )
    zh = (
        f"发往 {endpoint.host}：题目、你的回答文字、面试官的话；不发送录音；"
        f"本次检查发送了 {size} 字节"
    )
    if endpoint.local:
        en, zh = f"{en}; it stays on this machine", f"{zh}；内容不离开本机"
    clear = endpoint.in_the_clear
    if clear:
        en, zh = f"{en}, which others could read on the way", f"{zh}，途中可能被他人看到"
    return CheckResult(
        check="egress",
        state="warn" if clear else "ok",
        found=both(en, zh),
        remedy=remedy("model in the clear", platform) if clear else None,
    )


def _asked(text: str, max_tokens: int) -> ChatRequest:
    return ChatRequest((ChatMessage("user", text),), "check", max_tokens)

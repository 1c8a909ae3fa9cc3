"""The language model of an interview: whether there is one, what it does, and what it is told."""

from dataclasses import dataclass

from agent.adapters.network_guard import close_network
from agent.adapters.openai_chat.chat import OpenAIChat
from agent.adapters.openai_chat.dialect import DialectStore
from agent.adapters.openai_chat.ledger import Ledger
from agent.app.session import utc_now
from agent.app.settings import Settings, chat_endpoint, token_prices
from agent.domain.audio import AudioClip
from agent.domain.chat import ChatEndpoint
from agent.domain.errors import UsageError
from agent.domain.language import LocalizedText
from agent.grading.chat import ChatGrader
from agent.grading.seeing import SeeingGrader
from agent.ports import Grader, SessionLog, SessionRecord
from agent.wording.builtin import BuiltinWording
from agent.wording.chat import ChatWording

IN_USE = LocalizedText(
    en="{model} at {host} words the follow-ups and grades. It is sent the questions and your "
    "answers as text, never sound. Without it: viva practice --no-llm",
    zh="追问和评分由 {host} 上的 {model} 参与。题目和你的回答会以文字发给它，不发送录音。"
    "不使用：viva practice --no-llm",
)
ON_THIS_MACHINE = LocalizedText(
    en="{model} on this machine words the follow-ups and grades. "
    "Without it: viva practice --no-llm",
    zh="追问和评分由本机的 {model} 参与。不使用：viva practice --no-llm",
)
OUT_OF_REACH = LocalizedText(
    en="--offline: the language model at {host} is not used.",
    zh="--offline：不使用 {host} 上的语言模型。",
)
EITHER = LocalizedText(
    en="--llm and --no-llm say the opposite of each other.", zh="--llm 和 --no-llm 互相矛盾。"
)
BOTH = LocalizedText(
    en="--llm asks for the model at {host}, which --offline puts out of reach.",
    zh="--llm 要用 {host} 上的模型，而 --offline 不允许访问它。",
)
NO_PRICES = LocalizedText(
    en="--max-cost needs the prices of a million tokens: VIVA_LLM_PROMPT_PRICE and "
    "VIVA_LLM_REPLY_PRICE.",
    zh="--max-cost 需要知道每百万 token 的价格：VIVA_LLM_PROMPT_PRICE 和 VIVA_LLM_REPLY_PRICE。",
)


@dataclass(frozen=True)
class Consent:
    """What the command line says of language models and of the network.

    Attributes:
        llm: A model is wanted. `no_llm`: none is; with neither the settings decide.
        max_cost: What may be spent in one sitting, in the currency of the prices.
        offline: Nothing may leave this machine.
    """

    llm: bool = False
    no_llm: bool = False
    max_cost: float | None = None
    offline: bool = False


AS_SET, NO_MODEL = Consent(), Consent(no_llm=True)


@dataclass(frozen=True)
class LanguageModel:
    """A model that takes part in an interview."""

    endpoint: ChatEndpoint
    chat: OpenAIChat
    ledger: Ledger
    wording: ChatWording

    @property
    def name(self) -> str:
        """What it is and where, for the session's manifest."""
        return named(self.endpoint)

    @property
    def told(self) -> LocalizedText:
        """What the candidate is told before the first word."""
        text = ON_THIS_MACHINE if self.endpoint.local else IN_USE
        return _filled(text, self.endpoint)

    def grader(self, builtin: Grader) -> ChatGrader:
        """Return the grader that asks this model."""
        return ChatGrader(self.chat, builtin, self.name)

    def seeing(self, builtin: Grader) -> SeeingGrader:
        """Return the grader that has this model look where to follow up."""
        return SeeingGrader(builtin, self.chat)

    async def keeps_to_forms(self) -> bool:
        """Tell, asking once where it is not known, whether replies have the form asked for.

        Raises:
            ChatFailed: It cannot be asked.
        """
        if not self.chat.dialect.probed:
            await self.chat.probe()
        return self.chat.dialect.conforms

    def account(self, log: SessionLog) -> None:
        """Write down what was used and sent since the last call."""
        use, outcomes = self.ledger.drain(), self.wording.outcomes
        stood_in = {why: count for why, count in outcomes.items() if why != "model"}
        outcomes.clear()
        if use.used or use.egress or stood_in:
            log.append(use.model_copy(update={"stood_in": stood_in, "at": utc_now()}))

    async def close(self) -> None:
        """Let the connections go."""
        await self.chat.close()


class AccountedLog:
    """A session's log in which what the model was used for follows each record."""

    def __init__(self, log: SessionLog, model: LanguageModel) -> None:
        self._log = log
        self._model = model

    def append(self, record: SessionRecord) -> None:
        """Write one record, and the model's account."""
        self._log.append(record)
        self._model.account(self._log)

    def keep_sound(self, name: str, clip: AudioClip) -> str:
        """Store `clip` as the session does."""
        return self._log.keep_sound(name, clip)


def named(endpoint: ChatEndpoint) -> str:
    """Return the name of a model with the host that it is on."""
    return f"{endpoint.model} @ {endpoint.host}"


def language_model(
    settings: Settings, consent: Consent
) -> tuple[LanguageModel | None, LocalizedText | None]:
    """Return the model that may be used, and what to tell the candidate of it.

    With `--offline` the network is closed for the whole process.

    Raises:
        UsageError: What is asked for does not fit together, or the settings name no model.
    """
    if consent.llm and consent.no_llm:
        raise UsageError(EITHER, "viva practice --no-llm")
    if consent.offline:
        close_network()
    endpoint = chat_endpoint(settings, consent.llm or (False if consent.no_llm else None))
    if endpoint is None:
        return None, None
    if consent.offline and not endpoint.local:
        if consent.llm:
            raise UsageError(_filled(BOTH, endpoint), "viva practice --offline --no-llm")
        return None, _filled(OUT_OF_REACH, endpoint)
    prices = token_prices(settings)
    if consent.max_cost is not None and prices is None:
        raise UsageError(NO_PRICES)
    ledger = Ledger(named(endpoint), prices, consent.max_cost)
    chat = OpenAIChat(endpoint, DialectStore(settings.dialects), ledger, offline=consent.offline)
    model = LanguageModel(endpoint, chat, ledger, ChatWording(chat, BuiltinWording()))
    return model, model.told


def _filled(text: LocalizedText, endpoint: ChatEndpoint) -> LocalizedText:
    names = {"model": endpoint.model, "host": endpoint.host}
    return LocalizedText(en=text.en.format(**names), zh=text.zh.format(**names))

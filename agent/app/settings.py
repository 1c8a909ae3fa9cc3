"""Settings from the environment (prefix `VIVA_`): the one place that reads it."""

import locale
import os
from pathlib import Path

import platformdirs
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from agent.domain.chat import ChatEndpoint, TokenPrices
from agent.domain.errors import UsageError
from agent.domain.language import Language, LocalizedText
from agent.policy.complaints import in_chinese

MODEL_VARIABLES = (
    "VIVA_LLM_BASE_URL",
    "VIVA_LLM_API_KEY",
    "VIVA_LLM_MODEL",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "ANTHROPIC_API_KEY",
    "DEEPSEEK_API_KEY",
    "DASHSCOPE_API_KEY",
    "MOONSHOT_API_KEY",
    "ZHIPUAI_API_KEY",
)
"""Viva's own, and those of others, which are no consent to send an interview anywhere."""

OPENAI = "https://api.openai.com/v1"
"""Where a model is that is named without an address."""


class Settings(BaseSettings):
    """What the environment says.

    Attributes:
        recordings: Where sessions are kept.
        home: Where this user's models are cached.
        whisper: Name or folder of the Whisper model; None takes the best that is there.
        llm_base_url: Where a language model is, up to and without `/chat/completions`.
        llm_prompt_price: Of a million tokens that go in. `llm_reply_price`: that come out.
    """

    model_config = SettingsConfigDict(env_prefix="VIVA_", env_ignore_empty=True, extra="ignore")

    recordings: Path = Path("recordings")
    home: Path = Field(default_factory=lambda: platformdirs.user_data_path("viva"))
    whisper: str | None = None
    llm_base_url: str | None = None
    llm_api_key: SecretStr | None = None
    llm_model: str | None = None
    llm_prompt_price: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    llm_reply_price: float | None = Field(default=None, ge=0, allow_inf_nan=False)

    @property
    def models(self) -> Path:
        """Folder in which joined or downloaded weights are cached."""
        return self.home / "models"

    @property
    def voices(self) -> Path:
        """Folder in which rendered sentences are kept."""
        return self.home / "voices"

    @property
    def own_pauses(self) -> Path:
        """File in which is kept how long this user pauses within answers."""
        return self.home / "own-pauses.json"

    @property
    def dialects(self) -> Path:
        """File in which is kept what language models' servers understand."""
        return self.home / "language-models.json"


def silence_tracing() -> None:
    """Forget the variables by which LangChain's first tracer is asked for.

    LangGraph refuses to run while they are set; nothing of an interview is traced in any case.
    """
    for name in ("LANGCHAIN_TRACING", "LANGCHAIN_HANDLER"):
        os.environ.pop(name, None)


def load_settings(recordings: Path | None = None) -> Settings:
    """Read the environment; `recordings` from the command line wins.

    Raises:
        UsageError: A variable has a value that cannot be used.
    """
    silence_tracing()
    try:
        settings = Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = "VIVA_" + "_".join(str(part) for part in first["loc"]).upper()
        wrong = LocalizedText(
            en=f"{name}: {first['msg']}", zh=f"{name}：{in_chinese(first['msg'])}"
        )
        raise UsageError(wrong, f"unset {name}") from error
    if recordings is not None:
        return settings.model_copy(update={"recordings": recordings})
    return settings


def named_models() -> tuple[str, ...]:
    """Return which variables of the environment speak of a language model, by name only."""
    return tuple(name for name in MODEL_VARIABLES if os.environ.get(name))


def chat_endpoint(settings: Settings, wanted: bool | None = None) -> ChatEndpoint | None:
    """Return the language model that may be used; None without consent.

    Args:
        settings: An address or a model in them is consent; a key alone is none.
        wanted: What `--llm` or `--no-llm` say; None where neither is given.

    Raises:
        UsageError: A model is wanted and not named, or its address is none.
    """
    named = settings.llm_base_url or settings.llm_model
    if wanted is False or not (wanted or named):
        return None
    if not settings.llm_model:
        raise UsageError(
            LocalizedText(
                en="VIVA_LLM_MODEL does not name the language model that is to be used.",
                zh="没有用 VIVA_LLM_MODEL 指定要使用的语言模型。",
            ),
            "VIVA_LLM_MODEL=NAME VIVA_LLM_BASE_URL=ADDRESS viva doctor --llm",
        )
    try:
        return ChatEndpoint(
            base_url=settings.llm_base_url or OPENAI,
            model=settings.llm_model,
            api_key=settings.llm_api_key,
        )
    except ValidationError as error:
        reason = error.errors(include_input=False)[0]["msg"].removeprefix("Value error, ")
        raise UsageError(
            LocalizedText(
                en=f"VIVA_LLM_BASE_URL cannot be used: {reason}.",
                zh="VIVA_LLM_BASE_URL 无法使用：应为 http 或 https 地址，不含用户名、密钥和参数。",
            ),
            "VIVA_LLM_BASE_URL=http://127.0.0.1:11434/v1 viva doctor --llm",
        ) from None


def token_prices(settings: Settings) -> TokenPrices | None:
    """Return what tokens cost; None where it is not said.

    Raises:
        UsageError: Only one of the two prices is said.
    """
    prompt, reply = settings.llm_prompt_price, settings.llm_reply_price
    if prompt is None and reply is None:
        return None
    if prompt is None or reply is None:
        missing = "VIVA_LLM_PROMPT_PRICE" if prompt is None else "VIVA_LLM_REPLY_PRICE"
        raise UsageError(
            LocalizedText(
                en=f"{missing} is missing: tokens have a price in both directions.",
                zh=f"缺少 {missing}：输入和输出的价格都需要。",
            )
        )
    return TokenPrices(prompt=prompt, reply=reply)


def system_language() -> Language:
    """Return Chinese where the system speaks it, else English."""
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    spoken = next(filter(None, named), None) or locale.getlocale()[0]
    return "zh" if (spoken or "").lower().startswith(("zh", "chinese")) else "en"

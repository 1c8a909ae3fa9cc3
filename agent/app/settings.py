"""Settings from the environment (prefix `VIVA_`): the one place that reads it."""

import locale
import os
from pathlib import Path

import platformdirs
from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

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


class Settings(BaseSettings):
    """What the environment says.

    Attributes:
        recordings: Where sessions are kept.
        home: Where this user's models are cached.
        whisper: Name or folder of the Whisper model; None takes the best that is there.
    """

    model_config = SettingsConfigDict(env_prefix="VIVA_", env_ignore_empty=True, extra="ignore")

    recordings: Path = Path("recordings")
    home: Path = Field(default_factory=lambda: platformdirs.user_data_path("viva"))
    whisper: str | None = None

    @property
    def models(self) -> Path:
        """Folder in which joined or downloaded weights are cached."""
        return self.home / "models"

    @property
    def voices(self) -> Path:
        """Folder in which rendered sentences are kept."""
        return self.home / "voices"


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


def system_language() -> Language:
    """Return Chinese where the system speaks it, else English."""
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    spoken = next(filter(None, named), None) or locale.getlocale()[0]
    return "zh" if (spoken or "").lower().startswith(("zh", "chinese")) else "en"

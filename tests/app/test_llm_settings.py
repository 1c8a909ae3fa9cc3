"""A language model is used where the user says so, and nowhere else."""

import pytest

from agent.app.settings import OPENAI, Settings, chat_endpoint, load_settings, token_prices
from agent.domain.errors import UsageError
from agent.domain.language import LANGUAGES

KEY = "sk-this-is-the-secret-of-the-test-0042"
ADDRESS = "http://127.0.0.1:11434/v1"


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch) -> "pytest.MonkeyPatch":
    for name in ("OPENAI_API_KEY", "DEEPSEEK_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.setenv(name, KEY)
    return monkeypatch


def settings(say: pytest.MonkeyPatch, **values: str) -> Settings:
    for name, value in values.items():
        say.setenv(f"VIVA_LLM_{name.upper()}", value)
    return load_settings()


@pytest.mark.parametrize(
    ("values", "wanted", "used"),
    [
        ({}, None, None),
        ({"api_key": KEY}, None, None),
        ({"model": "m"}, None, OPENAI),
        ({"model": "m", "base_url": ADDRESS}, None, ADDRESS),
        ({"model": "m", "base_url": ADDRESS}, False, None),
        ({"model": "m", "base_url": ADDRESS}, True, ADDRESS),
        ({"base_url": ADDRESS}, False, None),
    ],
)
def test_a_key_alone_is_no_consent(
    say: pytest.MonkeyPatch, values: dict[str, str], wanted: bool | None, used: str | None
) -> None:
    endpoint = chat_endpoint(settings(say, **values), wanted)
    assert (endpoint.base_url if endpoint else None) == used


@pytest.mark.parametrize(
    ("values", "wanted"),
    [({}, True), ({"api_key": KEY}, True), ({"base_url": ADDRESS}, None)],
)
def test_a_model_must_be_named(
    say: pytest.MonkeyPatch, values: dict[str, str], wanted: bool | None
) -> None:
    with pytest.raises(UsageError, match="VIVA_LLM_MODEL"):
        chat_endpoint(settings(say, **values), wanted)


@pytest.mark.parametrize("address", ["nonsense", f"https://me:{KEY}@example.org", f"x://{KEY}"])
def test_a_wrong_address_is_told_without_its_secrets(say: pytest.MonkeyPatch, address: str) -> None:
    with pytest.raises(UsageError) as raised:
        chat_endpoint(settings(say, model="m", base_url=address))
    texts = [raised.value.text(language) for language in LANGUAGES]
    assert all("VIVA_LLM_BASE_URL" in text and KEY not in text for text in texts)
    assert KEY not in repr(raised.value.__cause__)


def test_the_key_is_in_no_repr(say: pytest.MonkeyPatch) -> None:
    found = settings(say, model="m", api_key=KEY)
    endpoint = chat_endpoint(found)
    assert endpoint is not None
    assert endpoint.api_key is not None
    assert endpoint.api_key.get_secret_value() == KEY
    shown = [repr(found), str(found), repr(endpoint), endpoint.model_dump_json()]
    assert [text for text in shown if KEY in text] == []


def test_prices_come_in_pairs(say: pytest.MonkeyPatch) -> None:
    assert token_prices(settings(say)) is None
    with pytest.raises(UsageError, match="VIVA_LLM_REPLY_PRICE"):
        token_prices(settings(say, prompt_price="0.5"))
    prices = token_prices(settings(say, prompt_price="0.5", reply_price="2"))
    assert prices is not None
    assert (prices.prompt, prices.reply) == (0.5, 2)
    with pytest.raises(UsageError, match="VIVA_LLM_PROMPT_PRICE"):
        settings(say, prompt_price="-1")

"""An interview in which a language model takes part, as a user types it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from typer.testing import CliRunner

from agent.adapters.openai_chat import chat as adapter
from agent.app import language_model
from agent.app.cli import app
from agent.domain.chat import ChatPurpose
from agent.domain.language import LANGUAGES, Language
from agent.grading import rubric_prompt
from agent.grading.seeing import WAIT_S
from agent.wording.chat import READY_S, WHOLE_S, ChatWording
from tests.adapters.fault_scenes import FAULTS, breaking, obedient
from tests.adapters.fault_server import FaultServer, Play, fault_server, say, status

KEY = "sk-this-is-the-secret-of-the-test-0042"
ANSWERS = {
    "en": (
        "We cut the step time by 30 percent. We chose ZeRO and it worked.",
        "I do not know.",
        "We used tensor parallelism because the model did not fit.",
    ),
    "zh": (
        "我们把每步时间降低了 30%，选了 ZeRO，效果不错。",
        "这个我不会。",
        "我们用了张量并行，因为模型放不下。",
    ),
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultServer]:
    monkeypatch.setattr(adapter, "PAUSE_S", 0.0)
    hurried = partial(ChatWording, first_s=0.4, whole_s=0.8)
    monkeypatch.setattr(language_model, "ChatWording", hurried)
    monkeypatch.setattr(rubric_prompt, "LIMIT_S", 0.8)
    with fault_server() as served:
        served.always(obedient)
        monkeypatch.setenv("VIVA_LLM_BASE_URL", served.address)
        monkeypatch.setenv("VIVA_LLM_MODEL", "a-model")
        monkeypatch.setenv("VIVA_LLM_API_KEY", KEY)
        yield served


class Held:
    """What an interview showed and left behind."""

    def __init__(self, language: Language, *words: str, questions: int = 6) -> None:
        typed = "\n".join(ANSWERS[language] * 12) + "\n"
        line = ["practice", "--input", "text", "--lang", language, "--seed", "4", "--json"]
        ran = CliRunner().invoke(app, [*line, "--questions", str(questions), *words], input=typed)
        self.code, self.output = ran.exit_code, ran.output
        self.events: list[dict[str, Any]] = [json.loads(row) for row in ran.stdout.splitlines()]
        closed = self.events[-1]
        assert closed["event"] == "closed"
        self.folder = Path(closed["session"])
        log = (self.folder / "turns.jsonl").read_text(encoding="utf-8")
        self.records: list[dict[str, Any]] = [json.loads(row) for row in log.splitlines()]
        self.report = (self.folder / "report.html").read_text(encoding="utf-8")

    def kind(self, kind: str) -> list[dict[str, Any]]:
        return [item for item in self.records if item["kind"] == kind]

    @property
    def told(self) -> str:
        return " ".join(item["text"] for item in self.events if item["event"] == "notice")

    @property
    def given_up(self) -> set[str]:
        last = {item["question_id"]: item for item in self.kind("assessment")}
        return {name for name, item in last.items() if {"gave_up", "off_topic"} & {*item["flags"]}}

    @property
    def questions_answered(self) -> list[tuple[str, str]]:
        return [
            (item["utterance"]["question_id"], item["answer"]["text"]) for item in self.kind("turn")
        ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_session_says_what_the_model_did_and_what_was_sent(
    server: FaultServer, language: Language
) -> None:
    held = Held(language, "--llm", questions=3)
    assert held.code == 0
    assert "a-model" in held.told
    graded = [item for item in held.kind("assessment") if item["grader"].startswith("llm")]
    assert len(graded) == 3 - len(held.given_up)
    levels = [row for item in graded for row in item["criteria"] if row["id"] != "key_points"]
    assert {tuple(row["spread"]) for row in levels if row["level"]} == {(2, 2)}
    worded = [item for item in held.kind("turn") if item["utterance"]["by_model"]]
    assert worded
    uses = held.kind("chat_use")
    sent = [item for use in uses for item in use["egress"]]
    assert {item["host"] for item in sent} == {server.address.split("/")[2]}
    assert sum(item["requests"] for item in sent) == len(server.bodies)
    assert abs(sum(item["sent_bytes"] for item in sent) - sum(server.raw_sizes)) < 100 * len(sent)
    assert f">{'Language model' if language == 'en' else '语言模型'}</h2>" in held.report
    assert server.address.split("/")[2] in held.report
    manifest = json.loads((held.folder / "session.json").read_text(encoding="utf-8"))
    assert manifest["models"]["language_model"].startswith("a-model @ 127.0.0.1")


@pytest.mark.parametrize("words", [("--no-llm",), ()])
def test_without_consent_nothing_is_sent(
    server: FaultServer, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    if not words:  # keys and addresses of others are none
        for name in ("BASE_URL", "MODEL"):
            monkeypatch.delenv(f"VIVA_LLM_{name}")
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
    held = Held("en", *words, questions=1)
    assert server.bodies == []
    assert held.kind("chat_use") == []
    assert "language-model" not in held.report


def test_a_model_that_is_wanted_must_be_named() -> None:
    ran = CliRunner().invoke(app, ["practice", "--input", "text", "--llm"], input="x\n")
    assert ran.exit_code == 2
    assert "VIVA_LLM_MODEL" in ran.output


def test_one_cannot_want_and_not_want_a_model() -> None:
    ran = CliRunner().invoke(app, ["practice", "--input", "text", "--llm", "--no-llm"], input="x\n")
    assert ran.exit_code == 2
    assert "--no-llm" in ran.output


def test_a_limit_of_cost_needs_prices_and_is_kept(
    server: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = ["practice", "--input", "text", "--max-cost", "1"]
    ran = CliRunner().invoke(app, line, input="x\n")
    assert ran.exit_code == 2
    assert "VIVA_LLM_PROMPT_PRICE" in ran.output
    monkeypatch.setenv("VIVA_LLM_PROMPT_PRICE", "1000000")
    monkeypatch.setenv("VIVA_LLM_REPLY_PRICE", "1000000")
    held = Held("en", "--max-cost", "5", questions=2)
    assert server.bodies == []
    assert {why for use in held.kind("chat_use") for why in use["stood_in"]} == {"over_budget"}
    assert "limit of cost reached" in held.report


OFFLINE = """
import os, sys
from typer.testing import CliRunner
from agent.app.cli import app
os.environ["VIVA_LLM_BASE_URL"] = "https://models.example/v1"
os.environ["VIVA_LLM_MODEL"] = "a-model"
line = ["practice", "--input", "text", "--lang", "en", "--questions", "1", "--offline"]
ran = CliRunner().invoke(app, [*line, *sys.argv[1:]], input="I do not know.\\n" * 3)
print(ran.output)
sys.exit(ran.exit_code)
"""


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [((), 0, "the language model at models.example is not used"), (("--llm",), 2, "out of reach")],
)
def test_offline_uses_no_model_elsewhere(words: tuple[str, ...], code: int, said: str) -> None:
    # In a process of its own: a network that was closed stays closed.
    ran = subprocess.run(
        [sys.executable, "-c", OFFLINE, *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (ran.returncode, said in ran.stdout) == (code, True)


@pytest.fixture(scope="module")
def without() -> dict[Language, list[tuple[str, str]]]:
    """The questions and answers of the interview that no model takes part in."""
    with pytest.MonkeyPatch.context() as environment, TemporaryDirectory() as folder:
        environment.setenv("VIVA_RECORDINGS", folder)
        return {language: Held(language, "--no-llm").questions_answered for language in LANGUAGES}


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("purpose", ["wording", "extraction"])
def test_an_interview_survives_each_failure_and_keeps_the_key_to_itself(
    server: FaultServer,
    without: dict[Language, list[tuple[str, str]]],
    name: str,
    purpose: ChatPurpose,
    tmp_path: Path,
) -> None:
    place = list(FAULTS).index(name)
    language = LANGUAGES[place % 2]
    server.always(breaking(purpose, FAULTS[name], place % 3))
    held = Held(language, "--llm")
    assert held.code == 0
    assert held.questions_answered == without[language]
    stood_in = {why for use in held.kind("chat_use") for why in use["stood_in"]}
    assert stood_in if purpose == "wording" else stood_in <= {"resting"}
    assert "farewell" in {item["code"] for item in held.kind("notice")}
    written = [held.output, *(read(path) for path in tmp_path.rglob("*") if path.is_file())]
    assert [text for text in written if KEY in text] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_interview_survives_a_failure_at_any_call(
    server: FaultServer, without: dict[Language, list[tuple[str, str]]], language: Language
) -> None:
    Held(language, "--llm")  # what the server can do is found out once
    before = len(server.bodies)
    Held(language, "--llm")
    calls = len(server.bodies) - before
    faults = list(FAULTS.values())
    for place in range(calls):
        server.play(*[obedient] * place, faults[place * 7 % len(faults)])
        held = Held(language, "--llm")
        assert (held.code, server.left) == (0, 0)
        assert held.questions_answered == without[language]
        assert held.events[-1]["score"]["overall"] is not None
    assert calls > 12


def read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


@pytest.mark.parametrize("name", FAULTS)
def test_grades_stand_when_the_model_fails_at_grading(server: FaultServer, name: str) -> None:
    language = LANGUAGES[list(FAULTS).index(name) % 2]

    def failing(play: Play) -> None:
        (FAULTS[name] if "misconceptions" in json.dumps(play.body) else obedient)(play)

    server.always(failing)
    held = Held(language, "--llm", questions=2)
    assert held.code == 0
    assert [item for item in held.kind("assessment") if item["grader"].startswith("llm")] == []
    assert held.events[-1]["score"]["overall"] is not None
    told = {item["code"]: item["text"] for item in held.kind("notice")}
    assert told["not_graded_by_model"] in held.told


def test_a_model_too_small_to_keep_a_form_has_not_graded(server: FaultServer) -> None:
    def wordy(play: Play) -> None:
        (say("A red one.") if "apple" in json.dumps(play.body) else obedient)(play)

    server.always(wordy)
    held = Held("zh", "--llm", questions=1)
    assert "可能太小" in held.told
    assert {item["grader"][:7] for item in held.kind("assessment")} == {"builtin"}


@pytest.mark.parametrize("debug", [[], ["--debug"]])
def test_a_server_that_shows_the_key_does_not_spread_it(
    server: FaultServer, debug: list[str], tmp_path: Path
) -> None:
    server.always(status(401, f"Incorrect API key provided: {KEY}"))
    line = ["practice", "--input", "text", "--lang", "en", "--questions", "2", "--llm"]
    ran = CliRunner().invoke(app, [*debug, *line], input="\n".join(ANSWERS["en"] * 4))
    assert ran.exit_code == 0
    written = [ran.output, *(read(path) for path in tmp_path.rglob("*") if path.is_file())]
    assert len(written) > 3
    assert [text for text in written if KEY in text] == []


def test_no_turn_waits_long_for_words() -> None:
    assert WAIT_S + READY_S + WHOLE_S <= 8.0

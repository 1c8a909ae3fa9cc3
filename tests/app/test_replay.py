"""A graded transcript is shown again: in the browser, or turn by turn."""

import asyncio
import json
import os
import shutil
import webbrowser
from collections.abc import AsyncIterator, Sequence
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from agent.adapters.folder_store import FolderStore
from agent.adapters.yaml_catalog import data_root
from agent.app import storage
from agent.app.commands.replay import Stepping
from agent.app.transcript_pages import Line, Page
from agent.domain.errors import AudioUnreadable
from agent.domain.language import LANGUAGES, Language
from tests.app.test_cli import practise, viva

SAMPLES = data_root() / "recordings" / "sample"
SAMPLE = SAMPLES / "en"
GIVE_UP: dict[Language, str] = {"en": "I do not know.", "zh": "这个我不会。"}
SAID: dict[Language, tuple[str, ...]] = {
    "en": ("Overall", "Interviewer: ", "Candidate: ", "Score after this answer: "),
    "zh": ("总分", "面试官：", "候选人：", "本轮之后得分："),
}


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that a browser was asked to open."""
    asked: list[str] = []

    def remember(address: str) -> bool:
        asked.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", remember)
    return asked


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose sample session is a copy."""
    copy = tmp_path / "project" / "recordings" / "sample" / "en"
    shutil.copytree(SAMPLE, copy, ignore=shutil.ignore_patterns("report.html"))
    monkeypatch.setattr(storage, "data_root", lambda: tmp_path / "project")
    return copy


def session(language: Language = "en") -> Path:
    ran = practise(language, "--questions", "1", "--input", "text", typed=f"{GIVE_UP[language]}\n")
    return Path(ran.events[-1]["session"])


def test_the_newest_session_is_opened_and_its_path_is_printed(opened: list[str]) -> None:
    session()
    folder = session("zh")
    newest = json.loads(viva("list", "sessions", "--json").out.splitlines()[0])["folder"]
    ran = viva("replay")
    assert ran.code == 0
    assert Path(ran.out.strip()) == (Path(newest) / "report.html").resolve()
    assert opened == [Path(ran.out.strip()).as_uri()]
    assert Path(newest).parent == folder.parent


def test_a_report_is_built_where_it_is_missing_or_old(opened: list[str]) -> None:
    folder = session()
    report = folder / "report.html"
    report.write_text("kept")
    assert viva("replay", folder.name, "--no-open").code == 0
    assert report.read_text() == "kept"
    written = report.stat()
    os.utime(folder / "turns.jsonl", ns=(written.st_atime_ns, written.st_mtime_ns + 1))
    assert viva("replay", folder.name, "--no-open").code == 0
    assert report.read_text(encoding="utf-8").startswith("<!doctype html>")
    report.unlink()
    assert viva("replay", folder.name, "--no-open").code == 0
    assert report.is_file()
    assert opened == []


def test_a_report_is_built_in_the_language_that_is_asked_for() -> None:
    folder = session("en")
    viva("replay", folder.name, "--no-open", "--lang", "zh")
    assert 'lang="zh-CN"' in (folder / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("failure", [False, webbrowser.Error("none")])
def test_without_a_browser_the_path_and_another_way_are_told(
    failure: bool | Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: str) -> bool:
        if isinstance(failure, Exception):
            raise failure
        return failure

    monkeypatch.setattr(webbrowser, "open", refuse)
    ran = viva("replay", session().name)
    assert ran.code == 0
    assert ran.out.strip().endswith("report.html")
    assert "--terminal" in ran.err


def test_before_the_first_interview_the_sample_is_advised() -> None:
    ran = viva("replay")
    assert ran.code == 1
    assert "viva replay sample" in ran.err


@pytest.mark.parametrize("command", ["replay", "report"])
def test_the_sample_is_found_whatever_the_recordings_folder(
    command: str, shipped: Path, opened: list[str]
) -> None:
    ran = viva(command, "sample")
    assert ran.code == 0
    assert Path(ran.out.strip()).resolve() == (shipped / "report.html").resolve()
    assert len(opened) == (command == "replay")


@pytest.mark.parametrize("command", ["replay", "report"])
def test_a_sample_that_cannot_be_written_is_shown_from_a_copy(
    command: str, shipped: Path, opened: list[str], tmp_path: Path
) -> None:
    (shipped / "report.html").mkdir()  # what nobody can write over, not even root
    for _ in range(2):
        report = Path(viva(command, "sample").out.strip())
        assert report == tmp_path / "viva-home" / "sample" / "en" / "report.html"
        assert report.is_file()
        assert (report.parent / "audio" / "001-answer.flac").is_file()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pipe_gets_every_turn(language: Language) -> None:
    ran = viva("replay", "sample", "--terminal", "--lang", language)
    assert ran.code == 0
    assert all(said in ran.out for said in SAID[language])
    lines = (SAMPLES / language / "turns.jsonl").read_text(encoding="utf-8").splitlines()
    turns = [json.loads(line) for line in lines]
    for record in turns:
        if record["kind"] == "turn":
            assert " ".join(record["utterance"]["text"].split()) in ran.out
            assert " ".join(record["answer"]["text"].split()) in ran.out
    assert "\x1b" not in ran.out


def test_the_terminal_shows_why_a_follow_up_was_asked_and_the_words_behind_it() -> None:
    lines = viva("replay", "sample", "--terminal", "--lang", "en").out.splitlines()
    why = next(line for line in lines if line.startswith("follow-up: ") and "“" in line)
    assert "“we” without “I”" in why
    assert any(line.startswith("Action 3/4: “I profiled it") for line in lines)


def test_control_characters_of_an_answer_do_not_reach_the_terminal() -> None:
    folder = session()
    path = folder / "turns.jsonl"
    first, *others = path.read_text(encoding="utf-8").splitlines()
    record = json.loads(first)
    record["answer"]["text"] = "red \x1b[31m [bold]not markup[/bold] \x07"
    path.write_text("\n".join([json.dumps(record), *others]) + "\n", encoding="utf-8")
    out = viva("replay", folder.name, "--terminal").out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "[bold]not markup[/bold]" in out


class Keys:
    """A keyboard on which keys are pressed one after the other."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = keys

    async def presses(self) -> AsyncIterator[str]:
        for key in self._keys:
            yield key
            await asyncio.sleep(0)


PAGES = tuple(Page(turn, (Line("", f"page {turn}"),)) for turn in (1, 2, 3))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        ("", [1]),
        ("enter enter enter", [1, 2, 3]),
        ("space n right x", [1, 2, 3]),
        ("b enter b left enter", [1, 2, 1, 2]),
        ("enter q enter", [1, 2]),
        ("escape enter", [1]),
        ("z ? 1 enter", [1, 2]),
    ],
)
def test_keys_go_through_the_pages(keys: str, shown: list[int], language: Language) -> None:
    out, played = stepped(keys.split(), language)
    assert [int(line.split()[1]) for line in out.splitlines() if line.startswith("page")] == shown
    assert played == []


def test_p_plays_the_answer_of_the_page() -> None:
    out, played = stepped(["p", "enter", "p", "enter", "p", "q"], "en")
    assert played == [Path("1.flac"), Path("3.flac")]
    assert "no recording" in out
    assert "cannot be decoded" in out


def stepped(keys: Sequence[str], language: Language) -> tuple[str, list[Path]]:
    """Press `keys`; the second page has no sound, and that of the third is broken."""
    played: list[Path] = []

    async def play(path: Path) -> None:
        played.append(path)
        if path.name == "3.flac":
            raise AudioUnreadable(path, "cannot be decoded")

    console = Console(file=StringIO(), width=40, force_terminal=False)
    sounds = {1: Path("1.flac"), 3: Path("3.flac")}
    asyncio.run(Stepping(console, PAGES, sounds, language, play).run(Keys(keys)))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue(), played


def test_a_damaged_newest_session_is_named_when_an_older_one_is_taken_up() -> None:
    older, newer = session(), session()
    for folder, status in ((older, "running"), (newer, "running")):
        path = folder / "session.json"
        told = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**told, "status": status}), encoding="utf-8")
    (newer / "session.json").write_text("{", encoding="utf-8")
    ran = viva("practice", "--continue", "--input", "text", "--json", typed="")
    assert ran.code == 0
    assert any(newer.name in event["text"] for event in ran.named("notice"))
    assert FolderStore.open(older).manifest.status == "finished"

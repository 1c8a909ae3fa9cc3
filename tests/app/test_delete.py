"""A deleted session is gone, and nothing else is."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from agent.adapters.folder_store import FolderStore
from agent.adapters.yaml_catalog import data_root
from agent.domain.language import LANGUAGES
from tests.adapters.session_scenes import manifest, turn
from tests.app.test_cli import Ran, viva

SAMPLE = data_root() / "recordings" / "sample" / "en"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "recordings"


@pytest.fixture
def folder(root: Path) -> Path:
    return held(root, "a1b2c3d4")


def held(root: Path, identity: str) -> Path:
    """A session with a turn, a recording and a report."""
    store = FolderStore.create(root, manifest(identity))
    store.append(turn(1))
    store.close()
    (store.folder / "audio" / "001-answer.flac").write_bytes(b"x" * 3 * 2**20)
    (store.folder / "report.html").write_text("<!doctype html>", encoding="utf-8")
    return store.folder


def test_a_session_goes_with_all_it_holds_and_the_others_stay(folder: Path, root: Path) -> None:
    other = held(root, "beefbeef")
    ran = viva("delete", "a1b2", "--yes")
    assert ran.code == 0
    assert not folder.exists()
    assert list(root.iterdir()) == [other]
    assert len(list(other.rglob("*"))) == 5
    assert "4 files, 3.0 MB" in ran.out
    assert str(folder) in ran.out


def test_what_was_deleted_is_told_to_programs(folder: Path) -> None:
    told = json.loads(viva("delete", "a1b2c3d4", "--yes", "--json").out)
    assert told["deleted"] == str(folder)
    assert told["files"] == 4
    assert told["bytes"] > 3 * 2**20


def test_a_session_may_be_named_by_its_path(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    assert viva("delete", str(folder), "--yes", "--recordings", str(elsewhere)).code == 0
    assert not folder.exists()


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_terminal_it_wants_yes(
    language: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", {"en": "C", "zh": "zh_CN.UTF-8"}[language])
    ran = viva("delete", "a1b2c3d4")
    assert ran.code == 2
    assert "viva delete a1b2c3d4 --yes" in ran.err
    assert folder.is_dir()


@pytest.mark.parametrize(
    ("typed", "gone"),
    [("y", True), ("是", True), ("YES", True), ("n", False), ("", False), ("maybe", False)],
)
def test_at_a_terminal_it_asks(typed: str, gone: bool, folder: Path) -> None:
    assert asked(folder, typed).code == 0
    assert folder.exists() != gone


def asked(folder: Path, typed: str) -> Ran:
    """Type an answer at a real terminal."""
    control, terminal = pty.openpty()
    command = [sys.executable, "-m", "agent.app", "delete", folder.name]
    with subprocess.Popen(
        command, stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        os.write(control, f"{typed}\n".encode())
        out, err = process.communicate(timeout=60)
    os.close(control)
    os.close(terminal)
    assert "4" in err
    return Ran(process.returncode, out, err)


@pytest.mark.parametrize(
    ("name", "text"), [("session.json", "{"), ("turns.jsonl", "not json\n"), ("session.json", None)]
)
def test_a_damaged_session_can_be_deleted(folder: Path, name: str, text: str | None) -> None:
    if text is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(text)
    assert viva("delete", folder.name, "--yes").code == 0
    assert not folder.exists()


@pytest.mark.parametrize("named_by", ["name", "path"])
def test_links_are_not_followed_out(folder: Path, tmp_path: Path, named_by: str) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("mine")
    (folder / "audio" / "link").symlink_to(precious)
    (folder / "also").symlink_to(precious)
    (folder / "audio" / "file.flac").symlink_to(precious / "file")
    assert viva("delete", folder.name if named_by == "name" else str(folder), "--yes").code == 0
    assert not folder.exists()
    assert (precious / "file").read_text() == "mine"


def test_audio_that_is_a_link_goes_and_its_target_stays(folder: Path, tmp_path: Path) -> None:
    kept = (folder / "audio").rename(tmp_path / "kept")
    (folder / "audio").symlink_to(kept)
    assert viva("delete", folder.name, "--yes").code == 0
    assert not folder.exists()
    assert (kept / "001-answer.flac").is_file()


@pytest.mark.parametrize("named_by", ["name", "path"])
def test_a_folder_that_is_a_link_is_refused(folder: Path, tmp_path: Path, named_by: str) -> None:
    target = folder.rename(tmp_path / "moved")
    folder.symlink_to(target)
    ran = viva("delete", folder.name if named_by == "name" else str(folder), "--yes")
    assert ran.code == 1
    assert "link" in ran.err
    assert (target / "session.json").is_file()


def test_a_folder_that_is_more_than_a_session_is_refused(folder: Path) -> None:
    (folder / "thesis").mkdir()
    ran = viva("delete", str(folder), "--yes")
    assert ran.code == 1
    assert "thesis" in ran.err
    assert (folder / "session.json").is_file()


@pytest.mark.parametrize("name", ["", ".", "..", "/", "nothing", "*"])
def test_what_is_no_session_is_refused(folder: Path, name: str) -> None:
    ran = viva("delete", name, "--yes")
    assert ran.code == 1
    assert "viva list sessions" in ran.err
    assert folder.is_dir()


def test_a_session_that_is_being_held_is_refused(folder: Path) -> None:
    store = FolderStore.open(folder)
    store.acquire()
    held_now = viva("delete", folder.name, "--yes")
    store.close()
    assert held_now.code == 1
    assert "another interview" in held_now.err
    assert len(list(folder.rglob("*"))) == 5
    assert viva("delete", folder.name, "--yes").code == 0


@pytest.mark.parametrize("name", ["sample", str(SAMPLE)])
def test_the_sample_is_refused(name: str) -> None:
    ran = viva("delete", name, "--yes")
    assert ran.code == 2
    assert "sample" in ran.err.lower()
    assert (SAMPLE / "turns.jsonl").is_file()

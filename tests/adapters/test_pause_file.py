"""Own pauses on the disk."""

from pathlib import Path

import pytest

from agent.adapters.pause_file import PauseFile
from agent.policy.own_pauses import OwnPauses


def test_what_was_kept_comes_back(tmp_path: Path) -> None:
    kept = PauseFile(tmp_path / "home" / "pauses.json")
    assert kept.load() == OwnPauses()
    kept.keep(OwnPauses(latest=(0.8, 2.25)))
    assert kept.load() == OwnPauses(latest=(0.8, 2.25))


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"latest": [-3]}', '{"latest": [1e9]}'])
def test_a_damaged_file_is_forgotten(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "pauses.json"
    path.write_text(damage, encoding="utf-8")
    kept = PauseFile(path)
    assert kept.load() == OwnPauses()
    kept.keep(OwnPauses(latest=(1.0,)))
    assert kept.load() == OwnPauses(latest=(1.0,))


def test_a_place_that_cannot_be_written_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    kept = PauseFile(tmp_path / "file" / "pauses.json")
    kept.keep(OwnPauses(latest=(1.0,)))
    assert kept.load() == OwnPauses()

import errno
import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile

from agent.adapters.disk_room import check_writable
from agent.adapters.folder_store import FolderStore, find_session, list_sessions
from agent.domain.audio import AudioClip
from agent.domain.errors import SessionUnreadable, StorageUnavailable
from agent.domain.interview import SCHEMA_VERSION, Turn
from agent.ports import SessionLog, SessionRecord
from agent.testing import MemoryLog
from tests.adapters.session_scenes import manifest, records, turn

TONE = AudioClip((np.sin(np.arange(8000) / 20) / 2).astype(np.float32), 16_000)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FolderStore]:
    store = FolderStore.create(tmp_path, manifest())
    yield store
    store.close()


def reopened(store: FolderStore) -> FolderStore:
    store.close()
    return FolderStore.open(store.folder)


Read = Callable[[], tuple[SessionRecord, ...]]


class LogContract:
    """What every `SessionLog` does."""

    @pytest.fixture
    def log(self) -> tuple[SessionLog, Read]:
        raise NotImplementedError

    def test_records_come_back_as_they_were(self, log: tuple[SessionLog, Read]) -> None:
        for record in records():
            log[0].append(record)
        assert log[1]() == records()

    @pytest.mark.parametrize("name", ["turn-01", "第1题", "turn-01.question"])
    def test_a_sound_has_a_place_in_the_session(
        self, log: tuple[SessionLog, Read], name: str
    ) -> None:
        assert log[0].keep_sound(name, TONE) == f"audio/{name}.flac"

    @pytest.mark.parametrize("name", ["", "../escape", "a/b", "a\\b", ".hidden", "a" * 200, "c:x"])
    def test_a_sound_cannot_leave_the_session(
        self, log: tuple[SessionLog, Read], name: str
    ) -> None:
        with pytest.raises(StorageUnavailable):
            log[0].keep_sound(name, TONE)


class TestFolderStore(LogContract):
    @pytest.fixture
    def log(self, store: FolderStore) -> tuple[SessionLog, Read]:
        return store, store.records


class TestMemoryLog(LogContract):
    @pytest.fixture
    def log(self) -> tuple[SessionLog, Read]:
        log = MemoryLog()
        return log, lambda: tuple(log.records)


def test_folder_has_the_documented_shape(store: FolderStore, tmp_path: Path) -> None:
    store.append(turn(1))
    store.keep_sound("turn-01", TONE)
    assert store.folder == tmp_path / "20261130T093000Z-research-lab-a1b2c3d4"
    files = {str(path.relative_to(store.folder)) for path in store.folder.rglob("*.*")}
    assert files == {"session.json", "turns.jsonl", "audio/turn-01.flac"}
    described = json.loads((store.folder / "session.json").read_text("utf-8"))
    assert (described["schema_version"], described["status"]) == (SCHEMA_VERSION, "running")


def test_session_outlives_its_writer(store: FolderStore) -> None:
    for record in records():
        store.append(record)
    again = reopened(store)
    assert again.records() == records()
    assert again.manifest == manifest()


def test_sound_is_kept_whole_and_replaced_by_name(store: FolderStore) -> None:
    store.keep_sound("turn-01", AudioClip(np.zeros(100, np.float32), 24_000))
    path = store.folder / store.keep_sound("turn-01", TONE)
    samples, rate = soundfile.read(path, dtype="float32")
    assert rate == TONE.sample_rate
    np.testing.assert_allclose(samples, TONE.samples, atol=1e-4)


def test_odd_sounds_are_kept_too(store: FolderStore) -> None:
    loud = AudioClip(np.array([3.0, -3.0, np.nan, np.inf], np.float32), 22_050)
    silent = AudioClip(np.zeros(0, np.float32), 16_000)
    samples, _ = soundfile.read(store.folder / store.keep_sound("loud", loud))
    np.testing.assert_allclose(samples, [1, -1, 0, 1], atol=1e-4)
    assert soundfile.info(store.folder / store.keep_sound("silent", silent)).frames == 1


def test_text_that_is_no_unicode_is_kept_as_far_as_it_goes(store: FolderStore) -> None:
    store.append(turn(1, "broken \udcff input"))
    (kept,) = store.records()
    assert isinstance(kept, Turn)
    assert kept.answer.text == "broken ? input"


@pytest.mark.parametrize("torn", [b'{"kind": "tu', b"\x00" * 40, "数".encode()[:2]])
def test_torn_last_line_is_dropped_and_cut_off(store: FolderStore, torn: bytes) -> None:
    store.append(turn(1))
    store.close()
    with (store.folder / "turns.jsonl").open("ab") as log:
        log.write(torn)
    again = FolderStore.open(store.folder)
    assert again.records() == (turn(1),)
    again.append(turn(2))
    assert again.records() == (turn(1), turn(2))
    again.close()


def test_last_line_that_only_lost_its_end_is_kept(store: FolderStore) -> None:
    store.append(turn(1))
    store.close()
    log = store.folder / "turns.jsonl"
    log.write_bytes(log.read_bytes().rstrip())
    again = FolderStore.open(store.folder)
    assert again.records() == (turn(1),)
    again.append(turn(2))
    assert again.records() == (turn(1), turn(2))
    again.close()


@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b"  \n\n"])
def test_blank_lines_say_nothing(store: FolderStore, blank: bytes) -> None:
    store.append(turn(1))
    store.close()
    with (store.folder / "turns.jsonl").open("ab") as log:
        log.write(blank)
    again = FolderStore.open(store.folder)
    assert again.records() == (turn(1),)
    again.append(turn(2))
    assert reopened(again).records() == (turn(1), turn(2))


@pytest.mark.parametrize("line", [b"not json", b'{"kind": "riddle"}', b'{"kind": "turn"}'])
def test_broken_line_in_the_middle_is_named(store: FolderStore, line: bytes) -> None:
    store.append(turn(1))
    store.close()
    with (store.folder / "turns.jsonl").open("ab") as log:
        log.write(line + b"\n")
        log.write(b'{"kind": "notice", "code": "x", "text": "y"}\n')
    again = FolderStore.open(store.folder)
    with pytest.raises(SessionUnreadable, match="line 2"):
        again.records()
    with pytest.raises(SessionUnreadable, match="line 2"):
        again.append(turn(2))


def test_missing_log_is_named(store: FolderStore) -> None:
    store.close()
    (store.folder / "turns.jsonl").unlink()
    with pytest.raises(SessionUnreadable, match=r"turns\.jsonl"):
        FolderStore.open(store.folder).records()


def test_status_is_rewritten_without_a_trace(store: FolderStore) -> None:
    store.finish("finished")
    assert store.manifest.status == "finished"
    assert reopened(store).manifest == manifest(status="finished")
    assert not list(store.folder.glob("*.part"))


def test_newer_schema_is_refused_with_the_way_out(store: FolderStore) -> None:
    store.close()
    path = store.folder / "session.json"
    described = json.loads(path.read_text("utf-8")) | {"schema_version": SCHEMA_VERSION + 1}
    path.write_text(json.dumps(described | {"mood": "unknown"}), "utf-8")
    with pytest.raises(SessionUnreadable, match="newer") as refused:
        FolderStore.open(store.folder)
    assert refused.value.hint == "pip install --upgrade viva-interview"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema_version": 1}', "\x00"])
def test_damaged_manifest_is_named(store: FolderStore, text: str) -> None:
    store.close()
    (store.folder / "session.json").write_text(text, "utf-8")
    with pytest.raises(SessionUnreadable, match=r"session\.json"):
        FolderStore.open(store.folder)


WRITER = """
import sys
from pathlib import Path
from agent.adapters.folder_store import FolderStore
from tests.adapters.session_scenes import manifest, turn

store = FolderStore.create(Path(sys.argv[1]), manifest())
print(store.folder, flush=True)
for number in range(1, 100_000):
    store.append(turn(number))
    print(number, flush=True)
"""


def test_whatever_append_returned_for_survives_a_kill(tmp_path: Path, root: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WRITER), str(tmp_path)],
        cwd=root,
        stdout=subprocess.PIPE,
        text=True,
    ) as writer:
        assert writer.stdout is not None
        folder = Path(writer.stdout.readline().strip())
        for _ in range(50):
            writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
        returned = 50 + len([line for line in writer.stdout.read().split("\n") if line])
    store = FolderStore.open(folder)
    kept = [record.number for record in store.records() if isinstance(record, Turn)]
    assert kept == list(range(1, len(kept) + 1))
    assert len(kept) >= returned
    store.append(turn(len(kept) + 1))  # the lock died with the process
    assert len(store.records()) == len(kept) + 1
    store.close()


def test_folder_has_one_writer_and_any_readers(store: FolderStore, root: Path) -> None:
    store.append(turn(1))
    second = FolderStore.open(store.folder)
    assert second.records() == (turn(1),)
    with pytest.raises(StorageUnavailable, match="another interview"):
        second.acquire()
    with pytest.raises(StorageUnavailable, match="another interview"):
        second.append(turn(2))
    store.close()
    second.append(turn(2))
    assert second.records() == (turn(1), turn(2))
    second.close()


def test_disk_full_in_the_middle_of_a_line_leaves_the_log_whole(
    store: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.append(turn(1))
    write = os.write
    room = [10]

    def almost_full(descriptor: int, data: memoryview) -> int:
        if not room[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = write(descriptor, data[: room[0]])
        room[0] -= written
        return written

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", almost_full)
        with pytest.raises(StorageUnavailable, match="No space left") as failure:
            store.append(turn(2))
    assert failure.value.hint == "viva practice --recordings DIR"
    assert store.records() == (turn(1),)
    store.append(turn(2))
    assert store.records() == (turn(1), turn(2))


def test_sound_that_does_not_fit_leaves_the_old_one(
    store: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = store.folder / store.keep_sound("turn-01", TONE)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageUnavailable, match="No space left"):
        store.keep_sound("turn-01", AudioClip(np.zeros(10, np.float32)))
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == ["turn-01.flac"]


def test_place_that_cannot_be_written_is_refused_before_the_interview(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for place in (file, file / "below"):
        with pytest.raises(StorageUnavailable, match="cannot be written") as refused:
            check_writable(place)
        assert refused.value.hint == "viva practice --recordings DIR"
        with pytest.raises(StorageUnavailable, match="cannot be written"):
            FolderStore.create(place, manifest())


def test_read_only_folder_is_refused_and_can_still_be_read(
    store: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.append(turn(1))
    again = reopened(store)
    opened = os.open

    def read_only(path: Path, flags: int, mode: int = 0o777) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR):  # root may write anything, so the mode bits are moot
            raise OSError(errno.EROFS, "Read-only file system")
        return opened(path, flags, mode)

    monkeypatch.setattr(os, "open", read_only)
    assert again.records() == (turn(1),)
    with pytest.raises(StorageUnavailable, match="Read-only file system"):
        again.append(turn(2))
    with pytest.raises(StorageUnavailable, match="Read-only file system"):
        again.finish("finished")


def test_place_with_too_little_room_is_refused(tmp_path: Path) -> None:
    check_writable(tmp_path / "new" / "place", min_free_bytes=1)
    with pytest.raises(StorageUnavailable, match=r"only \d+ MB free"):
        check_writable(tmp_path, min_free_bytes=2**62)


def test_sessions_are_listed_newest_first_with_the_damaged_ones(tmp_path: Path) -> None:
    for identity, moment in [
        ("b", "2026-11-30T10:00:00+08:00"),
        ("a", "2026-11-30T02:00:01Z"),
        ("c", "2026-11-29T23:00:00"),
    ]:
        FolderStore.create(tmp_path, manifest(identity, moment)).close()
    (tmp_path / "a-demo").mkdir()
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "session.json").write_text("{")
    newest, *sessions = list_sessions(tmp_path)
    assert (newest.folder, newest.manifest) == (broken, None)
    assert "session.json" in (newest.problem or "")
    assert [s.manifest.id for s in sessions if s.manifest] == ["a", "b", "c"]
    assert list_sessions(tmp_path / "nowhere") == []
    assert find_session(tmp_path).name.endswith("-a")


def test_sessions_of_one_second_have_their_own_folders(tmp_path: Path) -> None:
    stores = [FolderStore.create(tmp_path, manifest(f"id{number}")) for number in range(3)]
    assert len({store.folder for store in stores}) == 3
    for store in stores:
        store.close()


def test_session_is_found_by_path_id_name_and_beginning(tmp_path: Path) -> None:
    store = FolderStore.create(tmp_path, manifest())
    store.close()
    FolderStore.create(tmp_path, manifest("ffff0000", "2026-11-30T11:00:00Z")).close()
    folder = store.folder
    for name in ("a1b2c3d4", "a1", folder.name, "20261130T0930", str(folder), f"{folder}/"):
        assert find_session(tmp_path, name) == folder
    with pytest.raises(SessionUnreadable, match="more than one"):
        find_session(tmp_path, "20261130")
    with pytest.raises(SessionUnreadable, match="a1b2c3d4") as missing:
        find_session(tmp_path, "a1b2c3d5")
    assert missing.value.hint == "viva list sessions"

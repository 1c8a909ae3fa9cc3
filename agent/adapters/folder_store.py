"""Sessions on disk: `<root>/<utc-time>-<persona>-<id>/` with session.json, turns.jsonl and audio/.

`turns.jsonl` is the truth: append only, and on the disk before `append` returns. A killed process
leaves at most a torn last line, which is not read and is cut off before the next append.
"""

import io
import os
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
import soundfile

from agent.adapters.durable_files import append_line, lock, replace, sync_folder
from agent.domain.audio import AudioClip
from agent.domain.errors import SessionUnreadable, StorageUnavailable
from agent.domain.interview import SessionManifest, SessionStatus
from agent.domain.language import LocalizedText
from agent.policy import session_format
from agent.policy.session_choice import StoredSession, choose_session, newest_first
from agent.ports import SessionRecord

_MANIFEST = "session.json"
_FIRST_MANIFEST = "session.first.json"
_TURNS = "turns.jsonl"
_AUDIO = "audio"
_ELSEWHERE = "viva practice --recordings DIR"
_BINARY = getattr(os, "O_BINARY", 0)


class FolderStore:
    """A session's folder, a `SessionLog`.

    Reading needs no lock. The first write takes it, or `acquire` before the first question of an
    interview that is continued, so that a second one is refused in time; it dies with the process.
    """

    def __init__(self, folder: Path, manifest: SessionManifest) -> None:
        self.folder = folder
        self._manifest = manifest
        self._turns: int | None = None
        self._end = 0
        self._one_writer = threading.RLock()

    @classmethod
    def create(cls, root: Path, manifest: SessionManifest) -> "FolderStore":
        """Make the folder of a new session under `root`, and take it for writing.

        Raises:
            StorageUnavailable: It cannot be written.
        """
        with _named_failure(root):
            root.mkdir(parents=True, exist_ok=True)
            folder = root / session_format.folder_name(manifest)
            folder.mkdir()
            (folder / _AUDIO).mkdir()
            replace(folder / _MANIFEST, session_format.encode_manifest(manifest))
            (folder / _TURNS).touch(exist_ok=False)
            sync_folder(folder)
            sync_folder(root)
        store = cls(folder, manifest)
        store.acquire()
        return store

    @classmethod
    def open(cls, folder: Path) -> "FolderStore":
        """Open a session that is there, to read it or to go on with it.

        Raises:
            SessionUnreadable: It is missing, damaged, or from a newer version.
        """
        path = folder / _MANIFEST
        return cls(folder, session_format.decode_manifest(_read(path), path))

    @property
    def manifest(self) -> SessionManifest:
        """What `session.json` says."""
        return self._manifest

    def records(self) -> tuple[SessionRecord, ...]:
        """Read the log, oldest first.

        Raises:
            SessionUnreadable: The log is missing, or a line of it is broken.
        """
        return self._read_log().records

    def acquire(self) -> int:
        """Take the folder for writing, if it is not taken already.

        Returns:
            The descriptor of the open log.

        Raises:
            StorageUnavailable: It cannot be written, or another process is writing it.
            SessionUnreadable: The log is damaged, so nothing may be added to it.
        """
        if self._turns is not None:
            return self._turns
        with _named_failure(self.folder), ExitStack() as on_failure:
            turns = os.open(self.folder / _TURNS, os.O_RDWR | os.O_APPEND | _BINARY)
            on_failure.callback(os.close, turns)
            lock(turns, self.folder)
            log = self._read_log()
            self._end = append_line(turns, log.end, b"") if log.open_ended else log.end
            on_failure.pop_all()
        self._turns = turns
        return turns

    def append(self, record: SessionRecord) -> None:
        """Write one record; when this returns it is on the disk.

        Raises:
            StorageUnavailable: It could not be written; the log reads as before.
        """
        with self._one_writer, _named_failure(self.folder):
            turns = self.acquire()
            self._end = append_line(turns, self._end, session_format.encode_record(record))

    def keep_sound(self, name: str, clip: AudioClip) -> str:
        """Store `clip` as `audio/<name>.flac`, replacing what had that name.

        Returns:
            The path of the file, relative to the session folder, with forward slashes.

        Raises:
            StorageUnavailable: It could not be written, or `name` cannot name a file.
        """
        relative = session_format.sound_path(name)
        with self._one_writer, _named_failure(self.folder):
            self.acquire()
            (self.folder / _AUDIO).mkdir(exist_ok=True)
            flac = io.BytesIO()  # libsndfile does not report a full disk; writing the bytes does
            samples = np.nan_to_num(clip.samples) if len(clip.samples) else np.zeros(1)
            soundfile.write(flac, samples, clip.sample_rate, format="FLAC")
            replace(self.folder / relative, flac.getvalue())
        return relative

    def finish(self, status: SessionStatus) -> None:
        """Write `status` into `session.json`, which is never seen half written.

        Raises:
            StorageUnavailable: It could not be written.
        """
        self._describe(self._manifest.model_copy(update={"status": status}))

    def revise(self, manifest: SessionManifest) -> None:
        """Describe the session anew; how it was described at first is kept beside it.

        Raises:
            StorageUnavailable: It could not be written.
        """
        first = self.folder / _FIRST_MANIFEST
        with self._one_writer, _named_failure(self.folder):
            self.acquire()
            if not first.exists():
                replace(first, session_format.encode_manifest(self._manifest))
        self._describe(manifest)

    def close(self) -> None:
        """Let go of the folder; it can still be read, and taken again."""
        if self._turns is not None:
            os.close(self._turns)
            self._turns = None

    def _describe(self, manifest: SessionManifest) -> None:
        with self._one_writer, _named_failure(self.folder):
            self.acquire()
            replace(self.folder / _MANIFEST, session_format.encode_manifest(manifest))
        self._manifest = manifest

    def _read_log(self) -> session_format.Log:
        path = self.folder / _TURNS
        return session_format.decode_log(_read(path), path)


def list_sessions(root: Path) -> list[StoredSession]:
    """Return the sessions under `root`, newest first, the damaged ones among them.

    Raises:
        SessionUnreadable: `root` itself cannot be read.
    """
    try:
        folders = list(root.iterdir()) if root.exists() else []
    except OSError as error:
        message = LocalizedText(
            en=f"{root} cannot be read: {error.strerror}", zh=f"无法读取 {root}：{error.strerror}"
        )
        raise SessionUnreadable(message) from error
    return newest_first([stored_session(path) for path in folders if _is_session(path)])


def find_session(root: Path, name: str | None = None, *, resumable: bool = False) -> Path:
    """Return the folder of the session that `name` means, or of the newest whole one.

    Args:
        root: Where sessions are kept.
        name: A path, an id, a folder's name, or the beginning of an id or a folder's name.
        resumable: Take only a session that was not finished.

    Raises:
        SessionUnreadable: There is none, or more than one; the message names what comes near.
    """
    if name and _is_session(Path(name)):
        folder = Path(name).resolve()
        return choose_session([stored_session(folder)], folder.name, resumable=resumable).folder
    return choose_session(list_sessions(root), name, resumable=resumable).folder


@contextmanager
def held(folder: Path) -> Generator[None]:
    """Keep every interview out of a session, a damaged one too.

    Raises:
        StorageUnavailable: One is writing it now.
    """
    with ExitStack() as letting_go, _named_failure(folder):
        if (folder / _TURNS).is_file():
            turns = os.open(folder / _TURNS, os.O_RDWR | _BINARY)
            letting_go.callback(os.close, turns)
            lock(turns, folder)
        yield


def stored_session(folder: Path) -> StoredSession:
    """Return what lies in `folder`: a session, or a damaged one with its problem."""
    try:
        manifest = FolderStore.open(folder).manifest
    except SessionUnreadable as error:
        return StoredSession(folder, folder.stat().st_mtime, None, error.message)
    return StoredSession(folder, session_format.created(manifest).timestamp(), manifest)


def _is_session(folder: Path) -> bool:
    return any((folder / name).is_file() for name in (_MANIFEST, _TURNS))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SessionUnreadable(
            LocalizedText(en=f"{path}: {error.strerror}", zh=f"无法读取 {path}：{error.strerror}"),
            "viva list sessions",
        ) from error


@contextmanager
def _named_failure(place: Path) -> Generator[None]:
    try:
        yield
    except (OSError, soundfile.SoundFileError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        message = LocalizedText(
            en=f"{place} cannot be written: {reason}", zh=f"无法写入 {place}：{reason}"
        )
        raise StorageUnavailable(message, _ELSEWHERE) from error

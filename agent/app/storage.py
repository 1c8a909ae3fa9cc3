"""Sessions on disk: made, taken up, opened, listed and deleted."""

import shutil
from collections.abc import Callable
from pathlib import Path

from agent.adapters.disk_room import check_writable
from agent.adapters.folder_store import (
    FolderStore,
    StoredSession,
    find_session,
    held,
    list_sessions,
    stored_session,
)
from agent.adapters.session_removal import Contents, contents, remove
from agent.adapters.yaml_catalog import data_root
from agent.app.reader import reader_language
from agent.app.settings import Settings
from agent.domain.errors import SessionUnreadable, UsageError
from agent.domain.interview import SessionManifest
from agent.domain.language import LocalizedText
from agent.policy.session_choice import damaged_after

SAMPLE = "sample"
"""Names the session that comes with the project, whatever the recordings folder holds."""


def create_session(settings: Settings, manifest: SessionManifest) -> FolderStore:
    """Make a session's folder and take it for writing.

    Raises:
        StorageUnavailable: It cannot be written, or the disk is full.
    """
    check_writable(settings.recordings)
    return FolderStore.create(settings.recordings, manifest)


def resume_session(settings: Settings, name: str | None) -> FolderStore:
    """Take up an interrupted session: the one of that name, or the newest.

    Raises:
        SessionUnreadable: There is none, or it is damaged.
        StorageUnavailable: Another interview is being held in it.
    """
    store = FolderStore.open(find_session(settings.recordings, name, resumable=True))
    store.acquire()
    return store


def passed_over(settings: Settings, taken: FolderStore) -> tuple[StoredSession, ...]:
    """Return the damaged sessions that are newer than the one that was taken up instead."""
    return damaged_after(list_sessions(settings.recordings), stored_session(taken.folder))


def open_session(settings: Settings, name: str | None) -> FolderStore:
    """Open a session for reading: the reader's sample, the one of that name, or the newest.

    Raises:
        SessionUnreadable: There is none of that name, or it is damaged.
    """
    return FolderStore.open(_find(settings, name))


def open_own_session(settings: Settings, name: str | None) -> FolderStore:
    """Open a session that judgements can be added to.

    Raises:
        UsageError: It came with the project.
        SessionUnreadable: There is none of that name, or it is damaged.
    """
    store = open_session(settings, name)
    if is_shipped(store.folder):
        message = LocalizedText(
            en="The sample session comes with the project and is never changed. "
            "Grade one of your own.",
            zh="示例会话是项目自带的，不会改动。请对你自己的会话评分。",
        )
        raise UsageError(message, "viva list sessions")
    return store


def own_copy(settings: Settings, folder: Path) -> FolderStore:
    """Return the shipped session as a copy of this user's, without a report.

    Raises:
        OSError: The user's folder cannot be written either.
    """
    copy = settings.home / SAMPLE / folder.name
    shutil.copytree(folder, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns("report.html"))
    return FolderStore.open(copy)


def is_shipped(folder: Path) -> bool:
    """Tell whether `folder` came with the project."""
    return folder.resolve().parent == _samples().resolve()


def stored_sessions(settings: Settings) -> list[StoredSession]:
    """Return all sessions, newest first, the damaged ones among them.

    Raises:
        SessionUnreadable: The recordings folder cannot be read.
    """
    return list_sessions(settings.recordings)


def delete_session(
    settings: Settings, name: str, agreed: Callable[[Path, Contents], bool]
) -> tuple[Path, Contents] | None:
    """Delete a session, a damaged one too, when its owner agrees.

    Args:
        settings: Where sessions are kept.
        name: A path, an id, a folder's name, or the beginning of an id or a folder's name.
        agreed: Asked last, with the folder and what it holds.

    Returns:
        What is gone; None when the owner did not agree.

    Raises:
        UsageError: The session came with the project.
        SessionUnreadable: There is none, or the folder is more than a session.
        StorageUnavailable: An interview is writing it, or a file cannot be deleted.
    """
    if Path(name).is_symlink():
        contents(Path(name))  # says that a link is not followed
    folder = _find(settings, name)
    if is_shipped(folder):
        message = LocalizedText(
            en="The sample session comes with the project and is not deleted.",
            zh="示例会话是项目自带的，不会删除。",
        )
        raise UsageError(message, "viva list sessions")
    there = contents(folder)
    with held(folder):
        pass  # one that is being written is refused before anybody is asked
    if not agreed(folder, there):
        return None
    return folder, remove(folder, held(folder))


def _find(settings: Settings, name: str | None) -> Path:
    return _sample() if name == SAMPLE else find_session(settings.recordings, name)


def _samples() -> Path:
    return data_root() / "recordings" / SAMPLE


def _sample() -> Path:
    folder = _samples() / reader_language()
    if not folder.is_dir():
        message = LocalizedText(
            en=f"The sample session is missing: {folder}", zh=f"缺少示例会话：{folder}"
        )
        raise SessionUnreadable(message, "pip install --force-reinstall viva-interview")
    return folder

"""Sessions on disk: made, taken up, opened and listed."""

from agent.adapters.folder_store import (
    FolderStore,
    StoredSession,
    check_writable,
    find_session,
    list_sessions,
)
from agent.app.settings import Settings
from agent.domain.interview import SessionManifest


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


def open_session(settings: Settings, name: str) -> FolderStore:
    """Open a session for reading.

    Raises:
        SessionUnreadable: There is none of that name, or it is damaged.
    """
    return FolderStore.open(find_session(settings.recordings, name))


def stored_sessions(settings: Settings) -> list[StoredSession]:
    """Return all sessions, newest first, the damaged ones among them.

    Raises:
        SessionUnreadable: The recordings folder cannot be read.
    """
    return list_sessions(settings.recordings)

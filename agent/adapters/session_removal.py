"""Taking a session off the disk: all of it, and nothing else."""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from agent.domain.errors import SessionUnreadable, StorageUnavailable
from agent.domain.language import LocalizedText

FOLDERS = {"audio"}
"""What a session holds beside files; anything else shows that the folder is more than one."""
LOG = "turns.jsonl"


@dataclass(frozen=True)
class Contents:
    """What a session's folder holds; links count as themselves, not as what they point to."""

    files: int
    bytes: int


def contents(folder: Path) -> Contents:
    """Return what would go.

    Raises:
        SessionUnreadable: The folder is a link, or holds what is no part of a session.
    """
    if folder.is_symlink():
        message = LocalizedText(
            en=f"{folder} is a link: name the folder it points to",
            zh=f"{folder} 是一个链接：请直接写出它指向的文件夹",
        )
        raise SessionUnreadable(message, "viva list sessions")
    strange = sorted(
        path.name
        for path in folder.iterdir()
        if path.name not in FOLDERS and path.is_dir() and not path.is_symlink()
    )
    if strange:
        message = LocalizedText(
            en=f"{folder} holds folders that are no part of a session: {', '.join(strange)}",
            zh=f"{folder} 里有不属于会话的文件夹：{', '.join(strange)}",
        )
        raise SessionUnreadable(message, "viva list sessions")
    sizes = [path.lstat().st_size for path in _files(folder)]
    return Contents(len(sizes), sum(sizes))


def remove(folder: Path, held: AbstractContextManager[None]) -> Contents:
    """Delete `folder` with everything in it; a link in it goes, what it points to stays.

    The log goes last: until then the folder is held, and after it nothing could be gone on with.

    Args:
        folder: A session.
        held: Keeps interviews out of it.

    Raises:
        SessionUnreadable: The folder is a link, or holds what is no part of a session.
        StorageUnavailable: An interview is writing it, or a file cannot be deleted.
    """
    gone = contents(folder)
    try:
        with held:
            for path in [path for path in _files(folder) if path != folder / LOG]:
                path.unlink()
            for name in FOLDERS:
                if (folder / name).is_dir():
                    _remove_folders(folder / name)
        (folder / LOG).unlink(missing_ok=True)
        folder.rmdir()
    except OSError as error:
        reason = error.strerror or str(error)
        message = LocalizedText(
            en=f"{folder} could not be deleted whole: {reason}",
            zh=f"{folder} 没能全部删除：{reason}",
        )
        raise StorageUnavailable(message) from error
    return gone


def _files(folder: Path) -> Iterator[Path]:
    """Yield every file and every link below `folder`, without walking through a link."""
    for place, folders, files in os.walk(folder, followlinks=False):
        yield from (Path(place) / name for name in files)
        yield from (Path(place) / name for name in folders if (Path(place) / name).is_symlink())


def _remove_folders(top: Path) -> None:
    for place, _, _ in os.walk(top, topdown=False, followlinks=False):
        Path(place).rmdir()

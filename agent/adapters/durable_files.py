"""Files that are whole after a crash, and a file that one process writes at a time."""

import os
import sys
from contextlib import suppress
from pathlib import Path

from agent.domain.errors import StorageUnavailable
from agent.domain.language import LocalizedText

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


def append_line(descriptor: int, end: int, line: bytes) -> int:
    """Write `line` behind the first `end` bytes and return the new end, on the disk."""
    try:
        if os.fstat(descriptor).st_size > end:
            os.ftruncate(descriptor, end)
        rest = memoryview(line + b"\n")
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    except OSError:
        with suppress(OSError):  # if not now, then before the next line
            os.ftruncate(descriptor, end)
        raise
    return end + len(line) + 1


def replace(path: Path, data: bytes) -> None:
    """Put `data` at `path` so that a reader sees the old file or the new one, never a part."""
    partial = path.with_name(f"{path.name}.part")
    try:
        with partial.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Put the names in `folder` on the disk."""
    if sys.platform != "win32":  # which cannot open a folder, and keeps names by itself
        descriptor = os.open(folder, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)


def lock(descriptor: int, folder: Path) -> None:
    """Take the open log of the session in `folder` until it is closed.

    Raises:
        StorageUnavailable: Another process has it.
    """
    try:
        if sys.platform == "win32":
            # Far behind the text: a range that is locked there cannot be read either.
            os.lseek(descriptor, 2**30, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        message = LocalizedText(
            en=f"the session {folder.name} is being written by another interview",
            zh=f"会话 {folder.name} 正在被另一场面试写入",
        )
        raise StorageUnavailable(message) from error

"""Whether there is a place for recordings, and room in it."""

import shutil
import tempfile
from pathlib import Path

from agent.domain.errors import StorageUnavailable
from agent.domain.language import LocalizedText

MIN_FREE_BYTES = 50 * 2**20
"""Wanted before an interview begins: about half an hour of speech as FLAC at 16 kHz."""

ELSEWHERE = "viva practice --recordings DIR"


def check_writable(root: Path, min_free_bytes: int = MIN_FREE_BYTES) -> int:
    """Make sure, before the first question, that an interview can be kept under `root`.

    Returns:
        Free bytes.

    Raises:
        StorageUnavailable: It cannot be written, or there is too little room.
    """
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root) as probe:
            probe.write(b"viva")
        free = shutil.disk_usage(root).free
    except OSError as error:
        reason = error.strerror or str(error)
        message = LocalizedText(
            en=f"{root} cannot be written: {reason}", zh=f"无法写入 {root}：{reason}"
        )
        raise StorageUnavailable(message, ELSEWHERE) from error
    if free < min_free_bytes:
        there, wanted = free >> 20, min_free_bytes >> 20
        message = LocalizedText(
            en=f"{root}: only {there} MB free, {wanted} MB wanted",
            zh=f"{root}：只剩 {there} MB，至少需要 {wanted} MB",
        )
        raise StorageUnavailable(message, ELSEWHERE)
    return free

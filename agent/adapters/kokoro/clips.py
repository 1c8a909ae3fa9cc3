"""Rendered sentences on the disk: what was spoken once is never rendered again."""

import hashlib
import io
import os
import tempfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import soundfile

from agent.domain.audio import AudioClip

LIMIT_BYTES = 200_000_000
"""About an hour and a half of speech."""
_DIGEST_BYTES = 32


class ClipCache:
    """Clips by name; each file carries its own SHA-256, so that a damaged one is not played.

    A folder that cannot be written is no error: then nothing is kept.

    Args:
        folder: Made when first needed; may be shared by several processes.
        limit_bytes: Above that the clips that were not asked for longest are deleted.
    """

    def __init__(self, folder: Path, limit_bytes: int = LIMIT_BYTES) -> None:
        self._folder = folder
        self._limit_bytes = limit_bytes

    def has(self, name: str) -> bool:
        """Tell whether there is a clip, sound or not."""
        return self._path(name).is_file()

    def get(self, name: str) -> AudioClip | None:
        """Return the clip; None when there is none, or a damaged one."""
        path = self._path(name)
        try:
            data = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        digest, sound = data[:_DIGEST_BYTES], data[_DIGEST_BYTES:]
        if hashlib.sha256(sound).digest() != digest:
            return None
        samples, rate = soundfile.read(io.BytesIO(sound), dtype="float32")
        return AudioClip(np.asarray(samples, np.float32), int(rate))

    def put(self, name: str, clip: AudioClip) -> None:
        """Keep `clip`; a reader sees the whole of it or nothing."""
        file = io.BytesIO()
        soundfile.write(file, clip.samples, clip.sample_rate, format="FLAC", subtype="PCM_16")
        sound = file.getvalue()
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, partial = tempfile.mkstemp(dir=self._folder, suffix=".part")
            with os.fdopen(handle, "wb") as written:
                written.write(hashlib.sha256(sound).digest() + sound)
            Path(partial).replace(self._path(name))
            self._make_room()

    def _path(self, name: str) -> Path:
        return self._folder / f"{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()}.clip"

    def _make_room(self) -> None:
        files = [(path, path.stat()) for path in self._folder.iterdir()]
        size = sum(status.st_size for _, status in files)
        for path, status in sorted(files, key=lambda file: file[1].st_mtime_ns):
            if size <= self._limit_bytes:
                return
            path.unlink(missing_ok=True)
            size -= status.st_size

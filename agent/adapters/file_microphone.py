"""Recordings: read whole, or played into the pipeline as a microphone would."""

# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# soundfile and PyAV ship incomplete types.

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import soundfile
import soxr

from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, AudioClip, Samples
from agent.domain.errors import AudioUnreadable
from agent.domain.language import LocalizedText

TRAILING_SILENCE_S = 15.0
NO_FILE = LocalizedText(en="there is no such file", zh="没有这个文件")
EMPTY = LocalizedText(en="the file is empty", zh="文件是空的")
NO_SOUND = LocalizedText(en="there is no sound in it", zh="里面没有声音")
"""Silence after the recording: longer than any pause in which a turn is held open."""


def read_clip(path: Path) -> AudioClip:
    """Decode a whole recording (flac, wav, ogg, mp3, m4a ...) to 16 kHz mono.

    Raises:
        AudioUnreadable: There is no such file, no sound in it, or it cannot be decoded.
    """
    if not path.is_file():
        raise AudioUnreadable(path, NO_FILE)
    if path.stat().st_size == 0:
        raise AudioUnreadable(path, EMPTY)
    try:
        samples, rate = _decode(path)
        mono = np.nan_to_num(samples.mean(axis=1))
        if rate != SAMPLE_RATE:
            mono = cast("Samples", soxr.resample(mono, rate, SAMPLE_RATE))
    except AudioUnreadable:
        raise
    except Exception as error:
        raise AudioUnreadable(
            path, LocalizedText(en=f"it cannot be decoded ({error})", zh=f"无法解码（{error}）")
        ) from error
    if len(mono) == 0:
        raise AudioUnreadable(path, NO_SOUND)
    return AudioClip(np.clip(mono, -1.0, 1.0).astype(np.float32))


def _decode(path: Path) -> tuple[Samples, int]:
    """Return samples of shape (n, channels) and their rate."""
    try:
        samples, rate = cast("tuple[Samples, int]", _read_soundfile(path))
    except soundfile.LibsndfileError:
        return _decode_container(path)
    return samples, rate


def _read_soundfile(path: Path) -> Any:
    return soundfile.read(path, dtype="float32", always_2d=True)


def _decode_container(path: Path) -> tuple[Samples, int]:
    """Decode what libsndfile cannot (m4a, webm) with the FFmpeg inside PyAV."""
    import av  # noqa: PLC0415 - slow to import and rarely needed

    chunks: list[Samples] = []
    with av.open(str(path)) as container:
        if not container.streams.audio:
            raise AudioUnreadable(path, NO_SOUND)
        resampler = av.AudioResampler(format="flt", layout="mono", rate=SAMPLE_RATE)
        frames: list[Any] = [*container.decode(audio=0), None]
        for frame in frames:
            chunks.extend(
                cast("Samples", part.to_ndarray()).reshape(-1) for part in resampler.resample(frame)
            )
    mono = np.concatenate(chunks) if chunks else np.zeros(0, dtype=np.float32)
    return mono[:, np.newaxis], SAMPLE_RATE


class FileMicrophone:
    """Plays a recording, then silence, so that the end of the turn is decided as it would be live.

    Args:
        path: The recording.
        paced: At the pace of a clock; otherwise as fast as it is taken.
    """

    def __init__(self, path: Path, *, paced: bool = False) -> None:
        self._path = path
        self._paced = paced

    async def blocks(self) -> AsyncIterator[Samples]:
        """Yield the recording in blocks, then `TRAILING_SILENCE_S` of silence.

        Raises:
            AudioUnreadable: The file cannot be decoded.
        """
        clip = await asyncio.to_thread(read_clip, self._path)
        tail = int(TRAILING_SILENCE_S * SAMPLE_RATE)
        total = -(-(len(clip.samples) + tail) // BLOCK_SAMPLES)
        sound = np.zeros(total * BLOCK_SAMPLES, dtype=np.float32)
        sound[: len(clip.samples)] = clip.samples
        loop = asyncio.get_running_loop()
        began = loop.time()
        for number, block in enumerate(sound.reshape(total, BLOCK_SAMPLES), start=1):
            due = began + number * BLOCK_SAMPLES / SAMPLE_RATE
            await asyncio.sleep(max(0.0, due - loop.time()) if self._paced else 0)
            yield block

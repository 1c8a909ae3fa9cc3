"""Decoding time over audio time on the longest English and Chinese answers.

`python -m tests.benchmarks.decode [CLIP ...]` writes JSON to standard output. The answer goes
through the whole ear as fast as it can (voice activity, segments, Whisper base, hygiene), so the
ratio is the work that an answer costs, wherever it falls. Wanted: 0.15 or less on an idle machine.
`cpu_ratio` counts processor seconds instead, which a busy machine changes less.
"""

import asyncio
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from agent.adapters.file_microphone import FileMicrophone
from agent.adapters.silero_vad import SileroVad
from agent.adapters.whisper.transcriber import WhisperTranscriber
from agent.domain.audio import Samples
from agent.domain.language import Language
from agent.ports import Segment, Transcriber
from agent.voice.listening import ListeningPipeline
from tests.clips import Clip, load_clips
from tests.speech import base_model, error_rate, hints_for

DEFAULT_CLIPS = ("en_star_strong", "zh_star_strong")
REPEATS = 3


class TimedTranscriber:
    """Counts and times what it passes on."""

    def __init__(self, transcriber: Transcriber) -> None:
        self._transcriber = transcriber
        self.seconds: list[float] = []

    async def transcribe(
        self, samples: Samples, language: Language, terms: Sequence[str] = ()
    ) -> tuple[Segment, ...]:
        began = time.perf_counter()
        try:
            return await self._transcriber.transcribe(samples, language, terms)
        finally:
            self.seconds.append(time.perf_counter() - began)


async def measure(clip: Clip, transcriber: Transcriber) -> dict[str, object]:
    """Return the fastest of some runs over `clip`: others use the machine too."""
    runs: list[tuple[float, float, float, int, float]] = []
    for _ in range(REPEATS):
        timed = TimedTranscriber(transcriber)
        began, cpu_began_s = time.perf_counter(), time.process_time()
        heard = await ListeningPipeline(SileroVad(), timed).listen(
            FileMicrophone(clip.path), hints_for(clip)
        )
        total_s = time.perf_counter() - began
        cpu_s = time.process_time() - cpu_began_s
        errors = error_rate(clip.text, heard.answer.text, clip.language)
        runs.append((sum(timed.seconds), total_s, cpu_s, len(timed.seconds), errors))
    decode_s, total_s, cpu_s, decodes, errors = min(runs)
    return {
        "id": clip.id,
        "audio_s": clip.seconds,
        "decodes": decodes,
        "decode_ratio": round(decode_s / clip.seconds, 4),
        "ear_ratio": round(total_s / clip.seconds, 4),
        "cpu_ratio": round(cpu_s / clip.seconds, 4),
        "error_rate": round(errors, 4),
    }


async def main(names: Sequence[str]) -> None:
    """Measure the named clips."""
    with tempfile.TemporaryDirectory() as cache:
        transcriber = WhisperTranscriber(base_model(Path(cache)))
        await transcriber.warm_up()
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
        clips = [await measure(load_clips()[name], transcriber) for name in names]
        transcriber.close()
    machine = {"cpus": os.cpu_count(), "python": platform.python_version(), "load": load}
    print(json.dumps({"machine": machine, "clips": clips}, indent=2))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:] or DEFAULT_CLIPS))

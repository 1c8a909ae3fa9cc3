"""The ear against the clock: cut-ins, waits, and words, beside two baselines.

`python -m tests.benchmarks.listening FOLDER [--json] [--only viva] [--clip ID ...]`. FOLDER has a
`manifest.jsonl` with a row a clip: `id lang question text speech_end_s pauses closes terms`, and
the sound as ID.flac or ID.wav. Every clip is played at the pace of a clock, then silence.

The ear is given what an interview would give it: the vocabulary of the bank question that matches,
else of the question's own words, and 15 terms of other questions, which nobody says. Gaps run
from the true end (`speech_end_s`) in seconds of the clock: to the end of the turn, and to the
final transcript. A cut-in is a turn that ended before it; what follows is heard as another turn.
Nothing is spoken here, so `gap_first_sample_s` is null. With `--json` the clips' rows are those of
Viva, the baselines stand under `baselines`, and `sound_time` has the gaps to the end of the turn
as counted in the sound: what an infinitely fast machine would reach.
"""

import argparse
import asyncio
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from agent.adapters.file_microphone import read_clip
from agent.adapters.silero_vad import SileroVad
from agent.adapters.whisper.transcriber import WhisperTranscriber
from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, Samples
from agent.domain.interview import ListeningHints
from agent.voice.listening import ListeningPipeline
from tests.benchmarks.decode import TimedTranscriber
from tests.benchmarks.listening_baselines import (
    Ends,
    TurnModel,
    fixed_silence,
    turn_model_weights,
    turns,
    whole_decode,
)
from tests.benchmarks.listening_clips import Clip, Vocabulary, load
from tests.benchmarks.listening_table import Heard, Row, summary, table
from tests.speech import base_model

TAIL_S = 20.0
BASELINE_TAIL_S = 5.0
EARLY_S = 0.1
"""A turn that ends sooner than this before the true end has cut in."""
NO_MODEL = "not measured: pipecat-ai, which holds the model, is not installed"


class PacedSound:
    """Sound that comes at the pace of the clock; a turn takes up where the last one ended.

    Attributes:
        left_at: The clock when the listener stopped listening.
        taken: Blocks that were given so far.
    """

    def __init__(self, sound: Samples) -> None:
        silence = np.zeros(round(TAIL_S * SAMPLE_RATE), dtype=np.float32)
        sound = np.concatenate([sound, silence])
        count = len(sound) // BLOCK_SAMPLES
        self._blocks = sound[: count * BLOCK_SAMPLES].reshape(count, BLOCK_SAMPLES)
        self.began = time.perf_counter()
        self.left_at = self.began
        self.taken = 0

    async def blocks(self) -> AsyncIterator[Samples]:
        """Yield each block when it is due."""
        try:
            while self.taken < len(self._blocks):
                self.taken += 1
                due = self.began + self.taken * BLOCK_SAMPLES / SAMPLE_RATE
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                yield self._blocks[self.taken - 1]
        finally:
            self.left_at = time.perf_counter()


async def viva(clip: Clip, transcriber: WhisperTranscriber, hints: ListeningHints) -> Heard:
    """Play a clip to the ear."""
    microphone = PacedSound(read_clip(clip.path).samples)
    timed = TimedTranscriber(transcriber)
    pipeline = ListeningPipeline(SileroVad(), timed)
    texts: list[str] = []
    ended_s = final_s = sound_s = float("-inf")
    while not texts or ended_s < (clip.speech_end_s or 0.0) - EARLY_S:
        began_s = microphone.taken * BLOCK_SAMPLES / SAMPLE_RATE
        heard = await pipeline.listen(microphone, hints)
        sound_s = began_s + heard.recording.seconds
        final_s = time.perf_counter() - microphone.began
        ended_s = microphone.left_at - microphone.began
        texts.append(heard.answer.text)
    text = " ".join(texts).strip()
    return Heard(len(texts) - 1, ended_s, final_s, text, sum(timed.seconds), sound_s)


async def baseline(clip: Clip, transcriber: WhisperTranscriber, ends: Ends) -> Heard:
    """Let another system hear a clip."""
    tail = round(BASELINE_TAIL_S * SAMPLE_RATE)
    sound = np.pad(read_clip(clip.path).samples, (0, tail))
    ended = turns(sound, ends)
    last_s = (clip.speech_end_s or 0.0) - EARLY_S
    early = sum(at_s < last_s for at_s in ended.at_s)
    end_s = next((at_s for at_s in ended.at_s if at_s >= last_s), len(sound) / SAMPLE_RATE)
    text, work_s = "", 0.0
    if ended.at_s:
        heard = sound[: round(end_s * SAMPLE_RATE)]
        text, work_s = await whole_decode(transcriber, heard, clip.language)
    ended_s = end_s + ended.decided_in_s
    return Heard(early, ended_s, ended_s + work_s, text, work_s)


async def run(clips: Sequence[Clip], *, only_viva: bool) -> dict[str, Any]:
    """Measure every system on every clip."""
    vocabulary = Vocabulary()
    load_before = _load()
    with tempfile.TemporaryDirectory() as cache:
        transcriber = WhisperTranscriber(base_model(Path(cache)))
        await transcriber.warm_up()
        measured: list[tuple[Clip, Row, Heard]] = []
        for clip in clips:
            hints, strangers = vocabulary.hints(clip)
            heard = await viva(clip, transcriber, hints)
            measured.append((clip, heard.row(clip, strangers), heard))
        others = {} if only_viva else await _baselines(clips, transcriber)
        transcriber.close()
    return {
        "machine": {
            "processor": platform.processor() or platform.machine(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "model": "base int8",
            "load_before_and_after": [load_before, _load()],
        },
        "clips": [asdict(row) for _, row, _ in measured],
        "texts": {clip.id: heard.text for clip, _, heard in measured},
        "sound_time": {
            clip.id: round(heard.sound_end_s - clip.speech_end_s, 3)
            for clip, _, heard in measured
            if heard.sound_end_s is not None and clip.speech_end_s is not None
        },
        "summary": summary(measured),
        **({} if only_viva else {"baselines": others}),
    }


async def _baselines(clips: Sequence[Clip], transcriber: WhisperTranscriber) -> dict[str, Any]:
    weights = turn_model_weights()
    systems: dict[str, Ends | None] = {
        "fixed 1.5 s": fixed_silence,
        "smart-turn": TurnModel(weights) if weights else None,
    }
    found: dict[str, Any] = {}
    for name, ends in systems.items():
        if ends is None:
            found[name] = NO_MODEL
            continue
        heard = [(clip, await baseline(clip, transcriber, ends)) for clip in clips]
        rows = [(clip, each.row(clip), each) for clip, each in heard]
        found[name] = {"clips": [asdict(row) for _, row, _ in rows], "summary": summary(rows)}
    return found


def _load() -> float | None:
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def show(result: dict[str, Any]) -> str:
    """Return the table, and the machine it was made on."""
    summaries, missing = {"viva": result["summary"]}, list[str]()
    for name, measured in result.get("baselines", {}).items():
        if isinstance(measured, str):
            missing.append(f"{name}: {measured}")
        else:
            summaries[name] = measured["summary"]
    lines = [table(summaries), *missing]
    return "\n".join([*lines, json.dumps(result["machine"])])


def main() -> None:
    """Read the command line, measure, write."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.listening")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", choices=["viva"])
    parser.add_argument("--clip", action="append", default=[])
    chosen = parser.parse_args()
    clips = [clip for clip in load(chosen.folder) if not chosen.clip or clip.id in chosen.clip]
    result = asyncio.run(run(clips, only_viva=chosen.only == "viva"))
    as_json = json.dumps(result, ensure_ascii=False, indent=1)
    sys.stdout.write((as_json if chosen.json else show(result)) + "\n")


if __name__ == "__main__":
    main()

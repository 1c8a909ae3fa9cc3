"""From the end of an answer to the interviewer's first sample.

Run with `python -m tests.benchmarks.response`. The parts stand in the order in which a listener
waits for them. With `--card` the interviewer is played, and "heard" is when the monitor of
PulseAudio's default sink carries the first sound. Printed are medians and the worst of all turns,
in seconds, for the candidate whose answers are the bank's own examples.
"""

import asyncio
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import numpy as np

from agent.adapters.sounddevice_audio import SounddeviceSpeaker
from agent.app import voices, wiring
from agent.app.catalog import open_catalog
from agent.app.commands.practice import plan
from agent.app.commands.suggesting import Wish
from agent.app.session import Interview
from agent.app.settings import Settings
from agent.app.storage import create_session
from agent.domain.assessment import Assessment
from agent.domain.audio import AudioClip
from agent.domain.interview import Answer, ListeningHints, Turn, Utterance
from agent.domain.language import LANGUAGES, Language
from agent.ports import SessionLog
from agent.voice.interviewer import SpokenInterviewer
from agent.voice.speaking import SpeakingPipeline

ANSWER_SOUND_S = 60
QUESTIONS = 4
LISTENED_S = 0.005
LOUD = 0.001
TALKING_S = 1.0
"""What was begun before the answer has so long to be done."""


@dataclass
class Stopwatch:
    """When the answer was complete, and what came after it."""

    ended_s: float = 0.0
    times: dict[str, list[float]] = field(default_factory=dict[str, list[float]])

    def mark(self, what: str) -> None:
        """Note the first time that `what` happens after an answer."""
        seen = self.times.setdefault(what, [])
        if self.ended_s and len(seen) < len(self.times.get("answers", [])):
            seen.append(time.perf_counter() - self.ended_s)


@dataclass
class Candidate:
    """Gives the bank's example after a while, with a minute of sound."""

    watch: Stopwatch
    examples: dict[str, str]
    log: SessionLog

    async def answer(self, utterance: Utterance, hints: ListeningHints) -> Answer | None:
        await asyncio.sleep(TALKING_S)
        text = self.examples[utterance.question_id or ""]
        self.watch.times.setdefault("answers", []).append(0.0)
        self.watch.ended_s = time.perf_counter()
        noise = np.random.default_rng(1).uniform(-0.1, 0.1, ANSWER_SOUND_S * 16_000)
        audio = self.log.keep_sound("answer", AudioClip(noise.astype(np.float32)))
        self.watch.mark("sound kept")
        return Answer(text=text, raw_text=text, status="spoken", audio=audio)


@dataclass
class Loudspeaker:
    """Looks at the watch when it is given sound."""

    watch: Stopwatch

    card: SounddeviceSpeaker | None

    async def play(self, clip: AudioClip) -> None:
        self.watch.mark("first sample")
        if self.card is not None:
            await self.card.play(clip)


@dataclass
class Watcher:
    """A presenter that shows nothing."""

    watch: Stopwatch

    def utterance(self, utterance: Utterance) -> None:
        self.watch.mark("worded")

    def assessment(self, assessment: Assessment) -> None:
        self.watch.mark("graded")

    def answer(self, turn: Turn) -> None: ...

    def notice(self, text: str) -> None: ...


@contextmanager
def listening(watch: Stopwatch) -> Generator[None]:
    """Mark when the sound card's own output is no longer silent."""
    command = ["parec", "-d", "@DEFAULT_MONITOR@", "--format=float32le", "--rate=16000"]
    command += ["--channels=1", "--latency-msec=5"]

    def listen(stream: IO[bytes]) -> None:
        size = round(16_000 * LISTENED_S) * 4
        while block := stream.read(size):
            if np.abs(np.frombuffer(block, np.float32)).max() > LOUD:
                watch.mark("heard")

    with subprocess.Popen(command, stdout=subprocess.PIPE) as recorder:
        assert recorder.stdout is not None
        thread = threading.Thread(target=listen, args=(recorder.stdout,))
        thread.start()
        yield
        recorder.terminate()
        thread.join()


async def measure(
    language: Language, recordings: Path, card: SounddeviceSpeaker | None
) -> Stopwatch:
    """Hold an interview of `QUESTIONS` questions against the watch."""
    watch = Stopwatch()
    bank = {entry.item.id: entry.item for entry in open_catalog().questions}
    manifest = plan(Wish(language=language, questions=QUESTIONS, seed=3), language)
    store = create_session(Settings(recordings=recordings), manifest)
    examples = {item.id: bank[item.id].example.get(language) for item in manifest.questions}
    mouth = voices.mouth(language, aloud=False)
    pipeline = SpeakingPipeline({language: mouth.voices}, Loudspeaker(watch, card))
    interview = Interview(
        wiring.machine(manifest),
        Candidate(watch, examples, store),
        SpokenInterviewer(pipeline, store, language, 0, lambda _: None),
        store,
        Watcher(watch),
    )
    try:
        await wiring.warm_grader(manifest)
        with listening(watch) if card else nullcontext():
            await interview.run()
    finally:
        mouth.close()
        store.close()
    return watch


def main() -> None:
    """Print a line a language and part."""
    print("language  part           median s  worst s  turns")
    for language in LANGUAGES:
        card = SounddeviceSpeaker() if "--card" in sys.argv else None
        with tempfile.TemporaryDirectory() as folder:
            watch = asyncio.run(measure(language, Path(folder), card))
        for part in ("sound kept", "graded", "worded", "first sample", "heard"):
            seen = watch.times.get(part)
            if not seen:
                continue
            print(
                f"{language:8}  {part:13}  {statistics.median(seen):8.3f}  {max(seen):7.3f}"
                f"  {len(seen):5}"
            )


if __name__ == "__main__":
    main()

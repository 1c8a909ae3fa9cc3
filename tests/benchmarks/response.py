"""From the end of an answer to the interviewer's first sample.

Run with `python -m tests.benchmarks.response`. The parts stand in the order in which a listener
waits for them. With `--card` the interviewer is played, and "heard" is when the monitor of
PulseAudio's default sink carries the first sound. Printed are medians and the worst of all turns,
in seconds, for the candidate whose answers are the bank's own examples. `model` says who words the
follow-ups: the persona alone; a server of `FIRST_TOKEN_S` to the first token that is asked when the
answer is over; the same one, asked while the answer goes on as well.
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
from itertools import product
from pathlib import Path
from typing import IO, Any, Literal

import numpy as np

from agent.adapters.openai_chat.chat import OpenAIChat
from agent.adapters.openai_chat.dialect import DialectStore
from agent.adapters.openai_chat.ledger import Ledger
from agent.adapters.sounddevice_audio import SounddeviceSpeaker
from agent.app import voices, wiring
from agent.app.catalog import open_catalog
from agent.app.commands.practice import plan
from agent.app.commands.suggesting import Wish
from agent.app.foresight import ModelForesight, ThinkingAhead
from agent.app.session import Interview
from agent.app.settings import Settings
from agent.app.storage import create_session
from agent.domain.assessment import Assessment
from agent.domain.audio import AudioClip
from agent.domain.chat import ChatEndpoint
from agent.domain.interview import Answer, ListeningHints, SessionManifest, Turn, Utterance
from agent.domain.language import LANGUAGES, Language
from agent.grading.seeing import SeeingGrader
from agent.graph.machine import InterviewMachine
from agent.ports import SessionLog
from agent.voice.interviewer import SpokenInterviewer
from agent.voice.speaking import SpeakingPipeline
from agent.wording.builtin import BuiltinWording
from agent.wording.chat import ChatWording
from tests.adapters.fault_scenes import obedient
from tests.adapters.fault_server import FaultServer, Play, fault_server

ANSWER_SOUND_S = 60
QUESTIONS = 4
LISTENED_S = 0.005
LOUD = 0.001
TALKING_S = 4.0
"""What was begun before the answer has so long to be done."""
UNDERSTOOD = 0.7
"""Share of an answer that is understood when it has that long to go on."""
FIRST_TOKEN_S = 0.2
TOKEN_S = 0.02
TOKEN_CHARACTERS = 4
Mode = Literal["none", "after", "ahead"]
MODES: tuple[Mode, ...] = ("none", "after", "ahead")


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
    ahead: ThinkingAhead | None

    async def answer(self, utterance: Utterance, hints: ListeningHints) -> Answer | None:
        text = self.examples[utterance.question_id or ""]
        if self.ahead is not None:
            self.ahead.words(text[: round(UNDERSTOOD * len(text))])
        await asyncio.sleep(TALKING_S)
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


def paced(play: Play) -> None:
    """Do what is asked as a fast server would: a pause, then a token at a time."""
    whole = play.chunk

    def chunk(finish: str | None = None, usage: Any = None, **delta: Any) -> None:
        text = str(delta.get("content", ""))
        if not text:
            whole(finish, usage, **delta)
        for start in range(0, len(text), TOKEN_CHARACTERS):
            time.sleep(TOKEN_S)
            whole(content=text[start : start + TOKEN_CHARACTERS])

    play.chunk = chunk  # type: ignore[method-assign]
    time.sleep(FIRST_TOKEN_S)
    obedient(play)


def _mind(
    manifest: SessionManifest, mode: Mode, server: FaultServer, home: Path
) -> tuple[InterviewMachine, ThinkingAhead | None, ModelForesight | None]:
    if mode == "none":
        return wiring.machine(manifest), None, None
    endpoint = ChatEndpoint(base_url=server.address, model="paced")
    chat = OpenAIChat(endpoint, DialectStore(home / "llm.json"), Ledger("paced"))
    wording = ChatWording(chat, BuiltinWording())
    judge = SeeingGrader(wiring.grader(), chat)
    foresight = ModelForesight(judge, wording)
    machine = wiring.machine(manifest, (), wording, judge, foresight)
    ahead = ThinkingAhead(machine, foresight)
    return machine, ahead if mode == "ahead" else None, foresight


async def measure(
    language: Language,
    recordings: Path,
    card: SounddeviceSpeaker | None,
    mode: Mode,
    server: FaultServer,
) -> Stopwatch:
    """Hold an interview of `QUESTIONS` questions against the watch."""
    watch = Stopwatch()
    bank = {entry.item.id: entry.item for entry in open_catalog().questions}
    manifest = plan(Wish(language=language, questions=QUESTIONS, seed=3), language)
    store = create_session(Settings(recordings=recordings), manifest)
    examples = {item.id: bank[item.id].example.get(language) for item in manifest.questions}
    mouth = voices.mouth(language, aloud=False)
    pipeline = SpeakingPipeline({language: mouth.voices}, Loudspeaker(watch, card))
    machine, ahead, foresight = _mind(manifest, mode, server, recordings)
    interview = Interview(
        machine,
        Candidate(watch, examples, store, ahead),
        SpokenInterviewer(pipeline, store, language, 0, lambda _: None),
        store,
        Watcher(watch),
    )
    try:
        await wiring.warm_grader(manifest)
        with listening(watch) if card else nullcontext():
            await interview.run()
    finally:
        if foresight is not None:
            await foresight.close()
        mouth.close()
        store.close()
    return watch


def main() -> None:
    """Print a line a language, model and part."""
    print("language  model  part           median s  worst s  turns")
    for language, mode in product(LANGUAGES, MODES):
        card = SounddeviceSpeaker() if "--card" in sys.argv else None
        with tempfile.TemporaryDirectory() as folder, fault_server() as server:
            server.always(paced)
            watch = asyncio.run(measure(language, Path(folder), card, mode, server))
        for part in ("sound kept", "graded", "worded", "first sample", "heard"):
            seen = watch.times.get(part)
            if not seen:
                continue
            print(
                f"{language:8}  {mode:5}  {part:13}  {statistics.median(seen):8.3f}"
                f"  {max(seen):7.3f}  {len(seen):5}"
            )


if __name__ == "__main__":
    main()

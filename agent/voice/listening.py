"""The ear: from blocks of sound to an answer that may be graded.

Time is counted in samples, never by a clock. Words are made while the candidate speaks, and the
sound is taken in while words are made (`agent.voice.ear`).
"""

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass

from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, AudioClip
from agent.domain.errors import DeviceUnavailable
from agent.domain.interview import Answer, ListeningHints
from agent.policy.endpointing import Endpointer, JudgedPause, TurnState
from agent.ports import ListeningWatcher, Microphone, Transcriber, VoiceActivityDetector
from agent.voice.ear import Ear

MICROPHONE_ENDED = TurnState(ended=True, reason="the microphone ended")
MICROPHONE_LOST = TurnState(ended=True, reason="the microphone was lost")


@dataclass(frozen=True)
class Heard:
    """An answer and its sound.

    Attributes:
        ended_because: Why the turn was over; empty for a whole recording.
        lost: The microphone went away; the answer is what was heard before.
    """

    answer: Answer
    recording: AudioClip
    ended_because: str = ""
    lost: DeviceUnavailable | None = None


class ListeningPipeline:
    """Listens to one answer at a time.

    Attributes:
        explain: Told after each answer how its pauses were judged; None: nobody asks.
        so_far: Told all that was understood of a live answer whenever it is more; None: nobody.
    """

    def __init__(self, vad: VoiceActivityDetector, transcriber: Transcriber) -> None:
        self._vad = vad
        self._transcriber = transcriber
        self.explain: Callable[[Sequence[JudgedPause]], None] | None = None
        self.so_far: Callable[[str], None] | None = None

    async def listen(
        self,
        microphone: Microphone,
        hints: ListeningHints,
        watcher: ListeningWatcher | None = None,
        *,
        by_key: bool = False,
    ) -> Heard:
        """Listen until the answer is over or the microphone ends.

        Args:
            microphone: Where the answer is spoken; a device that goes away loses nothing of it.
            hints: What is known of it beforehand.
            watcher: Shown every block, and every change of the text understood.
            by_key: Only the end of the microphone ends the answer, however long it pauses.

        Raises:
            AudioUnreadable: From a microphone that plays a file.
            ModelUnavailable: The recogniser cannot be loaded.
        """
        endpointer = Endpointer(hints, by_key=by_key)
        ear = Ear(self._vad, self._transcriber, hints, endpointer, watcher, self.so_far)
        end, lost = MICROPHONE_ENDED, None
        try:
            try:
                end = await _followed(microphone, ear)
            except DeviceUnavailable as error:
                end, lost = MICROPHONE_LOST, error
            if end in {MICROPHONE_ENDED, MICROPHONE_LOST}:
                state = await ear.catch_up()
                end = state if state.ended else end
            answer, recording = await ear.finish()
        finally:
            await ear.close()
        if self.explain is not None:
            self.explain(endpointer.judged)
        return Heard(answer.model_copy(update={"cut_in": end.cut_in}), recording, end.reason, lost)

    async def hear(self, clip: AudioClip, hints: ListeningHints) -> Heard:
        """Understand a whole recording, whatever its pauses.

        Args:
            clip: At `SAMPLE_RATE`.
            hints: Language and vocabulary; the rest is for live answers.

        Raises:
            ModelUnavailable: The recogniser cannot be loaded.
            ValueError: The clip has another sample rate.
        """
        if clip.sample_rate != SAMPLE_RATE:
            raise ValueError(f"a recording has {SAMPLE_RATE} Hz here, not {clip.sample_rate}")
        ear = Ear(self._vad, self._transcriber, hints)
        try:
            for start in range(0, len(clip.samples), BLOCK_SAMPLES):
                ear.take(clip.samples[start : start + BLOCK_SAMPLES])
                await ear.catch_up()
            answer, _ = await ear.finish()
        finally:
            await ear.close()
        return Heard(answer, clip)


async def _followed(microphone: Microphone, ear: Ear) -> TurnState:
    """Let `ear` hear until the answer is over or the microphone ends."""
    blocks = microphone.blocks()
    try:
        async for block in blocks:
            ear.take(block)
            state = await ear.think()
            if state.ended:
                return state
    finally:
        if isinstance(blocks, AsyncGenerator):
            await blocks.aclose()
    return MICROPHONE_ENDED

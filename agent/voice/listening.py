"""The ear: from blocks of sound to an answer that may be graded.

Time is counted in samples, never by a clock, and a decode is waited for where it stands in the
sound: a recording gives the same answer at any pace, and a microphone's queue holds what is said
meanwhile.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

import numpy as np

from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, AudioClip, Samples
from agent.domain.interview import Answer, ListeningHints
from agent.policy.endpointing import Endpointer, TurnState
from agent.policy.segmentation import WINDOW_S, Piece, Segmenter
from agent.ports import Microphone, Transcriber, VoiceActivityDetector
from agent.voice.recognition import Recognition

NOT_YET = TurnState(ended=False, reason="")


@dataclass(frozen=True)
class Heard:
    """An answer and its sound.

    Attributes:
        ended_because: Why the turn was over; empty for a whole recording.
    """

    answer: Answer
    recording: AudioClip
    ended_because: str = ""


class ListeningPipeline:
    """Listens to one answer at a time."""

    def __init__(self, vad: VoiceActivityDetector, transcriber: Transcriber) -> None:
        self._vad = vad
        self._transcriber = transcriber

    async def listen(self, microphone: Microphone, hints: ListeningHints) -> Heard:
        """Listen until the answer is over or the microphone ends.

        Raises:
            AudioUnreadable: From a microphone that plays a file.
            DeviceUnavailable: From a microphone that is a device.
            ModelUnavailable: The recogniser cannot be loaded.
        """
        ear = _Ear(self._vad, self._transcriber, hints)
        endpointer = Endpointer(hints)
        blocks = microphone.blocks()
        reason = "the microphone ended"
        try:
            async for block in blocks:
                state = await ear.take(block, endpointer)
                if state.ended:
                    reason = state.reason
                    break
        finally:
            if isinstance(blocks, AsyncGenerator):
                await blocks.aclose()
        return await ear.finish(reason)

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
        ear = _Ear(self._vad, self._transcriber, hints)
        for start in range(0, len(clip.samples), BLOCK_SAMPLES):
            await ear.take(clip.samples[start : start + BLOCK_SAMPLES])
        heard = await ear.finish("")
        return Heard(answer=heard.answer, recording=clip)


class _Ear:
    """Everything that is known about the answer under way."""

    def __init__(
        self, vad: VoiceActivityDetector, transcriber: Transcriber, hints: ListeningHints
    ) -> None:
        vad.reset()
        self._vad = vad
        self._segmenter = Segmenter()
        self._recognition = Recognition(transcriber, hints)
        self._blocks: list[Samples] = []

    async def take(self, block: Samples, endpointer: Endpointer | None = None) -> TurnState:
        """Take the next block (the last may be short); decode when a piece is due."""
        if len(block) < BLOCK_SAMPLES:
            block = np.pad(block, (0, BLOCK_SAMPLES - len(block)))
        self._blocks.append(block)
        probability = self._vad.probability(block)
        piece = self._segmenter.push(probability, float(np.sqrt(np.mean(np.square(block)))))
        state = NOT_YET
        if endpointer is not None:
            state = endpointer.observe(len(self._blocks) * WINDOW_S, probability)
        if piece is not None and (piece.final or endpointer is not None):
            text = await self._recognition.take(piece, self._sound(piece))
            if endpointer is not None and not state.ended:
                state = endpointer.confirm(text, piece.end_s, piece.voiced_s)
        return state

    async def finish(self, reason: str) -> Heard:
        """Decode what is left and sum up."""
        rest = self._segmenter.flush()
        if rest is not None:
            await self._recognition.take(rest, self._sound(rest))
        recording = np.concatenate(self._blocks) if self._blocks else np.zeros(0, np.float32)
        clip = AudioClip(recording.astype(np.float32, copy=False))
        voiced = [(run.start * WINDOW_S, run.end * WINDOW_S) for run in self._segmenter.voiced]
        return Heard(self._recognition.answer(voiced, clip), clip, reason)

    def _sound(self, piece: Piece) -> Samples:
        return np.concatenate(
            [block for span in piece.spans for block in self._blocks[span.start : span.end]]
        )

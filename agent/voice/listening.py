"""The ear: from blocks of sound to an answer that may be graded.

Time is counted in samples, never by a clock, and a decode is waited for where it stands in the
sound: a recording gives the same answer at any pace, and a microphone's queue holds what is said
meanwhile.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

import numpy as np

from agent.domain.audio import BLOCK_SAMPLES, SAMPLE_RATE, AudioClip, Samples
from agent.domain.errors import DeviceUnavailable
from agent.domain.interview import Answer, ListeningHints
from agent.policy.endpointing import Endpointer, TurnState
from agent.policy.segmentation import WINDOW_S, Piece, Segmenter
from agent.policy.voice_activity import SpeechGate
from agent.ports import ListeningWatcher, Microphone, Transcriber, VoiceActivityDetector
from agent.voice.recognition import Recognition

NOT_YET = TurnState(ended=False, reason="")


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
    """Listens to one answer at a time."""

    def __init__(self, vad: VoiceActivityDetector, transcriber: Transcriber) -> None:
        self._vad = vad
        self._transcriber = transcriber

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
        ear = _Ear(self._vad, self._transcriber, hints, watcher)
        endpointer = Endpointer(hints, by_key=by_key)
        blocks = microphone.blocks()
        end = TurnState(ended=True, reason="the microphone ended")
        lost: DeviceUnavailable | None = None
        try:
            async for block in blocks:
                state = await ear.take(block, endpointer)
                if state.ended:
                    end = state
                    break
        except DeviceUnavailable as error:
            end, lost = TurnState(ended=True, reason="the microphone was lost"), error
        finally:
            if isinstance(blocks, AsyncGenerator):
                await blocks.aclose()
        answer, recording = await ear.finish()
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
        ear = _Ear(self._vad, self._transcriber, hints, None)
        for start in range(0, len(clip.samples), BLOCK_SAMPLES):
            await ear.take(clip.samples[start : start + BLOCK_SAMPLES])
        answer, _ = await ear.finish()
        return Heard(answer, clip)


class _Ear:
    """Everything that is known about the answer under way."""

    def __init__(
        self,
        vad: VoiceActivityDetector,
        transcriber: Transcriber,
        hints: ListeningHints,
        watcher: ListeningWatcher | None,
    ) -> None:
        vad.reset()
        self._vad = vad
        self._segmenter = Segmenter()
        self._gate = SpeechGate()
        self._recognition = Recognition(transcriber, hints)
        self._watcher = watcher
        self._shown = ""
        self._blocks: list[Samples] = []

    async def take(self, block: Samples, endpointer: Endpointer | None = None) -> TurnState:
        """Take the next block (the last may be short); decode when a piece is due."""
        if len(block) < BLOCK_SAMPLES:
            block = np.pad(block, (0, BLOCK_SAMPLES - len(block)))
        self._blocks.append(block)
        probability = self._vad.probability(block)
        level = float(np.sqrt(np.mean(np.square(block))))
        if self._watcher is not None:
            self._watcher.sound(level, voiced=self._gate.voiced(probability))
        piece = self._segmenter.push(probability, level)
        state = NOT_YET
        if endpointer is not None:
            state = endpointer.observe(len(self._blocks) * WINDOW_S, probability)
        if piece is not None and (piece.final or endpointer is not None):
            text = await self._understand(piece)
            if endpointer is not None and not state.ended:
                state = endpointer.confirm(text, piece.end_s, piece.voiced_s)
        return state

    async def finish(self) -> tuple[Answer, AudioClip]:
        """Decode what is left; return the answer and all its sound."""
        rest = self._segmenter.flush()
        if rest is not None:
            await self._understand(rest)
        recording = np.concatenate(self._blocks) if self._blocks else np.zeros(0, np.float32)
        clip = AudioClip(recording.astype(np.float32, copy=False))
        voiced = [(run.start * WINDOW_S, run.end * WINDOW_S) for run in self._segmenter.voiced]
        return self._recognition.answer(voiced, clip), clip

    async def _understand(self, piece: Piece) -> str:
        text = await self._recognition.take(piece, self._sound(piece))
        if self._watcher is not None and text != self._shown:
            self._shown = text
            self._watcher.words(text)
        return text

    def _sound(self, piece: Piece) -> Samples:
        return np.concatenate(
            [block for span in piece.spans for block in self._blocks[span.start : span.end]]
        )

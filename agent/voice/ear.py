"""One answer being heard: sound comes in at any pace, thought follows as fast as it can.

Taking in a block (voice activity, the level meter) never waits. Understanding goes through the
blocks in their order and waits for a decode where it stands in the sound, so the same sound gives
the same answer at any pace, and a slow decode only lets the blocks queue up.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from agent.domain.audio import BLOCK_SAMPLES, AudioClip, Samples
from agent.domain.interview import Answer, ListeningHints
from agent.policy.endpointing import Endpointer, TurnState
from agent.policy.segmentation import (
    DECODE_PAUSE,
    GUESS_PAUSE,
    WINDOW_S,
    Piece,
    Segmenter,
    windows,
)
from agent.policy.voice_activity import SpeechGate
from agent.ports import ListeningWatcher, Transcriber, VoiceActivityDetector
from agent.voice.recognition import Recognition

NOT_YET = TurnState(ended=False, reason="")
REOPEN = windows(0.8)
"""Who goes on so soon after the end, before the interviewer was heard, was not at the end."""
REOPENED_BY = windows(0.2)
"""Speech that counts as going on."""


@dataclass(frozen=True)
class _Window:
    sound: Samples
    level: float
    probability: float


@dataclass(frozen=True)
class _Decode:
    piece: Piece
    text: asyncio.Task[str]


class Ear:
    """Everything that is known about the answer under way.

    Args:
        endpointer: Decides when it is over; None for a whole recording.
        watcher: Shown every block as it comes, and every change of the text understood.
        so_far: Told the same text.
    """

    def __init__(
        self,
        vad: VoiceActivityDetector,
        transcriber: Transcriber,
        hints: ListeningHints,
        endpointer: Endpointer | None = None,
        watcher: ListeningWatcher | None = None,
        so_far: Callable[[str], None] | None = None,
    ) -> None:
        vad.reset()
        self._vad = vad
        self._gate = SpeechGate()
        self._watcher = watcher
        self._so_far = so_far
        self._windows: list[_Window] = []
        self._followed = 0
        self._segmenter = Segmenter()
        self._endpointer = endpointer
        self._recognition = Recognition(transcriber, hints)
        self._decode: _Decode | None = None
        self._shown = ""

    def take(self, block: Samples) -> None:
        """Take in the next block; the last one may be short."""
        if len(block) < BLOCK_SAMPLES:
            block = np.pad(block, (0, BLOCK_SAMPLES - len(block)))
        probability = self._vad.probability(block)
        level = float(np.sqrt(np.mean(np.square(block))))
        self._windows.append(_Window(block, level, probability))
        if self._watcher is not None:
            self._watcher.sound(level, voiced=self._gate.voiced(probability))

    async def think(self) -> TurnState:
        """Understand what was taken in, as far as it goes without waiting for a decode."""
        if self._awaited is not None:
            await asyncio.sleep(0)
        return await self._follow(patiently=False)

    async def catch_up(self) -> TurnState:
        """Understand all that was taken in."""
        return await self._follow(patiently=True)

    async def finish(self) -> tuple[Answer, AudioClip]:
        """Decode what is left; return the answer and the sound that was understood."""
        if self._awaited is not None:
            await self._understand(self._awaited)
        rest = self._segmenter.flush()
        if rest is not None:
            await self._understand(await self._begin(rest))
        await self.close()
        heard = [window.sound for window in self._windows[: self._followed]]
        recording = np.concatenate(heard) if heard else np.zeros(0, np.float32)
        clip = AudioClip(recording.astype(np.float32, copy=False))
        voiced = [(run.start * WINDOW_S, run.end * WINDOW_S) for run in self._segmenter.voiced]
        return self._recognition.answer(voiced, clip), clip

    async def close(self) -> None:
        """Give up a decode whose result nobody wants any more."""
        if self._decode is not None:
            self._decode.text.cancel()
            await asyncio.gather(self._decode.text, return_exceptions=True)
            self._decode = None

    @property
    def _awaited(self) -> _Decode | None:
        """The decode without which what comes next is not to be judged."""
        return None if self._decode is None or self._decode.piece.guess else self._decode

    async def _follow(self, *, patiently: bool) -> TurnState:
        while True:
            decode = self._awaited
            if decode is not None:
                if not patiently and not decode.text.done():
                    return NOT_YET
                state = await self._confirm(decode)
            elif self._followed < len(self._windows):
                state = await self._next_window()
            else:
                return NOT_YET
            if state.ended and not (state.reopens and self._goes_on()):
                return state

    async def _next_window(self) -> TurnState:
        window = self._windows[self._followed]
        self._followed += 1
        piece = self._segmenter.push(window.probability, window.level)
        state = NOT_YET
        if self._endpointer is not None:
            state = self._endpointer.observe(self._followed * WINDOW_S, window.probability)
        if self._decode is not None and self._segmenter.speaking:
            await self.close()  # the guess was wrong
        if piece is not None and self._worth_decoding(piece):
            await self._begin(piece)
        return state

    def _worth_decoding(self, piece: Piece) -> bool:
        if self._endpointer is None:
            return piece.final
        return not (piece.guess and self._speaks_within(DECODE_PAUSE - GUESS_PAUSE, 1))

    async def _begin(self, piece: Piece) -> _Decode:
        """Begin to decode `piece`, or take over the guess that it confirms."""
        guessed = None
        if self._decode is not None and self._decode.piece.spans == piece.spans:
            guessed = self._decode.text
        else:
            await self.close()
        self._decode = _Decode(piece, asyncio.create_task(self._take(piece, guessed)))
        return self._decode

    async def _take(self, piece: Piece, guessed: asyncio.Task[str] | None) -> str:
        if guessed is not None:
            await guessed
        blocks = [w.sound for span in piece.spans for w in self._windows[span.start : span.end]]
        return await self._recognition.take(piece, np.concatenate(blocks))

    async def _understand(self, decode: _Decode) -> str:
        text = await decode.text
        self._decode = None
        if text != self._shown:
            self._shown = text
            if self._watcher is not None:
                self._watcher.words(text)
            if self._so_far is not None:
                self._so_far(text)
        return text

    async def _confirm(self, decode: _Decode) -> TurnState:
        text = await self._understand(decode)
        if self._endpointer is None:
            return NOT_YET
        return self._endpointer.confirm(text, decode.piece.end_s, decode.piece.voiced_s)

    def _goes_on(self) -> bool:
        return self._speaks_within(REOPEN, REOPENED_BY)

    def _speaks_within(self, ahead: int, at_least: int) -> bool:
        """Tell whether so many of the next windows, as far as they are there, are speech."""
        gate = SpeechGate()
        coming = self._windows[self._followed : self._followed + ahead]
        return sum(gate.voiced(window.probability) for window in coming) >= at_least

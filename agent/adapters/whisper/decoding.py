"""One piece of speech decoded by Whisper, in windows only as long as the speech needs."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# faster-whisper leaves what it yields partly untyped.

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from agent.domain.audio import SAMPLE_RATE, Samples
from agent.domain.interview import Word
from agent.domain.language import Language
from agent.ports import Segment

if TYPE_CHECKING:
    from faster_whisper import WhisperModel

TOKENS_AT_LEAST = 30
TOKENS_A_SECOND = 15
TOKENS_AT_MOST = 200
"""Nobody speaks more tokens than these; a decode that loops is stopped there, not after 448."""
FRAMES_A_SECOND = 100
WINDOW_FRAMES = 30 * FRAMES_A_SECOND
LEAST_FRAMES = 10 * FRAMES_A_SECOND
ROOM_FRAMES = 5 * FRAMES_A_SECOND
"""Silence after the speech. Whisper was taught on windows of 30 s, but the encoder takes what it
is given: with 5 s of silence instead of up to 28 the recorded answers come out as well, in a fifth
of the encoder's time."""
DOUBTED = -0.6
"""A result less sure than this, or an empty one, is decoded again in a window of 30 s: a few short
pieces need it, and show it so."""
LEAST_SEGMENT_S = 0.01
BEAM = 5
"""Of 22 Chinese terms a beam of 5 hears two more than a greedy search, and 5% more characters."""
OPENING: dict[Language, str | None] = {"en": None, "zh": "以下是关于大模型训练的面试回答。"}
"""What Whisper is told came before: it sets script, punctuation and trade."""
PUNCTUATION_BEFORE = "\"'“¿([{-"
PUNCTUATION_AFTER = "\"'.。,，!！?？:：”)]}、"


@dataclass
class _Stretch:
    """Tokens between two time stamps."""

    start: float
    end: float
    tokens: list[int] = field(default_factory=list[int])


class Decoding:
    """One call's decodes, a window each.

    `WhisperModel.transcribe` is not used: it pads every piece to 30 s, and decodes the margin after
    the last word once more, which comes out as words that nobody said.
    """

    def __init__(self, model: "WhisperModel", language: Language, named: Sequence[str]) -> None:
        from faster_whisper.tokenizer import Tokenizer  # noqa: PLC0415 - slow to import
        from faster_whisper.transcribe import get_suppressed_tokens  # noqa: PLC0415

        self._model = model
        multilingual = model.model.is_multilingual
        self._tokenizer = Tokenizer(
            model.hf_tokenizer, multilingual, task="transcribe", language=language
        )
        opening = OPENING[language]
        self._second_look = not named
        self._prompt: list[int] = model.get_prompt(
            self._tokenizer,
            self._tokenizer.encode(f" {opening}") if opening else [],
            hotwords=", ".join(named) or None,
        )
        self._suppressed = get_suppressed_tokens(self._tokenizer, (-1,))

    def window(self, samples: Samples, offset_s: float) -> list[Segment]:
        """Decode up to 30 s; times count from `offset_s` before the samples."""
        frames = min(WINDOW_FRAMES, len(samples) * FRAMES_A_SECOND // SAMPLE_RATE)
        spectrogram = np.asarray(self._model.feature_extractor(samples), np.float32)[:, :frames]
        wide = min(WINDOW_FRAMES, max(LEAST_FRAMES, frames + ROOM_FRAMES))
        if self._second_look:
            wide = WINDOW_FRAMES
        found = self._decoded(spectrogram, wide, offset_s)
        if wide < WINDOW_FRAMES and (not found or found[0].avg_logprob < DOUBTED):
            return self._decoded(spectrogram, WINDOW_FRAMES, offset_s)
        return found

    def _decoded(
        self, spectrogram: NDArray[np.float32], wide: int, offset_s: float
    ) -> list[Segment]:
        frames = spectrogram.shape[1]
        encoded = self._model.encode(np.pad(spectrogram, ((0, 0), (0, wide - frames))))
        most = TOKENS_AT_LEAST + TOKENS_A_SECOND * frames // FRAMES_A_SECOND
        result = self._model.model.generate(
            encoded,
            [self._prompt],
            beam_size=BEAM,
            max_length=min(self._model.max_length, len(self._prompt) + min(most, TOKENS_AT_MOST)),
            return_scores=True,
            return_no_speech_prob=True,
            suppress_tokens=self._suppressed,
        )[0]
        tokens: list[int] = result.sequences_ids[0]
        parts: list[dict[Any, Any]] = [
            {"seek": 0, "start": part.start, "end": part.end, "tokens": part.tokens}
            for part in self._stretches(tokens, frames / FRAMES_A_SECOND)
        ]
        align: Any = self._model.add_word_timestamps  # annotated with one list too few
        align(
            [parts] if parts else [],
            self._tokenizer,
            encoded,
            frames,
            PUNCTUATION_BEFORE,
            PUNCTUATION_AFTER,
            0.0,
        )
        sureness = float(result.scores[0]) * len(tokens) / (len(tokens) + 1)
        coded = self._tokenizer.decode(tokens).strip().encode()
        compression = len(coded) / len(zlib.compress(coded))
        return [
            Segment(
                text=self._tokenizer.decode(part["tokens"]),
                t0=offset_s + float(part["start"]),
                t1=offset_s + max(float(part["start"]) + LEAST_SEGMENT_S, float(part["end"])),
                words=tuple(
                    Word(
                        word["word"].strip(),
                        offset_s + float(word["start"]),
                        offset_s + float(word["end"]),
                    )
                    for word in part["words"]
                ),
                avg_logprob=sureness,
                no_speech_prob=float(result.no_speech_prob),
                compression_ratio=compression,
                sureness=tuple(float(word["probability"]) for word in part["words"]),
            )
            for part in parts
        ]

    def _stretches(self, tokens: Sequence[int], seconds: float) -> list[_Stretch]:
        """Part the tokens at the time stamps among them."""
        stamps = self._tokenizer.timestamp_begin
        parts = [_Stretch(0.0, seconds)]
        for token in tokens:
            if token < stamps:
                if token < self._tokenizer.eot:
                    parts[-1].tokens.append(token)
                continue
            moment = min(seconds, (token - stamps) * self._model.time_precision)
            if parts[-1].tokens:
                parts[-1].end = moment
                parts.append(_Stretch(moment, seconds))
            else:
                parts[-1].start = moment
        return [part for part in parts if self._tokenizer.decode(part.tokens).strip()]

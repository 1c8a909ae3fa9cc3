"""Speech to text by Whisper through faster-whisper: one model, one worker thread."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# faster-whisper leaves what it yields partly untyped.

import asyncio
import os
import threading
import zlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from agent.domain.audio import SAMPLE_RATE, Samples
from agent.domain.errors import ModelUnavailable, TranscriptionFailed, VivaError
from agent.domain.interview import Word
from agent.domain.language import Language, LocalizedText
from agent.ports import Segment

if TYPE_CHECKING:
    from faster_whisper import WhisperModel

DEADLINE_S = 30.0
LOAD_DEADLINE_S = 120.0
MOST_THREADS = 4
"""More threads than cores that do the work make CTranslate2 slower."""
MOST_TERMS = 30
MOST_TERM_CHARACTERS = 300
"""faster-whisper cuts a list of more than 223 tokens in silence, and a long one does harm."""
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
LEAST_REST_S = 1.0
"""What is left undecoded at the end of the speech is decoded too, unless it is as short as this."""
MOST_WINDOWS = 3
LEAST_SEGMENT_S = 0.01
BEAM = 5
"""Of 22 Chinese terms a beam of 5 hears two more than a greedy search, and 5% more characters."""
OPENING: dict[Language, str | None] = {"en": None, "zh": "以下是关于大模型训练的面试回答。"}
"""What Whisper is told came before: it sets script, punctuation and trade."""
PUNCTUATION_BEFORE = "\"'“¿([{-"
PUNCTUATION_AFTER = "\"'.。,，!！?？:：”)]}、"


def worth_naming(terms: Sequence[str], language: Language) -> list[str]:
    """Return the terms that Whisper is told of: few, and spoken in `language`.

    English technical terms are at home in both languages; Chinese ones in Chinese only.
    """
    chosen: list[str] = []
    room = MOST_TERM_CHARACTERS
    for term in dict.fromkeys(term.strip() for term in terms):
        if not term or (language == "en" and not term.isascii()):
            continue
        room -= len(term) if term.isascii() else 2 * len(term)
        if room < 0 or len(chosen) == MOST_TERMS:
            break
        chosen.append(term)
    return chosen


class WhisperTranscriber:
    """Implements `Transcriber`.

    Args:
        model_dir: A CTranslate2 Whisper model.
        threads: For decoding; by default as many as there are cores, four at most.
        deadline_s: For one decode, waiting for an earlier one included.
    """

    def __init__(
        self, model_dir: Path, threads: int | None = None, deadline_s: float = DEADLINE_S
    ) -> None:
        self._model_dir = model_dir
        self._threads = threads or min(MOST_THREADS, os.cpu_count() or 1)
        self.deadline_s = deadline_s
        self._model: WhisperModel | None = None
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="whisper")

    async def warm_up(self) -> None:
        """Load the model and decode a second, so that the first answer is not kept waiting.

        Raises:
            ModelUnavailable: The weights cannot be loaded.
            TranscriptionFailed: They do not decode.
        """
        second = np.zeros(SAMPLE_RATE, dtype=np.float32)
        await self._run(second, "en", (), LOAD_DEADLINE_S)

    async def transcribe(
        self, samples: Samples, language: Language, terms: Sequence[str] = ()
    ) -> tuple[Segment, ...]:
        """Decode at most 30 s of `samples` (16 kHz mono), told to expect `terms`.

        Raises:
            ModelUnavailable: The weights cannot be loaded, or know English only.
            TranscriptionFailed: The engine failed or the deadline passed.
        """
        deadline_s = self.deadline_s if self._model else LOAD_DEADLINE_S
        return await self._run(samples, language, terms, deadline_s)

    def close(self) -> None:
        """Let the worker go; a decode under way is not waited for."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    async def _run(
        self, samples: Samples, language: Language, terms: Sequence[str], deadline_s: float
    ) -> tuple[Segment, ...]:
        abandoned = threading.Event()
        try:
            return await asyncio.wait_for(
                asyncio.get_running_loop().run_in_executor(
                    self._worker, self._decode, samples, language, tuple(terms), abandoned
                ),
                deadline_s,
            )
        except TimeoutError as error:
            raise TranscriptionFailed(
                LocalizedText(
                    en=f"Whisper took longer than {deadline_s:.0f} s",
                    zh=f"Whisper 用时超过了 {deadline_s:.0f} 秒",
                ),
                hint="VIVA_WHISPER=base viva practice --continue",
            ) from error
        except RuntimeError as error:  # the worker was closed
            raise TranscriptionFailed(
                LocalizedText(
                    en=f"Whisper is not running: {error}", zh=f"Whisper 没有在运行：{error}"
                )
            ) from error
        finally:
            abandoned.set()

    def _decode(
        self,
        samples: Samples,
        language: Language,
        terms: tuple[str, ...],
        abandoned: threading.Event,
    ) -> tuple[Segment, ...]:
        if abandoned.is_set():
            return ()
        try:
            model = self._loaded(language)
            return self._segments(model, samples, language, terms, abandoned)
        except VivaError:
            raise
        except Exception as error:
            raise TranscriptionFailed(
                LocalizedText(en=f"Whisper failed: {error}", zh=f"Whisper 出错了：{error}")
            ) from error

    def _loaded(self, language: Language) -> "WhisperModel":
        if self._model is None:
            from faster_whisper import WhisperModel  # noqa: PLC0415 - slow to import

            try:
                self._model = WhisperModel(
                    str(self._model_dir),
                    device="cpu",
                    compute_type="int8",
                    cpu_threads=self._threads,
                    num_workers=1,
                    local_files_only=True,
                )
            except Exception as error:
                raise ModelUnavailable(
                    LocalizedText(
                        en=f"Whisper cannot be loaded from {self._model_dir}: {error}",
                        zh=f"无法从 {self._model_dir} 加载 Whisper：{error}",
                    ),
                    hint="viva demo",
                ) from error
        if language != "en" and not self._model.model.is_multilingual:
            raise ModelUnavailable(
                LocalizedText(
                    en=f"{self._model_dir.name} knows English only",
                    zh=f"{self._model_dir.name} 只懂英语",
                ),
                hint="VIVA_WHISPER=base viva practice --lang zh",
            )
        return self._model

    def _segments(
        self,
        model: "WhisperModel",
        samples: Samples,
        language: Language,
        terms: tuple[str, ...],
        abandoned: threading.Event,
    ) -> tuple[Segment, ...]:
        decoding = _Decoding(model, language, worth_naming(terms, language))
        segments: list[Segment] = []
        end_s = 0.0
        for _ in range(MOST_WINDOWS):
            found = decoding.window(samples[int(end_s * SAMPLE_RATE) :], end_s)
            if not found or abandoned.is_set():
                break
            segments += found
            end_s = found[-1].t1
            if len(samples) / SAMPLE_RATE - end_s < LEAST_REST_S:
                break
        return tuple(segments)


@dataclass
class _Stretch:
    """Tokens between two time stamps."""

    start: float
    end: float
    tokens: list[int] = field(default_factory=list[int])


class _Decoding:
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

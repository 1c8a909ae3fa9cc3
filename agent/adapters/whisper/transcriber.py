"""Speech to text by Whisper through faster-whisper: one model, one worker thread."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# faster-whisper leaves what it yields partly untyped.

import asyncio
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agent.adapters.whisper.decoding import Decoding
from agent.domain.audio import SAMPLE_RATE, Samples
from agent.domain.errors import ModelUnavailable, TranscriptionFailed, VivaError
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
LEAST_REST_S = 1.0
"""What is left undecoded at the end of the speech is decoded too, unless it is as short as this."""
MOST_WINDOWS = 3


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
        decoding = Decoding(model, language, worth_naming(terms, language))
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

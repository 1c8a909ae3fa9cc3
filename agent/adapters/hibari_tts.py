"""A natural English voice that comes with its package: hibari, and only the voice in the wheel."""

# pyright: reportMissingImports=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
# hibari has no types, and is not always installed.

import asyncio
import importlib.util
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from agent.domain.audio import AudioClip, Samples
from agent.domain.errors import SynthesisFailed
from agent.domain.language import Language, LocalizedText
from agent.policy.pronunciation import aloud

VOICE = "heart"
NOT_ENGLISH = LocalizedText(en="the hibari voice speaks English only", zh="hibari 语音只说英语")
NO_SOUND = LocalizedText(
    en="the hibari voice has no sound for this text", zh="hibari 语音读不出这段文字"
)
"""The one voice inside the wheel; every other would be downloaded when first used."""
LIMIT_S = 30.0


class HibariSynthesizer:
    """A `Synthesizer` for English; the model loads with the first sentence, in its own thread."""

    def __init__(self) -> None:
        self._one_at_a_time = ThreadPoolExecutor(1, thread_name_prefix="hibari")
        self._model: Any = None

    @staticmethod
    def available() -> bool:
        """Whether the package is installed."""
        return importlib.util.find_spec("hibari") is not None

    async def synthesize(self, text: str, language: Language) -> AudioClip:
        """Speak `text`; a text without letters and digits gives an empty clip.

        Raises:
            SynthesisFailed: The text is not English, or the model failed or took too long.
        """
        if not any(character.isalnum() for character in text):
            return AudioClip(np.zeros(0, np.float32))
        if language != "en":
            raise SynthesisFailed(NOT_ENGLISH)
        loop = asyncio.get_running_loop()
        try:
            speech = loop.run_in_executor(self._one_at_a_time, self._speak, text)
            samples, rate = await asyncio.wait_for(speech, LIMIT_S + len(text) / 50)
        except Exception as error:
            raise SynthesisFailed(
                LocalizedText(
                    en=f"the hibari voice failed: {error}", zh=f"hibari 语音出错了：{error}"
                )
            ) from error
        if not samples.size:
            raise SynthesisFailed(NO_SOUND)
        return AudioClip(samples, rate)

    def close(self) -> None:
        """Let the model and its thread go."""
        self._one_at_a_time.shutdown(wait=False, cancel_futures=True)

    def _speak(self, text: str) -> tuple[Samples, int]:
        if self._model is None:
            from hibari import Hibari  # noqa: PLC0415 - part of an extra

            self._model = Hibari(voice=VOICE)
        said = aloud(text.encode("utf-8", "replace").decode())
        samples = np.asarray(self._model(said, seed=0), dtype=np.float32)
        return np.clip(samples, -1.0, 1.0), int(self._model.sample_rate)

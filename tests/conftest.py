"""Every test starts with the network closed and the user's folders out of reach."""

import socket
from pathlib import Path
from typing import Any

import pytest

from tests.clips import Clip, load_clips

ROOT = Path(__file__).resolve().parent.parent
LOOPBACK = {"127.0.0.1", "::1", "localhost"}


class NetworkClosed(RuntimeError):
    """A test tried to reach beyond this machine."""


@pytest.fixture(autouse=True)
def closed_world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Refuse connections beyond loopback, hide the user's settings, and give temporary folders."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in {socket.AF_INET, socket.AF_INET6} and address[0] not in LOOPBACK:
            raise NetworkClosed(f"connection to {address[0]} in a test")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
    for name in ("BASE_URL", "API_KEY", "MODEL"):
        monkeypatch.delenv(f"VIVA_LLM_{name}", raising=False)
    monkeypatch.delenv("VIVA_WHISPER", raising=False)
    monkeypatch.setenv("VIVA_HOME", str(tmp_path / "viva-home"))
    monkeypatch.setenv("VIVA_RECORDINGS", str(tmp_path / "recordings"))


@pytest.fixture
def root() -> Path:
    """The repository's top folder."""
    return ROOT


@pytest.fixture(scope="session")
def clips() -> dict[str, Clip]:
    """The recorded answers, by id."""
    return load_clips()

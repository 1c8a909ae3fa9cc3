"""Every test starts with the network closed and the user's folders out of reach."""

import json
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agent.domain.language import Language

ROOT = Path(__file__).resolve().parent.parent
AUDIO = ROOT / "tests" / "data" / "audio"
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


@dataclass(frozen=True)
class Clip:
    """A recorded answer whose words are known (`tests/data/audio/manifest.jsonl`)."""

    id: str
    path: Path
    language: Language
    question: str
    text: str
    seconds: float
    pauses: tuple[tuple[float, float], ...]
    terms: tuple[str, ...]
    speech_end_s: float | None


def load_clips() -> dict[str, Clip]:
    rows = (AUDIO / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    return {
        row["id"]: Clip(
            id=row["id"],
            path=AUDIO / f"{row['id']}.flac",
            language=row["lang"],
            question=row["question"],
            text=row["text"],
            seconds=row["seconds"],
            pauses=tuple((a, b) for a, b in row["pauses"]),
            terms=tuple(row["terms"]),
            speech_end_s=row["speech_end_s"],
        )
        for row in map(json.loads, rows)
    }


@pytest.fixture(scope="session")
def clips() -> dict[str, Clip]:
    """The recorded answers, by id."""
    return load_clips()

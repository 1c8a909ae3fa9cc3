"""The recorded answers that the tests listen to."""

import json
from dataclasses import dataclass
from pathlib import Path

from agent.domain.language import Language

AUDIO = Path(__file__).resolve().parent / "data" / "audio"


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
    """Return every clip by its id."""
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

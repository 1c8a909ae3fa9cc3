"""The clips of the listening benchmark, and what the ear is told before each of them."""

import json
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.app import wiring
from agent.app.catalog import open_catalog
from agent.domain.interview import ListeningHints
from agent.domain.language import LANGUAGES, Language
from agent.domain.question import LocalizedQuestion
from agent.policy.nearness import VectorNearness
from agent.policy.question_match import match_question

DISTRACTORS = 15


@dataclass(frozen=True)
class Clip:
    """A row of the manifest."""

    id: str
    path: Path
    language: Language
    question: str
    text: str
    speech_end_s: float | None
    closes: bool | None
    terms: tuple[str, ...]


def load(folder: Path) -> list[Clip]:
    """Return the clips of a folder."""
    rows = (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    return [_clip(folder, json.loads(row)) for row in rows if row.strip()]


def _clip(folder: Path, row: dict[str, Any]) -> Clip:
    paths = [folder / f"{row['id']}{suffix}" for suffix in (".flac", ".wav", ".ogg", ".mp3")]
    return Clip(
        id=row["id"],
        path=next((path for path in paths if path.is_file()), paths[0]),
        language=row["lang"],
        question=row.get("question") or "",
        text=row.get("text") or "",
        speech_end_s=row.get("speech_end_s"),
        closes=row.get("closes"),
        terms=tuple(row.get("terms") or ()),
    )


class Vocabulary:
    """What the ear is told before an answer to a question."""

    def __init__(self) -> None:
        items = [entry.item for entry in open_catalog().questions]
        self._bank: dict[Language, list[LocalizedQuestion]] = {
            language: [item.localized(language) for item in items if language in item.languages]
            for language in LANGUAGES
        }

    def hints(self, clip: Clip) -> tuple[ListeningHints, tuple[str, ...]]:
        """Return the hints, and which of their terms are distractors."""
        bank = self._bank[clip.language]
        match = self._match(clip.question, bank)
        own = match.speech_terms if match else _words(clip.question)
        others = sorted({term for item in bank for term in item.speech_terms} - set(own))
        said = folded(clip.text)
        unsaid = [term for term in others if folded(term) not in said]
        strangers = tuple(random.Random(clip.id).sample(unsaid, min(DISTRACTORS, len(unsaid))))
        frames = {
            category: entry.item
            for entry in open_catalog().frames
            for category in entry.item.categories
        }
        category = match.category if match else "project"
        frame = frames.get(category)
        hints = ListeningHints(
            language=clip.language,
            frame=frame.id if frame else "star",
            still_missing=tuple(item.id for item in frame.criteria) if frame else (),
            speech_terms=(*own, *strangers),
        )
        return hints, strangers

    def _match(self, text: str, bank: list[LocalizedQuestion]) -> LocalizedQuestion | None:
        encoder = wiring.encoder()
        if not text or encoder is None:
            return match_question(text, bank, None) if text else None
        texts = list(dict.fromkeys([text, *(item.prompt for item in bank)]))
        vectors = dict(zip(texts, encoder.encode(texts), strict=True))
        return match_question(text, bank, VectorNearness(vectors))


def _words(question: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(re.findall(r"[A-Za-z][\w\-]{3,}|[A-Z]{2,}", question)))


def folded(text: str) -> str:
    """Return letters and digits only, in lower case."""
    return re.sub(r"[\W_]", "", text.casefold())

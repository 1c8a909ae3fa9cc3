"""What the listening benchmark prints: a row a clip, and one table of all systems."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agent.domain.language import LANGUAGES
from tests.benchmarks.listening_clips import Clip, folded
from tests.speech import error_rate, tokens

LONG_S = 45.0
SHORT_S = 20.0
"""True ends after and before which an answer counts as a long or a short one."""
MEASURES = {
    "cut_ins": "cut-ins",
    "turn_end_closes_s": "true end to turn end, answer closes itself (mean s)",
    "turn_end_open_s": "true end to turn end, something left open (mean s)",
    "final_after_long_s": "turn end to final words, answers over 45 s (mean s)",
    "final_after_short_s": "turn end to final words, answers under 20 s (mean s)",
    "terms_en": "terms recalled, English",
    "terms_zh": "terms recalled, Chinese",
    "inserted": "distractors put in",
    "word_errors_en": "word error rate, English",
    "character_errors_zh": "character error rate, Chinese",
    "words_from_nothing": "words out of silence and noise",
    "work_on_nothing_s": "decoding for silence and noise (s)",
}


@dataclass(frozen=True)
class Row:
    """What came of a clip; seconds, null where there is nothing to measure."""

    id: str
    cut_ins: int
    gap_turn_end_s: float | None
    gap_final_s: float | None
    gap_first_sample_s: float | None
    error_rate: float | None
    terms_expected: tuple[str, ...]
    terms_found: tuple[str, ...]
    terms_inserted: tuple[str, ...]


@dataclass(frozen=True)
class Heard:
    """What a system made of a clip.

    Attributes:
        ended_s: When the last turn ended, from the start of the clip, as `final_s`: when its
            words were there.
        work_s: Seconds of decoding.
    """

    cut_ins: int
    ended_s: float
    final_s: float
    text: str
    work_s: float
    sound_end_s: float | None = None

    def row(self, clip: Clip, strangers: Sequence[str] = ()) -> Row:
        """Compare with what was said."""
        said, end_s = folded(self.text), clip.speech_end_s
        errors = error_rate(clip.text, self.text, clip.language) if clip.text else None
        return Row(
            id=clip.id,
            cut_ins=self.cut_ins,
            gap_turn_end_s=None if end_s is None else round(self.ended_s - end_s, 3),
            gap_final_s=None if end_s is None else round(self.final_s - end_s, 3),
            gap_first_sample_s=None,
            error_rate=None if errors is None else round(errors, 4),
            terms_expected=clip.terms,
            terms_found=tuple(term for term in clip.terms if folded(term) in said),
            terms_inserted=tuple(term for term in strangers if folded(term) in said),
        )


def summary(heard: Sequence[tuple[Clip, Row, Heard]]) -> dict[str, float | int | None]:
    """Return the figures of one system over all clips."""
    answers = [(clip, row) for clip, row, _ in heard if row.gap_turn_end_s is not None]
    nothing = [(clip, found) for clip, _, found in heard if not clip.text]

    def gap(*, closes: bool) -> float | None:
        return _mean([row.gap_turn_end_s for clip, row in answers if clip.closes is closes])

    def after(least_s: float, most_s: float) -> float | None:
        return _mean(
            [
                row.gap_final_s - row.gap_turn_end_s
                for clip, row in answers
                if row.gap_final_s is not None
                and row.gap_turn_end_s is not None
                and least_s <= (clip.speech_end_s or 0.0) < most_s
            ]
        )

    spoken = {
        language: [row for clip, row in answers if clip.language == language]
        for language in LANGUAGES
    }
    return {
        "cut_ins": sum(row.cut_ins for _, row in answers),
        "turn_end_closes_s": gap(closes=True),
        "turn_end_open_s": gap(closes=False),
        "final_after_long_s": after(LONG_S, float("inf")),
        "final_after_short_s": after(0.0, SHORT_S),
        "terms_en": _recall(spoken["en"]),
        "terms_zh": _recall(spoken["zh"]),
        "inserted": sum(len(row.terms_inserted) for _, row, _ in heard),
        "word_errors_en": _mean([row.error_rate for row in spoken["en"]], 3),
        "character_errors_zh": _mean([row.error_rate for row in spoken["zh"]], 3),
        "words_from_nothing": sum(len(tokens(f.text, c.language)) for c, f in nothing),
        "work_on_nothing_s": round(sum(found.work_s for _, found in nothing), 2),
    }


def _mean(values: Sequence[float | None], digits: int = 2) -> float | None:
    known = [value for value in values if value is not None]
    return round(statistics.fmean(known), digits) if known else None


def _recall(rows: Sequence[Row]) -> float | None:
    expected = sum(len(row.terms_expected) for row in rows)
    return round(sum(len(row.terms_found) for row in rows) / expected, 3) if expected else None


def table(summaries: dict[str, Any]) -> str:
    """Return one table: a line a measure, a column a system."""
    first = max(map(len, MEASURES.values())) + 2
    lines = [" " * first + "".join(f"{name:>14}" for name in summaries)]
    for key, name in MEASURES.items():
        figures = ("-" if each[key] is None else str(each[key]) for each in summaries.values())
        lines.append(f"{name:<{first}}" + "".join(f"{figure:>14}" for figure in figures))
    return "\n".join(lines)

"""How sure the scores are, in words: their ranges, the hire band, and what appeals came to."""

from collections.abc import Mapping

from agent.app.report_figures import whole
from agent.app.report_texts import label
from agent.app.report_texts import words as words_in
from agent.domain.assessment import Appeal, HireBand, Interval
from agent.domain.language import Language


def range_told(interval: Interval | None, words: Mapping[str, str]) -> str:
    """Return where a score lies, `62-86`; empty where that is not known."""
    if interval is None:
        return ""
    low, high = interval
    return words["range"].format(low=whole(low), high=whole(high))


def band_told(hire: HireBand | None, language: Language) -> str:
    """Return the hire band with its range, or why there is none; empty where none was computed."""
    words = words_in(language)
    if hire is None:
        return ""
    if hire.band is None:
        reason = label("why", hire.reason or "", language)
        return f"{words['not_judged']}{words['colon']}{reason}"
    band = label("band", hire.band, language)
    if hire.low == hire.high or hire.low is None or hire.high is None:
        return band
    low, high = (label("band", name, language) for name in (hire.low, hire.high))
    return words["band_range"].format(band=band, low=low, high=high)


def appeal_told(turn: int | None, score: float | None, appeal: Appeal, language: Language) -> str:
    """Return what an appeal came to, and why.

    Args:
        turn: The turn whose grade was appealed against.
        score: What the appeal came to.
        appeal: How.
        language: Of the words.
    """
    words = words_in(language)
    varied = (
        f"{label('variation', item.name, language)} {_figure(item.score, words)}"
        for item in appeal.variations
    )
    reasons = (label("appeal", reason, language) for reason in appeal.reasons)
    return words["appealed"].format(
        turn=turn,
        old=_figure(appeal.earlier, words),
        new=_figure(score, words),
        varied=words["comma"].join(varied),
        reason=words["comma"].join(reasons),
    )


def _figure(score: float | None, words: Mapping[str, str]) -> str:
    return words["not_judged"] if score is None else whole(score)

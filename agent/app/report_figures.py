"""Figures as they are written in the report."""

from collections.abc import Mapping

from agent.domain.interview import Delivery
from agent.domain.language import Language


def whole(score: float) -> str:
    """Return a score of 0 to 100 without decimals, halves rounded up."""
    return str(int(score + 0.5))


def points_of(rating: int) -> int:
    """Return a self-rating of 1 to 5 on the scale of scores, 0 to 100."""
    return 25 * (rating - 1)


def clock(seconds: float) -> str:
    """Return `seconds` as minutes and seconds, `1:05`."""
    minutes, rest = divmod(round(max(0.0, seconds)), 60)
    return f"{minutes}:{rest:02d}"


def delivery_figures(
    delivery: Delivery, spoken: Language, words: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """Return names and values of what was measured; what was not measured is left out.

    Args:
        delivery: The measures.
        spoken: The language of the answer, which the pace is counted in.
        words: The report's own words.
    """
    unit = words["seconds"]
    figures = [
        (words["length"], clock(delivery.seconds)),
        (words["speech"], clock(delivery.speech_s)),
    ]
    if delivery.first_word_s is not None:
        figures.append((words["first_word"], f"{delivery.first_word_s:.1f} {unit}"))
    if delivery.rate is not None:
        figures.append((words["pace"], f"{delivery.rate:.0f} {words[f'pace_{spoken}']}"))
    pauses = str(len(delivery.pauses))
    if delivery.pauses:
        longest = max(end - start for start, end in delivery.pauses)
        pauses += f"{words['comma']}{words['longest']} {longest:.1f} {unit}"
    figures.append((words["pauses"], pauses))
    if delivery.fillers is not None:
        figures.append((words["fillers"], str(delivery.fillers)))
    return tuple(figures)

"""Names within a question that occur twice or refer to nothing."""

from agent.domain.language import LocalizedText
from agent.domain.question import Question

Place = tuple[int | str, ...]


def reference_faults(question: Question) -> list[tuple[Place, LocalizedText]]:
    """Return what is wrong with the names in `question`, each with its place."""
    points = [point.id for point in question.key_points]
    faults: list[tuple[Place, LocalizedText]] = [
        ((field, n, "id"), _twice(name))
        for field, names in (
            ("key_points", points),
            ("misconceptions", [item.id for item in question.misconceptions]),
        )
        for n, name in enumerate(names)
        if name in names[:n]
    ]
    faults += [
        (("misconceptions", n, "contradicts", m), _no_point(name))
        for n, item in enumerate(question.misconceptions)
        for m, name in enumerate(item.contradicts)
        if name not in points
    ]
    faults += [
        (("probes", n, "key_point"), _no_point(probe.key_point))
        for n, probe in enumerate(question.probes)
        if probe.key_point is not None and probe.key_point not in points
    ]
    return faults


def _twice(name: str) -> LocalizedText:
    return LocalizedText(
        en=f"{name!r} occurs twice in this question", zh=f"{name!r} 在这道题里出现了两次"
    )


def _no_point(name: str) -> LocalizedText:
    return LocalizedText(en=f"there is no key point {name!r}", zh=f"没有要点 {name!r}")

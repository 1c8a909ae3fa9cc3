"""Names within a question that occur twice or refer to nothing."""

from agent.domain.question import Question

Place = tuple[int | str, ...]


def reference_faults(question: Question) -> list[tuple[Place, str]]:
    """Return what is wrong with the names in `question`, each with its place."""
    points = [point.id for point in question.key_points]
    faults: list[tuple[Place, str]] = [
        ((field, n, "id"), f"{name!r} occurs twice in this question")
        for field, names in (
            ("key_points", points),
            ("misconceptions", [item.id for item in question.misconceptions]),
        )
        for n, name in enumerate(names)
        if name in names[:n]
    ]
    faults += [
        (("misconceptions", n, "contradicts", m), f"there is no key point {name!r}")
        for n, item in enumerate(question.misconceptions)
        for m, name in enumerate(item.contradicts)
        if name not in points
    ]
    faults += [
        (("probes", n, "key_point"), f"there is no key point {probe.key_point!r}")
        for n, probe in enumerate(question.probes)
        if probe.key_point is not None and probe.key_point not in points
    ]
    return faults

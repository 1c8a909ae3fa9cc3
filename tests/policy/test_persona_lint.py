"""The lint of personas and companies finds what it is there for."""

from typing import Any

import pytest

from agent.domain.company import Company
from agent.domain.persona import Persona
from agent.policy.persona_lint import lint_company, lint_persona
from tests.interview_samples import persona
from tests.policy.test_rehearsal import company

PERSONA = persona()
Change = dict[str, Any]


def changed(change: Change) -> Persona:
    return Persona.model_validate(PERSONA.model_dump() | change)


def reworded(reason: str, language: str, *lines: str, extra: tuple[str, ...] = ()) -> Change:
    """The persona's way to dig with one list replaced, or lengthened by `extra`."""
    probes = PERSONA.probes.model_dump()
    old = probes["wording"][reason]
    old[language] = (*(lines or old[language]), *extra)
    return {"probes": probes}


def lines(field: str, language: str, *extra: str) -> Change:
    texts = getattr(PERSONA, field).model_dump()
    texts[language] = (*texts[language], *extra)
    return {field: texts}


FAULTS: tuple[tuple[Change, str], ...] = (
    (lines("bridge", "en", "Great answer, next."), "says 'great answer'"),
    (lines("bridge", "zh", "答得好，下一个。"), "says '答得好'"),
    (lines("closing", "en", "Perfect. Goodbye."), "says 'perfect'"),
    (reworded("climb", "en", extra=("Is that correct under load?",)), "says 'correct'"),
    (
        {
            "cut_in": {
                "after_s": 99,
                "words": {"en": ["That is wrong, stop."] * 4, "zh": ["停。"] * 4},
            }
        },
        "says 'that is wrong'",
    ),
    (lines("bridge", "en", "One more."), "bridge: 9 in en, 8 in zh"),
    ({"gave_up": {"en": ["Next."], "zh": ["好。"]}}, "gave_up (en): 1 lines, 4 are needed"),
    (
        reworded("climb", "zh", "再往下呢？", "为什么？", "然后呢？", "多少？"),
        "probes.wording.climb (zh): 4 lines, 5 are needed",
    ),
    (
        reworded("climb", "en", *(f'"{{quote}}" and {n}?' for n in range(6))),
        "probes.wording.climb (en): too few lines that need no quote",
    ),
    (
        reworded("no_baseline", "zh", *(f"“{{quote}}”，第{n}次？" for n in range(5))),
        "probes.wording.no_baseline (zh): too few lines that need no quote",
    ),
    (lines("opening", "en", "All right, here is a different one."), "said in two places (en)"),
    (lines("not_heard", "zh", "我们往后走。"), "said in two places (zh)"),
    (lines("opening", "en", "Ready? Shall we?"), "asks more than one thing"),
    (lines("opening", "zh", "好了吗？开始？"), "asks more than one thing"),
    (lines("opening", "en", "你好。"), "is in another language"),
    (lines("opening", "zh", "Hello."), "is in another language"),
    (reworded("conflict", "en", extra=("But {quote} was said?",)), "are filled in"),
    (reworded("conflict", "zh", extra=("可是“{quotes}”？",)), "are filled in"),
    ({"vocabulary": {"en": ["latency"], "zh": []}}, "vocabulary: nothing in zh"),
    ({"never_says": {"en": [], "zh": ["你错了"]}}, "never_says: nothing in en"),
    ({"probes": PERSONA.probes.model_dump() | {"rungs": {}}}, "probes.rungs: no words for limits"),
    (
        {
            "probes": PERSONA.probes.model_dump()
            | {"rungs": {"limits": {"en": ["How far?"], "zh": ["多远？"]}}}
        },
        "probes.rungs.limits (zh): 1 lines, 3 are needed",
    ),
    (
        {"probes": PERSONA.probes.model_dump() | {"order": ["climb"]}},
        "probes.order: never asks for the reason conflict",
    ),
    (
        {"probes": PERSONA.probes.model_dump() | {"order": [*PERSONA.probes.order, "climb"]}},
        "probes.order: climb stands there twice",
    ),
)


def test_a_persona_in_order_has_nothing_to_mend() -> None:
    assert lint_persona(PERSONA) == ()
    assert lint_persona(changed({"cut_in": None})) == ()


@pytest.mark.parametrize(("change", "found"), FAULTS)
def test_what_is_amiss_is_told_with_its_place(change: Change, found: str) -> None:
    assert [text for text in lint_persona(changed(change)) if found in text]


@pytest.mark.parametrize("line", ["The score sheet is closed.", "Underscore that, and move on."])
def test_a_word_is_not_found_inside_another(line: str) -> None:
    found = lint_persona(changed(lines("bridge", "en", line)))
    assert any("says 'score'" in text for text in found) == line.startswith("The")


OPENING = {
    "en": [f"This is round {n} of a rehearsal." for n in range(4)],
    "zh": [f"这是第{n}轮模拟。" for n in range(4)],
}
DISCLAIMER = {"en": "Viva is not affiliated with it.", "zh": "Viva 与其没有任何关联。"}


def house(**fields: Any) -> Company:
    return company(**({"opening": OPENING, "disclaimer": DISCLAIMER} | fields))


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"opening": {"en": ["Hi."], "zh": ["你好。"]}}, "opening (en): 1 lines"),
        ({"opening": {"en": OPENING["en"]}}, "opening: nothing in zh"),
        (
            {"opening": {"en": ["An excellent day."] * 4, "zh": OPENING["zh"]}},
            "says 'excellent'",
        ),
        ({"vocabulary": {"en": [], "zh": ["延迟"]}}, "vocabulary: nothing in en"),
        ({"disclaimer": DISCLAIMER | {"en": "A rehearsal."}}, "disclaimer (en)"),
        ({"disclaimer": DISCLAIMER | {"zh": "这是练习。"}}, "disclaimer (zh)"),
        ({"sources": ["A paper, https://example.org"]}, "sources"),
        ({"sources": ["A paper (2024)"]}, "sources"),
    ],
)
def test_a_company_is_held_to_its_personas_rules_and_its_own(
    fields: dict[str, Any], found: str
) -> None:
    assert lint_company(house(), PERSONA) == ()
    assert [text for text in lint_company(house(**fields), PERSONA) if found in text]

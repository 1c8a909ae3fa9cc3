import re

import numpy as np
import pytest

from agent.domain.language import Language, LocalizedText, LocalizedTexts
from agent.domain.question import (
    RUNGS,
    Category,
    KeyPoint,
    Misconception,
    Question,
    QuestionProbe,
    Rung,
)
from agent.policy.bank_lint import coverage, lint, says


def both(en: str, zh: str) -> LocalizedText:
    return LocalizedText(en=en, zh=zh)


EN = "At the end all have the sum. " + "A step takes time and then a card waits for it. " * 8
ZH = "最后每张卡都有总和。" + "每一步都要花时间，然后卡就在那里等着它做完。" * 7
SOUND = Question(
    id="sound",
    category="principle",
    topic="collectives",
    levels=("senior",),
    prompt=both("What is an all-reduce?", "什么是 all-reduce？"),
    minutes=3,
    looks_for=both("The sum.", "求和。"),
    key_points=(
        KeyPoint(
            id="sum",
            statement=both("All end with the sum.", "每张卡都得到总和。"),
            aloud=both("Everybody ends up with the sum.", "大家都拿到总和。"),
            terms=(("the sum", "总和"),),
        ),
    ),
    misconceptions=(
        Misconception(
            id="one",
            statement=both("One gets it.", "只有一张卡得到。"),
            aloud=LocalizedTexts(en=("One gets it.",), zh=("只有一张卡得到。",)),
            why=both("All do.", "都得到。"),
        ),
    ),
    probes=tuple(
        QuestionProbe(rung=rung, ask=both(f"{rung}?", f"{rung} 呢？")) for rung in RUNGS[:4]
    ),
    outline=both("All have the sum.", "都有总和。"),
    example=both(EN, ZH),
    pitfalls=LocalizedTexts(en=("Too long.",), zh=("太长。",)),
    speech_terms=LocalizedTexts(en=("all-reduce",), zh=("总和",)),
)


def ask(rung: Rung, en: str, zh: str) -> QuestionProbe:
    return QuestionProbe(rung=rung, ask=both(en, zh), key_point="sum")


def of_question(question: Question) -> list[str]:
    return [f"{item.place}: {item.text.en}" for item in lint([question]) if item.question]


def test_a_sound_question_has_no_findings() -> None:
    assert of_question(SOUND) == []


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (
            {"outline": both("All have it.", "都有总和。")},
            "key_points[0].terms: sum: the outline (en) has none of the sum, 总和",
        ),
        (
            {"outline": both("All have the sum.", "都有。")},
            "key_points[0].terms: sum: the outline (zh) has none of the sum, 总和",
        ),
        (
            {"example": both(EN.replace("the sum", "it"), ZH)},
            "key_points[0].terms: sum: the example (en) has none of the sum, 总和",
        ),
        ({"example": both(EN[:200], ZH)}, "example.en: 46 long, 80 to 150 can be said in a minute"),
        (
            {"example": both(EN, ZH * 3)},
            "example.zh: 447 long, 130 to 300 can be said in a minute",
        ),
        ({"prompt": both("什么是 all-reduce？", "什么是？")}, "prompt.en: is not English"),
        ({"prompt": both("What is it?", "all-reduce?")}, "prompt.zh: is not Chinese"),
        ({"pitfalls": LocalizedTexts(en=("Too long.",))}, "pitfalls.zh: is empty"),
        ({"speech_terms": LocalizedTexts(zh=("总和",))}, "speech_terms.en: is empty"),
        ({"misconceptions": ()}, "misconceptions: a principle question needs one"),
        ({"probes": SOUND.probes[:3]}, "probes: 3 rungs, 4 are needed"),
        (
            {
                "probes": (
                    *SOUND.probes[1:],
                    QuestionProbe(rung="limits", ask=both("When not?", "什么时候不行？")),
                )
            },
            "probes: the ladder lacks clarify",
        ),
        (
            {"probes": (*SOUND.probes, ask("limits", "When? And where?", "什么时候？"))},
            "probes[4].ask.en: asks more than one question",
        ),
        (
            {"probes": (*SOUND.probes, ask("mechanism", "How is it made?", "总和怎么来的？"))},
            "probes[4].ask.zh: gives sum away",
        ),
    ],
)
def test_what_is_missing_is_named(change: dict[str, object], text: str) -> None:
    assert of_question(SOUND.model_copy(update=change)) == [text]


def test_a_term_that_no_wording_uses_is_named() -> None:
    point = SOUND.key_points[0].model_copy(update={"terms": (("the sum", "总和"), ("ring", "环"))})
    texts = of_question(SOUND.model_copy(update={"key_points": (point,)}))
    assert "key_points[0].terms: sum: its own wording (en) has none of ring, 环" in texts
    assert "key_points[0].terms: sum: its own wording (zh) has none of ring, 环" in texts


def test_a_point_without_terms_is_named() -> None:
    point = SOUND.key_points[0].model_copy(update={"terms": ()})
    texts = of_question(SOUND.model_copy(update={"key_points": (point,)}))
    assert texts == ["key_points[0].terms: sum: no terms"]


def test_findings_are_told_in_both_languages() -> None:
    bad = SOUND.model_copy(
        update={"probes": (), "misconceptions": (), "pitfalls": LocalizedTexts()}
    )
    texts = [finding.text for finding in lint([bad])]
    assert all(re.search(r"[\u4e00-\u9fff]", text.zh) and text.en.isascii() for text in texts)


def test_all_findings_of_all_questions_come_at_once() -> None:
    bad = SOUND.model_copy(update={"id": "bad", "misconceptions": (), "probes": ()})
    found = [finding for finding in lint([SOUND, bad]) if finding.question]
    assert {finding.question for finding in found} == {"bad"}
    assert len(found) == 5


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_same_question_twice_is_named(language: Language) -> None:
    twin = SOUND.model_copy(update={"id": "twin"})
    other = SOUND.model_copy(update={"id": "other"})
    rows = np.array([[1, 0], [0.95, 0.3122], [0, 1]], dtype=np.float32)
    found = [item for item in lint([SOUND, twin, other], {language: rows}) if item.question]
    assert [(item.question, item.place, item.text.en) for item in found] == [
        ("twin", f"prompt.{language}", "asks the same as sound")
    ]


def test_levels_that_no_question_serves_are_named() -> None:
    missing = {finding.text.en for finding in lint([SOUND]) if finding.question is None}
    assert "no principle question for the level new-graduate" in missing
    assert "no principle question for the level senior" not in missing
    assert len(missing) == 8 * 3 - 1


def test_coverage_counts_topic_category_and_level() -> None:
    category: Category = "principle"
    assert coverage([SOUND, SOUND]) == {("collectives", category, "senior"): 2}


@pytest.mark.parametrize(
    ("text", "wordings", "said"),
    [
        ("We run an all reduce.", ("all-reduce",), True),
        ("ＡＬＬ-ＲＥＤＵＣＥ", ("all reduce",), True),
        ("用环形通信", ("ring", "环形"), True),
        ("nothing of it", ("ring", "环形"), False),
    ],
)
def test_wordings_are_found_whatever_width_case_and_hyphen(
    text: str, wordings: tuple[str, ...], said: bool
) -> None:
    assert says(text, wordings) is said

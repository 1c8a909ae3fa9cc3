"""An interviewer dressed for a company."""

from typing import Any

import pytest

from agent.domain.company import Company
from agent.domain.language import LANGUAGES, Language
from agent.domain.persona import Persona
from agent.policy.rehearsal import rehearsed
from tests.interview_samples import both, persona

PERSONA = persona().model_copy(update={"focus": {"moe": 2.0, "memory": 2.0}})
KEPT = set(Persona.model_fields) - {
    "style",
    "focus",
    "vocabulary",
    "opening",
    "mix",
    "weights",
    "sources",
}


def company(**fields: Any) -> Company:
    given: dict[str, Any] = {
        "id": "house",
        "name": both("House"),
        "extends": "big-tech",
        "style": both("Asks about cost."),
        "focus": {"moe": 4, "throughput": 3},
        "vocabulary": {"en": ["goodput", "latency"], "zh": ["有效产出", "延迟"]},
        "disclaimer": both("not affiliated"),
        "sources": ["A paper (2024), https://example.org/paper"],
    }
    return Company.model_validate(given | fields)


@pytest.mark.parametrize("language", LANGUAGES)
def test_house_words_come_first_and_none_twice(language: Language) -> None:
    words = rehearsed(PERSONA, company()).vocabulary.get(language)
    assert words[:2] == company().vocabulary.get(language)
    assert set(words) == {*company().vocabulary.get(language), *PERSONA.vocabulary.get(language)}
    assert len(set(words)) == len(words)


def test_the_focus_of_the_company_is_added_and_stands_above_the_personas() -> None:
    assert rehearsed(PERSONA, company()).focus == {"moe": 4, "memory": 2, "throughput": 3}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_style_of_the_company_is_said_after_the_personas(language: Language) -> None:
    style = rehearsed(PERSONA, company()).style.get(language)
    assert style.startswith(PERSONA.style.get(language))
    assert style.endswith(company().style.get(language))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("mix", {"design": 2.0, "coding": 1.0}),
        ("weights", {"depth": 2.0}),
        ("opening", {"en": ["Hello."], "zh": ["你好。"]}),
    ],
)
def test_what_the_company_sets_takes_the_place_of_the_personas(field: str, value: object) -> None:
    changed = rehearsed(PERSONA, company(**{field: value}))
    assert getattr(changed, field) == getattr(company(**{field: value}), field)
    assert getattr(rehearsed(PERSONA, company()), field) == getattr(PERSONA, field)


def test_an_opening_in_one_language_leaves_the_other_as_it_was() -> None:
    opening = rehearsed(PERSONA, company(opening={"en": ["Hello."]})).opening
    assert opening.en == ("Hello.",)
    assert opening.zh == PERSONA.opening.zh


@pytest.mark.parametrize("field", sorted(KEPT))
def test_everything_else_stays(field: str) -> None:
    assert getattr(rehearsed(PERSONA, company()), field) == getattr(PERSONA, field)


def test_the_result_is_a_persona_that_can_be_written_and_read_again() -> None:
    dressed = rehearsed(PERSONA, company())
    assert Persona.model_validate_json(dressed.model_dump_json()) == dressed
    assert dressed.sources == company().sources

"""What a follow-up may say, and what an answer was worth."""

import pytest

from agent.domain.dialogue import Probe
from agent.domain.language import Language
from agent.domain.question import RUNGS
from agent.policy.drilldown import drilldown_of
from agent.policy.probes import part_name, phrasings
from tests.interview_samples import DIRECT, STAR, persona, question, turn, verdict


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_follow_up_that_was_said_gives_way_to_the_personas_words(language: Language) -> None:
    asked = question("q").localized(language)
    probe = Probe("q", "missing_key_point", "numbers", "point-a")
    own = asked.probes[1].ask
    assert phrasings(asked, persona(), probe, ()) == (own,)
    general = persona().probes.wording["missing_key_point"].get(language)
    assert phrasings(asked, persona(), probe, (own,)) == general
    assert phrasings(asked, persona(), probe, (own, *general)) == ()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_rung_without_a_follow_up_of_its_own_is_not_climbed(language: Language) -> None:
    asked = question("q").localized(language)
    climb = Probe("q", "climb", "limits")
    assert phrasings(asked, persona(), climb, (asked.probes[2].ask,)) == ()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_where_the_question_has_no_follow_ups_the_persona_has_words_for_the_rung(
    language: Language,
) -> None:
    bare = question("q", rungs=()).localized(language)
    style = persona().probes
    for rung in RUNGS:
        climb = Probe("q", "climb", rung)
        on_the_rung = style.rungs[rung].get(language)
        assert phrasings(bare, persona(), climb, ()) == on_the_rung
        assert phrasings(bare, persona(), climb, on_the_rung[:1]) == on_the_rung[1:]
        assert phrasings(bare, persona(), climb, on_the_rung) == style.wording["climb"].get(
            language
        )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_persona_without_words_for_a_rung_climbs_with_those_for_any(language: Language) -> None:
    older = persona().model_copy(
        update={"probes": persona().probes.model_copy(update={"rungs": {}})}
    )
    bare = question("q", rungs=()).localized(language)
    assert phrasings(bare, older, Probe("q", "climb", "limits"), ()) == (
        older.probes.wording["climb"].get(language)
    )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_words_that_point_at_something_come_first(language: Language) -> None:
    asked = question("q").localized(language)
    quoted = Probe("q", "no_baseline", "numbers", "star.result", "30 percent")
    assert all("30 percent" in text for text in phrasings(asked, persona(), quoted, ()))
    bare = Probe("q", "no_baseline", "numbers", "star.result")
    assert all("{" not in text for text in phrasings(asked, persona(), bare, ()))


def test_every_criterion_has_a_name_to_ask_for() -> None:
    for criterion in (*STAR.criteria, *DIRECT.criteria):
        assert part_name(criterion.id, "en")
        assert part_name(criterion.id, "zh")
    assert part_name("key_points", "en") is None


def test_what_was_not_judged_is_neither_earned_nor_worthless() -> None:
    asked = question("q").localized("en")
    turns = [turn(number, "an answer") for number in (1, 2, 3)]
    history = (*turns, verdict(40, turn=1), verdict(None, turn=2, failure="no model"))
    drill = drilldown_of(asked, history)
    assert [drill.earned(item) for item in turns] == [True, None, None]

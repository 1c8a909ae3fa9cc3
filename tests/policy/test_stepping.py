import pytest

from agent.domain.language import LANGUAGES, Language
from agent.policy.stepping import Trouble, Way, step_down, told

STEPS: list[tuple[Way, Trouble, bool, Way]] = [
    ("voice", "no_detector", True, "push_to_talk"),
    ("voice", "no_detector", False, "typed"),
    ("voice", "noise", True, "push_to_talk"),
    ("voice", "noise", False, "voice"),
    ("push_to_talk", "noise", True, "typed"),
    ("voice", "no_microphone", True, "typed"),
    ("voice", "no_recogniser", False, "typed"),
    ("push_to_talk", "no_microphone", True, "typed"),
    ("voice", "zeros", True, "typed"),
    ("typed", "no_microphone", False, "typed"),
]


@pytest.mark.parametrize(("way", "trouble", "keys", "then"), STEPS)
def test_each_trouble_leaves_the_best_way_open(
    way: Way, trouble: Trouble, keys: bool, then: Way
) -> None:
    assert step_down(way, trouble, keys=keys) == then


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_step_down_is_told_with_its_reason_and_what_to_do_now(language: Language) -> None:
    said = told("typed", "no_microphone", language, "It went away.")
    assert "It went away" in said
    assert ("one line each" if language == "en" else "一行一个") in said

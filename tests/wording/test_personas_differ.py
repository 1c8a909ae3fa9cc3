"""One candidate, four interviewers: what each of them does with the same answers."""

import asyncio
from itertools import combinations

import pytest

from agent.domain.assessment import Assessment, Finding
from agent.domain.dialogue import Ask, Close, Greet, Move, Probe, ProbeReason
from agent.domain.interview import Turn, Utterance
from agent.domain.language import LANGUAGES, Language
from agent.domain.persona import Persona
from agent.policy.dialogue import next_move
from agent.policy.drilldown import drilldown_of, said_in
from agent.policy.persona_lint import spoken
from agent.ports import Scene
from agent.wording.builtin import BuiltinWording
from tests.interview_samples import PERSONAS, answer, finding, persona, question, verdict

NAMES = sorted(path.stem for path in PERSONAS.glob("*.yaml"))
PLAN = (
    question("project-role", "project", rungs=()),
    question("flash-attention", rungs=()),
)
SAYS: dict[Language, str] = {
    "en": "We made it forty percent faster with ZeRO three.",
    "zh": "我们用 ZeRO 三阶段快了百分之四十。",
}
QUOTES: dict[Language, str] = {"en": "forty percent faster", "zh": "快了百分之四十"}


def everything_is_amiss(language: Language) -> tuple[Finding, ...]:
    """A shortcoming of each kind, in an order that is no persona's own."""
    quote = QUOTES[language]
    return (
        finding("missing_key_point", "point-a"),
        finding("missing_part", "star.task"),
        finding("no_alternative", "star.action", "alternatives", f"{quote} a"),
        finding("implausible_figure", "star.result", "numbers", f"{quote} b"),
        finding("no_baseline", "star.result", "numbers", f"{quote} c"),
        finding("we_without_i", "star.action", "clarify", f"{quote} d"),
        finding("conflict", "star.situation", "clarify", f"{quote} e"),
        finding("misconception", "two", "mechanism", f"{quote} f"),
    )


def interview(interviewer: Persona, language: Language, *, seed: int = 3) -> list[Turn]:
    """Let the candidate say the same thing to everything, worth a little more each time."""
    plan = tuple(item.localized(language) for item in PLAN)
    by_id = {item.id: item for item in plan}
    history: list[Turn | Assessment] = []
    for number in range(1, 40):
        move = next_move(plan, interviewer, history, "1-3-years")
        if isinstance(move, Close):
            return [item for item in history if isinstance(item, Turn)]
        assert isinstance(move, Ask | Probe)
        drill = drilldown_of(by_id[move.question_id], history)
        scene = Scene(interviewer, language, drill.question, said_in(history), (), seed)
        *lead, asked = say(move, scene)
        history.append(
            Turn(
                number=number,
                utterance=asked,
                lead_in=tuple(lead),
                answer=answer(SAYS[language]),
            )
        )
        history.append(
            verdict(
                min(99, number * 2),
                *everything_is_amiss(language),
                turn=number,
                question_id=move.question_id,
            )
        )
    raise AssertionError("the interview does not end")


def say(move: Move, scene: Scene) -> list[Utterance]:
    async def collect() -> list[Utterance]:
        return [item async for item in BuiltinWording().utter(move, scene)]

    return asyncio.run(collect())


def reasons(turns: list[Turn], question_id: str) -> list[ProbeReason]:
    return [
        turn.utterance.reason
        for turn in turns
        if turn.utterance.reason and turn.utterance.question_id == question_id
    ]


EXPECTED: dict[str, list[ProbeReason]] = {
    "ai-startup": ["we_without_i", "no_alternative", "climb"],
    "big-tech": ["misconception", "conflict", "implausible_figure", "we_without_i"],
    "domestic-big-tech": [
        "no_baseline",
        "we_without_i",
        "implausible_figure",
        "missing_part",
        "misconception",
    ],
    "research-lab": ["misconception", "climb", "climb", "climb", "climb", "climb"],
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", EXPECTED)
def test_each_digs_in_its_own_order_and_to_its_own_depth(name: str, language: Language) -> None:
    turns = interview(persona(name), language)
    for item in PLAN:
        assert reasons(turns, item.id) == EXPECTED[name]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_answers_lead_to_interviews_without_a_common_line(language: Language) -> None:
    prompts = {item.localized(language).prompt for item in PLAN}
    heard = {name: set(said_in(interview(persona(name), language))) - prompts for name in NAMES}
    for one, other in combinations(NAMES, 2):
        assert heard[one].isdisjoint(heard[other])
        assert len(heard[one]) != len(heard[other])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_nobody_repeats_or_breaks_a_rule_of_their_own(
    name: str, language: Language, seed: int
) -> None:
    interviewer = persona(name)
    scene = Scene(interviewer, language, None, (), (), seed)
    heard = [
        *(item.text for item in say(Greet(), scene)),
        *said_in(interview(interviewer, language, seed=seed)),
        *(item.text for item in say(Close("plan_done"), scene)),
    ]
    assert len(set(heard)) == len(heard)
    banned = [word.lower() for word in interviewer.never_says.get(language)]
    assert [(line, word) for line in heard for word in banned if word in line.lower()] == []
    assert not any("{" in line for line in heard)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_the_seed_varies_the_words_and_not_the_digging(name: str, language: Language) -> None:
    first, second = (interview(persona(name), language, seed=seed) for seed in (1, 2))
    assert reasons(first, PLAN[0].id) == reasons(second, PLAN[0].id)
    assert said_in(first) != said_in(second)


@pytest.mark.parametrize("name", NAMES)
def test_every_way_to_say_something_is_reached(name: str) -> None:
    """No variant is written in vain: over many interviews each bridge is heard."""
    bridges = {group.place: set(group.texts.en) for group in spoken(persona(name))}["bridge"]
    heard = {
        line
        for seed in range(80)
        for line in said_in(interview(persona(name), "en", seed=seed))
        if line in bridges
    }
    assert heard == bridges

"""Forty interviews with the real bank, frames and grader: four interviewers, five candidates."""

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import get_args

import pytest

from agent.adapters.sentence_encoder import UniversalSentenceEncoder
from agent.adapters.yaml_catalog import (
    FRAMES,
    PERSONAS,
    QUESTIONS,
    data_root,
    load_frames,
    load_personas,
    load_questions,
)
from agent.domain.assessment import Assessment
from agent.domain.interview import Turn
from agent.domain.language import LANGUAGES, Language
from agent.domain.question import Level, Question
from agent.grading.builtin import BuiltinGrader
from agent.graph.context import Context
from agent.graph.machine import InterviewMachine
from agent.policy.dialogue import MAX_AGAIN
from agent.policy.planning import plan_questions
from agent.policy.scoring import session_score
from agent.wording.builtin import BuiltinWording
from tests.graph.holding import Held

ROOT = data_root()
BANK = load_questions(ROOT / QUESTIONS.folder)
RUBRIC = load_frames(ROOT / FRAMES.folder)
INTERVIEWERS = {item.id: item for item in load_personas(ROOT / PERSONAS.folder)}
LEVELS: tuple[Level, ...] = get_args(Level)
QUESTIONS_ASKED = 3
GAP = 35
"""Points that a strong candidate is above a weak one, at least."""

Answers = Callable[[Question, Language, int], str]
"""What a candidate says to a question in a language, the how-manieth time."""


def strong(question: Question, language: Language, time: int) -> str:
    points = [point.aloud.get(language) for point in question.key_points]
    said = [question.example.get(language), question.outline.get(language), *points]
    return said[min(time, len(said) - 1)]


def always(english: str, chinese: str) -> Answers:
    return lambda question, language, time: english if language == "en" else chinese


CANDIDATES: dict[str, Answers] = {
    "strong": strong,
    "weak": always(
        "It is important, we use it a lot, and it makes the training better.",
        "这个很重要，我们用得很多，训练会变得更好。",
    ),
    "silent": always("", ""),
    "evasive": always("Well, that depends on many things, really.", "这个嘛，要看很多因素。"),
    "off-topic": always(
        "Yesterday I cooked noodles with my sister and we watched a film about dolphins.",
        "昨天我和妹妹煮了面条，然后看了一部讲海豚的电影。",
    ),
}


@cache
def grader() -> BuiltinGrader:
    return BuiltinGrader(UniversalSentenceEncoder())


@cache
def interview(name: str, language: Language, candidate: str) -> tuple[Held, float]:
    """Hold an interview; the level and the seed follow from who takes part."""
    persona = INTERVIEWERS[name]
    seed = [*product(INTERVIEWERS, LANGUAGES)].index((name, language))
    level = LEVELS[seed % len(LEVELS)]
    plan = plan_questions(BANK, persona, level, QUESTIONS_ASKED, seed)
    machine = InterviewMachine(
        Context(
            plan=plan,
            frames={category: frame for frame in RUBRIC for category in frame.categories},
            persona=persona,
            language=language,
            grader=grader(),
            wording=BuiltinWording(),
            seed=seed,
        )
    )
    held = asyncio.run(hold(machine, {item.id: item for item in plan}, language, candidate))
    results = {item.question_id: item for item in held.records if isinstance(item, Assessment)}
    return held, session_score([*results.values()], RUBRIC, persona.weights).overall or 0.0


async def hold(
    machine: InterviewMachine, plan: dict[str, Question], language: Language, candidate: str
) -> Held:
    held = Held([])
    times: Counter[str] = Counter()
    await held.take(machine.reply(None))
    while not machine.closed:
        asked = held.spoken[-1].question_id or ""
        said = CANDIDATES[candidate](plan[asked], language, times[asked])
        times[asked] += 1
        await held.take(machine.reply(held.answered(said)))
    return held


@pytest.mark.parametrize("candidate", CANDIDATES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", INTERVIEWERS)
def test_every_interview_ends_in_time_and_repeats_nothing(
    name: str, language: Language, candidate: str
) -> None:
    held, _ = interview(name, language, candidate)
    turns = [item for item in held.records if isinstance(item, Turn)]
    follow_ups = QUESTIONS_ASKED * (1 + INTERVIEWERS[name].probes.budget)
    assert QUESTIONS_ASKED <= len(turns) <= follow_ups * (1 + MAX_AGAIN)
    assert held.spoken[-1].kind == "close"
    new = [turn.utterance.text for turn in turns if turn.utterance.kind != "clarify"]
    assert len(set(new)) == len(new)
    probes = Counter(turn.utterance.question_id for turn in turns if turn.utterance.kind == "probe")
    assert max(probes.values(), default=0) <= INTERVIEWERS[name].probes.budget
    asked = [turn for turn in turns if turn.utterance.kind == "question"]
    assert len(asked) == QUESTIONS_ASKED


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", INTERVIEWERS)
def test_strong_is_far_above_weak_with_every_interviewer(name: str, language: Language) -> None:
    scores = {candidate: interview(name, language, candidate)[1] for candidate in CANDIDATES}
    best = scores.pop("strong")
    assert best >= max(scores.values()) + GAP

"""Seeded interviews as the app holds them: every interviewer, language, level and candidate."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import get_args

import pytest

from agent.app import wiring
from agent.app.catalog import open_catalog
from agent.app.outcome import score_of
from agent.app.session import Interview
from agent.domain.assessment import Assessment
from agent.domain.interview import (
    Answer,
    Correction,
    ListeningHints,
    Notice,
    SessionManifest,
    Turn,
    Utterance,
)
from agent.domain.language import LANGUAGES, Language, LocalizedText
from agent.domain.question import Level, Question
from agent.policy.dialogue import MAX_AGAIN
from agent.policy.levels import CLIMBS
from agent.policy.planning import plan_questions
from agent.ports import SessionRecord
from agent.testing import MemoryLog
from tests.interview_samples import PERSONAS

NAMES = sorted(path.stem for path in PERSONAS.glob("*.yaml"))
LEVELS: tuple[Level, ...] = get_args(Level)
PLANNED = 2
CANDIDATES: Mapping[str, LocalizedText | None] = {
    "strong": None,
    "weak": LocalizedText(
        en="It matters a lot and everybody uses it, so training gets better.",
        zh="这个很重要，大家都在用，训练效果会更好。",
    ),
    "silent": None,
    "evasive": LocalizedText(
        en="That really depends on the situation, one has to look at it case by case.",
        zh="这个要看情况，得具体问题具体分析。",
    ),
    "off-topic": LocalizedText(
        en="Last summer I walked along the coast and painted boats in every harbour.",
        zh="去年夏天我沿着海边徒步，在每个港口画船。",
    ),
}
SEATS = [(*seat, seed) for seed, seat in enumerate(product(NAMES, LANGUAGES, LEVELS))]


class Candidate:
    """Answers every question in one manner; the strong one has prepared."""

    def __init__(self, manner: str, plan: Mapping[str, Question], language: Language) -> None:
        self._manner = manner
        self._plan = plan
        self._language: Language = language
        self._told: Counter[str] = Counter()

    async def answer(self, utterance: Utterance, hints: ListeningHints) -> Answer | None:
        """Return the next thing this candidate says."""
        question = self._plan[utterance.question_id or ""]
        self._told[question.id] += 1
        if self._manner == "strong":
            return Answer.typed(self._prepared(question, self._told[question.id] - 1))
        text = CANDIDATES[self._manner]
        return Answer.typed(text.get(self._language) if text else "")

    def _prepared(self, question: Question, time: int) -> str:
        said = [question.example, question.outline, *(item.aloud for item in question.key_points)]
        return said[min(time, len(said) - 1)].get(self._language)


class Audience:
    """Shows nothing, and is a silent interviewer's voice."""

    def utterance(self, utterance: Utterance) -> None: ...

    def answer(self, turn: Turn) -> None: ...

    def assessment(self, assessment: Assessment) -> None: ...

    def notice(self, text: str) -> None: ...

    async def say(self, utterance: Utterance) -> Utterance:
        """Return what was said, unspoken."""
        return utterance


@cache
def planned(name: str, language: Language, level: Level, seed: int) -> SessionManifest:
    catalog = open_catalog()
    persona = catalog.persona(name)
    questions = catalog.questions_in(language)
    return SessionManifest(
        id=f"seed-{seed}",
        created_at="2026-01-01T00:00:00+00:00",
        language=language,
        level=level,
        seed=seed,
        persona=persona,
        questions=plan_questions(questions, persona, level, PLANNED, seed),
        rubric=tuple(entry.item for entry in catalog.frames),
    )


@cache
def held(
    name: str, language: Language, level: Level, seed: int, manner: str
) -> tuple[SessionRecord, ...]:
    manifest = planned(name, language, level, seed)
    log, audience = MemoryLog(), Audience()
    plan = {question.id: question for question in manifest.questions}
    candidate = Candidate(manner, plan, language)
    machine = wiring.machine(manifest)
    asyncio.run(Interview(machine, candidate, audience, log, audience).run())
    return tuple(log.records)


def turns(records: tuple[SessionRecord, ...]) -> list[Turn]:
    return [record for record in records if isinstance(record, Turn)]


seated = pytest.mark.parametrize(("name", "language", "level", "seed"), SEATS)
mannered = pytest.mark.parametrize("manner", CANDIDATES)


@seated
@mannered
def test_an_interview_ends_within_what_its_plan_allows(
    name: str, language: Language, level: Level, seed: int, manner: str
) -> None:
    """Each question and each follow-up is put once and at most `MAX_AGAIN` times again."""
    records = held(name, language, level, seed, manner)
    manifest = planned(name, language, level, seed)
    budget = CLIMBS[level].budget(manifest.persona.probes.budget)
    asked = Counter(turn.utterance.question_id for turn in turns(records))
    assert max(asked.values()) <= (1 + budget) * (1 + MAX_AGAIN)
    follow_ups = Counter(
        turn.utterance.question_id for turn in turns(records) if turn.utterance.kind == "probe"
    )
    assert max(follow_ups.values(), default=0) <= budget
    put = [
        turn.utterance.question_id for turn in turns(records) if turn.utterance.kind == "question"
    ]
    assert put == [question.id for question in manifest.questions]
    last = records[-1]
    assert isinstance(last, Notice)
    assert last.code == "farewell"


@seated
@mannered
def test_nothing_is_said_twice_but_a_question_put_again(
    name: str, language: Language, level: Level, seed: int, manner: str
) -> None:
    said = turns(held(name, language, level, seed, manner))
    new = [turn.utterance.text for turn in said if turn.utterance.kind != "clarify"]
    leads = [lead.text for turn in said for lead in turn.lead_in]
    assert len(set(new)) == len(new)
    assert len(set(leads)) == len(leads)
    assert set(new).isdisjoint(leads)
    again = [turn.utterance.text for turn in said if turn.utterance.kind == "clarify"]
    assert set(again) <= set(new)


@seated
@mannered
def test_every_follow_up_has_a_reason_and_quotes_what_was_said(
    name: str, language: Language, level: Level, seed: int, manner: str
) -> None:
    said = turns(held(name, language, level, seed, manner))
    rungs = CLIMBS[level].rungs
    for place, turn in enumerate(said):
        asked = turn.utterance
        if asked.kind != "probe":
            continue
        assert asked.reason is not None
        assert asked.rung in rungs or asked.reason != "climb"
        branch = [item for item in said[:place] if item.utterance.question_id == asked.question_id]
        assert any((asked.quote or "") in item.answer.text for item in branch)


@seated
def test_who_is_strong_stands_far_above_who_is_not(
    name: str, language: Language, level: Level, seed: int
) -> None:
    manifest = planned(name, language, level, seed)
    overall = {
        manner: score_of(manifest, held(name, language, level, seed, manner)).overall or 0.0
        for manner in CANDIDATES
    }
    strong = overall.pop("strong")
    assert strong >= 35 + max(overall.values()), overall


MISHEARD: Mapping[Language, str] = {"en": "You misheard me.", "zh": "你听错了。"}


class Misheard(Candidate):
    """Is understood wrongly at first, says so, and then says it again."""

    async def answer(self, utterance: Utterance, hints: ListeningHints) -> Answer | None:
        """Return a weak answer, the complaint, the prepared answer, and the complaint no more."""
        self._told["turns"] += 1
        question = self._plan[utterance.question_id or ""]
        weak = CANDIDATES["weak"]
        assert weak is not None
        said = {1: weak.get(self._language), 2: MISHEARD[self._language]}
        return Answer.typed(said.get(self._told["turns"], self._prepared(question, 0)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_that_was_set_right_is_worth_what_was_meant(language: Language) -> None:
    manifest = planned(NAMES[0], language, "1-3-years", 0)
    plan = {question.id: question for question in manifest.questions}
    log, audience = MemoryLog(), Audience()
    candidate = Misheard("strong", plan, language)
    asyncio.run(Interview(wiring.machine(manifest), candidate, audience, log, audience).run())
    records = tuple(log.records)
    (correction,) = (record for record in records if isinstance(record, Correction))
    first, second, third, *_ = turns(records)
    assert correction.at
    assert correction.turn == third.utterance.corrects == first.number
    assert correction.text == third.answer.text
    assert first.answer.text != correction.text
    judged = [item for item in records if isinstance(item, Assessment) and item.turn == 1]
    strong = held(NAMES[0], language, "1-3-years", 0, "strong")
    meant = next(item for item in strong if isinstance(item, Assessment))
    assert (judged[0].score or 0) < (judged[1].score or 0)
    assert judged[1].score == meant.score
    quotes = [item.quote for row in judged[1].criteria for item in row.evidence]
    assert quotes
    assert all(quote in correction.text for quote in quotes)
    assert second.answer.text == MISHEARD[language]

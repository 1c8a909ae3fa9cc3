"""Coaching and self-rating around an interview, with scripted answers and keys."""

import asyncio
import io
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import cast

import pytest
from rich.console import Console

from agent.adapters.console_text import TypedCandidate
from agent.app.console import JsonPresenter, TerminalPresenter
from agent.app.feedback import A_NUMBER, EachAnswerCoach, KeyRater, LineRater, coach_at_end
from agent.app.session import Coach, Interview, SessionStore
from agent.domain.assessment import Assessment
from agent.domain.coaching import Coaching
from agent.domain.interview import (
    ListeningHints,
    SelfRating,
    SessionManifest,
    SessionStatus,
    Turn,
    Utterance,
)
from agent.domain.language import LANGUAGES, Language
from agent.graph.machine import InterviewMachine, Reply
from agent.ports import SessionRecord
from tests.app.sessions import FLASH, PARALLELISM, PROJECT, RING, full_session, judged, unheard


class MemoryStore:
    """A session that is kept in memory."""

    folder = Path()

    def __init__(self, manifest: SessionManifest, records: Sequence[SessionRecord]) -> None:
        self.manifest = manifest
        self._records = list(records)

    def append(self, record: SessionRecord) -> None:
        self._records.append(record)

    def keep_sound(self, name: str, clip: object) -> str:
        raise AssertionError(f"no sound is kept here: {name}")

    def records(self) -> tuple[SessionRecord, ...]:
        return tuple(self._records)

    def finish(self, status: SessionStatus) -> None:
        raise AssertionError(f"feedback does not end a session: {status}")

    def close(self) -> None: ...

    @property
    def ratings(self) -> dict[str, int]:
        return {
            item.question_id: item.rating for item in self._records if isinstance(item, SelfRating)
        }


class Watcher:
    """Keeps what was asked and shown, in order."""

    def __init__(self, *ratings: int | None) -> None:
        self._ratings = iter(ratings)
        self.events: list[str] = []
        self.prompts: list[str] = []
        self.shown: list[Coaching] = []

    async def rate(self, prompt: str) -> int | None:
        self.events.append("rate")
        self.prompts.append(prompt)
        return next(self._ratings)

    def coaching(self, coaching: Coaching) -> None:
        self.events.append(coaching.question_id)
        self.shown.append(coaching)


class Keys:
    """A keyboard on which `pressed` are pressed, one after another."""

    def __init__(self, *pressed: str) -> None:
        self._pressed = list(pressed)
        self.reading = False

    async def presses(self) -> AsyncIterator[str]:
        self.reading = True
        try:
            while self._pressed:
                yield self._pressed.pop(0)
        finally:
            self.reading = False


def session(language: Language = "en") -> tuple[MemoryStore, list[Assessment]]:
    manifest, records, _ = full_session(language)
    kept: SessionStore = MemoryStore(manifest, records)
    assert isinstance(kept, MemoryStore)
    return kept, [item for item in records if isinstance(item, Assessment)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rating_is_asked_once_a_question_before_its_coaching(language: Language) -> None:
    store, (first, second, wrong, *_) = session(language)
    watcher = Watcher(4, 2)
    coach: Coach = EachAnswerCoach(store.manifest, store, watcher, watcher)
    for assessment in (first, second, wrong):
        asyncio.run(coach.assessed(assessment))
    assert watcher.events == ["rate", PROJECT.id, PROJECT.id, "rate", PARALLELISM.id]
    assert store.ratings == {PROJECT.id: 4, PARALLELISM.id: 2}
    assert ("自评" in watcher.prompts[0]) == (language == "zh")
    assert all(item.language == language for item in watcher.shown)
    assert [item.score for item in watcher.shown] == [78.0, 86.5, 12.5]


def test_a_rating_that_is_skipped_is_not_asked_for_again() -> None:
    store, (first, second, *_) = session()
    watcher = Watcher(None)
    coach = EachAnswerCoach(store.manifest, store, watcher, watcher)
    asyncio.run(coach.assessed(first))
    asyncio.run(coach.assessed(second))
    assert watcher.events == ["rate", PROJECT.id, PROJECT.id]
    assert store.ratings == {}


def test_coaching_that_an_answer_left_as_it_was_is_not_shown_again() -> None:
    store, (first, *_) = session()
    watcher = Watcher()
    coach = EachAnswerCoach(store.manifest, store, watcher)
    asyncio.run(coach.assessed(first))
    asyncio.run(coach.assessed(first))
    assert watcher.events == [PROJECT.id]


def test_a_session_gone_on_with_does_not_ask_again() -> None:
    store, (first, *_) = session()
    store.append(SelfRating(question_id=PROJECT.id, rating=5))
    watcher = Watcher()
    asyncio.run(EachAnswerCoach(store.manifest, store, watcher, watcher).assessed(first))
    assert watcher.events == [PROJECT.id]
    watcher = Watcher(3, None)
    asyncio.run(coach_at_end(store.manifest, store, watcher, watcher))
    assert store.ratings == {PROJECT.id: 5, PARALLELISM.id: 3}


@pytest.mark.parametrize("rated", [False, True])
def test_a_rating_that_an_interruption_left_open_is_asked_for(rated: bool) -> None:
    _, (first, *_) = session()
    manifest, records, _ = full_session("en")
    store = MemoryStore(manifest, records[: records.index(first) + 1])
    if rated:
        store.append(SelfRating(question_id=PROJECT.id, rating=5))
    watcher = Watcher(4)
    asyncio.run(EachAnswerCoach(store.manifest, store, watcher, watcher).take_up())
    assert watcher.events == ([] if rated else ["rate", PROJECT.id])
    assert store.ratings == {PROJECT.id: 5 if rated else 4}


def test_an_answer_that_will_be_asked_for_again_is_not_coached() -> None:
    store, _ = session()
    turns = [item for item in store.records() if isinstance(item, Turn)]
    silent = turns[0].model_copy(update={"answer": unheard("silent", "no speech")})
    store = MemoryStore(store.manifest, [silent])
    watcher = Watcher()
    coach = EachAnswerCoach(store.manifest, store, watcher, watcher)
    asyncio.run(coach.assessed(judged("star", PROJECT.id, 1, None, reason="no speech")))
    asyncio.run(coach.assessed(judged("star", "elsewhere", 1, None, reason="no speech")))
    assert watcher.events == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_at_the_end_every_question_is_rated_before_any_is_coached(
    language: Language,
) -> None:
    store, _ = session(language)
    watcher = Watcher(1, 5)
    asyncio.run(coach_at_end(store.manifest, store, watcher, watcher))
    coached = [PROJECT.id, PARALLELISM.id, RING.id, FLASH.id]
    assert watcher.events == ["rate", "rate", *coached]
    assert store.ratings == {PROJECT.id: 1, PARALLELISM.id: 5}
    assert PROJECT.prompt.get(language) in watcher.prompts[0]
    assert [item.nothing for item in watcher.shown] == [None, None, "gave_up", "not_judged"]


def test_nobody_is_asked_where_there_is_no_rater() -> None:
    store, (first, *_) = session()
    watcher = Watcher()
    asyncio.run(EachAnswerCoach(store.manifest, store, watcher).assessed(first))
    asyncio.run(coach_at_end(store.manifest, store, watcher))
    assert "rate" not in watcher.events
    assert store.ratings == {}


TYPED = [
    ("4\n", 4, 1),
    (" ５ \n", 5, 1),
    ("\n", None, 1),
    ("six\n3\n", 3, 2),
    ("0\n9\n", None, 2),
    ("1.5\n\n", None, 2),
    ("很好\n2\n", 2, 2),
    ("", None, 1),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("lines", "rating", "asked"), TYPED)
def test_a_rating_is_typed_and_asked_for_once_more_where_it_is_none(
    lines: str, rating: int | None, asked: int, language: Language
) -> None:
    shown: list[str] = []
    rater = LineRater(TypedCandidate(io.StringIO(lines)), shown.append, language)
    assert asyncio.run(rater.rate("How good?")) == rating
    assert shown == ["How good?", A_NUMBER.get(language)][:asked]


@pytest.mark.parametrize(
    ("pressed", "rating", "asked"),
    [
        (["3"], 3, 1),
        (["enter"], None, 1),
        (["escape"], None, 1),
        (["x", "5"], 5, 2),
        (["0", "9"], None, 2),
        ([], None, 1),
    ],
)
def test_a_rating_is_one_key_for_those_who_talk(
    pressed: list[str], rating: int | None, asked: int
) -> None:
    shown: list[str] = []
    keys = Keys(*pressed)
    rater = KeyRater(keys, shown.append, "en")
    assert asyncio.run(rater.rate("How good?")) == rating
    assert len(shown) == asked
    assert not keys.reading  # the terminal is given back


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [40, 80])
def test_a_terminal_shows_coaching_in_about_a_dozen_lines(width: int, language: Language) -> None:
    store, _ = session(language)
    output = io.StringIO()
    console = Console(file=output, width=width)
    presenter = TerminalPresenter(language, console, console)
    asyncio.run(coach_at_end(store.manifest, store, presenter))
    text = output.getvalue()
    assert "\x1b" not in text
    project, wrong, gave_up, failed = text.strip().split("\n\n")
    joined = " ".join(project.split())
    said = {
        "en": ("87 / 100", "The one change (about +", "[the target as a number]", "Situation 4/4"),
        "zh": ("87 / 100", "最值得改的一处（约 +", "[量化的目标]", "情境 4/4"),
    }
    for words in said[language]:
        assert words in joined
    assert (PARALLELISM.misconceptions[0].why.get(language)) in " ".join(wrong.split())
    for nothing in (gave_up, failed):
        assert len(nothing.splitlines()) <= 9
    wide = io.StringIO()
    presenter = TerminalPresenter(language, Console(file=wide, width=400), console)
    asyncio.run(coach_at_end(store.manifest, store, presenter))
    for block in wide.getvalue().strip().split("\n\n"):
        assert 2 < len(block.splitlines()) <= 12


def test_a_program_gets_coaching_as_an_event() -> None:
    store, _ = session()
    output = io.StringIO()
    asyncio.run(coach_at_end(store.manifest, store, JsonPresenter(output)))
    first, *_ = output.getvalue().splitlines()
    assert first.startswith('{"event": "coaching", "question_id": "training-project"')
    restored = Coaching.model_validate_json(first.replace('"event": "coaching", ', "", 1))
    assert restored.change is not None
    assert restored.change.gain > 0


def test_hostile_words_reach_the_terminal_as_words() -> None:
    store, _ = session()
    said = "[red]I measured\x1b[31m[/red]"
    coaching = Coaching(
        question_id="q", prompt=said, language="en", score=None, nothing="silent", outline=said
    )
    output = io.StringIO()
    TerminalPresenter("en", Console(file=output, width=80), Console(file=output)).coaching(coaching)
    assert "\x1b" not in output.getvalue()
    assert output.getvalue().count("[red]I measured") == 2
    assert store.ratings == {}


class OneJudgement:
    """A machine that judges one answer and ends."""

    def __init__(self, assessment: Assessment) -> None:
        self._assessment = assessment

    async def reply(self, turn: Turn | None) -> AsyncIterator[Reply]:
        yield self._assessment


class Seen:
    """A presenter that keeps what it was shown beside what the coach did."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    def utterance(self, utterance: Utterance) -> None: ...

    def answer(self, turn: Turn) -> None: ...

    def notice(self, text: str) -> None: ...

    def assessment(self, assessment: Assessment) -> None:
        self._watcher.events.append("grade")


class Nobody:
    """Neither says nor answers anything."""

    async def say(self, utterance: Utterance) -> Utterance:
        return utterance

    async def answer(self, utterance: Utterance, hints: ListeningHints) -> None:
        raise AssertionError("nothing was asked")


def test_an_interview_asks_for_the_rating_before_anybody_sees_the_grade() -> None:
    store, (first, *_) = session()
    watcher = Watcher(4)
    interview = Interview(
        cast("InterviewMachine", OneJudgement(first)),
        Nobody(),
        Nobody(),
        store,
        Seen(watcher),
        coach=EachAnswerCoach(store.manifest, store, watcher, watcher),
    )
    asyncio.run(interview.run())
    assert watcher.events == ["rate", PROJECT.id, "grade"]
    assert store.ratings == {PROJECT.id: 4}

"""Coaching and self-rating around an interview: after each answer, or all of it at the end."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Protocol, cast

from agent.app.session import SessionStore, utc_now
from agent.domain.assessment import Assessment
from agent.domain.coaching import Coaching
from agent.domain.interview import ListeningHints, SelfRating, SessionManifest, Utterance
from agent.domain.language import Language, LocalizedText
from agent.policy.branches import branches
from agent.policy.coaching import coaching_of
from agent.policy.folding import fold
from agent.ports import CandidateInput, Keyboard

LOWEST, HIGHEST = 1, 5
RATE_IT = LocalizedText(
    en="Before the grade: how good was that answer? 1 weak to 5 strong, Enter skips.",
    zh="先自评再看分：刚才答得怎么样？1 最差，5 最好，回车跳过。",
)
RATE_THIS = LocalizedText(
    en="Question {number}: {prompt}\nHow good was your answer? 1 weak to 5 strong, Enter skips.",
    zh="第 {number} 题：{prompt}\n你答得怎么样？1 最差，5 最好，回车跳过。",
)
A_NUMBER = LocalizedText(
    en="A number from 1 to 5, please, or Enter to skip.", zh="请输入 1 到 5，或按回车跳过。"
)


class CoachingPresenter(Protocol):
    """Who shows coaching."""

    def coaching(self, coaching: Coaching) -> None:
        """Show what to make of a question's answers."""
        ...


class Rater(Protocol):
    """A candidate who rates the own answers."""

    async def rate(self, prompt: str) -> int | None:
        """Return 1 to 5; None where the candidate would rather not."""
        ...


class LineRater:
    """Types the rating on a line.

    Args:
        lines: Where lines come from: the one that types the answers too.
        show: Shown the prompts.
    """

    def __init__(
        self, lines: CandidateInput, show: Callable[[str], None], language: Language
    ) -> None:
        self._lines = lines
        self._show = show
        self._language: Language = language

    async def rate(self, prompt: str) -> int | None:
        """Return the rating; what is none is asked for once more."""
        hints = ListeningHints(language=self._language, frame="direct")
        for text in (prompt, A_NUMBER.get(self._language)):
            self._show(text)
            answer = await self._lines.answer(Utterance(kind="clarify", text=text), hints)
            if answer is None or not answer.text.strip():
                return None
            rating = _rating(answer.text)
            if rating is not None:
                return rating
        return None


class KeyRater:
    """Presses the rating as one key: for candidates who talk, whose keys are read singly.

    Args:
        keyboard: The keys of the terminal.
        show: Shown the prompts.
    """

    def __init__(self, keyboard: Keyboard, show: Callable[[str], None], language: Language) -> None:
        self._keyboard = keyboard
        self._show = show
        self._language: Language = language

    async def rate(self, prompt: str) -> int | None:
        """Return the rating; any other key is asked about once."""
        for text in (prompt, A_NUMBER.get(self._language)):
            self._show(text)
            key = await self._press()
            if key in {None, "enter", "space", "escape"}:
                return None
            rating = _rating(key or "")
            if rating is not None:
                return rating
        return None

    async def _press(self) -> str | None:
        presses = cast("AsyncGenerator[str]", self._keyboard.presses())
        async with aclosing(presses):  # gives the terminal back
            async for key in presses:
                return key
        return None


class EachAnswerCoach:
    """Coaches after each judged answer; with a rater, asks for a rating once a question first.

    What was not understood is put again by the interviewer and is not coached; an answer that
    changes nothing is not coached again.

    Args:
        rater: None: no ratings are asked for.
    """

    def __init__(
        self,
        manifest: SessionManifest,
        store: SessionStore,
        presenter: CoachingPresenter,
        rater: Rater | None = None,
    ) -> None:
        self._manifest = manifest
        self._store = store
        self._presenter = presenter
        self._ratings = _Ratings(store, rater)
        self._shown: Coaching | None = None

    async def assessed(self, assessment: Assessment) -> None:
        """Ask how good the answer was, then show the coaching for it."""
        coaching = coaching_of(self._manifest, self._store.records(), assessment)
        if coaching is None or coaching.nothing == "silent":
            return
        if coaching.nothing is None:
            await self._ratings.ask(coaching, RATE_IT.get(self._manifest.language))
        if coaching != self._shown:
            self._presenter.coaching(coaching)
        self._shown = coaching

    async def take_up(self) -> None:
        """Ask for the rating that an interruption left open, and show its coaching."""
        judged = [item for item in self._store.records() if isinstance(item, Assessment)]
        if judged and self._ratings.wants(judged[-1].question_id):
            await self.assessed(judged[-1])


async def coach_at_end(
    manifest: SessionManifest,
    store: SessionStore,
    presenter: CoachingPresenter,
    rater: Rater | None = None,
) -> None:
    """Ask for ratings question by question, then show the coaching for all of them.

    Call it before the session's result is shown.
    """
    records = store.records()
    found = branches(records, [question.id for question in manifest.questions])
    coached = [
        coaching
        for branch in found
        if branch.result and (coaching := coaching_of(manifest, records, branch.result))
    ]
    ratings = _Ratings(store, rater)
    for number, coaching in enumerate(coached, start=1):
        if coaching.nothing is None:
            told = {"number": number, "prompt": coaching.prompt}
            await ratings.ask(coaching, RATE_THIS.get(manifest.language).format_map(told))
    for coaching in coached:
        presenter.coaching(coaching)


class _Ratings:
    """Asks for each question's rating once, whatever the answer, and keeps those that are given."""

    def __init__(self, store: SessionStore, rater: Rater | None) -> None:
        self._store = store
        self._rater = rater
        self._asked = {item.question_id for item in store.records() if isinstance(item, SelfRating)}

    def wants(self, question_id: str) -> bool:
        return self._rater is not None and question_id not in self._asked

    async def ask(self, coaching: Coaching, prompt: str) -> None:
        if self._rater is None or not self.wants(coaching.question_id):
            return
        self._asked.add(coaching.question_id)
        rating = await self._rater.rate(prompt)
        if rating is not None:
            self._store.append(
                SelfRating(question_id=coaching.question_id, rating=rating, at=utc_now())
            )


def _rating(text: str) -> int | None:
    """Return the number from 1 to 5 that `text` is."""
    plain = fold(text).strip()
    known = {str(number): number for number in range(LOWEST, HIGHEST + 1)}
    return known.get(plain)

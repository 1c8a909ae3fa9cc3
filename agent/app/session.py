"""The loop of an interview: say, listen, keep, again. Here voice and graph meet."""

import time
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from agent.domain.assessment import Assessment
from agent.domain.interview import (
    Answer,
    Correction,
    ListeningHints,
    Notice,
    SessionManifest,
    SessionStatus,
    Turn,
    Utterance,
)
from agent.graph.machine import InterviewMachine, Reply
from agent.ports import CandidateInput, InterviewerOutput, SessionLog, SessionRecord


class Presenter(Protocol):
    """Who watches an interview: a terminal, or a program that reads JSON."""

    def utterance(self, utterance: Utterance) -> None:
        """The interviewer is about to say something."""
        ...

    def answer(self, turn: Turn) -> None:
        """An answer was understood and kept."""
        ...

    def assessment(self, assessment: Assessment) -> None:
        """An answer was judged."""
        ...

    def notice(self, text: str) -> None:
        """Something the candidate should know."""
        ...


class Coach(Protocol):
    """Who is told of each judgement while the interview goes on."""

    async def assessed(self, assessment: Assessment) -> None:
        """An answer was judged and the judgement is kept; nobody has seen it yet."""
        ...


class SessionStore(SessionLog, Protocol):
    """A session's folder, as the app uses it."""

    @property
    def manifest(self) -> SessionManifest:
        """What the session is."""
        ...

    @property
    def folder(self) -> Path:
        """Where it lies."""
        ...

    def records(self) -> tuple[SessionRecord, ...]:
        """Return everything logged so far."""
        ...

    def finish(self, status: SessionStatus) -> None:
        """Write down how the session ended."""
        ...

    def close(self) -> None:
        """Let the folder go."""
        ...


def utc_now() -> str:
    """Return the time now, ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Interview:
    """An interview being held.

    Args:
        machine: The interviewer's mind, new or rebuilt from the log.
        turns_before: How many turns a continued session already holds.
        minutes: After so many the interview closes with the answer under way; None: never.
        coach: Told of each judgement before the presenter is.
    """

    def __init__(
        self,
        machine: InterviewMachine,
        candidate: CandidateInput,
        interviewer: InterviewerOutput,
        log: SessionLog,
        presenter: Presenter,
        turns_before: int = 0,
        *,
        minutes: float | None = None,
        coach: Coach | None = None,
    ) -> None:
        self._machine = machine
        self._candidate = candidate
        self._interviewer = interviewer
        self._log = log
        self._presenter = presenter
        self._number = turns_before
        self._coach = coach
        self._ends_s = None if minutes is None else time.monotonic() + 60 * minutes

    async def run(self) -> None:
        """Hold the interview until the machine closes it or no more answers will come.

        Each turn is on the disk before it is judged, and each judgement before the next word.
        """
        turn: Turn | None = None
        while True:
            if turn is not None and self._time_is_spent():
                said, hints = await self._say(self._machine.close("time_spent", turn))
            else:
                said, hints = await self._say(self._machine.reply(turn))
            if hints is None:
                self._keep_farewell(said)
                return
            answer = await self._candidate.answer(said[-1], hints)
            if answer is None:
                said, _ = await self._say(self._machine.close("answers_ended"))
                self._keep_farewell(said)
                return
            turn = self._keep(said, answer)

    def _time_is_spent(self) -> bool:
        return self._ends_s is not None and time.monotonic() >= self._ends_s

    async def _say(
        self, reply: AsyncIterator[Reply]
    ) -> tuple[list[Utterance], ListeningHints | None]:
        said: list[Utterance] = []
        hints = None
        async for event in reply:
            match event:
                case Utterance():
                    self._presenter.utterance(event)
                    said.append(await self._interviewer.say(event))
                case Assessment():
                    assessment = event.model_copy(update={"at": utc_now()})
                    self._log.append(assessment)
                    if self._coach is not None:
                        await self._coach.assessed(assessment)
                    self._presenter.assessment(assessment)
                case Correction():
                    self._log.append(event.model_copy(update={"at": utc_now()}))
                case ListeningHints():
                    hints = event
        return said, hints

    def _keep(self, said: list[Utterance], answer: Answer) -> Turn:
        self._number += 1
        turn = Turn(
            number=self._number,
            utterance=said[-1],
            lead_in=tuple(said[:-1]),
            answer=answer,
            at=utc_now(),
        )
        self._log.append(turn)
        self._presenter.answer(turn)
        return turn

    def _keep_farewell(self, said: Sequence[Utterance]) -> None:
        for utterance in said:
            self._log.append(
                Notice(code="farewell", text=utterance.text, utterance=utterance, at=utc_now())
            )

"""Holding an interview, whoever answers: from the first word to the report."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Literal, Protocol

from rich.console import Console

from agent.app import voices, wiring
from agent.app.candidates import FileAnswers
from agent.app.console import JsonPresenter, TerminalPresenter
from agent.app.deep_grading import TOO_SMALL, grade_deeply, not_graded
from agent.app.feedback import EachAnswerCoach, Rater, coach_at_end
from agent.app.foresight import ModelForesight, ThinkingAhead
from agent.app.language_model import (
    NO_MODEL,
    AccountedLog,
    Consent,
    LanguageModel,
    language_model,
)
from agent.app.outcome import write_report
from agent.app.session import Interview, SessionStore
from agent.app.settings import Settings
from agent.domain.errors import ChatFailed, DeviceUnavailable, Interrupted, ModelUnavailable
from agent.domain.interview import Notice, Turn, Utterance
from agent.domain.language import Language, LocalizedText
from agent.graph.machine import InterviewMachine
from agent.policy.stepping import told
from agent.ports import CandidateInput
from agent.voice.interviewer import SpokenInterviewer

Notify = Callable[[str], None]
Presenter = TerminalPresenter | JsonPresenter
Feedback = Literal["each", "end"]
"""Coaching after each answer, or for all of them at the end."""
KEPT = LocalizedText(
    en="Interrupted. What was said so far is kept.", zh="已中断。说过的内容都已保存。"
)


class WrittenInterviewer:
    """An interviewer who is only read."""

    async def say(self, utterance: Utterance) -> Utterance:
        """Return `utterance`: the presenter has shown it."""
        return utterance

    async def close(self) -> None:
        """There is nothing to wait for."""


class Part(Protocol):
    """Something at work during an interview."""

    async def close(self) -> None:
        """Stop, and let go of what it holds."""
        ...


@dataclass(frozen=True)
class Means:
    """How an interview is held.

    Attributes:
        voice: The interviewer speaks.
        aloud: The interviewer is played as well as kept, where there is a loudspeaker.
        sound: There is speech to be heard.
        typed: Answers are typed at this terminal.
        speaker: Name or number of the loudspeaker; None for the system's.
        minutes: After so many the interview closes with the answer under way; None: never.
        may_type: Where speech cannot be heard, answers can be typed instead.
        trouble: Why there is no microphone.
        feedback: When there is coaching; None: only in the report.
        voice_name: Who speaks; None: the best that there is.
        consent: Whether a language model may be used, and what may leave this machine.
    """

    settings: Settings
    voice: bool
    aloud: bool
    sound: bool
    typed: bool
    as_json: bool
    speaker: str | None = None
    minutes: float | None = None
    may_type: bool = False
    trouble: DeviceUnavailable | None = None
    feedback: Feedback | None = None
    voice_name: str | None = None
    consent: Consent = NO_MODEL


@dataclass(frozen=True)
class Stage:
    """What an interview is held with; `ear` and `mouth` where sound is heard and made.

    Attributes:
        model: The language model that takes part; None without.
    """

    presenter: Presenter
    ear: wiring.Ear | None
    mouth: voices.Mouth | None
    minutes: float | None = None
    feedback: Feedback | None = None
    model: LanguageModel | None = None

    @property
    def models(self) -> dict[str, str]:
        """The models at work, for the session's manifest."""
        heard = {"speech_to_text": self.ear.model_name} if self.ear else {}
        spoken = {"text_to_speech": self.mouth.voice_names} if self.mouth else {}
        worded = {"language_model": self.model.name} if self.model else {}
        return {**heard, **spoken, **worded, "grader": wiring.grader().name}


@dataclass(frozen=True)
class Seat:
    """Where the candidate sits down.

    Attributes:
        answered_before: Answers that the session already holds.
    """

    stage: Stage
    store: SessionStore
    answered_before: int

    def files(self) -> FileAnswers:
        """Return what turns files into answers."""
        ear = self.stage.ear
        return FileAnswers(
            ear.pipeline if ear else None, wiring.recording, self.store, self.answered_before
        )


@dataclass(frozen=True)
class Party:
    """Who sits there.

    Attributes:
        rater: Asks the candidate for ratings of the own answers; None: nobody is asked.
    """

    candidate: CandidateInput
    rater: Rater | None = None


def set_stage(language: Language, means: Means, closing: ExitStack) -> Stage:
    """Return what the interview needs; `closing` lets it go.

    Raises:
        ModelUnavailable: There are recordings and no weights to hear them with.
        UsageError: A language model is asked for that the settings do not name.
    """
    model, of_model = language_model(means.settings, means.consent)
    presenter = (
        JsonPresenter(sys.stdout)
        if means.as_json
        else TerminalPresenter(
            language, Console(highlight=False), Console(stderr=True), echo=not means.typed
        )
    )
    if means.trouble is not None:
        detail = means.trouble.text(language)
        presenter.notice(told("typed", "no_microphone", language, detail))
    if of_model is not None:
        presenter.notice(of_model.get(language))
    ear = _ear(language, means, presenter.notice) if means.sound else None
    mouth = None
    if means.voice:
        mouth = voices.mouth(
            language, means.aloud, means.speaker, means.settings.voices, means.voice_name
        )
    for part in (ear, mouth):
        if part is not None:
            closing.callback(part.close)
    return Stage(presenter, ear, mouth, means.minutes, means.feedback, model)


def _ear(language: Language, means: Means, notify: Notify) -> wiring.Ear | None:
    """Return the listening side; None, and said so, where answers are typed instead."""
    try:
        return wiring.ear(means.settings, language, notify)
    except ModelUnavailable as error:
        if not means.may_type:
            raise
        notify(told("typed", "no_recogniser", language, error.text(language)))
        return None


def hold(stage: Stage, store: SessionStore, sit_down: Callable[[Seat], Party]) -> None:
    """Hold the interview to its end, write its report and say where it lies."""
    records = store.records()
    if not any(isinstance(record, Notice) and record.code == "farewell" for record in records):
        turns = [record for record in records if isinstance(record, Turn)]
        model = stage.model
        if stage.mouth:
            stage.mouth.prepare(store.manifest)
        interviewer = _interviewer(stage, store, turns)
        party = sit_down(Seat(stage, store, len(turns)))
        coach = None
        if stage.feedback == "each":
            coach = EachAnswerCoach(store.manifest, store, stage.presenter, party.rater)
        machine, ahead = _machine(stage, store)
        interview = Interview(
            machine,
            party.candidate,
            interviewer,
            AccountedLog(store, model) if model else store,
            stage.presenter,
            turns_before=len(turns),
            minutes=stage.minutes,
            coach=coach,
        )
        try:
            asyncio.run(_run(interview, stage, store, party.rater, coach, (interviewer, *ahead)))
        except KeyboardInterrupt as interrupt:
            raise Interrupted(
                KEPT, f"viva practice --continue --session {store.manifest.id}"
            ) from interrupt
    store.finish("finished")
    stage.presenter.closed(write_report(store.folder, store.manifest, store.records()))


def _machine(stage: Stage, store: SessionStore) -> tuple[InterviewMachine, list[Part]]:
    """Return the interviewer's mind and, with a language model, what lets it think ahead."""
    manifest, records, model = store.manifest, store.records(), stage.model
    if model is None:
        return wiring.machine(manifest, records), []
    judge = model.seeing(wiring.grader())
    foresight = ModelForesight(judge, model.wording)
    machine = wiring.machine(manifest, records, model.wording, judge, foresight)
    ahead = ThinkingAhead(machine, foresight)
    if stage.ear:
        stage.ear.pipeline.so_far = ahead.words
    return machine, [ahead]


async def _run(
    interview: Interview,
    stage: Stage,
    store: SessionStore,
    rater: Rater | None,
    coach: EachAnswerCoach | None,
    parts: Sequence[Part],
) -> None:
    """Load the models while the interviewer greets; one that fails says so when it is needed."""
    manifest = store.manifest
    warming: list[asyncio.Future[None]] = [asyncio.ensure_future(wiring.warm_grader(manifest))]
    if stage.ear:
        warming.append(asyncio.ensure_future(stage.ear.transcriber.warm_up()))
    try:
        if coach:
            await coach.take_up()
        await interview.run()
        if stage.model:
            await _grade_by(stage.model, stage, store)
        if stage.feedback == "end":
            await coach_at_end(manifest, store, stage.presenter, rater)
    finally:
        for task in warming:
            task.cancel()
        await asyncio.gather(*warming, return_exceptions=True)
        for part in parts:
            await part.close()
        if stage.model:
            await stage.model.close()
            stage.model.account(store)


async def _grade_by(model: LanguageModel, stage: Stage, store: SessionStore) -> None:
    manifest, notify = store.manifest, stage.presenter.notice
    try:
        able = await model.keeps_to_forms()
    except ChatFailed as fault:
        not_graded(manifest, store, notify, fault.text(manifest.language).rstrip(".。"))
        return
    if not able:
        not_graded(manifest, store, notify, TOO_SMALL.get(manifest.language))
        return
    await grade_deeply(manifest, store, model.grader(wiring.grader()), notify)


def _interviewer(
    stage: Stage, store: SessionStore, turns: list[Turn]
) -> WrittenInterviewer | SpokenInterviewer:
    if stage.mouth is None:
        return WrittenInterviewer()
    return SpokenInterviewer(
        stage.mouth.pipeline,
        store,
        store.manifest.language,
        sum(len(turn.lead_in) + 1 for turn in turns),
        stage.presenter.notice,
    )

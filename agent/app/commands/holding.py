"""Holding an interview, whoever answers: from the first word to the report."""

import asyncio
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from rich.console import Console

from agent.app import wiring
from agent.app.candidates import FileAnswers
from agent.app.console import JsonPresenter, TerminalPresenter
from agent.app.outcome import write_report
from agent.app.session import Interview, SessionStore
from agent.app.settings import Settings
from agent.domain.errors import Interrupted
from agent.domain.interview import Notice, Turn, Utterance
from agent.domain.language import Language
from agent.ports import CandidateInput, InterviewerOutput
from agent.voice.interviewer import SpokenInterviewer

Presenter = TerminalPresenter | JsonPresenter


class WrittenInterviewer:
    """An interviewer who is only read."""

    async def say(self, utterance: Utterance) -> Utterance:
        """Return `utterance`: the presenter has shown it."""
        return utterance


@dataclass(frozen=True)
class Means:
    """How an interview is held.

    Attributes:
        voice: The interviewer speaks.
        aloud: The interviewer is played as well as kept, where there is a loudspeaker.
        sound: There are recordings to be heard.
        typed: Answers are typed at this terminal.
    """

    settings: Settings
    voice: bool
    aloud: bool
    sound: bool
    typed: bool
    as_json: bool


@dataclass(frozen=True)
class Stage:
    """What an interview is held with; `ear` and `mouth` where sound is heard and made."""

    presenter: Presenter
    ear: wiring.Ear | None
    mouth: wiring.Mouth | None

    @property
    def models(self) -> dict[str, str]:
        """The models at work, for the session's manifest."""
        heard = {"speech_to_text": self.ear.model_name} if self.ear else {}
        spoken = {"text_to_speech": self.mouth.voice_names} if self.mouth else {}
        return {**heard, **spoken, "grader": wiring.grader().name}


def set_stage(language: Language, means: Means, closing: ExitStack) -> Stage:
    """Return what the interview needs; `closing` lets it go.

    Raises:
        ModelUnavailable: There are recordings and no weights to hear them with.
    """
    presenter = (
        JsonPresenter(sys.stdout)
        if means.as_json
        else TerminalPresenter(
            language, Console(highlight=False), Console(stderr=True), echo=not means.typed
        )
    )
    ear = wiring.ear(means.settings, language, presenter.notice) if means.sound else None
    mouth = wiring.mouth(language, means.aloud) if means.voice else None
    for part in (ear, mouth):
        if part is not None:
            closing.callback(part.close)
    return Stage(presenter, ear, mouth)


def hold(
    stage: Stage, store: SessionStore, candidate: Callable[[FileAnswers], CandidateInput]
) -> None:
    """Hold the interview to its end, write its report and say where it lies."""
    records = store.records()
    if not any(isinstance(record, Notice) and record.code == "farewell" for record in records):
        turns = [record for record in records if isinstance(record, Turn)]
        files = FileAnswers(
            stage.ear.pipeline if stage.ear else None, wiring.recording, store, len(turns)
        )
        interview = Interview(
            wiring.machine(store.manifest, records),
            candidate(files),
            _interviewer(stage, store, turns),
            store,
            stage.presenter,
            turns_before=len(turns),
        )
        try:
            asyncio.run(_run(interview, stage))
        except KeyboardInterrupt as interrupt:
            raise Interrupted(
                "Interrupted. What was said so far is kept.",
                f"viva practice --continue --session {store.manifest.id}",
            ) from interrupt
    store.finish("finished")
    stage.presenter.closed(write_report(store.folder, store.manifest, store.records()))


async def _run(interview: Interview, stage: Stage) -> None:
    """Load the recogniser while the interviewer greets; if it fails, the first answer says so."""
    warming = [asyncio.create_task(stage.ear.transcriber.warm_up())] if stage.ear else []
    try:
        await interview.run()
    finally:
        for task in warming:
            task.cancel()
        await asyncio.gather(*warming, return_exceptions=True)


def _interviewer(stage: Stage, store: SessionStore, turns: list[Turn]) -> InterviewerOutput:
    if stage.mouth is None:
        return WrittenInterviewer()
    return SpokenInterviewer(
        stage.mouth.pipeline,
        store,
        store.manifest.language,
        sum(len(turn.lead_in) + 1 for turn in turns),
        stage.presenter.notice,
    )

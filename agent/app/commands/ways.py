"""How answers come in and the interviewer goes out, as said on the command line."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from agent.app import wiring
from agent.app.candidates import FolderCandidate, answer_files, is_sound
from agent.app.commands.holding import Feedback, Means, Party, Seat
from agent.app.console import JsonPresenter
from agent.app.feedback import KeyRater, LineRater
from agent.app.language_model import AS_SET, Consent
from agent.app.live import LiveCandidate, Talking
from agent.app.live_screen import LiveScreen, QuietScreen, Screen, telling
from agent.app.settings import Settings, load_settings
from agent.app.turn_explaining import explained
from agent.domain.errors import DeviceUnavailable
from agent.domain.interview import SessionManifest
from agent.policy.endpointing import JudgedPause
from agent.voice.live_microphone import HOLD_OFF_S

Answering = Callable[[Seat], Party]
MICROPHONE, TEXT = "mic", "text"


@dataclass(frozen=True)
class Ways:
    """How answers come in and the interviewer goes out, as said on the command line.

    Attributes:
        source: `mic`, `text`, or a folder of answers.
        voice: None lets the source decide: a typist reads, others listen.
        microphone: Name or number of the input device; `speaker`: of the output device.
        headphones: The microphone cannot hear the interviewer.
        by_key: A key begins and ends each answer.
        explains_turns: Say after each answer how its pauses were judged.
        minutes: After so many the interview closes; None: never.
        feedback: When there is coaching; None: at the end, where a person reads.
        self_rates: A person at this terminal rates the own answers before the grade is shown.
        voice_name: Who speaks; None: the best that there is.
        consent: What is said of language models and of the network.
    """

    source: str
    voice: bool | None
    as_json: bool
    recordings: Path | None
    microphone: str | None = None
    speaker: str | None = None
    headphones: bool = False
    by_key: bool = False
    explains_turns: bool = False
    minutes: float | None = None
    feedback: Feedback | None = None
    self_rates: bool = False
    voice_name: str | None = None
    consent: Consent = AS_SET

    @property
    def in_person(self) -> bool:
        """Whether someone sits at this terminal and answers; nothing is scripted."""
        return self.source in {MICROPHONE, TEXT} and wiring.at_terminal()

    def kept(self) -> dict[str, Any]:
        """Return what a session remembers of them, for when it is gone on with."""
        return {"feedback": self.feedback, "self_rate": self.self_rates}

    def as_before(self, manifest: SessionManifest) -> "Ways":
        """Return them with what the session remembers, where nothing else is said."""
        feedback = manifest.settings.get("feedback")
        return replace(
            self,
            feedback=self.feedback or (feedback if feedback in {"each", "end"} else None),
            self_rates=self.self_rates or manifest.settings.get("self_rate") is True,
        )

    def means(self, settings: Settings) -> Means:
        """Look at what there is, and choose what the interview is held with.

        Raises:
            UsageError: The folder does not exist or holds no answers.
            DeviceUnavailable: There is no microphone, and no terminal to type at instead.
        """
        live, typed = self.source == MICROPHONE, self.source == TEXT
        trouble = self._trouble() if live else None
        recorded = not live and not typed and self._has_recordings()
        at_terminal = wiring.at_terminal()
        return Means(
            settings=settings,
            voice=not typed if self.voice is None else self.voice,
            aloud=live,
            sound=recorded or (live and trouble is None),
            typed=at_terminal and (typed or trouble is not None),
            as_json=self.as_json,
            speaker=self.speaker,
            minutes=self.minutes,
            may_type=live and at_terminal,
            trouble=trouble,
            feedback=self.feedback or (None if self.as_json else "end"),
            voice_name=self.voice_name,
            consent=self.consent,
        )

    def answering(self, used: frozenset[str]) -> Answering:
        """Return who answers; `used` files have answered earlier turns."""
        answering = self._answering(used)
        return _explaining(answering) if self.explains_turns else answering

    def _answering(self, used: frozenset[str]) -> Answering:
        if self.source == MICROPHONE:
            return self._talking
        if self.source == TEXT:
            return self._typing
        folder = Path(self.source)
        return lambda seat: Party(FolderCandidate(folder, seat.files(), used))

    def _has_recordings(self) -> bool:
        return any(is_sound(path) for path in answer_files(Path(self.source)))

    def _trouble(self) -> DeviceUnavailable | None:
        """Return why nothing can be heard; raise it where nobody could type instead."""
        try:
            asyncio.run(wiring.probe(wiring.microphone(self.microphone)))
        except DeviceUnavailable as error:
            if not wiring.at_terminal():
                raise
            return error
        return None

    def _typing(self, seat: Seat) -> Party:
        candidate = wiring.typed_candidate()
        if not (self.self_rates and wiring.at_terminal()):
            return Party(candidate)
        language = seat.store.manifest.language
        return Party(candidate, LineRater(candidate, seat.stage.presenter.notice, language))

    def _talking(self, seat: Seat) -> Party:
        ear = seat.stage.ear
        if ear is None:
            return self._typing(seat)
        manifest, presenter = seat.store.manifest, seat.stage.presenter
        keyboard = wiring.keyboard()
        console = Console(stderr=True, highlight=False)
        planned = [question.id for question in manifest.questions]
        screen: Screen
        if isinstance(presenter, JsonPresenter):
            screen = QuietScreen(manifest.language, telling(presenter))
        elif console.is_terminal:
            screen = LiveScreen(manifest.language, console, planned)
        else:
            screen = QuietScreen(manifest.language, presenter.notice)
        talking = Talking(
            pipeline=ear.pipeline,
            microphone=wiring.microphone(self.microphone),
            keyboard=keyboard,
            screen=screen,
            log=seat.store,
            language=manifest.language,
            hold_off_s=0.0 if self.headphones else HOLD_OFF_S,
            notify=presenter.notice,
            pauses=wiring.own_pauses(load_settings(self.recordings)),
        )
        typed = wiring.typed_candidate() if wiring.at_terminal() else None
        candidate = LiveCandidate(talking, typed, seat.answered_before, by_key=self.by_key)
        if ear.no_detector is not None:
            candidate.step_down("no_detector", ear.no_detector.text(manifest.language))
        rater = None
        if self.self_rates and keyboard is not None:
            rater = KeyRater(keyboard, presenter.notice, manifest.language)
        return Party(candidate, rater)


def _explaining(answering: Answering) -> Answering:
    """Return `answering` by someone whose pauses are explained."""

    def explain_to(seat: Seat) -> Party:
        notice, language = seat.stage.presenter.notice, seat.store.manifest.language

        def explain(pauses: Sequence[JudgedPause]) -> None:
            for pause in pauses:
                notice(explained(pause, language))

        if seat.stage.ear is not None:
            seat.stage.ear.pipeline.explain = explain
        return answering(seat)

    return explain_to

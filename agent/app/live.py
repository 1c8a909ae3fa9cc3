"""A candidate who talks: the microphone, the keys, and what happens when one of them fails."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Protocol, cast

from agent.app.live_screen import Screen
from agent.domain.dialogue import Wish
from agent.domain.errors import DeviceUnavailable, ModelUnavailable
from agent.domain.interview import Answer, ListeningHints, Utterance
from agent.domain.language import Language
from agent.policy.own_pauses import OwnPauses
from agent.policy.stepping import NOISY_TURNS, Trouble, Way, failed, step_down, told
from agent.ports import CandidateInput, Keyboard, Microphone, SessionLog
from agent.voice.listening import Heard, ListeningPipeline
from agent.voice.live_microphone import LiveMicrophone

WISHES: Mapping[str, Wish] = {"r": "repeat", "h": "hint", "s": "skip", "m": "misheard", "q": "stop"}
DONE = frozenset({"enter", "space"})
PAUSE = "p"
GO_ON_TYPING = "viva practice --continue --input text"


class KeptPauses(Protocol):
    """Where the speaker's own pauses are kept between sessions."""

    def load(self) -> OwnPauses:
        """Return what is known."""
        ...

    def keep(self, pauses: OwnPauses) -> None:
        """Remember `pauses` instead."""
        ...


@dataclass(frozen=True)
class Talking:
    """What a spoken answer is heard with.

    Attributes:
        pauses: The speaker's own; None: every speaker is waited for alike.
        keyboard: None where single keys cannot be read.
        hold_off_s: Sound that is dropped after the interviewer has spoken.
        notify: Told in one sentence when the way of answering changes.
    """

    pipeline: ListeningPipeline
    microphone: Microphone
    keyboard: Keyboard | None
    screen: Screen
    log: SessionLog
    language: Language
    hold_off_s: float
    notify: Callable[[str], None]
    pauses: KeptPauses | None = None


@dataclass
class _Turn:
    """One answer being given: what the keys did to it."""

    microphone: LiveMicrophone
    wish: Wish | None = None
    leaving: bool = False
    over: asyncio.Event = field(default_factory=asyncio.Event)


class LiveCandidate:
    """Answers by voice, steps down when that fails, and types in the end.

    Args:
        typed: Takes over where nothing can be heard; None where nobody can type.
        answered_before: Answers that the session already holds, so that names go on from there.
        by_key: Begin with push-to-talk, where keys can be read.
    """

    def __init__(
        self,
        talking: Talking,
        typed: CandidateInput | None,
        answered_before: int,
        *,
        by_key: bool = False,
    ) -> None:
        self._talking = talking
        self._typed = typed
        self._way: Way = "push_to_talk" if by_key and talking.keyboard else "voice"
        self._failure = DeviceUnavailable(failed("no_microphone"), GO_ON_TYPING)
        self._count = answered_before
        self._troubled: dict[Trouble, int] = {"noise": 0, "zeros": 0}

    async def answer(self, utterance: Utterance, hints: ListeningHints) -> Answer | None:
        """Return what was said, or typed where nothing can be heard.

        Raises:
            DeviceUnavailable: Nothing can be heard and nobody can type.
        """
        self._count += 1
        if self._way != "typed":
            answer = await self._spoken(utterance, hints)
            if answer is not None:
                return answer
        if self._typed is None:
            raise self._failure
        return await self._typed.answer(utterance, hints)

    async def _spoken(self, utterance: Utterance, hints: ListeningHints) -> Answer | None:
        """Return the answer; None when there is nothing of it and it must be typed."""
        turn = _Turn(LiveMicrophone(self._talking.microphone, self._talking.hold_off_s))
        own = self._talking.pauses
        if own is not None:
            hints = replace(hints, patience_s=own.load().fitted(hints))
        try:
            heard = await self._listen(turn, utterance, hints)
        except ModelUnavailable as error:
            self.step_down("no_recogniser", error.text(self._talking.language))
            return None
        if heard is None:
            return Answer.signalled(turn.wish or "stop")
        answer = self._kept(heard, turn.wish)
        if own is not None:
            own.keep(own.load().after(answer))
        if heard.lost is not None:
            self.step_down("no_microphone", heard.lost.text(self._talking.language))
            return answer if answer.understood or answer.wish else None
        self._count_trouble("noise", heard.ended_because.startswith("noise"))
        self._count_trouble("zeros", not heard.recording.samples.any() and not answer.wish)
        return answer

    async def _listen(
        self, turn: _Turn, utterance: Utterance, hints: ListeningHints
    ) -> Heard | None:
        """Listen under the eye of the keys; None when a key ended the turn before it began."""
        talking, keyboard = self._talking, self._talking.keyboard
        by_key = self._way == "push_to_talk"
        talking.screen.begin(utterance, keys=keyboard is not None)
        obeying = asyncio.create_task(self._obey(keyboard, turn, by_key)) if keyboard else None
        try:
            if by_key:
                talking.screen.show("waiting")
                await turn.over.wait()
                if turn.wish is not None:
                    return None
                talking.screen.show("listening")
            return await talking.pipeline.listen(
                turn.microphone, hints, talking.screen, by_key=by_key
            )
        finally:
            if obeying is not None:
                obeying.cancel()
                await asyncio.gather(obeying, return_exceptions=True)
            talking.screen.end()

    async def _obey(self, keyboard: Keyboard, turn: _Turn, by_key: bool) -> None:
        """Do what the keys say. In push-to-talk the first Enter begins the answer."""
        waiting = by_key
        presses = cast("AsyncGenerator[str]", keyboard.presses())
        async with aclosing(presses):
            async for key in presses:
                if key in DONE and waiting:
                    waiting = False
                    turn.over.set()
                elif key in DONE:
                    turn.microphone.finish()
                elif key == PAUSE and not waiting:
                    self._pause(turn)
                elif key in WISHES:
                    self._grant(WISHES[key], turn)

    def _pause(self, turn: _Turn) -> None:
        if turn.microphone.paused:
            turn.microphone.resume()
        else:
            turn.microphone.pause()
        self._talking.screen.show("paused" if turn.microphone.paused else "listening")

    def _grant(self, wish: Wish, turn: _Turn) -> None:
        """End the turn with `wish`; to leave the interview takes the key twice."""
        if wish == "stop" and not turn.leaving:
            turn.leaving = True
            self._talking.screen.show("leaving")
            return
        turn.wish = wish
        turn.over.set()
        turn.microphone.finish()

    def _kept(self, heard: Heard, wish: Wish | None) -> Answer:
        """Return the answer with its sound in the session."""
        audio = None
        if len(heard.recording.samples):
            audio = self._talking.log.keep_sound(f"{self._count:03d}-answer", heard.recording)
        answer = heard.answer.model_copy(update={"audio": audio, "wish": wish})
        if wish is not None and not answer.understood:
            return answer.model_copy(update={"text": "", "status": "signalled", "note": None})
        return answer

    def _count_trouble(self, trouble: Trouble, present: bool) -> None:
        self._troubled[trouble] = self._troubled[trouble] + 1 if present else 0
        if self._troubled[trouble] >= NOISY_TURNS:
            self.step_down(trouble)

    def step_down(self, trouble: Trouble, detail: str = "") -> None:
        """Go on in the best way that is left, and say so in one sentence."""
        way = step_down(self._way, trouble, keys=self._talking.keyboard is not None)
        if way == self._way:
            return
        self._way = way
        if way == "typed" and self._typed is None:
            self._failure = DeviceUnavailable(failed(trouble, detail), GO_ON_TYPING)
        else:
            self._talking.notify(told(way, trouble, self._talking.language, detail))

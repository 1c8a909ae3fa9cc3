"""When an answer is over: a finished sentence is not yet a finished answer.

Silence alone says little, so how much of it is borne depends on what the last words were, on
what the question's frame still misses, and on the interviewer's patience. There is no timer for
the whole answer. Time is an argument: the same sound gives the same end at any pace.
"""

from dataclasses import dataclass

from agent.domain.interview import ListeningHints
from agent.policy.phantoms import folded
from agent.policy.turn_cues import Cue, cue
from agent.policy.voice_activity import SpeechGate

USUAL_PATIENCE_S = 2.0
"""The patience for which the waits below are meant; another one stretches or shortens them."""
WAIT_S: dict[Cue, float] = {
    "done": 0.8,
    "gave_up": 1.2,
    "wrapped_up": 1.25,
    "open": 3.0,
    "unfinished": 3.6,
    "barely_begun": 5.0,
    "not_understood": 5.0,
    "hanging": 6.0,
    "thinking": 12.0,
}
"""Seconds of silence borne after words of each kind. People who think aloud pause up to 3 s after
a finished sentence in the middle of an answer (tests/data/audio)."""
MISSING_S = 0.2
"""Borne in addition while the frame misses a part and nothing says that this was all."""
FLOOR_HELD_S = 12.0
"""A wish for time is granted at least this long, whatever the patience."""
LEAST_WAIT_S = 0.7
"""No pause between two words is an end, and in none does anybody cut in."""
BETWEEN_SENTENCES: frozenset[Cue] = frozenset({"open", "wrapped_up", "barely_begun"})
"""Only after such words does an interviewer cut in: not within a sentence or into a wish for time,
and whoever says that this was all is not cut short."""
NO_SPEECH_S = 10.0
"""Silence from the start after which no answer is expected any more."""
MUMBLE_S = 0.8
"""Seconds of speech without words from which on it is more than a cough."""
WORDLESS_S = 8.0
"""Sound that the voice detector takes for speech and that holds no words: noise."""


EXPLAINED_S = 0.6
"""Shorter pauses are breaths: whether they end a turn is no question."""


@dataclass(frozen=True)
class JudgedPause:
    """A pause of the candidate, and why it did or did not end the turn.

    Attributes:
        cue: What the words before it told; None before the first words.
        borne_s: Silence that would have ended the turn; None where only a key ends it.
        cut_in: The interviewer took the turn.
    """

    from_s: float
    to_s: float
    cue: Cue | None
    borne_s: float | None
    ended: bool
    cut_in: bool = False


@dataclass(frozen=True)
class TurnState:
    """Whether the turn is over, and why.

    Attributes:
        cut_in: The interviewer takes it.
        reopens: It goes on if the candidate does, before the interviewer was heard.
    """

    ended: bool
    reason: str
    cut_in: bool = False
    reopens: bool = False


class Endpointer:
    """Fed with speech probabilities and with the words understood so far.

    Args:
        hints: Patience, what is still missing, and when this interviewer cuts in, if ever.
        by_key: The candidate ends the turn by a key; nothing here does.

    Attributes:
        judged: The pauses so far, in order.
    """

    def __init__(self, hints: ListeningHints, *, by_key: bool = False) -> None:
        self._hints = hints
        self._by_key = by_key
        self._gate = SpeechGate()
        self._text = ""
        self._cue: Cue = "open"
        self._last_voice_s: float | None = None
        self._last_words_s: float | None = None
        self._began_s: float | None = None
        self._confirmed_until_s = 0.0
        self._wordless_s = 0.0
        self._settled = True
        self._heard_until_s: float | None = None
        self.judged: list[JudgedPause] = []

    def observe(self, time_s: float, probability: float) -> TurnState:
        """Take the speech probability of the sound that ends at `time_s`; say where we are."""
        voiced = self._gate.voiced(probability)
        if voiced:
            self._judge(time_s, ended=False)
            self._heard_until_s = time_s
        state = self._observed(time_s, voiced=voiced)
        if state.ended:
            self._judge(time_s, ended=True, cut_in=state.cut_in)
            self._heard_until_s = None
        return state

    def _judge(self, time_s: float, *, ended: bool, cut_in: bool = False) -> None:
        """Keep how the pause that is over at `time_s` was judged, if it was one."""
        from_s = self._heard_until_s
        if from_s is not None and time_s - from_s >= EXPLAINED_S:
            known = self._cue if self._text else None
            borne_s = None if self._by_key or not self._text else self.wait_s
            self.judged.append(JudgedPause(from_s, time_s, known, borne_s, ended, cut_in))

    def _observed(self, time_s: float, *, voiced: bool) -> TurnState:
        if voiced:
            self._last_voice_s = time_s
            self._settled = False
            if self._began_s is None:
                self._began_s = time_s
        if self._by_key:
            return TurnState(False, "a key ends it")
        if not self._text:
            return self._before_words(time_s)
        quiet_s = time_s - (self._last_voice_s or 0.0)
        if self._settled and quiet_s >= LEAST_WAIT_S and self._may_cut_in(time_s):
            return TurnState(True, f"cut in: {quiet_s:.1f} s of silence", cut_in=True)
        wait_s = self.wait_s
        if self._settled and quiet_s >= wait_s:
            reason = f"{self._cue}: {quiet_s:.1f} s of silence, {wait_s:.1f} s borne"
            return TurnState(True, reason, reopens=True)
        return TurnState(False, f"{self._cue}: {quiet_s:.1f} of {wait_s:.1f} s of silence")

    def confirm(self, text: str, until_s: float, voiced_s: float) -> TurnState:
        """Take the whole text understood so far.

        A sound without words does not begin the wait again (a cough, a door); more of it is
        speech that was not understood, which may have been a wish for time. More than
        `WORDLESS_S` of it is noise, which cannot hold the turn.

        Args:
            text: All of it, from the first word on.
            until_s: Where the piece that was decoded last ends.
            voiced_s: Seconds of speech in that piece, as the voice detector counts.
        """
        self._settled = self._last_voice_s is None or until_s >= self._last_voice_s
        known, self._confirmed_until_s = until_s <= self._confirmed_until_s, until_s
        if folded(text) != folded(self._text):
            self._text = text
            self._cue = cue(text, self._hints.language)
            self._last_words_s = self._last_voice_s if self._settled else until_s
            self._wordless_s = 0.0
        elif not known:
            if not text:
                self._began_s = None
            return self._wordless(voiced_s)
        return TurnState(False, self._cue)

    def _wordless(self, voiced_s: float) -> TurnState:
        self._wordless_s += voiced_s
        if self._wordless_s >= WORDLESS_S and not self._by_key:
            return TurnState(True, f"noise: {self._wordless_s:.1f} s of it without a word")
        if voiced_s >= MUMBLE_S:
            self._cue = "not_understood"
        elif self._settled:
            self._last_voice_s = self._last_words_s
        return TurnState(False, self._cue)

    def _may_cut_in(self, time_s: float) -> bool:
        if self._hints.cut_in_s is None or self._began_s is None:
            return False
        long = time_s - self._began_s >= self._hints.cut_in_s
        return long and self._cue in BETWEEN_SENTENCES

    @property
    def wait_s(self) -> float:
        """Seconds of silence that would end the turn now."""
        wait_s = WAIT_S[self._cue]
        if self._cue == "open" and self._hints.still_missing:
            wait_s += MISSING_S
        wait_s *= self._hints.patience_s / USUAL_PATIENCE_S
        if self._cue == "thinking":
            return max(FLOOR_HELD_S, wait_s)
        return max(LEAST_WAIT_S, wait_s)

    def _before_words(self, time_s: float) -> TurnState:
        limit_s = max(NO_SPEECH_S, NO_SPEECH_S * self._hints.patience_s / USUAL_PATIENCE_S)
        quiet_s = time_s - (self._last_voice_s or 0.0)
        if time_s >= limit_s and quiet_s >= self.wait_s and self._settled:
            return TurnState(True, f"no speech: {time_s:.1f} s without a word", reopens=True)
        return TurnState(False, f"no words yet: {time_s:.1f} of {limit_s:.1f} s")

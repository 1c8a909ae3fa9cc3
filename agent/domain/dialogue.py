"""What an interviewer may do next, before it is put into words."""

from dataclasses import dataclass
from typing import Literal

from agent.domain.question import Rung

ProbeReason = Literal[
    "missing_part",
    "no_baseline",
    "we_without_i",
    "no_alternative",
    "missing_key_point",
    "misconception",
    "conflict",
    "implausible_figure",
    "climb",
]
"""Why a follow-up is asked. `climb`: nothing is missing on this rung, the next one is tried."""

Wish = Literal["stop", "repeat", "misheard", "hint", "clarify", "skip", "done", "think"]
"""What a candidate may want instead of answering; strongest first: of several wishes in one
breath, the first of these is granted."""

UtteranceKind = Literal["question", "probe", "clarify", "acknowledge", "close"]
AskAgainReason = Literal[
    "not_heard", "repeat", "clarify", "hint", "think", "misheard", "corrected", "uncorrected"
]
"""Why something is put again. `corrected`: an earlier answer was set right meanwhile;
`uncorrected`: it was going to be, and then was left as it is."""

CloseReason = Literal["plan_done", "answers_ended", "time_spent", "stopped"]


@dataclass(frozen=True)
class Greet:
    """Open the interview."""


@dataclass(frozen=True)
class Ask:
    """Ask a planned question.

    Attributes:
        bridge: How the last branch ended, which the transition may mention.
    """

    question_id: str
    bridge: Literal["none", "answered", "gave_up", "not_heard"] = "none"


@dataclass(frozen=True)
class Probe:
    """Follow up on the answers to the question at hand.

    Attributes:
        target: The criterion, key point or misconception it is about.
        quote: The candidate's words that set it off, verbatim, when there are any.
    """

    question_id: str
    reason: ProbeReason
    rung: Rung
    target: str | None = None
    quote: str | None = None


@dataclass(frozen=True)
class AskAgain:
    """Put what was asked a second time.

    Attributes:
        question_id: The question at hand; with `corrects`, the one of the answer that is asked for.
        why: Nothing was understood, or the candidate asked for it.
        rung: Where the follow-up that is put again stands; None for a question.
        target: What that follow-up is about.
        corrects: Number of the turn whose answer was misheard and is asked for once more.
    """

    question_id: str
    why: AskAgainReason = "not_heard"
    rung: Rung | None = None
    target: str | None = None
    corrects: int | None = None


@dataclass(frozen=True)
class Close:
    """End the interview."""

    reason: CloseReason


Move = Greet | Ask | Probe | AskAgain | Close

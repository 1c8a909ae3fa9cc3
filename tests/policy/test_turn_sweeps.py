"""Scripted answers swept over their pauses: cut-ins against waiting time, in both languages.

`python -m tests.policy.test_turn_sweeps` prints both for several patiences.
"""

import sys
from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.domain.interview import ListeningHints
from agent.domain.language import Language
from agent.policy.endpointing import LEAST_WAIT_S, WAIT_S, Endpointer
from agent.policy.segmentation import DECODE_PAUSE, WINDOW_S, windows
from agent.policy.turn_cues import cue

ANSWERS: dict[Language, tuple[str, ...]] = {
    "en": (
        "Let me think for a moment.",
        "We were five people and had to serve a model of seven billion parameters.",
        "My part was the scheduler, and",
        "the queue grew in the evening because the batches were too small.",
        "I tried two ways of batching and measured both of them for a week.",
        "In the end latency fell by forty percent.",
    ),
    "zh": (
        "让我先想一下。",
        "我们五个人要部署一个七十亿参数的模型，机器很有限。",
        "我负责的是调度这一部分，然后",
        "晚上排队变长，因为每一批的请求太少了。",
        "我试了两种合批的办法，各自测了一个星期。",
        "最后延迟降低了百分之四十。",
    ),
}
SPEECH = windows(3.0)


def played(language: Language, pauses_s: Sequence[float], patience_s: float) -> tuple[int, float]:
    """Return cut-ins of an answer with these pauses, and the wait after its last word."""
    hints = ListeningHints(language, "star", still_missing=("star.result",), patience_s=patience_s)
    turn, said, cut_ins = Endpointer(hints), "", 0
    now = 0
    for part, pause_s in zip(ANSWERS[language], [*pauses_s, 60.0], strict=True):
        said = f"{said} {part}".strip()
        for step in range(SPEECH + windows(pause_s)):
            now += 1
            state = turn.observe(now * WINDOW_S, 0.9 if step < SPEECH else 0.02)
            if step == SPEECH + DECODE_PAUSE - 1:
                turn.confirm(said, now * WINDOW_S, SPEECH * WINDOW_S)
            if state.ended and pause_s == 60.0:
                return cut_ins, (step + 1 - SPEECH) * WINDOW_S
            if state.ended:
                cut_ins, said, now = cut_ins + 1, "", 0
                turn = Endpointer(hints)
                break
    raise AssertionError("the turn never ended")


@pytest.mark.parametrize("language", ["en", "zh"])
@given(
    shares=st.lists(st.floats(0.0, 0.95), min_size=5, max_size=5),
    patience_s=st.floats(1.0, 10.0),
)
def test_no_pause_that_is_borne_is_cut_into(
    language: Language, shares: list[float], patience_s: float
) -> None:
    said, pauses_s = "", list[float]()
    for part, share in zip(ANSWERS[language], shares, strict=False):
        said = f"{said} {part}".strip()
        borne_s = max(LEAST_WAIT_S, WAIT_S[cue(said, language)] * patience_s / 2.0)
        pauses_s.append(share * borne_s)
    assert played(language, pauses_s, patience_s)[0] == 0


@pytest.mark.parametrize("language", ["en", "zh"])
def test_more_patience_cuts_in_less_and_waits_longer(language: Language) -> None:
    sweep = [played(language, (8.0, 2.5, 4.0, 1.2, 2.8), patience) for patience in (1.0, 2.0, 3.0)]
    assert [cut_ins for cut_ins, _ in sweep] == sorted((c for c, _ in sweep), reverse=True)
    assert sweep[1][0] == sweep[2][0] == 0
    waits = [wait for _, wait in sweep]
    assert waits == sorted(waits)
    assert waits[1] < 1.5


def main() -> None:
    """Print the sweep."""
    for language, patience_s in product(ANSWERS, (1.0, 1.5, 2.0, 3.0)):
        for thought_s in (1.0, 2.0, 3.0, 4.0):
            pauses = (10.0, thought_s, thought_s + 1.0, thought_s, thought_s)
            cut_ins, wait_s = played(language, pauses, patience_s)
            figures = f"pauses {thought_s} s: cut-ins {cut_ins}, wait {wait_s:.2f} s"
            sys.stdout.write(f"{language}, patience {patience_s} s, {figures}\n")


if __name__ == "__main__":
    main()

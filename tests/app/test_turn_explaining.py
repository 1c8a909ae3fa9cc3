"""Why a turn ended, in both languages."""

from typing import get_args

import pytest

from agent.app.turn_explaining import BEFORE, explained
from agent.domain.language import Language
from agent.policy.endpointing import JudgedPause
from agent.policy.turn_cues import Cue


@pytest.mark.parametrize(
    ("pause", "language", "line"),
    [
        (
            JudgedPause(4.0, 6.5, "hanging", 6.0, ended=False),
            "en",
            "4.0 s: 2.5 s of silence, the last words hang; 6.0 s would be borne: the turn goes on",
        ),
        (
            JudgedPause(9.0, 10.0, "done", 0.8, ended=True),
            "zh",
            "9.0 秒：静默 1.0 秒，已表示回答完毕；容许 0.8 秒：回合结束",
        ),
        (
            JudgedPause(60.0, 61.0, "open", 3.0, ended=True, cut_in=True),
            "zh",
            "60.0 秒：静默 1.0 秒，一句说完，未必是最后一句；面试官打断",
        ),
        (
            JudgedPause(1.0, 2.0, None, None, ended=False),
            "en",
            "1.0 s: 1.0 s of silence, no words yet; the turn goes on",
        ),
    ],
)
def test_a_pause_is_told_in_one_line(pause: JudgedPause, language: Language, line: str) -> None:
    assert explained(pause, language) == line


def test_every_cue_has_words() -> None:
    assert set(BEFORE) == {None, *get_args(Cue)}

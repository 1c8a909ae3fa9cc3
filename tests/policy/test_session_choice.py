from pathlib import Path

import pytest

from agent.domain.errors import SessionUnreadable
from agent.domain.interview import SessionStatus
from agent.policy.session_choice import (
    StoredSession,
    choose_session,
    damaged_after,
    newest_first,
)
from tests.adapters.session_scenes import manifest


def stored(identity: str, created_s: float, status: SessionStatus | None) -> StoredSession:
    described = manifest(identity, status=status) if status else None
    return StoredSession(Path("root") / f"{created_s:.0f}-{identity}", created_s, described)


SESSIONS = newest_first(
    [
        stored("c0de", 3, "abandoned"),
        stored("beef", 1, "running"),
        stored("cafe", 4, "finished"),
        stored("dead", 5, None),
        stored("c0da", 2, "running"),
    ]
)


@pytest.mark.parametrize(
    ("name", "resumable", "chosen"),
    [
        (None, False, "4-cafe"),
        (None, True, "3-c0de"),
        ("beef", True, "1-beef"),
        ("be", False, "1-beef"),
        ("c0de", False, "3-c0de"),
        ("5-dead", False, "5-dead"),
        ("cafe", False, "4-cafe"),
    ],
)
def test_one_session_is_meant(name: str | None, resumable: bool, chosen: str) -> None:
    assert choose_session(SESSIONS, name, resumable=resumable).folder.name == chosen


@pytest.mark.parametrize(
    ("name", "resumable", "said"),
    [
        ("cafe", True, "finished"),
        ("c0d", False, "3-c0de, 2-c0da"),
        ("bead", False, "beef"),
        ("", False, "no session"),
        ("面试", False, "no session '面试'"),
    ],
)
def test_no_session_or_several(name: str, resumable: bool, said: str) -> None:
    with pytest.raises(SessionUnreadable, match=said):
        choose_session(SESSIONS, name, resumable=resumable)


@pytest.mark.parametrize(
    ("resumable", "said"), [(True, "no interrupted session"), (False, "no session")]
)
def test_nothing_is_there_yet(resumable: bool, said: str) -> None:
    with pytest.raises(SessionUnreadable, match=said):
        choose_session([], None, resumable=resumable)


@pytest.mark.parametrize(
    ("taken", "damaged"), [("3-c0de", ["5-dead"]), ("1-beef", ["5-dead"]), ("5-dead", ["5-dead"])]
)
def test_damaged_sessions_that_are_newer_are_known(taken: str, damaged: list[str]) -> None:
    chosen = choose_session(SESSIONS, taken, resumable=False)
    assert [session.folder.name for session in damaged_after(SESSIONS, chosen)] == damaged
    assert damaged_after([chosen, stored("0dd", 0, None)], chosen) == damaged_after(
        [chosen], chosen
    )


@pytest.mark.parametrize(
    ("name", "resumable", "en", "zh"),
    [
        ("bead", False, "there is no session 'bead' (near: ", "没有会话 'bead'（相近："),
        ("c0d", False, "more than one session is called 'c0d'", "有多个会话符合 'c0d'"),
        ("cafe", True, "4-cafe is finished", "4-cafe 已经结束"),
    ],
)
def test_what_is_wrong_is_said_in_both_languages(
    name: str, resumable: bool, en: str, zh: str
) -> None:
    with pytest.raises(SessionUnreadable) as caught:
        choose_session(SESSIONS, name, resumable=resumable)
    assert en in caught.value.text("en")
    assert zh in caught.value.text("zh")

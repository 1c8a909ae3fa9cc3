from pathlib import Path

import pytest

from agent.domain.errors import SessionUnreadable
from agent.domain.interview import SessionStatus
from agent.policy.session_choice import StoredSession, choose_session, newest_first
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

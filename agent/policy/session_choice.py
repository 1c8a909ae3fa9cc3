"""Which of the stored sessions a person means."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.domain.errors import SessionUnreadable
from agent.domain.interview import SessionManifest
from agent.domain.language import LocalizedText


@dataclass(frozen=True)
class StoredSession:
    """A session found on disk.

    Attributes:
        created_s: When it began, in seconds since 1970 (UTC).
        manifest: None, with the `problem`, when the session is damaged.
    """

    folder: Path
    created_s: float
    manifest: SessionManifest | None
    problem: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """What it may be called by: its folder's name and its id."""
        return (self.folder.name, *([self.manifest.id] if self.manifest else []))

    @property
    def finished(self) -> bool:
        """Whether the interview came to its end."""
        return self.manifest is not None and self.manifest.status == "finished"


def newest_first(sessions: Sequence[StoredSession]) -> list[StoredSession]:
    """Order sessions by when they began; those of one moment by name."""
    return sorted(sessions, key=lambda session: (session.created_s, session.folder.name))[::-1]


def choose_session(
    sessions: Sequence[StoredSession], name: str | None, *, resumable: bool
) -> StoredSession:
    """Return the session that `name` means, or the newest whole one.

    Args:
        sessions: Newest first.
        name: An id, a folder's name, or the beginning of either.
        resumable: Take only a session that was not finished.

    Raises:
        SessionUnreadable: There is none, or more than one; the message names what comes near.
    """
    if name is not None:
        session = _named(sessions, name)
        if resumable and session.finished:
            raise SessionUnreadable(
                LocalizedText(
                    en=f"the session {session.folder.name} is finished: nothing to continue",
                    zh=f"会话 {session.folder.name} 已经结束，没有可以继续的内容",
                ),
                "viva practice",
            )
        return session
    for session in sessions:
        if session.manifest and not (resumable and session.finished):
            return session
    if resumable:
        raise SessionUnreadable(
            LocalizedText(en="there is no interrupted session", zh="没有中断的会话"),
            "viva practice",
        )
    raise SessionUnreadable(
        LocalizedText(en="there is no session yet", zh="还没有会话"), "viva replay sample"
    )


def damaged_after(
    sessions: Sequence[StoredSession], chosen: StoredSession
) -> tuple[StoredSession, ...]:
    """Return the damaged sessions that are newer than the one that was chosen, newest first."""
    return tuple(
        session
        for session in sessions
        if session.manifest is None and session.created_s >= chosen.created_s
    )


def _named(sessions: Sequence[StoredSession], name: str) -> StoredSession:
    exact = [session for session in sessions if name in session.names]
    matches = exact or [
        session
        for session in sessions
        if name and any(alias.startswith(name) for alias in session.names)
    ]
    if len(matches) == 1:
        return matches[0]
    aliases = [alias for session in sessions for alias in session.names]
    near = [session.folder.name for session in matches] or difflib.get_close_matches(
        name, aliases, n=3, cutoff=0.4
    )
    nearest = ", ".join(near)
    en, zh = (
        ("more than one session is called", "有多个会话符合")
        if matches
        else ("there is no session", "没有会话")
    )
    message = LocalizedText(
        en=f"{en} {name!r}" + (f" (near: {nearest})" if near else ""),
        zh=f"{zh} {name!r}" + (f"（相近：{nearest}）" if near else ""),
    )
    raise SessionUnreadable(message, "viva list sessions")

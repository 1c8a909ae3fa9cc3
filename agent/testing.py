"""Scripted stand-ins for the ports: each records its calls and refuses an unscripted one."""

from agent.domain.audio import AudioClip
from agent.policy.session_format import sound_path
from agent.ports import SessionRecord


class MemoryLog:
    """A `SessionLog` that keeps everything in memory.

    Attributes:
        records: What was appended, oldest first.
        sounds: The clips that were kept, by their path.
    """

    def __init__(self) -> None:
        self.records: list[SessionRecord] = []
        self.sounds: dict[str, AudioClip] = {}

    def append(self, record: SessionRecord) -> None:
        """Keep `record`."""
        self.records.append(record)

    def keep_sound(self, name: str, clip: AudioClip) -> str:
        """Keep `clip`."""
        path = sound_path(name)
        self.sounds[path] = clip
        return path

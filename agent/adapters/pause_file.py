"""The speaker's own pauses, kept from one session to the next."""

from contextlib import suppress
from pathlib import Path

from agent.policy.own_pauses import OwnPauses


class PauseFile:
    """A small file in the user's home of Viva: damage is forgotten, a full disk is no fault."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> OwnPauses:
        """Return what was kept; nothing where there is no file that can be read."""
        try:
            return OwnPauses.model_validate_json(self._path.read_bytes())
        except (OSError, ValueError):
            return OwnPauses()

    def keep(self, pauses: OwnPauses) -> None:
        """Write `pauses`, whole or not at all."""
        partial = self._path.with_name(f"{self._path.name}.part")
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            partial.write_text(pauses.model_dump_json(), encoding="utf-8")
            partial.replace(self._path)

"""Scripted stand-ins for the ports: each records its calls and refuses an unscripted one."""

from collections.abc import Mapping

from agent.domain.assessment import Assessment, GradingTask
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


class ScriptedGrader:
    """A `Grader` that judges by the last answer's text.

    Attributes:
        tasks: What it was asked to judge, oldest first.
    """

    def __init__(self, verdicts: Mapping[str, Assessment | Exception]) -> None:
        self._verdicts = verdicts
        self.tasks: list[GradingTask] = []

    async def grade(self, task: GradingTask) -> Assessment:
        """Return or raise the verdict on the last answer, as one of its question and turn."""
        self.tasks.append(task)
        last = task.answers[-1]
        if last.answer.text not in self._verdicts:
            raise AssertionError(f"no verdict on {last.answer.text!r}")
        verdict = self._verdicts[last.answer.text]
        if isinstance(verdict, Exception):
            raise verdict
        return verdict.model_copy(update={"turn": last.turn, "question_id": task.question.id})

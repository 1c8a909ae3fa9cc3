"""What an interview shows: words for a person, JSON lines for a program."""

import json
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from agent.domain.assessment import Assessment
from agent.domain.interview import AnswerStatus, Turn, Utterance
from agent.domain.language import Language

SPEAKERS: dict[Language, tuple[str, str]] = {
    "en": ("Interviewer", "You"),
    "zh": ("面试官", "你"),
}
NOTHING_HEARD: dict[Language, dict[AnswerStatus, str]] = {
    "en": {
        "silent": "(no answer)",
        "doubtful": "(not understood)",
        "unreadable": "(the recording could not be read)",
    },
    "zh": {
        "silent": "（没有回答）",
        "doubtful": "（没有听清）",
        "unreadable": "（录音无法读取）",
    },
}


class TerminalPresenter:
    """Shows the talk as it goes, on standard output; notices go to standard error."""

    def __init__(self, language: Language, output: Console, notices: Console) -> None:
        self._language: Language = language
        self._output = output
        self._notices = notices

    def utterance(self, utterance: Utterance) -> None:
        """Show what the interviewer says, and why a follow-up is asked."""
        speaker, _ = SPEAKERS[self._language]
        self._line(speaker, utterance.text, "bold cyan")

    def answer(self, turn: Turn) -> None:
        """Show what was understood."""
        _, candidate = SPEAKERS[self._language]
        absent = NOTHING_HEARD[self._language].get(turn.answer.status)
        if turn.answer.status != "typed":
            self._line(candidate, absent or turn.answer.text, "bold green")

    def assessment(self, assessment: Assessment) -> None:
        """Show nothing: feedback comes at the end."""

    def notice(self, text: str) -> None:
        """Show a notice."""
        self._notices.print(Text(text, style="yellow"), soft_wrap=True)

    def _line(self, speaker: str, text: str, style: str) -> None:
        self._output.print(Text.assemble((f"{speaker}: ", style), text))


class JsonPresenter:
    """Writes one JSON object a line, and nothing else."""

    def __init__(self, output: TextIO) -> None:
        self._output = output

    def utterance(self, utterance: Utterance) -> None:
        """Write an `utterance` event."""
        self.event("utterance", utterance.model_dump(mode="json"))

    def answer(self, turn: Turn) -> None:
        """Write an `answer` event."""
        self.event("answer", {"turn": turn.number, **turn.answer.model_dump(mode="json")})

    def assessment(self, assessment: Assessment) -> None:
        """Write an `assessment` event."""
        self.event("assessment", assessment.model_dump(mode="json", exclude={"kind"}))

    def notice(self, text: str) -> None:
        """Write a `notice` event."""
        self.event("notice", {"text": text})

    def event(self, name: str, fields: dict[str, Any]) -> None:
        """Write one event at once, so that a reader on a pipe sees it."""
        self._output.write(json.dumps({"event": name, **fields}, ensure_ascii=False) + "\n")
        self._output.flush()

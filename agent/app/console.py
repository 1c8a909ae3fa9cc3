"""What an interview shows: words for a person, JSON lines for a program."""

import json
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from agent.app.outcome import Outcome
from agent.app.report_certainty import band_told, range_told
from agent.app.report_coaching import short_lines
from agent.app.report_figures import whole
from agent.app.report_texts import label
from agent.app.report_texts import words as words_in
from agent.domain.assessment import Assessment
from agent.domain.coaching import Coaching
from agent.domain.interview import AnswerStatus, Turn, Utterance
from agent.domain.language import Language
from agent.policy.folding import printable

SPEAKERS: dict[Language, tuple[str, str]] = {
    "en": ("Interviewer", "You"),
    "zh": ("面试官", "你"),
}
NOTHING_HEARD: dict[Language, dict[AnswerStatus, str]] = {
    "en": {
        "silent": "(no answer)",
        "doubtful": "(not understood)",
        "unreadable": "(the recording could not be read)",
        "signalled": "(a key)",
    },
    "zh": {
        "silent": "（没有回答）",
        "doubtful": "（没有听清）",
        "unreadable": "（录音无法读取）",
        "signalled": "（按键）",
    },
}

WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "overall": "Overall",
        "band": "Hire band",
        "unjudged": "not judged",
        "report": "Report",
        "recordings": "Recordings, on this machine only",
    },
    "zh": {
        "overall": "总分",
        "band": "录用倾向",
        "unjudged": "未评分",
        "report": "报告",
        "recordings": "录音（只存放在本机）",
    },
}


class TerminalPresenter:
    """Shows the talk as it goes, on standard output; notices go to standard error.

    Args:
        echo: Show typed answers too; not where the terminal has already shown them.
    """

    def __init__(
        self, language: Language, output: Console, notices: Console, *, echo: bool = False
    ) -> None:
        self._language: Language = language
        self._echo = echo
        self._output = output
        self._notices = notices
        self._colon = words_in(language)["colon"]

    def utterance(self, utterance: Utterance) -> None:
        """Show what the interviewer says."""
        speaker, _ = SPEAKERS[self._language]
        self._line(speaker, utterance.text, "bold cyan")

    def answer(self, turn: Turn) -> None:
        """Show what was understood."""
        _, candidate = SPEAKERS[self._language]
        absent = NOTHING_HEARD[self._language].get(turn.answer.status)
        if self._echo or turn.answer.status != "typed":
            self._line(candidate, absent or turn.answer.text, "bold green")

    def assessment(self, assessment: Assessment) -> None:
        """Show nothing: what there is to say of it comes as coaching."""

    def coaching(self, coaching: Coaching) -> None:
        """Show what to make of a question's answers, in about a dozen lines."""
        words = WORDS[self._language]
        score = words["unjudged"] if coaching.score is None else f"{whole(coaching.score)} / 100"
        self._output.print()
        self._show(Text.assemble((f"{score}  ", "bold"), (printable(coaching.prompt), "bold")))
        for line in short_lines(coaching):
            self._show(Text(printable(line)))

    def notice(self, text: str) -> None:
        """Show a notice."""
        self._notices.print(Text(printable(text), style="yellow"), soft_wrap=True)

    def closed(self, outcome: Outcome) -> None:
        """Show the result, and where the report and the recordings lie."""
        words = WORDS[self._language]
        score = outcome.score
        self._output.print()
        overall = (
            f"{whole(score.overall)} / 100" if score.overall is not None else words["unjudged"]
        )
        if told := range_told(score.interval, words_in(self._language)):
            overall += f" ({told})"
        self._output.print(Text(f"{words['overall']}{self._colon}{overall}", style="bold"))
        if band := band_told(score.hire, self._language):
            self._output.print(
                Text(f"{words['band']}{self._colon}{band}", style="bold"), soft_wrap=True
            )
        if score.reason:
            self._output.print(Text(label("why", score.reason, self._language)))
        for name, path in (("report", outcome.report), ("recordings", outcome.folder)):
            self._output.print(Text(f"{words[name]}{self._colon}{path.resolve()}"), soft_wrap=True)

    def _line(self, speaker: str, text: str, style: str) -> None:
        self._show(Text.assemble((f"{speaker}{self._colon}", style), printable(text)))

    def _show(self, line: Text) -> None:
        # Chinese has no spaces to wrap at: the terminal does it, and a pipe gets whole lines.
        wraps = self._language == "en" and self._output.is_terminal
        self._output.print(line, soft_wrap=not wraps)


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

    def coaching(self, coaching: Coaching) -> None:
        """Write a `coaching` event."""
        self.event("coaching", coaching.model_dump(mode="json"))

    def notice(self, text: str) -> None:
        """Write a `notice` event."""
        self.event("notice", {"text": text})

    def closed(self, outcome: Outcome) -> None:
        """Write the `closed` event: the last one."""
        fields = {
            "session": str(outcome.folder.resolve()),
            "report": str(outcome.report.resolve()),
            "score": outcome.score.model_dump(mode="json"),
        }
        self.event("closed", fields)

    def event(self, name: str, fields: dict[str, Any]) -> None:
        """Write one event at once, so that a reader on a pipe sees it."""
        self._output.write(json.dumps({"event": name, **fields}, ensure_ascii=False) + "\n")
        self._output.flush()

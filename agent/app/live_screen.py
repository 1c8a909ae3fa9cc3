"""What is on the screen while a candidate talks: a level meter, the words so far, the keys."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from agent.app.console import JsonPresenter
from agent.domain.interview import Utterance
from agent.domain.language import Language, LocalizedText
from agent.policy.folding import printable
from agent.ports import ListeningWatcher

METER_CELLS = 10
QUIET_DB, LOUD_DB = -60.0, -10.0
"""Full scale is 0 dB; the meter runs between these."""
CAPTION_LINES = 2
REFRESH_HZ = 8

STATES: Mapping[str, LocalizedText] = {
    "listening": LocalizedText(en="Listening", zh="正在听"),
    "paused": LocalizedText(en="Paused", zh="已暂停"),
    "waiting": LocalizedText(en="Press Enter to talk", zh="按回车开始说话"),
    "leaving": LocalizedText(en="Press q again to end", zh="再按一次 q 结束"),
    "thinking": LocalizedText(en="One moment", zh="请稍等"),
}
QUESTION = LocalizedText(en="Question {number}/{count}", zh="第 {number}/{count} 题")
KEYS = LocalizedText(
    en="Enter done · r repeat · h hint · s skip · m misheard · p pause · q quit",
    zh="回车 说完 · r 重复 · h 提示 · s 跳过 · m 听错了 · p 暂停 · q 结束",
)


class Screen(ListeningWatcher, Protocol):
    """Who shows how an answer is listened to."""

    def begin(self, utterance: Utterance, *, keys: bool) -> None:
        """An answer to `utterance` is awaited; `keys`: they can be pressed."""
        ...

    def show(self, state: str) -> None:
        """Show one of `STATES`."""
        ...

    def end(self) -> None:
        """The answer is complete."""
        ...


class QuietScreen:
    """Says once an answer that it is awaited: for a pipe, a file or a program.

    Args:
        tell: Told the sentence.
    """

    def __init__(self, language: Language, tell: Callable[[str], None]) -> None:
        self._sentence = STATES["listening"].get(language)
        self._tell = tell

    def begin(self, utterance: Utterance, *, keys: bool) -> None:
        """Say that listening begins."""
        self._tell(self._sentence)

    def show(self, state: str) -> None:
        """Nothing more is said."""

    def end(self) -> None:
        """Nothing more is said."""

    def sound(self, level: float, *, voiced: bool) -> None:
        """No meter."""

    def words(self, text: str) -> None:
        """No caption."""


def telling(presenter: JsonPresenter) -> Callable[[str], None]:
    """Return what says on a program's output that listening begins."""
    return lambda text: presenter.event("notice", {"code": "listening", "text": text})


class LiveScreen:
    """Draws on a terminal, in place, and clears it away when the answer is complete.

    Args:
        planned: Ids of the questions of the interview, in order.
    """

    def __init__(self, language: Language, console: Console, planned: Sequence[str]) -> None:
        self._language: Language = language
        self._console = console
        self._planned = list(planned)
        self._began_s = time.monotonic()
        self._live: Live | None = None
        self._state = "listening"
        self._level = 0.0
        self._voiced = False
        self._caption = ""
        self._question = ""
        self._keys = False
        self._answer_began_s = 0.0

    def begin(self, utterance: Utterance, *, keys: bool) -> None:
        """Show that an answer is awaited."""
        self._state, self._level, self._voiced, self._caption = "listening", 0.0, False, ""
        self._keys = keys
        self._answer_began_s = time.monotonic()
        if utterance.question_id in self._planned:
            number = self._planned.index(utterance.question_id) + 1
            self._question = QUESTION.get(self._language).format(
                number=number, count=len(self._planned)
            )
        self._live = Live(
            get_renderable=self._picture,
            console=self._console,
            refresh_per_second=REFRESH_HZ,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._live.start()

    def show(self, state: str) -> None:
        """Show one of `STATES`."""
        self._state = state

    def end(self) -> None:
        """Clear the picture away."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def sound(self, level: float, *, voiced: bool) -> None:
        """Move the meter: up at once, down slowly."""
        self._level = max(level, self._level * 0.9)
        self._voiced = voiced

    def words(self, text: str) -> None:
        """Show the words so far."""
        self._caption = printable(text)

    def _picture(self) -> Group:
        now = time.monotonic()
        state = STATES[self._state].get(self._language)
        lines = [
            Text.assemble(
                (meter(self._level), "green" if self._voiced else "dim"),
                f" {state} {_clock(now - self._answer_began_s)}",
            ),
            Text(f"{self._question} · {_clock(now - self._began_s)}".removeprefix(" · "), "dim"),
        ]
        if self._caption:
            lines.append(
                Text(tail(self._caption, CAPTION_LINES * (self._console.width - 4)), "italic")
            )
        if self._keys:
            lines.append(Text(KEYS.get(self._language), "dim"))
        return Group(*lines)


def meter(level: float) -> str:
    """Return `level` (root mean square, 0 to 1) as a bar of `METER_CELLS` characters."""
    loudness_db = 20 * math.log10(max(level, 1e-6))
    share = (loudness_db - QUIET_DB) / (LOUD_DB - QUIET_DB)
    filled = round(METER_CELLS * min(1.0, max(0.0, share)))
    return "█" * filled + "░" * (METER_CELLS - filled)


def tail(text: str, cells: int) -> str:
    """Return the end of `text` that fits into `cells`; a Han character takes two."""
    shown = Text(text)
    if shown.cell_len <= cells:
        return text
    while shown.cell_len > max(1, cells - 1):
        shown = shown[max(1, (shown.cell_len - cells) // 2) :]
    return f"…{shown.plain}"


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"

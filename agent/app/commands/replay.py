"""`viva replay`: a graded transcript, opened in the browser or stepped through in the terminal."""

import asyncio
import sys
import webbrowser
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing, suppress
from pathlib import Path
from typing import cast

from rich.console import Console
from rich.text import Text

from agent.app import wiring
from agent.app.commands.report import rebuilt
from agent.app.outcome import REPORT, score_of
from agent.app.playback import play_file
from agent.app.report_overview import view_report
from agent.app.report_quotes import audio_link
from agent.app.report_texts import words
from agent.app.session import SessionStore
from agent.app.settings import load_settings
from agent.app.storage import open_session
from agent.app.transcript_pages import Line, Page, pages, title
from agent.domain.errors import VivaError
from agent.domain.interview import Turn
from agent.domain.language import Language, LocalizedText
from agent.ports import Keyboard

KEYS = LocalizedText(
    en="Enter next · b back · p play · q quit", zh="回车 下一轮 · b 上一轮 · p 播放 · q 退出"
)
NOT_OPENED = LocalizedText(
    en="No browser could be opened: open the file yourself, or add --terminal.",
    zh="没有打开浏览器：请自行打开这个文件，或加上 --terminal。",
)
NO_SOUND = LocalizedText(en="This answer has no recording.", zh="这个回答没有录音。")


def run(
    session: str | None,
    terminal: bool,
    no_open: bool,
    language: Language | None,
    recordings: Path | None,
) -> None:
    """Show a session: the newest, or the one that is named; `sample` is the shipped one."""
    settings = load_settings(recordings)
    store = open_session(settings, session)
    if terminal:
        _show(store, language or store.manifest.language)
        return
    report = store.folder / REPORT
    if language is not None or not _up_to_date(report):
        report = rebuilt(settings, store, language)
    print(report.resolve())
    if not no_open and not _open(report):
        print(NOT_OPENED.get(language or store.manifest.language), file=sys.stderr)


def _up_to_date(report: Path) -> bool:
    """Tell whether the report is there, and not older than its session."""
    with suppress(OSError):
        written = report.stat().st_mtime_ns
        sources = (report.with_name(name) for name in ("turns.jsonl", "session.json"))
        return report.is_file() and all(path.stat().st_mtime_ns <= written for path in sources)
    return False


def _open(report: Path) -> bool:
    try:
        return webbrowser.open(report.resolve().as_uri())
    except webbrowser.Error:
        return False


def _show(store: SessionStore, language: Language) -> None:
    manifest, records = store.manifest, store.records()
    view = view_report(manifest, records, score_of(manifest, records), language)
    console = Console(highlight=False)
    shown = pages(view, records, language)
    _print(console, title(view, language), language)
    keyboard = wiring.keyboard() if console.is_terminal else None
    if keyboard is None or not shown:
        for page in shown:
            console.print()
            _print(console, page.lines, language)
        return
    sounds = {
        item.number: store.folder / (item.answer.audio or "")
        for item in records
        if isinstance(item, Turn) and audio_link(item.answer.audio)
    }
    asyncio.run(Stepping(console, shown, sounds, language).run(keyboard))


class Stepping:
    """Goes through pages by single keys.

    Args:
        console: Where pages are shown.
        shown: The pages.
        sounds: The recording of an answer, by the number of its turn.
        language: Of the page's own words.
        play: Plays a recording to its end.
    """

    def __init__(
        self,
        console: Console,
        shown: Sequence[Page],
        sounds: Mapping[int, Path],
        language: Language,
        play: Callable[[Path], Awaitable[None]] = play_file,
    ) -> None:
        self._console = console
        self._pages = shown
        self._sounds = sounds
        self._language: Language = language
        self._play_file = play
        self._place = 0
        self._playing: asyncio.Task[None] | None = None

    async def run(self, keyboard: Keyboard) -> None:
        """Show the first page, then do what the keys say until the last page or `q`."""
        self._page()
        presses = cast("AsyncGenerator[str]", keyboard.presses())
        try:
            async with aclosing(presses):
                async for key in presses:
                    if not await self._go_on(key):
                        return
        finally:
            await self._silence()

    async def _go_on(self, key: str) -> bool:
        if key in {"q", "escape", "ctrl-d"}:
            return False
        if key == "p":
            await self._silence()
            self._playing = asyncio.create_task(self._play())
            return True
        step = {"enter": 1, "space": 1, "n": 1, "right": 1, "b": -1, "left": -1}.get(key, 0)
        place = self._place + step
        if place >= len(self._pages):
            return False
        if step and place >= 0:
            await self._silence()
            self._place = place
            self._page()
        return True

    async def _play(self) -> None:
        sound = self._sounds.get(self._pages[self._place].turn)
        if sound is None:
            self._say(NO_SOUND.get(self._language))
            return
        try:
            await self._play_file(sound)
        except VivaError as error:
            self._say(error.text(self._language))

    async def _silence(self) -> None:
        if self._playing:
            self._playing.cancel()
            await asyncio.gather(self._playing, return_exceptions=True)
            self._playing = None

    def _page(self) -> None:
        self._console.print()
        _print(self._console, self._pages[self._place].lines, self._language)
        told = f"{self._place + 1}/{len(self._pages)}  {KEYS.get(self._language)}"
        self._console.print(Text(told, style="dim"))

    def _say(self, sentence: str) -> None:
        self._console.print(Text(sentence, style="yellow"))


def _print(console: Console, lines: Iterable[Line], language: Language) -> None:
    colon = words(language)["colon"]
    for line in lines:
        name = (f"{line.name}{colon}", "bold") if line.name else ""
        text = Text.assemble(name, (line.text, line.style))
        # Chinese has no spaces to wrap at: the terminal does it, and a pipe gets whole lines.
        chinese = any("\u3400" <= character <= "\u9fff" for character in line.text)
        console.print(text, soft_wrap=chinese or not console.is_terminal)

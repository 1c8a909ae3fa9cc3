"""Scripted candidates: answers from a folder, and those of the demo."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from agent.domain.errors import UsageError
from agent.domain.interview import Answer, ListeningHints, Utterance
from agent.domain.language import LocalizedText
from agent.ports import Microphone, SessionLog
from agent.voice.answering import spoken_answer
from agent.voice.listening import ListeningPipeline

SOUND_SUFFIXES = frozenset({".flac", ".wav", ".mp3", ".m4a", ".ogg"})
TEXT_SUFFIX = ".txt"


def is_sound(path: Path) -> bool:
    """Tell whether the file is a recording, by its suffix."""
    return path.suffix.lower() in SOUND_SUFFIXES


def answer_files(folder: Path) -> tuple[Path, ...]:
    """Return the folder's answers in the order of their names.

    Raises:
        UsageError: There is no such folder, or there are no answers in it.
    """
    if not folder.is_dir():
        raise UsageError(
            LocalizedText(en=f"There is no folder {folder}.", zh=f"没有文件夹 {folder}。"),
            "viva practice --input text",
        )
    files = sorted(
        path
        for path in folder.iterdir()
        if path.is_file() and path.suffix.lower() in SOUND_SUFFIXES | {TEXT_SUFFIX}
    )
    if not files:
        kinds = ", ".join(sorted(SOUND_SUFFIXES | {TEXT_SUFFIX}))
        raise UsageError(
            LocalizedText(
                en=f"{folder} holds no answers ({kinds}).", zh=f"{folder} 里没有回答（{kinds}）。"
            )
        )
    return tuple(files)


def read_typed(path: Path) -> Answer:
    """Return a text file as a typed answer; one that is not UTF-8 text could not be read."""
    try:
        return Answer.typed(path.read_text(encoding="utf-8-sig"), source=path.name)
    except (OSError, UnicodeDecodeError) as error:
        return Answer.unreadable(f"not UTF-8 text: {error}", path.name)


class FileAnswers:
    """Turns a file into an answer: sound through the listening pipeline, text as typed.

    Args:
        pipeline: Hears recordings; None where every file is text.
        microphone: Opens a recording as a microphone.
        answered_before: Answers that the session already holds, so that names go on from there.
    """

    def __init__(
        self,
        pipeline: ListeningPipeline | None,
        microphone: Callable[[Path], Microphone],
        log: SessionLog,
        answered_before: int,
    ) -> None:
        self._pipeline = pipeline
        self._microphone = microphone
        self._log = log
        self._count = answered_before

    async def read(self, path: Path, hints: ListeningHints) -> Answer:
        """Return the answer that the file holds."""
        self._count += 1
        if self._pipeline is None or not is_sound(path):
            return read_typed(path)
        name = f"{self._count:03d}-answer"
        return await spoken_answer(
            self._pipeline, self._microphone(path), hints, self._log, name, source=path.name
        )


class FolderCandidate:
    """Answers with the files of a folder, one a turn, in the order of their names.

    Args:
        used: Names of files that earlier turns of the session have answered with.
    """

    def __init__(self, folder: Path, files: FileAnswers, used: Iterable[str] = ()) -> None:
        spent = set(used)
        self._paths: Iterator[Path] = iter(
            [path for path in answer_files(folder) if path.name not in spent]
        )
        self._files = files

    async def answer(self, utterance: Utterance, hints: ListeningHints) -> Answer | None:
        """Return the next file's answer, or None after the last."""
        path = next(self._paths, None)
        return None if path is None else await self._files.read(path, hints)


class PreparedCandidate:
    """Answers each question with the files prepared for it, in order.

    The first answers the question, the next ones its follow-ups; when they are used up,
    `otherwise` does.
    """

    def __init__(
        self, prepared: Mapping[str, Iterable[Path]], otherwise: Path, files: FileAnswers
    ) -> None:
        self._prepared = {question: iter(paths) for question, paths in prepared.items()}
        self._otherwise = otherwise
        self._files = files

    async def answer(self, utterance: Utterance, hints: ListeningHints) -> Answer | None:
        """Return the answer prepared for what was asked."""
        remaining = self._prepared.get(utterance.question_id or "", iter(()))
        return await self._files.read(next(remaining, self._otherwise), hints)

import asyncio
from pathlib import Path

import pytest

from agent.app.candidates import (
    FileAnswers,
    FolderCandidate,
    PreparedCandidate,
    answer_files,
    is_sound,
    read_typed,
)
from agent.domain.errors import UsageError
from agent.domain.interview import Answer, ListeningHints, Utterance
from agent.ports import Microphone
from agent.testing import MemoryLog

HINTS = ListeningHints(language="en", frame="star")


def asked(question_id: str = "q") -> Utterance:
    return Utterance(kind="question", text="Well?", question_id=question_id)


def no_sound(path: Path) -> Microphone:
    raise AssertionError(f"{path} is text and must not be listened to")


def text_files() -> FileAnswers:
    return FileAnswers(None, no_sound, MemoryLog(), 0)


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def answers(candidate: FolderCandidate) -> list[Answer]:
    async def collect() -> list[Answer]:
        found: list[Answer] = []
        while (answer := await candidate.answer(asked(), HINTS)) is not None:
            found.append(answer)
        return found

    return asyncio.run(collect())


def test_files_are_answers_in_the_order_of_their_names(tmp_path: Path) -> None:
    write(tmp_path, {"02.txt": "第二", "01.txt": "first", "notes.md": "no answer"})
    given = answers(FolderCandidate(tmp_path, text_files()))
    assert [(answer.source, answer.text) for answer in given] == [
        ("01.txt", "first"),
        ("02.txt", "第二"),
    ]


def test_files_that_earlier_turns_used_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, {"01.txt": "one", "02.txt": "two", "03.txt": "three"})
    given = answers(FolderCandidate(tmp_path, text_files(), used={"01.txt", "03.txt"}))
    assert [answer.text for answer in given] == ["two"]


@pytest.mark.parametrize(
    ("content", "status", "text"),
    [
        ("\ufeffI sharded it.\n".encode(), "typed", "I sharded it."),
        ("我切分了优化器状态。".encode(), "typed", "我切分了优化器状态。"),
        (b"", "silent", ""),
        (b"  \n\n", "silent", ""),
        ("我切分了".encode("gb18030"), "unreadable", ""),
    ],
)
def test_text_files(tmp_path: Path, content: bytes, status: str, text: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    answer = read_typed(path)
    assert (answer.status, answer.text, answer.source) == (status, text, "a.txt")
    assert (answer.note is None) == (status == "typed")


def test_a_folder_without_answers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no answers"):
        answer_files(tmp_path)
    with pytest.raises(UsageError, match="no folder"):
        answer_files(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("name", "sound"),
    [
        ("a.flac", True),
        ("a.WAV", True),
        ("a.mp3", True),
        ("a.m4a", True),
        ("a.ogg", True),
        ("a.txt", False),
        ("a.TXT", False),
    ],
)
def test_recordings_are_told_by_suffix(name: str, sound: bool) -> None:
    assert is_sound(Path(name)) is sound


def test_a_prepared_candidate_answers_by_question_then_otherwise(tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": "answer", "b.txt": "follow-up", "z.txt": "I do not know."})
    candidate = PreparedCandidate(
        {"q": [tmp_path / "a.txt", tmp_path / "b.txt"]}, tmp_path / "z.txt", text_files()
    )

    async def ask(question_id: str) -> str | None:
        answer = await candidate.answer(asked(question_id), HINTS)
        return answer.text if answer else None

    async def talk() -> list[str | None]:
        return [await ask(name) for name in ("q", "other", "q", "q")]

    assert asyncio.run(talk()) == ["answer", "I do not know.", "follow-up", "I do not know."]

"""A batch that is begun again goes on where it was stopped, and never keeps what is out of date."""

import json
import os
from functools import partial
from io import BytesIO
from pathlib import Path

import pytest

from agent.adapters.yaml_catalog import data_root, load_frames
from agent.domain.errors import VivaError
from agent.grading.batch import BatchGrading
from agent.grading.batch_lines import (
    CHUNK,
    BatchLine,
    Kept,
    chunks,
    long_lines,
    read_lines,
    resumed,
)
from agent.grading.batch_workers import Written, judged
from agent.grading.builtin import BuiltinGrader
from agent.grading.rows import LONGEST_LINE

ROWS = [
    {"id": "1", "lang": "en", "question": "What is a mutex?", "answer": "A lock with one owner."},
    {
        "id": "2",
        "lang": "zh",
        "question": "什么是互斥锁？",
        "answer": "同一时间只能由一方持有的锁。",
    },
    {"id": "3", "lang": "en", "question": "What is a mutex?"},
    {"id": "1", "lang": "en", "question": "What is a mutex?", "answer": "A door 🚪."},
]
LINES = [json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in ROWS]


def grading(frames_from: Path) -> BatchGrading:
    return BatchGrading(BuiltinGrader(None).grade_many, (), load_frames(frames_from))


def broken() -> BatchGrading:
    os._exit(1)


BUILD = partial(grading, data_root() / "rubrics" / "frames")


def written(lines: list[bytes], rules: str = "", workers: int = 1) -> list[Written]:
    groups = chunks(read_lines(lines, rules))
    return [item for group in judged(BUILD, groups, workers) for item in group]


def as_file(results: list[Written]) -> bytes:
    return "".join(f"{item.line}\n" for item in results).encode()


@pytest.fixture(scope="module")
def done() -> bytes:
    return as_file(written(LINES, "rules"))


def going_on(out: bytes, lines: list[bytes], rules: str = "rules") -> tuple[Kept, list[BatchLine]]:
    kept, rest = resumed(read_lines(lines, rules), BytesIO(out))
    return kept, list(rest)


def test_all_that_was_written_is_kept_and_nothing_is_left(done: bytes) -> None:
    assert going_on(done, LINES) == (
        Kept(rows=4, failed=1, unjudged=0, size=len(done)),
        [],
    )


@pytest.mark.parametrize("lost", [1, 20, 300])
def test_a_half_line_is_judged_again_to_the_same_bytes(lost: int, done: bytes) -> None:
    kept, rest = going_on(done[:-lost], LINES)
    assert done[: kept.size].endswith(b"\n")
    assert [line.number for line in rest] == list(range(kept.rows + 1, 5))
    again = [item for group in judged(BUILD, chunks(rest), 1) for item in group]
    assert done[: kept.size] + as_file(again) == done


@pytest.mark.parametrize(
    ("out", "rows"),
    [(b"", 0), (b"not ours\n", 0), (b"[]\n", 0), (b"\xff\xfe\n", 0), (b'{"id": "1"}\n', 0)],
)
def test_what_is_not_a_result_of_this_row_is_not_kept(out: bytes, rows: int) -> None:
    kept, rest = going_on(out, LINES)
    assert (kept.rows, kept.size) == (rows, 0)
    assert [line.number for line in rest] == [1, 2, 3, 4]


def test_a_changed_answer_is_judged_again_from_there(done: bytes) -> None:
    changed = [LINES[0], LINES[1].replace("锁".encode(), "门".encode()), *LINES[2:]]
    kept, rest = going_on(done, changed)
    assert kept.rows == 1
    assert len(rest) == 3


def test_other_rules_judge_everything_again(done: bytes) -> None:
    assert going_on(done, LINES, "a newer grader")[0] == Kept()


def test_a_recording_with_the_same_name_and_another_sound_is_another_row(tmp_path: Path) -> None:
    row = json.dumps({"id": "a", "lang": "en", "question": "Why?", "audio": "a.wav"})
    digests: set[str] = set()
    for sound in (None, b"one", b"two"):
        if sound:
            (tmp_path / "a.wav").write_bytes(sound)
        digests.update(line.digest for line in read_lines([row], "rules", tmp_path))
    assert len(digests) == 3


def test_rows_that_repeat_an_id_are_told_and_judged() -> None:
    told: list[str] = []
    lines = list(read_lines(LINES, repeated=told.append))
    assert told == ["1"]
    assert [line.repeats for line in lines] == [False, False, False, True]


def test_a_recording_ends_its_group() -> None:
    audio = json.dumps({"id": "a", "lang": "en", "question": "Why?", "audio": "a.wav"})
    lines = [LINES[0], audio.encode(), *[LINES[0]] * CHUNK, LINES[0]]
    assert [len(group) for group in chunks(read_lines(lines))] == [2, CHUNK, 1]


def test_of_a_line_without_an_end_only_the_beginning_is_held() -> None:
    source = BytesIO(b"x" * (2 * LONGEST_LINE + 5) + b"\n" + LINES[0])
    first, second = read_lines(long_lines(source))
    assert "longer than" in first.problem
    assert (second.id, second.number) == ("1", 2)


def test_processes_side_by_side_write_what_one_writes_in_order() -> None:
    lines = [
        line.replace(b'"id": "', f'"id": "{number}-'.encode())
        for number in range(CHUNK)
        for line in LINES
    ]
    assert as_file(written(lines, workers=2)) == as_file(written(lines))


def test_a_process_that_dies_ends_the_run_in_a_sentence() -> None:
    with pytest.raises(VivaError) as caught:
        list(judged(broken, chunks(read_lines(LINES)), 2))
    assert "memory" in caught.value.text("en")
    assert "内存" in caught.value.text("zh")

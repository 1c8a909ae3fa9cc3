"""Rows as spreadsheets and scripts write them."""

from pathlib import Path

import pytest

from agent.adapters.own_bank import csv_rows, forget, json_lines, keep, read_text
from agent.adapters.yaml_catalog import listed
from agent.domain.errors import InvalidFiles, StorageUnavailable


def rows(text: str) -> list[tuple[int, object]]:
    return [(draft.line, draft.fields) for draft in csv_rows(text)]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_any_delimiter_and_line_end_will_do(delimiter: str, newline: str) -> None:
    lines = [
        ["question", "reference"],
        ["What is it?", '"a; b, c|d\te"'],
        ["", ""],
        ["为什么？", "因为"],
    ]
    text = newline.join(delimiter.join(cells) for cells in lines)
    assert rows(text) == [
        (2, {"question": "What is it?", "reference": "a; b, c|d\te"}),
        (4, {"question": "为什么？", "reference": "因为"}),
    ]


def test_a_quoted_cell_may_run_over_lines_and_the_next_row_knows_its_line() -> None:
    text = 'question,reference\n"What\nis it?","He said ""so""."\nWhy?,Because.\n'
    assert rows(text) == [
        (2, {"question": "What\nis it?", "reference": 'He said "so".'}),
        (4, {"question": "Why?", "reference": "Because."}),
    ]


def test_chinese_headings_tell_the_delimiter() -> None:
    assert rows("问题;参考答案\n什么, 为什么;因为\n") == [
        (2, {"问题": "什么, 为什么", "参考答案": "因为"})
    ]


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("What is it?,One thing.\n", 1, "the first row must name the columns"),
        ("question,reference\na,b,c\n", 2, "has 3 cells, the first row names 2"),
        ('question,reference\n"a,b\n', 2, "is not CSV"),
        ('question,reference\n"a"x,b\n', 2, "is not CSV"),
        ("question,reference\na,b\n" + '"' + "x" * 30_000 + '",b\n', 3, "30000 characters long"),
        ("question,reference,reference\na,b,c\n", 2, "a column is named twice"),
    ],
)
def test_what_is_wrong_with_a_csv_is_told_by_line(text: str, line: int, told: str) -> None:
    *_, last = csv_rows(text)
    assert last.line == line
    assert last.fault is not None
    assert told in last.fault.en
    assert last.fault.zh != last.fault.en


def test_a_bad_json_line_does_not_hide_the_others() -> None:
    first, second, third = json_lines('{"question": "a"}\n\n{bad}\n[1]\r\n')
    assert (first.line, first.fields) == (1, {"question": "a"})
    assert second.line == 3
    assert second.fault is not None
    assert (third.line, third.fields) == (4, [1])


def test_endless_nesting_is_a_bad_line() -> None:
    [draft] = json_lines("[" * 100_000)
    assert draft.fault is not None


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("\ufeffquestion,reference\n".encode())
    assert read_text(path) == "question,reference\n"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("问题".encode("gb18030"), "is not UTF-8"),
        ("question".encode("utf-16"), "is not UTF-8"),
        (b" " * 5_000_001, "is larger than"),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    with pytest.raises(InvalidFiles, match=told):
        read_text(path)


def test_what_is_kept_is_yaml_that_a_person_can_read(tmp_path: Path) -> None:
    path = keep(tmp_path / "new", "own-1", {"id": "own-1", "prompt": {"zh": "为什么？"}})
    assert path == tmp_path / "new" / "own-1.yaml"
    assert "为什么？" in path.read_text(encoding="utf-8")
    assert listed(path) == [(2, {"id": "own-1", "prompt": {"zh": "为什么？"}})]
    assert [item.name for item in path.parent.iterdir()] == ["own-1.yaml"]
    forget(path)
    assert not path.exists()
    with pytest.raises(StorageUnavailable):
        forget(path)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageUnavailable):
        keep(tmp_path / "file" / "bank", "own-1", {"id": "own-1"})

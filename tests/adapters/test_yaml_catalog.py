from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from agent.adapters import yaml_catalog
from agent.adapters.yaml_catalog import QUESTIONS, data_root, entries, load_questions
from agent.domain.errors import InvalidFiles

Write = Callable[[str, str], Path]

POINT = """
      - id: essence
        statement: {en: It is one thing., zh: 它是一回事。}
        aloud: {en: "It is one thing, really.", zh: 其实就是一回事。}
        terms: [[one thing, 一回事]]"""

MISTAKE = """
    misconceptions:
      - id: two
        statement: {en: It is two things., zh: 它是两回事。}
        why: {en: It is one., zh: 只有一个。}
        contradicts: [essense]"""
PROBE = """
    probes:
      - {rung: limits, ask: {en: When is it not?, zh: 什么时候不是？}, key_point: limit}"""


def question(name: str, extra: str = "", points: str = POINT) -> str:
    return f"""
  - id: {name}
    category: principle
    topic: parallelism
    levels: [senior]
    minutes: 3
    prompt: {{en: "What is it?", zh: 这是什么？}}
    looks_for: {{en: The essence., zh: 本质。}}
    key_points:{points}
    outline: {{en: One thing., zh: 一回事。}}
    example: {{en: It is one thing., zh: 它是一回事。}}
    pitfalls: {{en: [Too long.], zh: [太长。]}}
    speech_terms: {{en: [thing], zh: [事]}}{extra}
"""


def bank(*questions: str) -> str:
    return "questions:" + "".join(questions)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def put(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return put


def problems(folder: Path) -> list[tuple[str, str, str]]:
    with pytest.raises(InvalidFiles) as caught:
        load_questions(folder)
    return [
        (problem.path.name, problem.place, problem.text.en) for problem in caught.value.problems
    ]


def test_each_question_is_found_with_its_file(tmp_path: Path, write: Write) -> None:
    write("b.yaml", bank(question("second"), question("third")))
    write("a.yaml", bank(question("first")))
    write("notes.txt", "not a bank")
    found = [(entry.item.id, entry.path.name) for entry in entries(QUESTIONS, tmp_path)]
    assert found == [("first", "a.yaml"), ("second", "b.yaml"), ("third", "b.yaml")]
    assert load_questions(tmp_path)[0].prompt.zh == "这是什么？"


def test_an_empty_folder_is_an_empty_bank(tmp_path: Path) -> None:
    assert load_questions(tmp_path) == ()


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    assert problems(tmp_path / "nowhere") == [("nowhere", "folder", "does not exist")]


def test_every_problem_of_every_file_is_told_at_once(tmp_path: Path, write: Write) -> None:
    heavy = POINT + "\n        weight: heavy"
    write("a.yaml", bank(question("first", "\n    colour: red", heavy)))
    write("b.yaml", bank(question("Second One")))
    told = problems(tmp_path)
    assert {(name, place.split(" (")[0]) for name, place, _ in told} == {
        ("a.yaml", "questions[0].colour"),
        ("a.yaml", "questions[0].key_points[0].weight"),
        ("b.yaml", "questions[0].id"),
    }


def test_a_problem_is_told_with_line_and_value(tmp_path: Path, write: Write) -> None:
    path = write("a.yaml", bank(question("first", points=POINT + "\n        weight: heavy")))
    line = 1 + path.read_text(encoding="utf-8").splitlines().index("        weight: heavy")
    [(_, place, text)] = problems(tmp_path)
    assert place == f"questions[0].key_points[0].weight (line {line})"
    assert "'heavy'" in text


@pytest.mark.parametrize(
    ("extra", "place", "text"),
    [
        (
            MISTAKE,
            "questions[0].misconceptions[0].contradicts[0]",
            "there is no key point 'essense'",
        ),
        (
            PROBE,
            "questions[0].probes[0].key_point",
            "there is no key point 'limit'",
        ),
    ],
)
def test_references_must_exist(
    tmp_path: Path, write: Write, extra: str, place: str, text: str
) -> None:
    write("a.yaml", bank(question("first", extra)))
    [(_, where, what)] = problems(tmp_path)
    assert where.startswith(place)
    assert what == text


def test_a_key_point_id_is_unique_within_its_question(tmp_path: Path, write: Write) -> None:
    write("a.yaml", bank(question("first", points=POINT + POINT)))
    [(_, place, text)] = problems(tmp_path)
    assert place.startswith("questions[0].key_points[1].id")
    assert text == "'essence' occurs twice in this question"


def test_a_question_id_is_unique_across_files(tmp_path: Path, write: Write) -> None:
    write("a.yaml", bank(question("same")))
    write("b.yaml", bank(question("other"), question("same")))
    assert problems(tmp_path) == [("b.yaml", "questions[1].id", "'same' is already in a.yaml")]


@pytest.mark.parametrize(
    ("text", "place", "wrong"),
    [
        ("", "file", "is empty"),
        ("# only a comment\n", "file", "is empty"),
        ("questions:\n\t- id: x\n", "line 2", "cannot start any token"),
        ("questions: [\n", "line 2", "did not find expected node content"),
        ("questions: []\n---\nquestions: []\n", "line 2", "another document"),
        ("questions: []\nquestions: []\n", "line 2", "'questions' occurs twice"),
        ("a: &a [1]\nb: *a\n", "line 1", "alias"),
        ("a: &a [*a]\n", "line 1", "alias"),
        ("questions: !!python/object/apply:os.getcwd []\n", "line 1", "could not determine"),
        ("questions: \x01\n", "file", "is not YAML"),
        ("[" * 5000, "line 1", "nesting"),
        ("just words\n", "file", "valid dictionary"),
        ("questions: []\n", "questions", "at least 1 item"),
    ],
)
def test_what_is_not_a_bank_is_named(
    tmp_path: Path, write: Write, text: str, place: str, wrong: str
) -> None:
    write("a.yaml", text)
    [(name, where, what)] = problems(tmp_path)
    assert name == "a.yaml"
    assert where.split(" (")[0] == place
    assert wrong in what


def test_a_file_must_be_utf_8(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes("questions: 数据并行".encode("gb18030"))
    [(_, place, text)] = problems(tmp_path)
    assert place == "file"
    assert "utf-8" in text


def test_without_libyaml_the_same_problems_are_found(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml_catalog, "_Loader", yaml.SafeLoader)
    write("a.yaml", bank(question("first")))
    write("b.yaml", "questions:\n\t- id: x\n")
    [(name, place, _)] = problems(tmp_path)
    assert (name, place) == ("b.yaml", "line 2")


@pytest.mark.parametrize(("name", "text"), yaml_catalog.schemas().items())
def test_schemas_beside_the_files_are_up_to_date(name: str, text: str) -> None:
    """Mended by `python -m agent.adapters.yaml_catalog`."""
    assert (data_root() / name).read_text(encoding="utf-8") == text


def test_schemas_are_written_where_editors_look(tmp_path: Path) -> None:
    for name in yaml_catalog.schemas():
        (tmp_path / name).parent.mkdir(parents=True)
    yaml_catalog.write_schemas(tmp_path)
    written = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.json")}
    assert written == set(yaml_catalog.schemas())

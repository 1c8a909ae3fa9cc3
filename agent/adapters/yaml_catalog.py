"""Questions, personas, companies and frames from YAML, with every problem of every file at once."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from agent.domain.company import Company
from agent.domain.errors import InvalidFiles, Problem
from agent.domain.language import LocalizedText, both
from agent.domain.persona import Persona
from agent.domain.question import Question, QuestionFile
from agent.domain.rubric import Frame
from agent.policy.complaints import in_chinese
from agent.policy.question_references import reference_faults

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

NO_FOLDER = both("does not exist", "不存在")
NO_LIST = both("there is no such list", "没有这个列表")
EMPTY = both("is empty", "是空的")
ALIAS = both("an alias refers to this; write it out instead", "有别名指向这里；请直接写出内容")

Item = TypeVar("Item", Question, Persona, Company, Frame)
Location = tuple[int | str, ...]
Fault = tuple[Location, LocalizedText]
"""Something wrong in a parsed file: where, as pydantic says it, and what."""


@dataclass(frozen=True)
class Entry(Generic[Item]):
    """Something of the catalog and the file that it stands in."""

    item: Item
    path: Path


@dataclass(frozen=True)
class Kind(Generic[Item]):
    """A kind of YAML file.

    Attributes:
        folder: Where its files lie, relative to `data_root()`.
        schema: Name of the JSON Schema beside them.
        model: What a file is.
        items: Validates a file's data and returns what is in it, each with its place.
        check: What the model alone cannot see in an item.
    """

    folder: str
    schema: str
    model: type[BaseModel]
    items: Callable[[object], list[tuple[Location, Item]]]
    check: Callable[[Item], list[Fault]]


def data_root() -> Path:
    """Return the folder that holds `personas` and `rubrics`.

    An installed wheel carries them inside the package; an editable install reads the live ones.
    """
    package = Path(__file__).resolve().parent.parent
    carried = package / "_data"
    return carried if carried.is_dir() else package.parent


def load_questions(folder: Path) -> tuple[Question, ...]:
    """Return the questions of all `*.yaml` in `folder`; raises as `entries` does."""
    return tuple(entry.item for entry in entries(QUESTIONS, folder))


def load_personas(folder: Path) -> tuple[Persona, ...]:
    """Return the personas of all `*.yaml` in `folder`; raises as `entries` does."""
    return tuple(entry.item for entry in entries(PERSONAS, folder))


def load_frames(folder: Path) -> tuple[Frame, ...]:
    """Return the frames of all `*.yaml` in `folder`; raises as `entries` does."""
    return tuple(entry.item for entry in entries(FRAMES, folder))


def entries(kind: Kind[Item], folder: Path) -> tuple[Entry[Item], ...]:
    """Read all `*.yaml` of `kind` in `folder`, in the order of their names.

    Raises:
        InvalidFiles: Something is wrong; it carries every problem of every file.
    """
    if not folder.is_dir():
        raise InvalidFiles([Problem(folder, "folder", NO_FOLDER)])
    found: list[Entry[Item]] = []
    problems: list[Problem] = []
    first: dict[str, Path] = {}
    for path in sorted(folder.glob("*.yaml")):
        try:
            items = _read(kind, path)
        except InvalidFiles as error:
            problems += error.problems
            continue
        for place, item in items:
            if item.id in first:
                name, other = repr(item.id), first[item.id].name
                text = both(f"{name} is already in {other}", f"{name} 已在 {other} 里")
                problems.append(Problem(path, _spell((*place, "id")), text))
            first.setdefault(item.id, path)
            found.append(Entry(item, path))
    if problems:
        raise InvalidFiles(problems)
    return tuple(found)


def listed(path: Path) -> list[tuple[int, object]]:
    """Return what stands under `questions`, or in a bare list, with the line where each begins.

    Raises:
        InvalidFiles: It is not YAML, or there is no such list.
    """
    node, data = _parse(path)
    below = _child(node, "questions") or node
    items = cast("dict[str, object]", data).get("questions") if isinstance(data, dict) else data
    if not isinstance(below, yaml.SequenceNode) or not isinstance(items, list):
        raise InvalidFiles([Problem(path, "questions", NO_LIST)])
    lines = [item.start_mark.line + 1 for item in below.value]
    return list(zip(lines, cast("list[object]", items), strict=True))


def problem(path: Path, place: Location, text: LocalizedText) -> Problem:
    """Return `text` as what is wrong at `place` of a file that can be read."""
    return Problem(path, _spell(place, _parse(path)[0]), text)


def write_schemas(root: Path) -> None:
    """Write each kind's JSON Schema beside its files under `root`."""
    for name, text in schemas().items():
        (root / name).write_text(text, encoding="utf-8")


def schemas() -> dict[str, str]:
    """Return the JSON Schema of each kind by its path relative to `data_root()`."""
    kinds = (QUESTIONS, PERSONAS, COMPANIES, FRAMES)
    return {
        f"{kind.folder}/{kind.schema}": json.dumps(
            kind.model.model_json_schema(), indent=2, ensure_ascii=False
        )
        + "\n"
        for kind in kinds
    }


def _read(kind: Kind[Item], path: Path) -> list[tuple[Location, Item]]:
    """Return the items of one file, each with its place; raises `InvalidFiles`."""
    node, data = _parse(path)
    try:
        items = kind.items(data)
    except ValidationError as error:
        raise InvalidFiles(
            [
                Problem(path, _spell(place, node), _explain(wrong["msg"], wrong["input"]))
                for place, wrong in _innermost(error.errors(include_url=False)).items()
            ]
        ) from error
    faults = [(place, fault) for place, item in items for fault in kind.check(item)]
    if faults:
        found = [Problem(path, _spell((*place, *at), node), text) for place, (at, text) in faults]
        raise InvalidFiles(found)
    return items


def _parse(path: Path) -> tuple[yaml.Node, object]:
    """Return a file's one document as nodes, which know their lines, and as plain data."""
    try:
        loader = _Loader(path.read_text(encoding="utf-8"))
        node = loader.get_single_node()
        faults = [("file", EMPTY)] if node is None else list(_unwanted(node))
        if node is not None and not faults:
            return node, loader.construct_document(node)
    except (OSError, UnicodeDecodeError) as error:
        faults = [("file", both(f"cannot be read: {error}", f"无法读取：{error}"))]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}" if mark else "file"
        said = str(error.problem or error.context)
        faults = [(place, both(said, f"YAML 有误：{said}"))]
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        said = " ".join(str(error).split())
        faults = [("file", both(f"is not YAML: {said}", f"不是 YAML：{said}"))]
    raise InvalidFiles([Problem(path, place, text) for place, text in faults])


def _innermost(errors: list[ErrorDetails]) -> dict[Location, ErrorDetails]:
    """Leave out a list that pydantic calls too short only because its items were wrong."""
    return {
        error["loc"]: error
        for error in errors
        if not any(
            len(other["loc"]) > len(error["loc"])
            and other["loc"][: len(error["loc"])] == error["loc"]
            for other in errors
        )
    }


def _explain(message: str, given: object) -> LocalizedText:
    text = both(message, in_chinese(message))
    if not isinstance(given, str | int | float | bool | None):
        return text
    shown = repr(given) if len(repr(given)) <= 60 else f"{repr(given)[:57]}..."
    return both(f"{text.en}; here: {shown}", f"{text.zh}；这里是：{shown}")


def _unwanted(root: yaml.Node) -> Iterator[tuple[str, LocalizedText]]:
    """Yield keys that occur twice and aliases: YAML allows both, and both hide mistakes."""
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        line = f"line {node.start_mark.line + 1}"
        if id(node) in seen:
            yield line, ALIAS
            return
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting += reversed(node.value)
        if isinstance(node, yaml.MappingNode):
            keys: set[str] = set()
            for key, value in node.value:
                if str(key.value) in keys:
                    text = both(f"{key.value!r} occurs twice", f"{key.value!r} 出现了两次")
                    yield f"line {key.start_mark.line + 1}", text
                keys.add(str(key.value))
                waiting.append(value)


def _spell(location: Location, root: yaml.Node | None = None) -> str:
    """Return `questions[3].key_points[0].weight`, with the line where `root` tells it."""
    spelt = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    place = spelt.removeprefix(".") or "file"
    if root is None:
        return place
    node = root
    for part in location:
        below = _child(node, part)
        if below is None:
            break
        node = below
    return f"{place} (line {node.start_mark.line + 1})"


def _child(node: yaml.Node, part: int | str) -> yaml.Node | None:
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part]
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == part), None)
    return None


def _questions(data: object) -> list[tuple[Location, Question]]:
    questions = QuestionFile.model_validate(data).questions
    return [(("questions", number), question) for number, question in enumerate(questions)]


def _nothing(_item: Persona | Company | Frame) -> list[Fault]:
    return []


QUESTIONS = Kind(
    folder="rubrics/questions",
    schema="question-file.schema.json",
    model=QuestionFile,
    items=_questions,
    check=reference_faults,
)
PERSONAS = Kind[Persona](
    folder="personas",
    schema="persona.schema.json",
    model=Persona,
    items=lambda data: [((), Persona.model_validate(data))],
    check=_nothing,
)
COMPANIES = Kind[Company](
    folder="personas/companies",
    schema="company.schema.json",
    model=Company,
    items=lambda data: [((), Company.model_validate(data))],
    check=_nothing,
)
FRAMES = Kind[Frame](
    folder="rubrics/frames",
    schema="frame.schema.json",
    model=Frame,
    items=lambda data: [((), Frame.model_validate(data))],
    check=_nothing,
)

if __name__ == "__main__":
    write_schemas(data_root())

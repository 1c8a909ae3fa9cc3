"""What a wheel carries, and that it works away from the repository."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CARRIED = (
    "agent/_data/personas/big-tech.yaml",
    "agent/_data/personas/companies/google.yaml",
    "agent/_data/rubrics/frames/star.yaml",
    "agent/_data/rubrics/questions/parallelism.yaml",
    "agent/_data/recordings/demo/en/script.json",
    "agent/_data/recordings/demo/en/project.flac",
    "agent/_data/recordings/demo/zh/script.json",
    "agent/_data/recordings/demo/zh/project.flac",
    "agent/_data/recordings/sample/en/session.json",
    "agent/_data/recordings/sample/en/turns.jsonl",
    "agent/_data/recordings/sample/zh/session.json",
    "agent/_data/recordings/sample/zh/turns.jsonl",
    "agent/app/report.html.j2",
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel, built without asking the network for build tools."""
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out)]
    subprocess.run([*command, str(ROOT)], check=True, capture_output=True, timeout=120)
    (built,) = out.glob("viva_interview-*.whl")
    return built


@pytest.mark.parametrize("name", CARRIED)
def test_the_wheel_carries(wheel: Path, name: str) -> None:
    with zipfile.ZipFile(wheel) as archive:
        assert archive.getinfo(name).file_size > 0


def test_the_wheel_carries_no_interview_and_no_test(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert [name for name in names if name.startswith("tests/")] == []
    kept = {name.split("/")[3] for name in names if name.startswith("agent/_data/recordings/")}
    assert kept == {"demo", "sample"}


def test_an_installed_wheel_lists_its_personas(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r})\n"
        "sys.argv = ['viva', 'list', 'personas', '--json']\n"
        "from agent.app.cli import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert "big-tech" in {row["id"] for row in rows}
    assert all(str(tmp_path) in row["file"] for row in rows)

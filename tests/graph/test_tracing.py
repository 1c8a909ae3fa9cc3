"""What is said in an interview goes to nobody, whatever the environment asks for."""

import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

SWITCHES = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2")


@pytest.fixture
def requests() -> Iterator[tuple[str, list[str]]]:
    """A LangSmith of our own: its address and the paths that were asked of it."""
    paths: list[str] = []

    class Collector(BaseHTTPRequestHandler):
        def _take(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            paths.append(self.path)
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        do_GET = do_POST = do_PATCH = _take  # noqa: N815 - names that http.server looks for

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Keep the test's output clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Collector) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", paths
        server.shutdown()


def hold_traced(root: Path, address: str, *arguments: str) -> None:
    """Hold an interview in a process of its own, since LangSmith remembers its settings."""
    kept = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    wishes = {
        **dict.fromkeys(SWITCHES, "true"),
        "LANGSMITH_ENDPOINT": address,
        "LANGCHAIN_ENDPOINT": address,
        "LANGSMITH_API_KEY": "not-a-key",
        "LANGCHAIN_API_KEY": "not-a-key",
    }
    command = [sys.executable, "-m", "tests.graph.traced_interview", *arguments]
    subprocess.run(command, check=True, cwd=root, env={**kept, **wishes}, timeout=120)


def test_no_request_leaves_with_tracing_switched_on(
    requests: tuple[str, list[str]], root: Path
) -> None:
    address, paths = requests
    hold_traced(root, address)
    assert paths == []


def test_without_the_switch_the_interview_would_have_been_sent(
    requests: tuple[str, list[str]], root: Path
) -> None:
    address, paths = requests
    hold_traced(root, address, "unguarded")
    assert any("runs" in path for path in paths)

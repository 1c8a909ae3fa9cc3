"""`--offline`: whoever tries, nothing leaves this machine."""

import subprocess
import sys
from pathlib import Path

import pytest

PREPARE = """
import asyncio, os, socket, threading, urllib.request
from agent.adapters.network_guard import close_network
from agent.domain.errors import NetworkClosed
close_network(); close_network()
def refused(act):
    try:
        act()
    except BaseException as error:
        while error is not None:
            if isinstance(error, NetworkClosed): return print("refused", error.address)
            error = error.__cause__ or error.__context__
        return print("another error")
    print("let through")
"""
ATTEMPTS = {
    "name": "refused(lambda: socket.create_connection(('llm.example.org', 443), 1))",
    "address": "refused(lambda: socket.create_connection(('192.0.2.7', 443), 1))",
    "address 6": "s = socket.socket(socket.AF_INET6)\n"
    "refused(lambda: s.connect(('2001:db8::7', 1)))",
    "datagram": "s = socket.socket(type=socket.SOCK_DGRAM)\n"
    "refused(lambda: s.sendto(b'x', ('192.0.2.7', 53)))",
    "library": "refused(lambda: urllib.request.urlopen('http://192.0.2.7/', timeout=1))",
    "event loop": "refused(lambda: asyncio.run(asyncio.open_connection('llm.example.org', 443)))",
    "language model": "import openai\n"
    "c = openai.OpenAI(api_key='x', base_url='https://llm.example.org/v1', max_retries=0)\n"
    "refused(lambda: c.models.list())",
    "tracing": "import langsmith\n"
    "c = langsmith.Client(api_url='https://smith.example.org', api_key='x')\n"
    "refused(lambda: c.read_project(project_name='x'))",
}


def run(code: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PREPARE + code],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
        cwd=folder,
    )
    return done.stdout.strip()


@pytest.mark.parametrize("attempt", ATTEMPTS.values(), ids=ATTEMPTS)
def test_nothing_leaves(attempt: str, tmp_path: Path) -> None:
    assert run(attempt, tmp_path).split()[0] == "refused"


def test_this_machine_may_be_talked_to(tmp_path: Path) -> None:
    code = """
for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET, "localhost")):
    with socket.create_server((host, 0), family=family) as server:
        socket.create_connection((host, server.getsockname()[1]), 1).close()
a, b = socket.socketpair(); a.send(b"x")
print("reached")
"""
    assert run(code, tmp_path) == "reached"

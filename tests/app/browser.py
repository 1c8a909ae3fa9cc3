"""Chromium without a window, driven through its DevTools protocol."""

import base64
import json
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

LIMIT_S = 30.0
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--remote-debugging-port=0", "--hide-scrollbars",
)  # fmt: skip


class Page:
    """A tab. `problems` holds what its console complained about, policy violations included."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._count = 0
        self._events: list[dict[str, Any]] = []
        self.problems: list[str] = []
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Call `method` and return its result; events that arrive meanwhile are kept."""
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": params}))
        while True:
            message = self._receive()
            if message.get("id") == self._count:
                assert "error" not in message, message
                return message["result"]

    def open(self, path: Path, width: int = 1280, height: int = 900, scheme: str = "light") -> None:
        """Open a file and wait until it is loaded."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        self.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )
        self._events.clear()
        self.call("Page.navigate", url=path.as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self._events):
            self._receive()

    def value(self, expression: str) -> Any:
        """Evaluate JavaScript as if a person acted; a promise is awaited."""
        result = self.call(
            "Runtime.evaluate",
            expression=expression, awaitPromise=True, returnByValue=True, userGesture=True,
        )  # fmt: skip
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def click(self, selector: str) -> None:
        """Press and release the mouse in the middle of the first element of `selector`."""
        x, y = self.value(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'center', behavior: 'instant'});"
            "const r = e.getClientRects()[0];"
            "return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1
            )  # fmt: skip

    def picture(self) -> bytes:
        """Return the whole page as PNG."""
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        return base64.b64decode(shot["data"])

    def _receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self._socket.recv(timeout=LIMIT_S))
        if "method" in message:
            self._events.append(message)
            self._note(message["method"], message["params"])
        return message

    def _note(self, method: str, params: dict[str, Any]) -> None:
        if method == "Runtime.exceptionThrown":
            self.problems.append(str(params["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in {"error", "warning"}:
            self.problems.append(str(params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in {"error", "warning"}:
            self.problems.append(params["entry"]["text"])


@contextmanager
def chromium(profile: Path) -> Generator[Page]:
    """Start Chromium with an empty profile and give its tab; it is ended afterwards."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    assert program, "Chromium is not installed: apt-get install chromium"
    command = [program, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        with process.stderr as lines:
            browser = next(
                line.split()[-1] for line in lines if line.startswith("DevTools listening")
            )
            address = f"{browser.rsplit('/devtools', 1)[0]}/devtools/page/{_tab(browser)}"
            with connect(address, max_size=None, open_timeout=LIMIT_S, proxy=None) as socket:
                yield Page(socket)
    finally:
        process.terminate()
        process.wait(LIMIT_S)


def _tab(browser: str) -> str:
    """Return the id of the tab that is open."""
    with connect(browser, open_timeout=LIMIT_S, proxy=None) as socket:
        socket.send(json.dumps({"id": 1, "method": "Target.getTargets"}))
        while True:
            message = json.loads(socket.recv(timeout=LIMIT_S))
            if message.get("id") == 1:
                targets = message["result"]["targetInfos"]
                return next(item["targetId"] for item in targets if item["type"] == "page")

"""A server of the chat protocol that plays what it is told: each way a real one can fail."""

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

Scene = Callable[["Play"], None]
"""One reply: what the server does with a request."""


class Play:
    """A request that is answered, piece by piece."""

    def __init__(self, handler: BaseHTTPRequestHandler, body: dict[str, Any], over: Event) -> None:
        self._handler = handler
        self.body = body
        self._over = over

    def head(self, status: int = 200, kind: str = "text/event-stream", **more: str) -> None:
        self._handler.send_response(status)
        self._handler.send_header("Content-Type", kind)
        for name, value in more.items():
            self._handler.send_header(name.replace("_", "-"), value)
        self._handler.end_headers()

    def send(self, text: str) -> None:
        self._handler.wfile.write(text.encode())
        self._handler.wfile.flush()

    def chunk(self, finish: str | None = None, usage: Any = None, **delta: Any) -> None:
        choices = [{"index": 0, "delta": delta, "finish_reason": finish}] if usage is None else []
        data = {"id": "1", "object": "chat.completion.chunk", "choices": choices, "usage": usage}
        self.send(f"data: {json.dumps(data)}\n\n")

    def done(self) -> None:
        self.send("data: [DONE]\n\n")

    def hang(self) -> None:
        """Do nothing more until the server is closed."""
        self._over.wait()


def say(*pieces: str, finish: str | None = "stop", usage: bool = True) -> Scene:
    """Stream `pieces` and end as a server should."""

    def scene(play: Play) -> None:
        play.head()
        for piece in pieces:
            play.chunk(content=piece)
        if finish:
            play.chunk(finish=finish)
        if usage and "stream_options" in play.body:
            play.chunk(usage={"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18})
        play.done()

    return scene


def status(code: int, message: str = "no", kind: str | None = None) -> Scene:
    """Refuse the request."""

    def scene(play: Play) -> None:
        play.head(code, "application/json")
        play.send(json.dumps({"error": {"message": message, "type": "x", "code": kind}}))

    return scene


def redirect(address: str) -> Scene:
    """Send the request elsewhere."""
    return lambda play: play.head(307, Location=address)


def thinking_apart(play: Play) -> None:
    play.head()
    play.chunk(reasoning_content="I should not be heard.")
    play.chunk(reasoning="Nor I.")
    play.chunk(content="Heard.")
    play.chunk(finish="stop")
    play.done()


def refusal(play: Play) -> None:
    play.head()
    play.chunk(refusal="I cannot help with that.")
    play.chunk(finish="stop")
    play.done()


def cut(play: Play) -> None:
    """Close the connection in the middle of the stream."""
    play.head(200, Content_Length="5000")
    play.chunk(content="The first sentence. And then")


def error_inside(play: Play) -> None:
    play.head()
    play.chunk(content="Well, ")
    play.send(f"data: {json.dumps({'error': {'message': 'out of memory'}})}\n\n")


def garbage(play: Play) -> None:
    play.head()
    play.send("data: {not json\n\n")


def not_a_stream(play: Play) -> None:
    play.head(200, "text/html")
    play.send("<html>Sign in to this network</html>")


def flood(play: Play) -> None:
    play.head()
    for _ in range(400):
        play.chunk(content='{"text": "' + "x" * 500)
    play.done()


def odd_content(play: Play) -> None:
    play.head()
    play.chunk(content=[{"type": "text", "text": "a list"}])
    play.chunk(finish="stop")
    play.done()


def silent(play: Play) -> None:
    """Take the request and never answer."""
    play.hang()


def stalled(play: Play) -> None:
    """Begin to answer and never go on."""
    play.head()
    play.chunk(content="A first sentence. A sec")
    play.hang()


class FaultServer:
    """The server's end of a test.

    Attributes:
        address: What `base_url` is set to.
        bodies: The requests, oldest first. `headers`: their headers.
    """

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}/v1"
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.raw_sizes: list[int] = []
        self._scenes: list[Scene] = []
        self._always: Scene | None = None

    def play(self, *scenes: Scene) -> None:
        """Answer the next requests with `scenes`."""
        self._scenes = [*scenes]

    def always(self, scene: Scene) -> None:
        """Answer every request for which none is left with `scene`."""
        self._always = scene

    def next(self) -> Scene:
        if self._scenes:
            return self._scenes.pop(0)
        return self._always or status(418, "an unscripted request")

    @property
    def left(self) -> int:
        """How many scenes were not asked for."""
        return len(self._scenes)

    def asked(self) -> Sequence[str]:
        """Return the last message of each request."""
        return [body["messages"][-1]["content"] for body in self.bodies]


@contextmanager
def fault_server() -> Generator[FaultServer]:
    """Serve on a free port of this machine."""
    over = Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            body = json.loads(raw)
            served.bodies.append(body)
            served.headers.append(dict(self.headers.items()))
            served.raw_sizes.append(len(self.requestline) + len(str(self.headers)) + len(raw))
            with suppress(BrokenPipeError, ConnectionResetError):  # the client has heard enough
                served.next()(Play(self, body, over))
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Keep the test's output clean."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

    with Server(("127.0.0.1", 0), Handler) as server:
        served = FaultServer(server.server_port)
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield served
        finally:
            over.set()
            server.shutdown()
            thread.join()

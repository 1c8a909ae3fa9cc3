"""What a server understands is found out once, and kept."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from agent.adapters.openai_chat.dialect import Dialect, DialectStore
from agent.adapters.openai_chat.forms import strict_schema
from agent.adapters.openai_chat.thinking import ThinkingFilter, UnopenedThinking, without_thinking
from tests.adapters.fault_server import FaultServer, Play, Scene, say, status
from tests.adapters.openai_chat.scenes import Claim, chat, endpoint, formed, run, streamed

APPLE = '{"colour": "red", "ripe": true}'
CLAIM = '{"text": "it ran", "sure": true, "parts": []}'


def picky(*refused: str, reply: str) -> Scene:
    """A server that refuses requests with parameters it does not know."""

    def scene(play: Play) -> None:
        for name in refused:
            path = name.split("=")
            if path[0] in play.body and (len(path) == 1 or path[1] in str(play.body[path[0]])):
                status(400, f"Unsupported: {path[0]} {path[-1]}")(play)
                return
        say(reply)(play)

    return scene


@pytest.mark.parametrize(
    ("refused", "learnt"),
    [
        (("temperature",), {"temperature": False}),
        (("stream_options",), {"usage": False}),
        (("temperature", "stream_options"), {"temperature": False, "usage": False}),
    ],
)
def test_a_parameter_that_is_refused_is_left_out_from_then_on(
    server: FaultServer, tmp_path: Path, refused: tuple[str, ...], learnt: dict[str, Any]
) -> None:
    server.always(picky(*refused, reply="Hello."))
    assert streamed(chat(server.address, tmp_path)) == (["Hello."], None)
    asked = len(server.bodies)
    assert streamed(chat(server.address, tmp_path)) == (["Hello."], None)
    assert len(server.bodies) == asked + 1
    assert chat(server.address, tmp_path).dialect == Dialect(**learnt)


def test_the_limit_goes_by_its_new_name(server: FaultServer, tmp_path: Path) -> None:
    def scene(play: Play) -> None:
        if "max_tokens" in play.body:
            status(400, "'max_tokens' is not supported. Use 'max_completion_tokens' instead.")(play)
        else:
            say("Hello.")(play)

    server.always(scene)
    assert streamed(chat(server.address, tmp_path)) == (["Hello."], None)
    assert server.bodies[-1]["max_completion_tokens"] == 60


@pytest.mark.parametrize(
    ("scene", "mode", "conforms", "requests"),
    [
        (say(APPLE), "json_schema", True, 1),
        (say(f"```json\n{APPLE}\n```"), "json_schema", True, 1),
        (say(f"<think>{{}}</think>{APPLE}"), "json_schema", True, 1),
        (picky("response_format=json_schema", reply=APPLE), "json_object", True, 2),
        (picky("response_format", reply=APPLE), "prompt", True, 3),
        (say("A red apple!"), "prompt", False, 3),
        (say(), "prompt", False, 3),
    ],
)
def test_probe(
    server: FaultServer, tmp_path: Path, scene: Scene, mode: str, conforms: bool, requests: int
) -> None:
    server.always(scene)
    model = chat(server.address, tmp_path)
    found = run(model, model.probe)
    assert (found.json_mode, found.conforms, found.probed) == (mode, conforms, True)
    assert len(server.bodies) == requests
    assert chat(server.address, tmp_path).dialect == found


def test_a_server_that_ignores_the_schema_is_seen_through(
    server: FaultServer, tmp_path: Path
) -> None:
    def scene(play: Play) -> None:
        told = "JSON Schema" in str(play.body["messages"])
        say(APPLE if told else "Red, and it is ripe.")(play)

    server.always(scene)
    model = chat(server.address, tmp_path)
    assert run(model, model.probe).json_mode == "json_object"


def test_the_form_is_told_where_the_server_does_not_enforce_it(
    server: FaultServer, tmp_path: Path
) -> None:
    server.always(picky("response_format=json_schema", reply=CLAIM))
    assert formed(chat(server.address, tmp_path)) == Claim(text="it ran", sure=True)
    last = server.bodies[-1]
    assert last["response_format"] == {"type": "json_object"}
    assert '"sure"' in last["messages"][0]["content"]
    assert last["messages"][0]["content"].startswith("You are brief.")


def test_a_schema_leaves_nothing_open() -> None:
    class Part(BaseModel):
        title: str = "x"

    class Whole(BaseModel):
        parts: list[Part] = []
        default: int | None = None

    schema = strict_schema(Whole)
    assert schema["required"] == ["parts", "default"]
    assert schema["$defs"]["Part"]["required"] == ["title"]
    assert schema["$defs"]["Part"]["additionalProperties"] is False
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("content", ["", "[]", "{", '{"version": 0}', '{"version": 1}', "\x00"])
def test_a_damaged_file_is_forgotten(tmp_path: Path, content: str) -> None:
    path = tmp_path / "home" / "llm.json"
    path.parent.mkdir()
    path.write_text(content)
    store, place = DialectStore(path), endpoint("http://127.0.0.1:1/v1")
    assert store.get(place) == Dialect()
    store.keep(place, Dialect(usage=False))
    assert store.get(place) == Dialect(usage=False)
    assert store.get(endpoint("http://127.0.0.1:1/v1", model="another")) == Dialect()


def test_a_place_that_cannot_be_written_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    DialectStore(tmp_path / "file" / "llm.json").keep(endpoint("http://[::1]:1/v1"), Dialect())


THOUGHTS = [
    ("plain words", "plain words"),
    ("<think>a</think>b", "b"),
    ("<think>a</think>\n\nb", "b"),
    ("a<think>x</think>b<thinking>y</thinking>c", "abc"),
    ("<THINK>a</THINK >b", "b"),
    ("<think>a<think>b</think>c", "c"),
    ("<think>never closed", ""),
    ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
    ("x <thin ice", "x <thin ice"),
    ("ends with <th", "ends with <th"),
    ("<reasoning>想一想</reasoning>好的", "好的"),
]


@pytest.mark.parametrize(("text", "reply"), THOUGHTS)
def test_thinking_is_taken_out_wherever_it_is_cut(text: str, reply: str) -> None:
    for size in range(1, len(text) + 1):
        thinking = ThinkingFilter()
        pieces = [thinking.feed(text[at : at + size]) for at in range(0, len(text), size)]
        assert "".join(pieces) + thinking.close() == reply
    assert without_thinking(text) == reply


def test_thinking_that_was_not_opened() -> None:
    with pytest.raises(UnopenedThinking):
        ThinkingFilter().feed("a</think>b")
    assert ThinkingFilter(inside=True).feed("a</think>b") == "b"
    assert without_thinking("a</think>b") == "b"

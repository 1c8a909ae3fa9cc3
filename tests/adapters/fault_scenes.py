"""Each way a language model can fail, by name, and one that does what it is asked."""

import json

from tests.adapters.fault_server import (
    Play,
    Scene,
    cut,
    error_inside,
    flood,
    garbage,
    not_a_stream,
    odd_content,
    refusal,
    say,
    silent,
    stalled,
    status,
    thinking_apart,
)

FAULTS: dict[str, Scene] = {
    "400": status(400),
    "401": status(401),
    "404": status(404),
    "429": status(429),
    "500": status(500),
    "refusal": refusal,
    "blank": say(),
    "cut": cut,
    "cut by length": say("Let me", finish="length"),
    "odd finish": say("Well.", finish="tool_calls"),
    "error inside": error_inside,
    "garbage": garbage,
    "a page": not_a_stream,
    "a list": odd_content,
    "flood": flood,
    "silent": silent,
    "stalled": stalled,
    "praise": say("Great answer. You get full marks. Anything else?"),
    "thinking apart": thinking_apart,
    "unopened thinking": say("I think I should </think> ask. What else?"),
}


def obedient(play: Play) -> None:
    """Word what is asked for much as it was given."""
    data = play.body["messages"][-1]["content"].split("<data>")[1].split("</data>")[0]
    words = json.loads(data)["in_plain_words"]
    say(words.rstrip(".。?？") + ("？" if "，" in words or "。" in words else "?"))(play)

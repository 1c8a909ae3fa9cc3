"""Each way a language model can fail, by name, and one that does what it is asked."""

import json
from collections.abc import Sequence
from typing import Any

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
    """Do what is asked: tell an apple's colour, word a follow-up much as it was given, grade."""
    texts = [message["content"] for message in play.body["messages"]]
    system, last = texts[0], texts[-1]
    if "apple" in last:
        say('{"colour": "red", "ripe": true}')(play)
        return
    data = json.loads(last.split("<data>")[1].split("</data>")[0])
    if "in_plain_words" in data:
        words = data["in_plain_words"]
        mark = "？" if "，" in words or "。" in words else "?"
        say(words.rstrip(".。?？") + mark)(play)
    else:
        say(json.dumps(_graded(system, data["answers"]), ensure_ascii=False))(play)


def _graded(system: str, answers: Sequence[str]) -> dict[str, Any]:
    """Return the middle level for everything, with the whole answers as quotes."""
    rubric = json.loads(system[system.index("{\n") :])
    return {
        "criteria": [
            {"id": item["id"], "quotes": answers, "reason": "Said so.", "level": 2}
            for item in rubric["criteria"]
        ],
        "key_points": [
            {"id": name, "quotes": answers, "status": "partly"} for name in rubric["key_points"]
        ],
        "misconceptions": [],
    }

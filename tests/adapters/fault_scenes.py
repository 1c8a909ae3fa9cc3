"""Each way a language model can fail, by name, and one that does what it is asked."""

import json
import re
from collections.abc import Sequence
from itertools import count
from typing import Any

from agent.domain.chat import ChatPurpose
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


def purpose_of(play: Play) -> ChatPurpose:
    """Tell what a request of an interview is for, by what it holds."""
    told = " ".join(message["content"] for message in play.body["messages"])
    if "apple" in told:
        return "check"
    if '"in_plain_words"' in told:
        return "wording"
    return "extraction" if '"asked"' in told else "grading"


def obedient(play: Play) -> None:
    """Do what is asked: tell an apple's colour, word a follow-up as it was given, look, grade."""
    texts = [message["content"] for message in play.body["messages"]]
    purpose = purpose_of(play)
    if purpose == "check":
        say('{"colour": "red", "ripe": true}')(play)
        return
    given = next(text for text in texts if text.startswith("<data>"))
    data = json.loads(given.removeprefix("<data>").split("</data>")[0])
    if purpose == "wording":
        words = data["in_plain_words"]
        mark = "？" if "，" in words or "。" in words else "?"
        say(words.rstrip(".。?？") + mark)(play)
    elif purpose == "extraction":
        seen: dict[str, Sequence[Any]] = {"key_points": [], "probes": [], "wishes": []}
        seen["claims"] = [re.split("[.。]", answer)[0] for answer in data["answers"][-1:]]
        say(json.dumps(seen, ensure_ascii=False))(play)
    else:
        say(json.dumps(_graded(texts[0], data["answers"]), ensure_ascii=False))(play)


def breaking(purpose: ChatPurpose, fault: Scene, place: int) -> Scene:
    """Do what is asked, but fail at request `place` of a purpose, and at the second try."""
    asked = count()

    def scene(play: Play) -> None:
        fails = purpose_of(play) == purpose and next(asked) in {place, place + 1}
        (fault if fails else obedient)(play)

    return scene


def _graded(system: str, answers: Sequence[str]) -> dict[str, Any]:
    """Return the middle level for everything, with the whole answers as quotes."""
    rubric, _ = json.JSONDecoder().raw_decode(system[system.index("{\n") :])
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

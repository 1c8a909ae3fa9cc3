"""Replies of a given form: how it is asked for, and how it is read, whatever came."""

import json
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from agent.adapters.openai_chat.dialect import JsonMode
from agent.domain.chat import ChatMessage
from agent.domain.errors import ChatFailed
from agent.ports import Reply

_LOOSE = frozenset({"title", "default", "format", "pattern", "examples"})
_LOOSE_STARTS = ("min", "max", "exclusive", "multipleOf", "unique")
SHOWN_CHARACTERS = 2000
"""Most of a wrong reply that is sent back to be mended."""


def response_format(shape: type[BaseModel], mode: JsonMode) -> dict[str, Any] | None:
    """Return the parameter that asks for `shape`; None where only words can."""
    if mode == "prompt":
        return None
    if mode == "json_object":
        return {"type": "json_object"}
    named = {"name": shape.__name__, "strict": True, "schema": strict_schema(shape)}
    return {"type": "json_schema", "json_schema": named}


def strict_schema(shape: type[BaseModel]) -> dict[str, Any]:
    """Return a schema in which every field is required and none may be added.

    Bounds are left out: servers disagree about them, and they are checked when the reply is read.
    """
    return cast("dict[str, Any]", _strict(shape.model_json_schema()))


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(item) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    kept: dict[str, Any] = {}
    for name, value in cast("dict[str, Any]", node).items():
        if name in {"properties", "$defs"}:  # their keys are names, not keywords
            kept[name] = {key: _strict(item) for key, item in value.items()}
        elif name not in _LOOSE and not name.startswith(_LOOSE_STARTS):
            kept[name] = _strict(value)
    if kept.get("type") == "object":
        kept["required"] = list(kept.get("properties", {}))
        kept["additionalProperties"] = False
    return kept


def told_form(messages: tuple[ChatMessage, ...], shape: type[BaseModel]) -> tuple[ChatMessage, ...]:
    """Return the messages with the form described in the first of them."""
    described = (
        "Reply with one JSON object and nothing else. It must keep to this JSON Schema:\n"
        + json.dumps(strict_schema(shape), ensure_ascii=False)
    )
    first, *others = messages
    if first.role != "system":
        return (ChatMessage("system", described), *messages)
    return (ChatMessage("system", f"{first.text}\n\n{described}"), *others)


def repair(
    messages: tuple[ChatMessage, ...], text: str, shape: type[BaseModel], fault: str
) -> tuple[ChatMessage, ...]:
    """Return the messages that ask for a wrong reply to be mended."""
    wanted = json.dumps(strict_schema(shape), ensure_ascii=False)
    return (
        *messages,
        ChatMessage("assistant", text[:SHOWN_CHARACTERS] or "-"),
        ChatMessage(
            "user",
            f"That reply cannot be read: {fault}. Give it again as one JSON object and nothing "
            f"else, keeping to this JSON Schema:\n{wanted}",
        ),
    )


def read_form(text: str, shape: type[Reply]) -> Reply:
    """Return the first JSON object in `text` as a `shape`.

    Raises:
        ChatFailed: There is none, or it has another form.
    """
    try:
        start = text.index("{")
        value, _ = json.JSONDecoder().raw_decode(text, start)
        return shape.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ChatFailed("malformed", f"{place}: {first['msg']}") from None
    except (ValueError, RecursionError):
        raise ChatFailed("malformed", "no JSON object") from None

"""What a server understands of the protocol: found out once for an endpoint and model, and kept."""

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, cast

from agent.domain.chat import ChatEndpoint
from agent.domain.language import Frozen

FILE_VERSION = 1
JsonMode = Literal["json_schema", "json_object", "prompt"]
JSON_MODES: tuple[JsonMode, ...] = ("json_schema", "json_object", "prompt")
"""Ways to ask for a form: the strictest first."""


class Dialect(Frozen):
    """How a server wants to be asked.

    Attributes:
        limit_name: What it calls the most tokens of a reply.
        temperature: Whether it takes one.
        usage: Whether it can be asked to count tokens in a stream.
        thinks_first: Its replies begin with thinking that is not opened, only closed.
        probed: Whether `json_mode` was tried, not only assumed.
        conforms: Whether a form was kept when it was tried.
    """

    json_mode: JsonMode = "json_schema"
    limit_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True
    usage: bool = True
    thinks_first: bool = False
    probed: bool = False
    conforms: bool = False

    def simpler(self, complaint: str, *, structured: bool) -> "Dialect | None":
        """Return the dialect without what a server complains of; None where nothing is left.

        Args:
            complaint: What it said when it refused a request.
            structured: Whether the request asked for a form.
        """
        said = complaint.lower()
        if self.limit_name == "max_tokens" and "max_completion_tokens" in said:
            return self.model_copy(update={"limit_name": "max_completion_tokens"})
        if self.temperature and "temperature" in said:
            return self.model_copy(update={"temperature": False})
        if self.usage and ("stream_options" in said or "include_usage" in said):
            return self.model_copy(update={"usage": False})
        return self.lower() if structured and "context" not in said else None

    def lower(self) -> "Dialect | None":
        """Return the dialect with the next looser way to ask for a form; None after the last."""
        place = JSON_MODES.index(self.json_mode) + 1
        if place == len(JSON_MODES):
            return None
        return self.model_copy(update={"json_mode": JSON_MODES[place]})


class DialectStore:
    """A file of dialects. It is a cache: damage is forgotten, and a full disk is no fault.

    Args:
        path: The file, in the user's home of Viva.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, endpoint: ChatEndpoint) -> Dialect:
        """Return what is known of `endpoint`, or what is assumed of any."""
        try:
            return Dialect.model_validate(self._read()[_key(endpoint)]["dialect"])
        except (KeyError, TypeError, ValueError):
            return Dialect()

    def keep(self, endpoint: ChatEndpoint, dialect: Dialect) -> None:
        """Write down what was learnt of `endpoint`."""
        known = self._read()
        known[_key(endpoint)] = {
            "host": endpoint.host,
            "model": endpoint.model,
            "dialect": dialect.model_dump(),
        }
        text = json.dumps({"version": FILE_VERSION, "endpoints": known}, indent=2)
        partial = self._path.with_name(f"{self._path.name}.part")
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            partial.write_text(text, encoding="utf-8")
            partial.replace(self._path)

    def _read(self) -> dict[str, Any]:
        try:
            held = json.loads(self._path.read_text(encoding="utf-8"))
            if held["version"] == FILE_VERSION and isinstance(held["endpoints"], dict):
                return cast("dict[str, Any]", held["endpoints"])
        except (OSError, KeyError, TypeError, ValueError):
            pass
        return {}


def _key(endpoint: ChatEndpoint) -> str:
    named = f"{endpoint.base_url}\n{endpoint.model}"
    return hashlib.sha256(named.encode()).hexdigest()[:16]

"""A model's thinking aloud, taken out of its reply."""

import re

_TAG = re.compile(r"<(?P<end>/?)(?:think|thinking|thought|reasoning)\s*>", re.IGNORECASE)
_TAG_BEGUN = re.compile(r"<(?:/?[a-z]{0,9})?\s{0,2}$", re.IGNORECASE)


class UnopenedThinking(ValueError):
    """Thinking ended that had not begun: all text before it was thinking."""


class ThinkingFilter:
    """Takes `<think>` passages out of a text that comes in pieces, wherever it is cut.

    Args:
        inside: The reply begins with thinking, as where a server's template has opened it.
    """

    def __init__(self, *, inside: bool = False) -> None:
        self._inside = inside
        self._held = ""
        self._began = False

    def feed(self, piece: str) -> str:
        """Return what of the text so far is reply and was not returned before.

        Raises:
            UnopenedThinking: What was returned was thinking.
        """
        text, self._held = self._held + piece, ""
        kept: list[str] = []
        done = 0
        for tag in _TAG.finditer(text):
            if not self._inside:
                if tag["end"]:
                    raise UnopenedThinking
                kept.append(text[done : tag.start()])
            self._inside = not tag["end"]
            done = tag.end()
        rest = text[done:]
        begun = _TAG_BEGUN.search(rest)
        if begun:
            rest, self._held = rest[: begun.start()], rest[begun.start() :]
        if not self._inside:
            kept.append(rest)
        return self._trimmed("".join(kept))

    def close(self) -> str:
        """Return what was held back in case it became a tag."""
        return "" if self._inside else self._trimmed(self._held)

    def _trimmed(self, text: str) -> str:
        if not self._began:
            text = text.lstrip()
            self._began = bool(text)
        return text


def without_thinking(text: str) -> str:
    """Return a whole reply without its thinking, opened or not."""
    for inside in (False, True):
        thinking = ThinkingFilter(inside=inside)
        try:
            return thinking.feed(text) + thinking.close()
        except UnopenedThinking:
            continue
    return ""

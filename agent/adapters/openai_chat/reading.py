"""A streamed reply, read piece by piece; servers differ in what they leave out."""

from dataclasses import dataclass
from typing import Any

from agent.adapters.openai_chat.ledger import Call
from agent.domain.chat import ChatFault
from agent.domain.errors import ChatFailed

_ENDED_WELL = frozenset({"stop", "eos", "eos_token", "end_turn", "stop_sequence"})
_ENDED_BADLY: dict[str, ChatFault] = {"length": "cut_short", "content_filter": "refused"}
CHARACTERS_PER_TOKEN = 12
"""More than any tokenizer puts into one on the average."""


@dataclass
class Reading:
    """Judges a reply as it comes.

    Attributes:
        call: Where its size and the server's count of tokens are entered.
        max_tokens: What it was limited to.
        characters: Of text so far.
    """

    call: Call
    max_tokens: int
    characters: int = 0
    _finish: str | None = None
    _refused: bool = False
    _blank: bool = True

    def take(self, chunk: Any) -> str:
        """Return the text of a chunk; thinking in fields of its own is no text.

        Raises:
            ChatFailed: The reply has outgrown its limit, or what is called text is none.
        """
        self._count(getattr(chunk, "usage", None))
        choices = getattr(chunk, "choices", None)
        if not choices:
            return ""
        delta = getattr(choices[0], "delta", None)
        self._finish = getattr(choices[0], "finish_reason", None) or self._finish
        self._refused = self._refused or bool(getattr(delta, "refusal", None))
        for name in ("reasoning_content", "reasoning"):
            thought = getattr(delta, name, None)
            if isinstance(thought, str):
                self.call.reply_bytes += len(thought.encode(errors="replace"))
        text = getattr(delta, "content", None) or ""
        if not isinstance(text, str):
            raise ChatFailed("malformed", "content is no text")
        self._blank = self._blank and not text.strip()
        self.characters += len(text)
        self.call.reply_bytes += len(text.encode(errors="replace"))
        if self.characters > CHARACTERS_PER_TOKEN * self.max_tokens:
            raise ChatFailed("oversized")
        return text

    def end(self) -> None:
        """See whether the reply, which has ended, is whole.

        Raises:
            ChatFailed: It is not.
        """
        if self._refused:
            raise ChatFailed("refused")
        finish = self._finish
        if finish in _ENDED_BADLY:
            raise ChatFailed(_ENDED_BADLY[finish])
        if finish is not None and finish not in _ENDED_WELL:
            raise ChatFailed("odd_finish", str(finish)[:40])
        if self._blank:
            raise ChatFailed("blank")
        if finish is None:
            raise ChatFailed("cut_short")

    def _count(self, usage: Any) -> None:
        prompt = getattr(usage, "prompt_tokens", None)
        reply = getattr(usage, "completion_tokens", None)
        if isinstance(prompt, int) and isinstance(reply, int) and prompt >= 0 and reply >= 0:
            self.call.prompt_tokens, self.call.reply_tokens = prompt, reply

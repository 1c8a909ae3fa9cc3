"""Words chosen by a language model; the persona's own stand in whenever those cannot be said."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import cast

from agent.domain.chat import ChatRequest
from agent.domain.dialogue import AskAgain, Move, Probe
from agent.domain.errors import ChatFailed
from agent.domain.interview import Utterance
from agent.domain.language import Language
from agent.policy.chinese import simplified
from agent.policy.sentences import split_sentences
from agent.policy.spoken_words import Heard, objection
from agent.ports import ChatModel, Scene, Wording
from agent.wording.briefing import briefing

FIRST_S = 3.0
"""Seconds until the first sentence must be there; the candidate waits meanwhile."""
WHOLE_S = 6.0
"""Seconds until the last must be there."""
READY_S = 0.5
"""Seconds that words under way since before the answer ended are waited for."""


class _NotSaid(Exception):
    """What the model proposes is not said; the argument is why."""


@dataclass(frozen=True)
class _Ahead:
    """Words for `plain` that are being chosen, or lie ready."""

    plain: Utterance
    words: asyncio.Task[list[Utterance]]


class ChatWording:
    """Lets a model word follow-ups and help; what may not be said, or is late, never is.

    Questions of the bank are asked as they are written, so that every candidate gets the same.
    Words for a move that is likely can be chosen beforehand (`prepare`); they are said if it
    comes to that very move, and once more held against all that must not be said.

    Args:
        model: Chooses the words.
        builtin: Says the same in the persona's own words.
        first_s: Limit of the first sentence. `whole_s`: of all.

    Attributes:
        outcomes: How often the model's words were said (`model`), and how often the persona's
            stood in, by why.
        ahead: How often words that lay ready were said (`said`), and were not (`dropped`).
    """

    def __init__(
        self,
        model: ChatModel,
        builtin: Wording,
        *,
        first_s: float = FIRST_S,
        whole_s: float = WHOLE_S,
    ) -> None:
        self._model = model
        self._builtin = builtin
        self._first_s = first_s
        self._whole_s = whole_s
        self.outcomes: Counter[str] = Counter()
        self.ahead: Counter[str] = Counter()
        self._ahead: _Ahead | None = None

    async def prepare(self, move: Move, scene: Scene) -> None:
        """Begin to choose the words for `move`; others that lie ready are dropped."""
        plain = [item async for item in self._builtin.utter(move, scene)]
        place = _place(move, plain)
        if place == len(plain) or (self._ahead and self._ahead.plain == plain[place]):
            return
        self._drop()
        words = asyncio.create_task(_all(self._proposed(plain[place], scene)))
        self._ahead = _Ahead(plain[place], words)

    def close(self) -> None:
        """Choose no more words."""
        self._drop()

    async def utter(self, move: Move, scene: Scene) -> AsyncIterator[Utterance]:
        """Yield what is said for `move`: an acknowledgement first where one is due."""
        plain = [item async for item in self._builtin.utter(move, scene)]
        place = _place(move, plain)
        for item in plain[:place]:
            yield item
        if place == len(plain):
            self._drop()
            return
        async with aclosing(self._worded(plain[place], scene)) as worded:
            async for item in worded:
                yield item
        for item in plain[place + 1 :]:
            yield item

    async def _worded(self, plain: Utterance, scene: Scene) -> AsyncGenerator[Utterance]:
        """Yield `plain` in the model's words, or, as soon as these fail, as it is."""
        ready = await self._ready(plain, scene)
        if ready:
            self.outcomes["model"] += 1
            for item in ready:
                yield item
            return
        try:
            async with aclosing(self._proposed(plain, scene)) as proposed:
                async for item in proposed:
                    yield item
        except ChatFailed as failed:
            outcome: str = failed.fault
        except _NotSaid as refused:
            outcome = str(refused)
        else:
            self.outcomes["model"] += 1
            return
        self.outcomes[outcome] += 1
        yield plain

    async def _ready(self, plain: Utterance, scene: Scene) -> list[Utterance]:
        """Return the words that lie ready for `plain`, where they may still be said."""
        ahead = self._ahead
        if ahead is None or ahead.plain != plain:
            self._drop()
            return []
        await asyncio.wait({ahead.words}, timeout=READY_S)
        words = ahead.words.result() if ahead.words.done() else []
        heard = _heard(plain, scene)
        if not words or any(
            objection(item.text, heard, asks=item.kind == "probe") for item in words
        ):
            self._drop()
            return []
        self.ahead["said"] += 1
        self._ahead = None
        return words

    def _drop(self) -> None:
        if self._ahead is not None:
            self.ahead["dropped"] += 1
            self._ahead.words.cancel()
            self._ahead = None

    async def _proposed(self, plain: Utterance, scene: Scene) -> AsyncGenerator[Utterance]:
        """Yield at most one sentence that leads, and then the one that stands for `plain`."""
        heard = _heard(plain, scene)
        asks = plain.kind == "probe"
        led = False
        request = briefing(plain, scene, self._whole_s)
        async with aclosing(self._sentences(request, scene.language)) as sentences:
            async for sentence in sentences:
                last = not asks or "?" in sentence or "？" in sentence
                against = objection(sentence, heard, asks=asks and last)
                if against or (led and not last):
                    raise _NotSaid(against or "length")
                if last:
                    yield plain.model_copy(update={"text": sentence, "by_model": True})
                    return
                led = True
                yield Utterance(
                    kind="acknowledge",
                    text=sentence,
                    question_id=plain.question_id,
                    by_model=True,
                )
        raise _NotSaid("no_question")

    async def _sentences(self, request: ChatRequest, language: Language) -> AsyncGenerator[str]:
        """Yield each sentence when it is whole.

        Raises:
            ChatFailed: The model failed, or the next sentence is late.
        """
        now = asyncio.get_running_loop().time
        begun = now()
        limit = begun + self._first_s
        rest = ""
        pieces = cast("AsyncGenerator[str]", self._model.stream(request))
        async with aclosing(pieces):
            while True:
                try:
                    async with asyncio.timeout_at(limit):
                        piece = await anext(pieces, None)
                except TimeoutError:
                    raise ChatFailed("timeout") from None
                if piece is None:
                    break
                rest += piece
                *whole, rest = split_sentences(rest, language) or ("",)
                for sentence in whole:
                    limit = begun + self._whole_s
                    yield _tidy(sentence, language)
        if rest.strip():
            yield _tidy(rest, language)


async def _all(proposed: AsyncGenerator[Utterance]) -> list[Utterance]:
    """Return all that was proposed; nothing where that failed, since it can be tried again."""
    try:
        async with aclosing(proposed) as items:
            return [item async for item in items]
    except (ChatFailed, _NotSaid):
        return []


def _heard(plain: Utterance, scene: Scene) -> Heard:
    return Heard(
        scene.language,
        scene.question,
        plain.text,
        scene.answers,
        scene.said,
        scene.persona.never_says.get(scene.language),
    )


def _tidy(sentence: str, language: Language) -> str:
    text = sentence.strip()
    return simplified(text) if language == "zh" else text


def _place(move: Move, plain: list[Utterance]) -> int:
    """Return which utterance a model may word; their number for none."""
    if isinstance(move, Probe):
        return len(plain) - 1
    if isinstance(move, AskAgain) and move.why in {"hint", "clarify"} and len(plain) > 1:
        return len(plain) - 2
    return len(plain)

"""Text cut into pieces that are spoken one by one, so that the first is heard early."""

import re
from itertools import pairwise

from agent.domain.language import Language

MAX_CHARACTERS: dict[Language, int] = {"en": 220, "zh": 70}
"""About 15 s of speech. A longer sentence is cut at a comma, at a space, or anywhere."""

_CLOSERS = r"[\"'”’」』）)\]】》〉*_`]*"
_END = re.compile(rf"\n\s*|[.!?。！？；…]*(?P<mark>[.!?。！？；…]){_CLOSERS}(?P<gap>\s*)")
_CLAUSE = re.compile(rf"(?:[，、：；]{_CLOSERS}|[,;:]{_CLOSERS}(?=[\s一-鿿])| [–—-](?= )|——)\s*")
_NOT_AN_END = re.compile(
    r"(?:^|[\s(\[\"'“‘《（])"
    r"(?:\d+|[a-z]|mr|mrs|ms|dr|prof|st|vs|fig|eq|sec|cf|approx|e\.g|i\.e|a\.k\.a|w\.r\.t)\.$",
    re.IGNORECASE,
)


def split_sentences(text: str, language: Language) -> tuple[str, ...]:
    """Cut `text` into sentences, and long sentences into clauses.

    Returns:
        Pieces whose concatenation is `text`. Each holds a letter or a digit, unless there is
        none in the whole text.
    """
    pieces: list[str] = []
    for sentence in _sentences(text):
        for piece in _clauses(sentence, MAX_CHARACTERS[language]):
            if pieces and not (_speakable(piece) and _speakable(pieces[-1])):
                pieces[-1] += piece
            else:
                pieces.append(piece)
    return tuple(pieces)


def split_clauses(sentence: str) -> tuple[str, ...]:
    """Cut `sentence` at every comma and its like; the concatenation of the pieces is `sentence`."""
    cuts = [0, *(match.end() for match in _CLAUSE.finditer(sentence)), len(sentence)]
    return tuple(sentence[start:end] for start, end in pairwise(cuts) if start < end)


def _sentences(text: str) -> list[str]:
    cuts = [0, *(match.end() for match in _END.finditer(text) if _ends(text, match)), len(text)]
    return [text[start:end] for start, end in pairwise(cuts) if start < end]


def _ends(text: str, match: re.Match[str]) -> bool:
    mark, following = match["mark"], text[match.end() : match.end() + 1]
    if mark is None or mark in "。！？；" or not following or "\n" in match["gap"]:
        return True
    if following.islower():
        return False
    if mark == "…":
        return True
    if not match["gap"]:  # 3.5, v1.2, model.bin; but a Chinese sentence may end in an ASCII stop
        return _is_cjk(following) and not text[match.start() - 1 : match.start()].isdigit()
    line = text[text.rfind("\n", 0, match.start()) + 1 : match.end("mark")]
    return mark != "." or not _NOT_AN_END.search(line)


def _clauses(sentence: str, limit: int) -> list[str]:
    pieces: list[str] = []
    while len(sentence) > limit:
        cut = _clause_end(sentence, limit)
        pieces.append(sentence[:cut])
        sentence = sentence[cut:]
    return [*pieces, sentence] if sentence else pieces


def _clause_end(sentence: str, limit: int) -> int:
    ends = [match.end() for match in _CLAUSE.finditer(sentence, 0, limit)]
    if ends and ends[-1] > limit // 4:
        return ends[-1]
    return sentence.rfind(" ", limit // 4, limit) + 1 or limit


def _speakable(piece: str) -> bool:
    return any(character.isalnum() for character in piece)


def _is_cjk(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff"

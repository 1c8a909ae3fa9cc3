"""Text made comparable: width, case, punctuation and spacing no longer tell two texts apart."""

import re
import unicodedata

_LATIN = re.compile(r"[a-z0-9]+(?:[.'][a-z0-9]+)*")
_HAN = re.compile(r"[\u3400-\u9fff]")
_TOKEN = re.compile(r"[a-z0-9]+(?:[.'][a-z0-9]+)*|[\u3400-\u9fff]")


def fold(text: str) -> str:
    """Return `text` after NFKC, in lower case, with curly quotes and dashes made plain."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return folded.replace("’", "'").replace("‐", "-").replace("–", "-").replace("—", "-")


def printable(text: str) -> str:
    """Return `text` with control and format characters as blanks and broken surrogates replaced.

    The length stays, and with it every offset.
    """
    return "".join(
        "\ufffd"
        if "\ud800" <= character <= "\udfff"
        else character
        if character.isprintable() or character in "\n\t\u3000\xa0"
        else " "
        for character in text
    )


def fold_with_offsets(text: str) -> tuple[str, list[int]]:
    """Return the letters and digits of `text`, folded, and where each stood in `text`."""
    if text.isascii():
        places = [index for index, character in enumerate(text) if character.isalnum()]
        return "".join(text[index] for index in places).lower(), places
    kept: list[str] = []
    offsets: list[int] = []
    for index, character in enumerate(text):
        for folded in fold(character):
            if folded.isalnum():
                kept.append(folded)
                offsets.append(index)
    return "".join(kept), offsets


def tokens(text: str) -> list[str]:
    """Return the words of Latin script and the single Chinese characters of `text`, folded."""
    return _TOKEN.findall(fold(text))


def weight(text: str) -> float:
    """Return the length in words; two Chinese characters count as one."""
    folded = fold(text)
    return len(_LATIN.findall(folded)) + len(_HAN.findall(folded)) / 2


_STOP_WORDS = """
a an the and or but so of to in on at by for with from as is are was were be been it its this that
these those there i we you they he she my our your their me us them do does did have has had will
would can could should may might very really just also then than what which who how when where why
if not no into about over each any all some more most such tell explain describe
的 了 是 在 和 与 也 就 都 而 及 或 把 被 让 对 从 到 这 那 它
我 你 们 一 个 有 不 要 会 能 吗 呢 吧 啊
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())


def content(text: str) -> set[str]:
    """Return the words that carry meaning; Chinese as pairs of neighbouring characters."""
    found = [token for token in tokens(text) if token not in STOP_WORDS]
    words = {token.rstrip("s") or token for token in found if not _HAN.match(token)}
    pairs = {
        run[index : index + 2]
        for run in re.findall(r"[\u3400-\u9fff]+", fold(text))
        for index in range(len(run) - 1)
    }
    return words | pairs

"""Whether a clause affirms or denies, what it denies, and whether it only quotes a wrong belief."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from agent.policy.folding import STOP_WORDS
from agent.policy.reference_words import stem, stems

_NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|nothing|free of)\b|n't\b|"
    r"\b(?:dont|doesnt|isnt|arent|wont|cant|didnt|wasnt)\b|"
    r"不(?!同|断|仅|但|只|过|过去|久|少|错|等)|没(?!错)|无(?:需|须|法|关)|毫无|未(?!来)|并非|绝非|免去"
)
_LIMITING = re.compile(
    r"\bnot (?:only|just|merely|until|necessarily)\b|\bno (?:more|less|later) than\b|"
    r"\b(?:if|when|once|where|until) (?:it|the \w+|they)(?: \w+)? "
    r"(?:does not|doesn't|do not|no longer)\b|"
    r"\bthat (?:is |are |was |were )?(?:never|not|no longer|cannot)\b|"
    r"\bthere (?:was|were) no\b|\b(?:changed|found|showed|saw) (?:nothing|no)\b|"
    r"没有?变化?|没有?(?:慢|坏|异常|问题)|"
    r"(?<!is )(?<!are )(?<!was )(?<!were )(?<!be )\bnot (?:into|in|by|from|the|a|an|on|with|for)\b|"
    r"([\u3400-\u9fff])不\1|有没有|而不是|而非|不是.{1,15}而是|"
    r"不仅|不只|不但|不光|放不下|装不下|用不了|来不及|不超过|不低于|不少于|没有选|不选|不用不行"
)
_DISOWNED = re.compile(
    r"\b(?:misconception|mistake to|wrong to|not true|myth|people (?:often )?(?:think|say|"
    r"believe)|"
    r"some (?:people )?(?:think|say|believe)|it is false|contrary to)\b|"
    r"误以为|误区|误解|错误地|有人(?:说|以为|觉得|认为)|并不是说|不对的|是错的|常见的错误"
)
_DENIAL = re.compile(
    r"(?:\b(?:not|never|cannot|nobody|no one|none|no|instead of|rather than)\b|n't\b|"
    r"\b(?:dont|doesnt|isnt|arent|wont|cant|didnt|wasnt)\b)(?P<latin>.*)|"
    r"(?:不(?!同|断|仅|但|只|过|过去|久|少|错|等|然|管|妨|是不是)|没有?(?!错)|无(?:需|须)|毫无|未(?!来)|"
    r"并非|绝非|而非|免去)"
    r"(?:需要|需|会|能够?|可以|要|用|再|必|须|应该?|是|太|很|都|有|得|去|做|选){0,3}"
    r"(?P<han>(?:[把将被给对跟让在往从按][^。，；]*)|[\u3400-\u9fff]{1,2})"
)
_NO_DENIAL = re.compile(
    r"\bnot (?:only|just|merely|until|necessarily)\b|\bno (?:more|less|later|matter)\b|"
    r"([\u3400-\u9fff])不\1|有没有|不仅|不只|不但|不光|没有[^，。]{1,12}[那这]么|没有?变化?"
)
_LATIN_WORD = re.compile(r"[a-z0-9]+(?:[.'][a-z0-9]+)*")
_LIGHT_WORDS = """
really even yet always ever only quite necessarily actually need needs require requires want have
has had get gets longer other another one same way part kind use used using
"""
_LIGHT = STOP_WORDS.union(_LIGHT_WORDS.split())
_NUMBERS = frozenset(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"])
_HYPOTHETICAL = re.compile(
    r"\b(?:otherwise|or else|forg[eo]t\w*|lack\w*|fail\w*|avoid\w*|prevent\w*|skip\w*|"
    r"miss(?:es|ed)|unless|whether|nothing|care that|make sure|ensure)\b|"
    r"否则|不然|忘|漏|缺|跳过|省掉|避免|防止|以免|本来|如果没|要是没|是不是|还是"
)
"""What such a clause says holds of another case than the one that is told."""


@dataclass(frozen=True)
class Polarity:
    """The words of a clause by their stems, which of them it denies, and whether it denies at all.

    Two denials affirm again: `odd` is false there.
    """

    words: frozenset[str]
    denied: frozenset[str]
    odd: bool

    def turns(self, other: "Polarity") -> bool:
        """Whether one denies a word that the other says without denying it."""
        return bool(self.denied & (other.words - other.denied)) or bool(
            other.denied & (self.words - self.denied)
        )


@lru_cache(maxsize=50_000)
def polarity(folded: str) -> Polarity:
    """Return what a folded clause says and what of it it denies: the word after each denial."""
    words = frozenset(stems(folded))
    if _HYPOTHETICAL.search(folded):
        return Polarity(words, frozenset(), negated(folded))
    denied: set[str] = set()
    start, plain = 0, _NO_DENIAL.sub(" ", folded)
    while match := _DENIAL.search(plain, start):
        if match["han"]:
            denied.update(stems(match["han"]))
            start = match.end()
            continue
        start = match.start("latin")
        after = (word for word in _LATIN_WORD.findall(match["latin"]) if word not in _LIGHT)
        denied.update(stem(word) for word in list(after)[:1] if word not in _NUMBERS)
    said = Counter(stem(word) for word in _LATIN_WORD.findall(plain))
    once = frozenset(word for word in denied if said[word] < 2)
    return Polarity(words, once, negated(folded))


def hypothetical(folded: str) -> bool:
    """Whether a folded clause tells what would be in another case, or what was ruled out."""
    return _HYPOTHETICAL.search(folded) is not None


def negated(folded: str) -> bool:
    """Whether a folded clause denies what it speaks of; two denials affirm again."""
    return len(_NEGATION.findall(_LIMITING.sub(" ", folded))) % 2 == 1


def disowned(folded: str) -> bool:
    """Whether a folded clause reports a belief as other people's or as wrong."""
    return _DISOWNED.search(folded) is not None

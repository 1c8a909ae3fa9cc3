"""Whether a clause affirms or denies, and whether it only quotes a wrong belief."""

import re

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


def negated(folded: str) -> bool:
    """Whether a folded clause denies what it speaks of; two denials affirm again."""
    return len(_NEGATION.findall(_LIMITING.sub(" ", folded))) % 2 == 1


def disowned(folded: str) -> bool:
    """Whether a folded clause reports a belief as other people's or as wrong."""
    return _DISOWNED.search(folded) is not None

"""Words that are not an answer: giving up, orders to the examiner, echoes, bare lists of terms."""

import re

from agent.domain.language import Language
from agent.policy.cues import action
from agent.policy.folding import content, fold, tokens, weight
from agent.policy.intents import classify
from agent.policy.quantities import figures

_COURTESY = re.compile(
    r"\b(?:sorry|apologi[sz]e|afraid|good question|let me think|thank|honest)\w*|^(?:okay|well)\b|"
    r"抱歉|不好意思|对不起|谢谢|让我想|想一下|好问题|说实话|^老实说|坦白"
)
_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:rubric|instruction|prompt|rule|"
    r"criteri|above|previous)|"
    r"\b(?:give|award|grant|assign|rate|grade|score|mark) (?:me|this|my answer|the answer|"
    r"it)\b.{0,40}"
    r"\b(?:five|ten|full|max\w*|hundred|\d+|top|perfect|highest|excellent|mark|score|point)|"
    r"\b(?:full|maximum|perfect|top) (?:marks?|scores?|points)\b|\bfive out of five\b|"
    r"\b5\s?/\s?5\b|"
    r"\byou are (?:now )?(?:a |an )?(?:generous|helpful|lenient|kind)|\bi am hired\b|\bhire me\b|"
    r"\b(?:system|assistant|developer)\s*(?:prompt|message|:)|<\|?/?(?:system|im_start|im_end|"
    r"user)|"
    r"\b(?:as|i am|i'm) (?:a |an |the )?(?:professor|expert|inventor|author|creator|"
    r"world)\b.{0,60}\b(?:correct|trust|score|mark)|"
    r"[\"'{]\s*(?:score|level|grade|criteria|rating)[\"']?\s*:|"
    r"(?:忽略|无视|忘(?:记|掉)|不要管).{0,16}(?:规则|指令|要求|标准|提示|评分|以上|上面|之前)|"
    r"(?:给|打|评).{0,8}(?:满分|最高分|高分|五分|十分|一百分|\d+\s*分)|满分|你(?:现在)?是.{0,8}(?:考官|面试官|评委)|"
    r"系统(?:提示|消息|指令)\s*[:：]?|录用我|通过面试"
)
_ASKING = re.compile(r"[^\w\n]{0,3}[?？]")
_ASSENT = re.compile(r"(?:\bright|\bcorrect|\bok|\bokay|对吧|是吧|对不对|好吧)$", re.IGNORECASE)
_LED_IN = re.compile(
    r"[:：]\s*(?:can|could|is|are|was|were|do|does|did|has|have|will|would|should|what|which|who|"
    r"where|when|how|why)\b|[:：][^。？?]*(?:能不能|是不是|有没有|会不会|要不要|什么|多少|多大|哪|谁|"
    r"怎么|还是|([\u3400-\u9fff])不\1)(?![^。？?]*吗)",
    re.IGNORECASE,
)
_FUNCTION = re.compile(
    r"\b(?:is|are|was|were|be|been|do|does|did|has|have|had|can|will|would|should|must|to|of|in|on|at|"
    r"by|for|with|from|into|as|than|that|which|when|if|because|so|then|after|before|while|it|they|we|"
    r"i|you|each|every|its|the|a|an|this|these|there|since|always|never|not|no|less|more|works?|just|only|all|both|per)\b(?!-)"
)
_HAN_FUNCTION = re.compile(
    r"[的是在把被会要能让对从到由给就都再后时每为没不我它越了着得才也则而只]"
)
_STATE = re.compile(
    r"\b(?:follow|stay|remain|become|give|need|cost|grow|fall|hold|share|save|make|mean)(?:s|ed)?\b|"
    r"按|减少|需要|减去|除以|乘|所以|因为|比[^，。]{1,16}(?:快|慢|大|小|高|低|多|少)|放在"
)
_COMPOUND = re.compile(r"\b[a-z0-9]+(?:-[a-z0-9]+)+\b")
"""Of "all-reduce" the second half is no verb."""
_ITEM = re.compile(r"[,，、;；/]|\band\b|和|与")
ITEMS = 3
"""A sentence with so many marks between its parts may be a list; one of so many words, too."""
LONG_LIST = 6.0
_HAN = re.compile(r"[\u3400-\u9fff]")
_BROKEN = re.compile(
    r"\b(?:the|a|an|my|our|its|every|each) (?:the|a|an|of|to|and|is|are|was|in|on|with|by|for|"
    r"from|than|that|"
    r"because|so|then|it|we|i|does|not|but|which|has|have)\b|"
    r"\b(?:of|to|with|from|into|than) (?:of|is|are|was|and|but|because|so|then|does|has|have|to|"
    r"with|from)\b|"
    r"\b(?:is|are|was|were) (?:is|are|was|were|of|and|does|has|have|i|we)\b"
)


def gives_up(text: str, language: Language) -> bool:
    """Whether `text` says that the speaker does not know, and nothing else."""
    return classify(text, language) == "skip"


def courtesy(text: str) -> bool:
    """Whether `text` is an apology, thanks or a wish for time."""
    return _COURTESY.search(fold(text)) is not None


def orders_examiner(text: str) -> bool:
    """Whether `text` speaks to whoever grades it, about rules or marks."""
    return _ORDER.search(fold(text)) is not None


def asks(text: str, start: int, end: int) -> bool:
    """Whether the sentence of `text` from `start` to where its last clause ends is a question.

    One that only seeks assent ("right?") still claims what it says, and so does one that says
    what is done before it asks ("First I check the data: is it clean?"); a statement with a mark
    of asking at its end does not.
    """
    if not _ASKING.match(text, end):
        return False
    return not (_ASSENT.search(text, max(start, end - 12), end) or _LED_IN.search(text, start, end))


def echoes(text: str, prompt: str) -> bool:
    """Whether nearly all content of `text` stands in the question already."""
    said = content(text)
    return bool(said) and len(said & content(prompt)) / len(said) >= 0.8


def bare_terms(folded: str) -> bool:
    """Whether a folded sentence names one thing after the other and says nothing about them."""
    plain = _COMPOUND.sub(" ", folded)
    if action(plain) or _STATE.search(plain) or figures(plain):
        return False
    if len(_ITEM.findall(folded)) < ITEMS and weight(folded) < LONG_LIST:
        return False
    words = tokens(folded)
    han = sum(1 for word in words if _HAN.match(word))
    if han > len(words) / 2:
        return len(_HAN_FUNCTION.findall(folded)) < max(1, han / 20)
    return len(_FUNCTION.findall(folded)) < max(1, (len(words) - han) / 12)


def shuffled(folded: str) -> bool:
    """Whether the words of a folded English text stand in no order a speaker would use."""
    return len(_BROKEN.findall(folded)) >= max(2.0, weight(folded) / 50)

"""What the last words of an answer tell about whether it goes on."""

import re
from typing import Literal

from agent.domain.language import Language
from agent.policy.homophones import syllables
from agent.policy.intents import classify
from agent.policy.timed_text import units

Cue = Literal[
    "done",
    "gave_up",
    "thinking",
    "hanging",
    "wrapped_up",
    "barely_begun",
    "unfinished",
    "not_understood",
    "open",
]
"""`open`: a finished sentence, of which nobody can say whether it was the last.
`not_understood`: speech after the last words, of which nothing came out."""

_DONE: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(that('s| is| would be|ll be) (my|the|our) (whole |final |full )?answer|"
        r"that('s| is) (it|all)( from (me|my side))?( i have| for now)?|"
        r"i('m| am) (done|finished)( now)?|that concludes my answer|"
        r"(nothing|no(thing)? more) (else )?to add|end of (my )?answer)( thanks?( you)?)?$"
    ),
    "zh": re.compile(
        r"(我(的回答|的答案)?(说完|讲完|回答完|答完)(了|啦)?|我的(回答|答案)就(是)?(这些|这样|到这里)(了)?|"
        r"(回答|答案)?(就是|就|差不多就)(这些|这样|到这里)(了|吧)?|(没有|没)(什么)?(其他)?(要)?补充(的)?(了)?|"
        r"(以上|这)(就)?是我的(回答|答案)|回答完毕|完毕)(谢谢)?$"
    ),
}
_THINKING: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(let me (just )?(think|see|recall|remember|gather|collect|organi[sz]e)\b[\w\s']{0,30}|"
        r"(give|allow) me (a|one|just a|some|another)?\s*(second|sec|minute|moment|time)"
        r"[\w\s']{0,20}|"
        r"(i need|i'd like|can i (have|take|get)|may i (have|take)|i('ll| will) take|just) "
        r"(a|one|some)( \w+)? ?(second|sec|minute|moment|time)[\w\s']{0,20}|"
        r"(hold|hang) on( a (second|moment|minute))?|one (moment|second|minute)( please)?|"
        r"(that's|that is) a (really )?(good|great|hard|tough|interesting|difficult) "
        r"(question|one)|"
        r"how (do|should|can) i (put|say|explain) (this|it|that))$"
    ),
    "zh": re.compile(
        r"(让我(先)?(想|考虑|回忆|整理|组织|思考|理)(一)?(想|下|下子|会儿|一下)?(思路|语言|再回答)?|"
        r"我(先|再|得|要|需要)?(想|考虑|回忆|整理|组织|思考)(一想|一下|一会儿|下|想|一下子)(思路|语言|再回答|啊|哈|吧)?|"
        r"(请)?(稍等|等一下|等等|等会儿)(一下|我|我一下)?|给我(一点|点|几秒|一分钟|一些)?(时间|钟)?(想想|想一下)?|"
        r"(这是(一)?个|这个)?(好|难|有意思的|很好的)?问题(很好|不错|有点难)|怎么说(呢|好呢)?)$"
    ),
}
_THINKING_BY_SOUND = re.compile(
    r"\b((xiang|kao lv|zheng li|zu zhi|hui yi|si kao) yi (xia|xiang|hui)( er)?|"
    r"xiang (xia|xiang)( zi)?|shao deng( yi xia)?)$"
)
_THINKING_UNITS = 8
"""Longest wish for time that is known by its sound. It is often the first that is said, alone and
out of context, and comes out as characters that only sound like it (乱模像以下 for 让我想一下)."""
_HANGING: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(and|or|but|so|because|since|although|though|while|if|unless|until|when|where|which|that|"
        r"who|whose|then|also|plus|as|than|like|the|a|an|my|our|your|their|its|this|these|those|"
        r"to|of|in|on|at|for|from|with|by|into|about|between|without|is|are|was|were|be|been|"
        r"am|have|has|had|do|does|did|will|would|can|could|should|may|might|not|very|more|"
        r"um+|uh+|erm?|hmm+|well|okay|ok|basically|actually|i mean|you know|for example|"
        r"for instance|such as|first|firstly|second|secondly|next|finally|i|we|they|he|she)$"
    ),
    "zh": re.compile(
        r"(嗯+|呃+|额|啊|这个|那个|就是|就是说|然后|而且|并且|因为|所以|但是|不过|可是|如果|虽然|比如|比如说|"
        r"例如|还有|以及|或者|和|跟|与|把|被|对|在|从|到|用|让|给|比|为了|由于|首先|其次|第一|第二|第三|另外|"
        r"接着|最后|那么|那|我|我们|他们|的话|的时候|一个|一些|包括|其实|主要是|是)$"
    ),
}
_CHANGED = (
    r"(fell|fall|dropped|drop|decreased|reduced|cut|went down|rose|grew|increased|improved|"
    r"went up|gained|saved|sped up|doubled|tripled|halved)"
)
_WRAPPED_UP: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        rf"\b({_CHANGED}\b.{{0,60}}(\d|percent|half|times)|looking back|in hindsight|in retrospect|"
        r"(next|another) time i would|what i learn(ed|t)|the lesson|"
        r"to (sum up|summari[sz]e|conclude)|in (summary|conclusion|short)|overall|"
        r"(is|are) now used|ahead of (time|schedule)|days early|that('s| is) (how|why) (we|i)|"
        r"i (use|choose|pick|prefer|would (use|choose)) .{5,80}\b(when|if)\b)"
    ),
    "zh": re.compile(
        r"((提升|提高|增加|降低|下降|减少|缩短|降到|降|节省|加快|快)了?.{0,6}(百分之|[\d一二两三四五六七八九十]+(倍|%|个点|天|小时))|"
        r"总(的来说|结|之|体来说)|回(过)?头(来)?看|复盘|如果重(来|做|新)|(经验|教训)是|学到|沉淀|沉澱|推广到|复用到|"
        r"提前.{0,6}完成|就(用|选|选择).{1,20}再|(放|装)得下)"
    ),
}
BARELY_BEGUN_UNITS = 10
"""Words or characters that are rarely an answer: more often an opening, or a wish for time that
was not understood."""


def folded_tail(text: str, language: Language) -> str:
    """Return the last words in lower case without punctuation (without spaces in Chinese)."""
    kept = re.sub(r"[^\w\s']+", " ", text[-200:].casefold().replace("’", "'"))
    words = kept.split()
    return "".join(words) if language == "zh" else " ".join(words)


def last_sentence(text: str) -> str:
    """Return what comes after the last full stop but the one at the end."""
    body = text.rstrip(" .!?。！？，,;；")
    cut = max((body.rfind(mark) for mark in (". ", "? ", "! ", "。", "？", "！")), default=-1)
    return body[cut + 1 :].strip()


def cue(text: str, language: Language) -> Cue:
    """Read the last words of `text`."""
    tail = folded_tail(text, language)
    last = last_sentence(text)
    signs: tuple[tuple[Cue, bool], ...] = (
        ("done", _DONE[language].search(tail) is not None),
        ("thinking", _asks_for_time(tail, last, language)),
        ("gave_up", classify(last, language) == "skip"),
        ("hanging", _HANGING[language].search(tail) is not None),
        ("wrapped_up", _WRAPPED_UP[language].search(folded_tail(last, language)) is not None),
    )
    for name, found in signs:
        if found:
            return name
    if tail and units(text) < BARELY_BEGUN_UNITS:
        return "barely_begun"
    return "unfinished" if _breaks_off(text, language) else "open"


def _asks_for_time(tail: str, last: str, language: Language) -> bool:
    if _THINKING[language].search(tail):
        return True
    if language != "zh" or units(last) > _THINKING_UNITS:
        return False
    sound = " ".join(syllables(folded_tail(last, language)))
    return _THINKING_BY_SOUND.search(sound) is not None


def _breaks_off(text: str, language: Language) -> bool:
    """Whether the recogniser's punctuation says so; Chinese often comes without any."""
    end = text.rstrip()
    marks = (",", "-", "...", "…", ":", ";") if language == "en" else ("、", "…", "...", "：", ":")
    return end.endswith(marks)

"""Phrases that carry a wish and nothing else, as patterns over a plain lower-case clause.

`<name>` stands for the fragment of that name. Apostrophes and punctuation are gone by then.
"""

import re
from collections.abc import Mapping

from agent.domain.language import Language

_FRAGMENTS: Mapping[str, str] = {
    # English
    "can you": r"(?:(?:can|could|would|will) you )?(?:please )?",
    "can we": r"(?:(?:can|could|may|shall) (?:we|i) |lets |id like to |i (?:want|would like) to )?",
    "very": r"(?:really |honestly |just |still |actually |quite )?",
    "im": r"(?:i am |im )?",
    "ive": r"(?:i have |ive |i )",
    "a": r"(?:a|an|one|some|any|another)(?: more)?(?: \w+)?",
    "hint": r"(?:hint|hints|clue|clues|pointer|pointers)",
    "it": r"(?: (?:it|that|this|you))?",
    "the question": r"(?: (?:it|that|this)| (?:the|your|this|that)(?: last)? (?:question|one))?",
    "met": r"(?:used|done|tried|worked (?:with|on)|seen|heard (?:of|about)|studied|come across)",
    "moment": r"(?:second|seconds|sec|moment|minute|minutes|bit|while)",
    # Chinese
    "您": r"(?:您|你)?",
    "能不能": r"(?:能不能|可不可以|能否|可否|可以|能|想)?",
    "请": r"(?:请|麻烦)?",
    "一下": r"(?:一下|一遍|一次|一点|一些|下|遍)?",
    "刚才的": r"(?:刚才|刚刚)?(?:的|那个)?",
    "问题": r"(?:您的|你的|这个|这道|那个|上个|刚才的)?(?:问题|题目|题)?",
    "我真的": r"(?:我|真的|确实|实在|也|都|还|暂时|其实|一时|从来|之前|以前|是)*",
    "这一块": r"(?:这个|这道|这题|这块|这方面|那个)?(?:问题|题目|题)?",
    "想": r"(?:想|考虑|思考|回忆|整理|组织|捋|理)",
}

_ENGLISH: Mapping[str, tuple[str, ...]] = {
    "stop": (
        (
            r"<can we>(?:please )?(?:just )?(?:stop|end|quit|finish|leave)"
            r"(?: (?:here|now|there|(?:the|this) (?:interview|session)))*"
        ),
        r"(?:that is|thats) enough for (?:today|now)|i quit",
    ),
    "repeat": (
        r"<can you>(?:repeat|say|ask|read)<the question>(?: again| once more| one more time)",
        r"<can you>repeat<the question>",
        r"i (?:did not|didnt|could not|couldnt) <very>(?:hear|catch|get)<the question><it>",
        r"(?:what was|whats|what is)<the question>(?: again)?",
        r"would you mind (?:repeating|saying)<the question>(?: again)?",
        r"i (?:missed|lost) (?:you(?: there)?|that|the question|your question)",
        r"<can you>say<the question> again more slowly|<can you>speak more slowly",
        r"come again|(?:i beg your )?pardon(?: me)?|once more|one more time|again",
        r"what did you say",
    ),
    "misheard": (
        (
            r"(?:i think )?you (?:must have |have )?(?:misheard|misunderstood)<it>"
            r"(?: me| what i (?:said|meant))?"
        ),
        r"i never said (?:that|this|it)|(?:that is|thats) a (?:mishearing|misunderstanding)",
        r"(?:that is|thats|this is) not what i (?:said|meant)",
        r"i (?:did not|didnt) (?:say|mean) (?:that|this|it)",
        r"you (?:got|heard)<it>(?: me)? wrong",
        r"(?:the|that) (?:transcript|transcription) is (?:wrong|incorrect)",
    ),
    "hint": (
        r"<can you>(?:give me|offer) <a> <hint>|<can we>(?:have|get|use|ask for) <a> <hint>",
        r"(?:i need |i could use )?<a> <hint>|<hint>|is there <a> <hint>|<im>stuck(?: here)?",
        r"<can you>(?:help me out|point me in the right direction|help me(?: a (?:bit|little))?)",
        r"(?:where|how) (?:should|do|can|could) i (?:start|begin|approach (?:this|it|that))",
    ),
    "clarify": (
        r"what (?:exactly )?(?:do|did) you mean(?: (?:by|with) .{1,60})?",
        r"what does (?:that|it|this) mean|what (?:exactly )?are you asking(?: for)?(?: exactly)?",
        r"<can you>(?:clarify|explain|rephrase|reword|elaborate(?: on)?)<the question>",
        r"<can you>(?:explain|clarify) what you mean(?: (?:by|with) .{1,60})?",
        r"<can you>(?:be more specific|put<the question> (?:differently|another way))",
        r"(?:do|did) you mean .{1,80}|are you (?:asking|looking) .{1,80}",
        r"i (?:do not|dont|did not|didnt) <very>(?:understand|follow|get)<the question><it>",
        r"i (?:do not|dont) <very>understand what you (?:mean|are asking)",
        r"<im>not sure (?:i understand|what you (?:mean|are asking)).{0,30}",
        r"in (?:what|which) (?:sense|context)|which (?:one|kind)(?: do you mean)?",
    ),
    "skip": (
        (
            r"i <very>(?:do not|dont|would not|wouldnt) <very>"
            r"(?:know|remember|recall)(?: (?!why)\w+){0,4}"
        ),
        r"<very>(?:i (?:<very>have |got )|ive )?<very>no (?:idea|clue)(?: \w+){0,3}",
        r"i (?:do not|dont) <very>have an (?:answer|idea)(?: to (?:this|that|it|the question))?",
        r"<im><very>not <very>sure(?: about<the question>)?",
        r"<ive>(?:never|not)(?: really| actually)? <met>(?: \w+){0,5}",
        r"i (?:have not|havent)(?: really| actually)? <met>(?: \w+){0,5}",
        r"<im><very>not familiar with(?: \w+){1,5}",
        (
            r"i (?:can not|cannot|cant|could not|couldnt) <very>"
            r"(?:answer|say|remember|recall|think of|tell)(?: \w+){0,4}"
        ),
        (
            r"<can we>(?:please )?(?:skip|pass(?: on)?|move on|go on)<the question>"
            r"(?: on this| to the next(?: (?:one|question))?)?"
        ),
        r"(?:i |ill )?(?:skip|pass)(?: on)?<the question>",
        r"(?:(?:can|could) we have |(?:the )?)?next (?:question|one)",
        r"i give up|nothing comes to mind",
    ),
    "done": (
        (
            r"(?:that is|thats|this is|that was|that would be|thatll be)"
            r" (?:all|it|everything|my (?:final )?answer|about it|the end)"
            r"(?: (?:from (?:me|my side)|i have|i had|i know|i can say|i wanted to say|for now))*"
        ),
        r"(?:that|this) concludes my answer|(?:that is|thats) what i (?:have|had|know)",
        r"<im>(?:done|finished)(?: (?:with )?(?:my answer|here|talking))?",
        r"(?:i have |ive |i got )?nothing (?:more |else )?to (?:add|say)",
        r"nothing (?:more|else)|end of (?:my )?answer",
    ),
    "think": (
        (
            r"(?:let me|ill|i (?:need|have|want|would like) to|ill need to|id like to)(?: just)? "
            r"(?:think|see|consider|recall|(?:collect|gather) my thoughts|have a think)"
            r"(?: (?:about|for|on|it|that|this|an?|the|one|few|<moment>|little|more|through))*"
        ),
        (
            r"(?:(?:can|could|may) (?:you|i) )?(?:give me|have|take|i need)"
            r" (?:a|one|some|another|a few) (?:<moment>|time)(?: (?:to think|about it|more))*"
        ),
        r"(?:just )?(?:a|one|wait a|hold on a) <moment>|hold on|wait|bear with me",
        r"never mind|forget (?:it|that)",
        r"<im>(?:still )?thinking(?: about it)?|how (?:should|do|can) i (?:say|put) (?:this|it)",
    ),
}

_CHINESE: Mapping[str, tuple[str, ...]] = {
    "stop": (
        r"(?:我|我们|就|先|想|要|想要|希望)*(?:停止|结束|中止|终止|退出)(?:这次|本次|今天的)?(?:面试)?",
        r"(?:今天|面试|我们|就|先)*(?:到这|到此)(?:里|儿)?(?:为止|结束)?",
        r"(?:这次|本次|今天的)?面试(?:就)?(?:结束|到此为止)",
        r"我?不(?:想)?(?:面试|面|继续)|我?(?:想)?停(?:一下)?",
    ),
    "repeat": (
        r"<您><能不能><请><您>(?:把)?<刚才的><问题>(?:再|重新|重)(?:说|讲|问|念|重复|复述)<一下><问题>",
        r"<您><能不能><请><您>(?:重复|复述)<一下><刚才的><问题>",
        r"我?(?:刚才|刚刚)?没(?:有)?(?:太)?听(?:清楚|清|到|见)<您><刚才的><问题>(?:说的|说什么|说)?",
        r"<您><刚才的><问题>是(?:什么|啥)(?:来着)?",
        r"<您>(?:刚才|刚刚)?(?:说|问)(?:的)?(?:是)?(?:什么|啥)(?:来着)?",
    ),
    "misheard": (
        r"<您>(?:可能|好像)?(?:听|理解|识别|搞|记)错(?:我|我的意思|我说的|意思)?|<您>误(?:会|解)(?:我)?",
        r"(?:这|那)?(?:个)?(?:识别|转写|记录)(?:得)?(?:错|不对|有误)",
        r"不是(?:这个|那个)意思",
        r"我(?:刚才)?(?:说的)?不是(?:这个|那个|这么|那么)?(?:意思|说的|这样说的|这个)",
        r"我(?:刚才)?没(?:有)?(?:(?:这么|这样|那么|那样)(?:说|讲)(?:过)?|(?:说|讲)过?(?:这个|那个|这话))",
    ),
    "hint": (
        r"<您>我?<能不能>(?:要|需要)?<请><您>(?:给|来)?我?(?:一)?(?:点儿|点|个|些)?提示<一下>我?",
        r"(?:再)?(?:给|来)(?:我)?(?:一)?(?:点儿|点|个|些)?(?:提示|思路)|我?(?:卡|被卡)住",
        r"<您><能不能>给我?(?:一)?(?:点|些)?思路|(?:该|应该)?从(?:哪里|哪儿|哪)(?:入手|开始|讲起)",
        r"有(?:没有)?(?:什么|一点|点)?提示|<您><能不能>(?:引导|点拨)我?<一下>",
    ),
    "clarify": (
        r"(?:您|你)(?:说的|问的|指的)?.{0,12}(?:什么意思|指什么|指的是什么|指的?(?:是)?哪.{0,8})",
        r".{0,12}(?:是什么意思|指的是什么|具体指什么)|什么意思",
        r"<您><能不能>(?:换)(?:个|一个|一种)(?:说法|方式)(?:说|讲|问)?<一下>?|.{0,6}我?没(?:看|听)懂",
        r"<您><能不能>(?:再)?(?:说|讲)(?:得)?(?:再)?(?:具体|详细|清楚)(?:一)?(?:点|些)",
        r"我?(?:没有|没|不)(?:太|大|怎么)?(?:听|看)?(?:懂|明白|理解)<您>(?:的|问的)?<问题>(?:意思)?",
        r"<您><能不能>(?:请)?<您>(?:再)?(?:具体|详细)(?:地)?(?:说|讲|解释|说明)?<一下><问题>",
        r"<您><能不能>(?:请)?<您>(?:再)?(?:解释|说明|澄清)<一下><问题>",
        r"(?:您|你)(?:是|想)(?:说|指|问|想问|要问|让我).{0,30}",
    ),
    "skip": (
        (
            r"<这一块><我真的>(?:不|不太|不大|不是很|不怎么)"
            r"(?:知道|清楚|了解|懂|会|熟悉|熟|记得|确定)(?:怎么回答|(?:(?!能|可以|请|给|我们|的.).){0,8})"
        ),
        (
            r"<这一块><我真的>没(?:有)?(?:真正|实际)?"
            r"(?:用|做|接触|了解|听说|听|遇到|研究|学|碰|看|实践)过.{0,20}"
        ),
        r"<我真的>(?:想不(?:起来|出来|到|起|出)|记不(?:清|得|起来)).{0,8}",
        r"<我真的>(?:回)?(?:答|说)不(?:上来|出来|上|了)",
        r"<我真的>(?:完全|一点)?(?:没有?|毫无)(?:什么)?(?:思路|头绪|概念|印象)|我?放弃",
        r"(?:这个|这题|这道题|我们|我|要不|那就|可以|能不能|想|先)*(?:跳过|略过|过)<问题>",
        r"(?:我们)?(?:换|下)(?:一)?(?:个问题|道题|题)",
    ),
    "done": (
        r"我?的?(?:就|已经)?(?:说|答|讲|回答|介绍)完",
        r"(?:我的|以上)?(?:就是|是)?(?:我的)?(?:全部)?(?:回答|答案)(?:就是这样|就是这些|就这些|完毕)?",
        r"(?:大概|差不多|基本上|基本)?就?(?:是)?(?:这样|这些|这么多)|以上(?:就是全部)?|完毕",
        r"我?(?:暂时)?没有?(?:什么)?(?:其他|别的|更多)?(?:要|可以|可)?补充(?:的)?",
        r"没(?:有)?(?:其他|别)的(?:了)?",
    ),
    "think": (
        r"算|我?(?:先|再)?组织(?:一)?下语言",
        r"<请><您>(?:让|容|允许|给)我?(?:先|再)?<想>(?:一)?(?:想|下|会儿?|点)?(?:思路|语言|时间)?",
        r"我(?:先|再|要|得|需要|正在|还在|在)*<想>(?:一)?(?:想|下|会儿?)?(?:思路)?",
        r"<请><您>(?:稍|先)?等我?(?:一)?(?:下|会儿?|等|分钟)?",
        (
            r"<请><您><能不能>给我?(?:一)?(?:点|些|会儿?|分钟|两分钟|几秒钟?)(?:时间)?"
            r"<想>?(?:一)?(?:想|下)?(?:思路)?"
        ),
    ),
}

WHOLE: Mapping[str, str] = {
    **dict.fromkeys(
        ("sorry", "excuse me", "sorry what", "what", "不好意思", "啊", "什么"), "repeat"
    ),
    **dict.fromkeys(("没有了", "没了", "没有其他了"), "done"),
}
"""What is a wish only when it is all that was said."""

HESITATION = re.compile(r"(?:(?:um+|uh+|er+|erm|hmm+|mm+|well|so|嗯|呃|额|那个)\s*)+")
"""Sounds that are no words: when nothing else was said, the candidate is still thinking."""

DENIAL = frozenset({"no", "no no", "wrong", "not at all", "不", "不是", "不不", "不对", "错"})
"""An answer by itself, and nothing beside "you misheard me"."""

DOUBLED = re.compile(r"\b([a-z]+(?: [a-z]+)?)(?: \1\b)+|([我你您请能再没不让给这])\2+(?!不\2)")
"""Words that were said, or heard, twice over."""

STARTS = re.compile(
    r"\b(?:(?:can|could|would|will|may) (?:you|we|i)|let me|lets|sorry|please|give me|"
    r"hold on|wait|just a|one|what|you|thats|that is|um+|uh+|"
    r"i (?:am|do|did|dont|didnt|cant|cannot|could|have|need|think|want|give|really)|"
    r"im|ive|id|ill)\b|"
    r"(?:我|您|你|请|麻烦|可以|可不可以|能不能|能否|能|让|给|再|有|没|跳过|不好意思|抱歉|对不起|下一|换|稍|等|嗯|呃|这)"
)
"""Where another wish may begin in a clause without punctuation."""

LEAD = re.compile(
    r"\b(?:what )?i (?:actually |really |just )?(?:said|meant(?: to say)?|was saying|"
    r"was trying to say)(?: (?:was|is))?(?: that)?\b[\s,:，：]*|"
    r"我(?:刚才|刚刚|真正|其实|想)?(?:说|讲|指|表达|的意思)的?(?:其实)?(?:是|就是)[\s,:，：]*",
    re.IGNORECASE,
)
"""Announces what was really said."""

POLITE: Mapping[Language, str] = {
    "en": r"um+|uh+|er+|erm|hmm+|mm+|oh|ah|well|okay|ok|so|sorry|(?:i am|im) (?:sorry|afraid)|"
    r"unfortunately|honestly|frankly|to be honest|actually|please|thanks|thank you|yeah|i think|"
    r"excuse me|good question|(?:that is|thats) an? (?:very |really )?\w+ (?:question|one)|"
    r"right|now|just|really|then|hello|hi",
    "zh": r"嗯|呃|额|啊|哦|噢|唉|那个|这个嘛|好问题|好的|好|不好意思|抱歉|对不起|"
    r"谢谢(?:您|你)?|请问|老实说|说实话|坦白说|其实|这(?:真)?是(?:一)?个(?:很)?(?:好|难|有意思)的?问题|那|吧|了|呢|"
    r"吗|哈|呀|好吗|可以吗|行吗",
}
"""Politeness and hesitation, which change nothing at either end of a clause."""


def phrases(language: Language) -> Mapping[str, re.Pattern[str]]:
    """Return the pattern of each intent; English phrases are common in Chinese interviews too."""
    tables = (_ENGLISH,) if language == "en" else (_CHINESE, _ENGLISH)
    return {
        intent: re.compile("|".join(_expand(item) for table in tables for item in table[intent]))
        for intent in _ENGLISH
    }


def _expand(pattern: str) -> str:
    return f"(?:{re.sub('<([^>]+)>', lambda found: _FRAGMENTS[found[1]], pattern)})"

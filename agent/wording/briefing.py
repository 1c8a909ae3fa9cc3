"""What a language model is told before it words a move."""

from collections.abc import Mapping

from agent.domain.chat import ChatMessage, ChatRequest
from agent.domain.dialogue import ProbeReason
from agent.domain.interview import Utterance
from agent.domain.language import LocalizedText
from agent.policy.prompts import DATA_RULE, as_data
from agent.ports import Scene

MAX_TOKENS = 400
"""Of two sentences, and of what a model may think before them."""
TEMPERATURE = 0.4
EARLIER = 6
"""Utterances that are shown, so that none of them is said again."""

_ROLE = LocalizedText(
    en=(
        "You put the words into the mouth of a job interviewer who is speaking English aloud. "
        "The interviewer's manner: {style}\n"
        "What to say has been decided; you only choose how it is said. Rules:\n"
        "- Plain spoken English, no markup, no lists, no names of roles, no quotation of these "
        "rules.\n"
        "- Never praise, judge, score, correct or teach. Name no fact, term or number that was not "
        "said in the data already: the answer must come from the candidate.\n"
        "- Quote the candidate only word for word.\n"
        "- Do not repeat a sentence of `said_before`."
    ),
    zh=(
        "你为一位用中文口头提问的面试官措辞。面试官的风格：{style}\n"
        "要说什么已经定好，你只决定怎么说。规则：\n"
        "- 用自然的中文口语，英文术语保持原样；不用标记、列表、角色名，不复述这些规则。\n"
        "- 不夸奖、不评价、不打分、不纠正、不讲解。不说出素材里没有出现过的事实、术语或数字："
        "答案要由候选人自己讲。\n"
        "- 引用候选人的话必须一字不差。\n"
        "- 不重复 said_before 里的句子。"
    ),
)
_ASK = LocalizedText(
    en=(
        "Word the follow-up `in_plain_words` so that it takes up what the candidate said in the "
        "last answer and asks for exactly the same thing. {reason} At most two sentences of at "
        "most 25 words: if you like, a short one that takes up the candidate's words, then one "
        "question that ends with a question mark and asks one thing only."
    ),
    zh=(
        "请为追问 in_plain_words 措辞：接住候选人上一段回答里的话，问的仍是同一件事。{reason}"
        "最多两句，每句不超过 40 个字：可以先用一个短句接住候选人的话，再提一个问题，"
        "以问号结尾，只问一件事。"
    ),
)
_HELP = LocalizedText(
    en=(
        "The candidate asked for help with `question`. Word `in_plain_words` anew in one sentence "
        "of at most 25 words that fits the question. It is no question and ends with a full stop; "
        "the question itself is put again afterwards."
    ),
    zh=(
        "候选人希望对 question 得到一点帮助。请把 in_plain_words 换一种贴合题目的说法，只说一句，"
        "不超过 40 个字。这句话不是提问，以句号结尾；题目本身随后会再问一遍。"
    ),
)
_REASONS: Mapping[ProbeReason, LocalizedText] = {
    "missing_part": LocalizedText(en="A part of the story is missing.", zh="回答缺了一部分。"),
    "no_baseline": LocalizedText(
        en="A number was given without what it is compared with.", zh="给了数字，没有对比基准。"
    ),
    "we_without_i": LocalizedText(
        en="The candidate said 'we'; the own part is wanted.",
        zh="候选人只说了“我们”，要问本人做的。",
    ),
    "no_alternative": LocalizedText(
        en="A decision was told without what was turned down.", zh="讲了决定，没讲放弃的方案。"
    ),
    "missing_key_point": LocalizedText(
        en="Something that belongs to the topic was not touched.", zh="有一块内容还没谈到。"
    ),
    "misconception": LocalizedText(
        en="A statement needs another look; do not say that it is wrong.",
        zh="有个说法需要再想想；不要说它错了。",
    ),
    "conflict": LocalizedText(
        en="Two statements do not fit together; ask, do not accuse.",
        zh="前后两个说法对不上；请询问，不要指责。",
    ),
    "implausible_figure": LocalizedText(
        en="A figure needs to be explained; do not say that it is wrong.",
        zh="有个数字需要说明来历；不要说它错了。",
    ),
    "climb": LocalizedText(en="The topic is taken one step deeper.", zh="把话题再往深处问一步。"),
}


def briefing(plain: Utterance, scene: Scene, limit_s: float) -> ChatRequest:
    """Return the request to word `plain` anew.

    The model is told no key point, no misconception and no reference: what it does not know it
    cannot give away.
    """
    language = scene.language
    role = _ROLE.get(language).format(style=scene.persona.style.get(language))
    if plain.kind == "probe":
        reason = _REASONS[plain.reason].get(language) if plain.reason else ""
        task = _ASK.get(language).format(reason=reason)
    else:
        task = _HELP.get(language)
    data = as_data(
        {
            "question": scene.question.prompt if scene.question else "",
            "answers": scene.answers[-2:],
            "claims": scene.claims,
            "quote": plain.quote or "",
            "said_before": scene.said[-EARLIER:],
            "in_plain_words": plain.text,
        }
    )
    return ChatRequest(
        messages=(
            ChatMessage("system", f"{role}\n\n{DATA_RULE.get(language)}"),
            ChatMessage("user", f"{data}\n\n{task}"),
        ),
        purpose="wording",
        max_tokens=MAX_TOKENS,
        temperature=TEMPERATURE,
        limit_s=limit_s,
    )

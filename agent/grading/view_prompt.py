"""What a language model is told before it looks for what is worth a follow-up."""

import json

from agent.domain.chat import ChatMessage, ChatRequest
from agent.domain.language import LocalizedText
from agent.grading.rubric_prompt import shown_answers
from agent.policy.prompts import DATA_RULE, as_data
from agent.policy.reading import Reading

MAX_TOKENS = 700
LIMIT_S = 6.0
ALL_CHARACTERS = 4000
"""Of all answers together; the last words of each are kept."""

_TASK = LocalizedText(
    en=(
        "You listen to a job interview and help the interviewer to follow up. You judge nothing. "
        "Copy every quote from `answers`, word for word, and keep it short.\n"
        "- claims: up to three quotes with the statements that matter most.\n"
        "- key_points: of the topics below those that the candidate has touched, in whatever "
        "words, with quotes; leave the others out.\n"
        "- probes: up to three quotes worth asking about, most important first. no_baseline: a "
        "result in numbers without what it was before. we_without_i: only the team acts. "
        "no_alternative: a decision without what was turned down. conflict: it contradicts "
        "something said before. implausible_figure: the number cannot be right.\n"
        "- wishes: only if the last answer is no answer but asks to hear the question again "
        "(repeat), to have it explained (clarify), for help (hint) or to leave it (skip)."
    ),
    zh=(
        "你在旁听一场面试，帮面试官找值得追问的地方。你不做评价。"
        "所有引文必须从 answers 里逐字抄下，尽量短。\n"
        "- claims：最多三句最重要的原话。\n"
        "- key_points：下面的话题中候选人已经谈到的（不论用什么说法），附原话；没谈到的不要列。\n"
        "- probes：最多三句值得追问的原话，最重要的在前。no_baseline：有数字结果但没说之前是多少。"
        "we_without_i：只讲团队做了什么。no_alternative：做了决定但没讲放弃了什么方案。"
        "conflict：和前面的话矛盾。implausible_figure：数字不可能对。\n"
        "- wishes：仅当最后一段不是回答，而是希望再听一遍题目（repeat）、解释题目（clarify）、"
        "给点提示（hint）或跳过（skip）时才填。"
    ),
)
_TOPICS = LocalizedText(en="Topics", zh="话题")


def viewing(reading: Reading) -> ChatRequest:
    """Return the request to look at `reading`; words to the examiner are left out of it."""
    question = reading.question
    answers = shown_answers(reading)
    topics = json.dumps(
        {item.id: item.statement for item in question.key_points}, ensure_ascii=False, indent=1
    )
    data = as_data(
        {"asked": question.prompt, "answers": answers}, ALL_CHARACTERS // max(1, len(answers))
    )
    system = (
        f"{_TASK.get(question.language)}\n\n{DATA_RULE.get(question.language)}\n\n"
        f"{_TOPICS.get(question.language)}:\n{topics}"
    )
    return ChatRequest(
        messages=(ChatMessage("system", system), ChatMessage("user", data)),
        purpose="extraction",
        max_tokens=MAX_TOKENS,
        limit_s=LIMIT_S,
    )

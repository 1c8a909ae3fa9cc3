"""What any interviewer says to a wish of the candidate, whatever the persona."""

from collections.abc import Mapping

from agent.domain.dialogue import AskAgainReason
from agent.domain.language import LocalizedText, LocalizedTexts

AGAIN: Mapping[AskAgainReason, LocalizedTexts] = {
    "repeat": LocalizedTexts(
        en=("Of course, here it is again.", "Sure, once more.", "Happy to repeat it."),
        zh=("好的，我再说一遍。", "没问题，再念一次。", "可以，题目是这样的。"),
    ),
    "clarify": LocalizedTexts(
        en=(
            "Read it in the sense that fits your own work best, and tell me which one you took.",
            "You may choose how to read it, as long as you say so first.",
            "Take it in the plain sense of the words, and name any assumption you make.",
        ),
        zh=(
            "你可以按自己工作里最贴近的含义来理解，先说明一下你的理解就行。",
            "怎么理解由你来定，开头讲清楚即可。",
            "按字面意思理解就好，有什么假设请直接说出来。",
        ),
    ),
    "hint": LocalizedTexts(
        en=(
            "Start from the part you are surest of, and say where you begin to guess.",
            "Try a small example of your own first, then go from there.",
            "Ask yourself what is scarce here, and follow that.",
        ),
        zh=(
            "先从你最有把握的部分讲起，讲到猜测的地方告诉我就好。",
            "可以先自己举一个小例子，再顺着往下讲。",
            "想一想这里最紧缺的是什么，顺着它往下走。",
        ),
    ),
    "think": LocalizedTexts(
        en=(
            "Take your time. Go ahead when you are ready.",
            "No hurry. I am listening when you are.",
            "That is fine, think it through first.",
        ),
        zh=("不着急，想好了再说。", "慢慢想，我在听。", "没关系，先想清楚再讲。"),
    ),
    "misheard": LocalizedTexts(
        en=(
            "My apologies, I got that wrong. Please give me that whole answer once more.",
            "Sorry for mishearing you. Could you say all of that answer again?",
            "Then let me listen again. Please start that answer over.",
        ),
        zh=(
            "抱歉，我听错了，请把刚才那段回答完整地再说一遍。",
            "不好意思，刚才理解有误，麻烦把那个回答整个重讲一下。",
            "好的，那我重新听，请从头讲那个回答。",
        ),
    ),
    "corrected": LocalizedTexts(
        en=(
            "Thank you, I have set that right. Back to where we were.",
            "Now I have it as you meant it. Let me put my question again.",
            "Understood, I have changed that. I was asking you this.",
        ),
        zh=(
            "谢谢，已经改过来了。我们回到刚才的地方。",
            "明白了，按你的意思改好了。我再问一遍。",
            "好的，已更正。刚才问的是这个。",
        ),
    ),
    "uncorrected": LocalizedTexts(
        en=(
            "All right, I leave it as it is. Back to where we were.",
            "Then nothing is changed. Let me put my question again.",
            "Fine, we keep that answer. I was asking you this.",
        ),
        zh=(
            "好，那就保持原样，我们回到刚才的地方。",
            "那就不改了，我再问一遍。",
            "可以，那个回答不动。刚才问的是这个。",
        ),
    ),
    "not_heard": LocalizedTexts(),
}
"""Said before a question is put again. When nothing was understood, the persona has the word."""

HELP: Mapping[AskAgainReason, LocalizedTexts] = {
    "clarify": LocalizedTexts(
        en=(
            "What I am asking for is {part}.",
            "To put it differently, I would like to hear {part}.",
            "The part that matters to me here is {part}.",
        ),
        zh=(
            "我想听的是{part}。",
            "换个说法，我关心的是{part}。",
            "这里主要是想了解{part}。",
        ),
    ),
    "hint": LocalizedTexts(
        en=(
            "You could begin with {part}.",
            "A full answer to this has {part} in it.",
            "Try to work towards {part}.",
        ),
        zh=(
            "可以先从这里入手：{part}。",
            "完整的回答里会有这一点：{part}。",
            "试着往这个方向想：{part}。",
        ),
    ),
}
"""Help with the question at hand; `{part}` is what an answer should cover next."""

MOVE_ON = LocalizedTexts(
    en=(
        "We can leave this one open.",
        "Let us set this aside and go on.",
        "Never mind, we will do without this one.",
        "I will skip ahead.",
    ),
    zh=("这个先空着。", "这个问题先放下，我们往后。", "没关系，这个就跳过去。", "先看后面的。"),
)
"""Said when a question is left without an answer that was understood."""

PLAIN_PROBE = LocalizedText(
    en="Could you tell me a little more about that?", zh="这一点能再多讲一些吗？"
)
"""The last resort of a persona without a wording left; `next_move` avoids coming to that."""

"""What an interviewer may say of what a model proposes."""

import pytest

from agent.domain.language import Language
from agent.domain.question import LocalizedQuestion, Mistake, Point
from agent.policy.spoken_words import Heard, objection

EN = LocalizedQuestion(
    id="zero",
    category="principle",
    language="en",
    prompt="How does ZeRO-3 save memory during training?",
    key_points=(
        Point(
            id="gather",
            statement="Parameters are gathered layer by layer just before they are used.",
            aloud="each layer's weights are gathered right before use",
            terms=(("all-gather", "allgather"),),
            weight=1,
        ),
    ),
    misconceptions=(
        Mistake(
            id="free",
            statement="It costs no communication.",
            aloud=(),
            why="Traffic grows to one and a half times that of plain replicas.",
            contradicts=(),
        ),
    ),
)
ZH = EN.model_copy(
    update={
        "language": "zh",
        "prompt": "ZeRO-3 在训练中是怎么节省显存的？",
        "key_points": (
            EN.key_points[0].model_copy(
                update={
                    "statement": "参数在用到之前才逐层收集。",
                    "aloud": "每一层的权重用之前再收集",
                }
            ),
        ),
        "misconceptions": (),
    }
)
ANSWERS: dict[Language, str] = {
    "en": "We shard the optimizer states and it cut memory by 60 percent on 64 cards.",
    "zh": "我们把优化器状态切分了，64 张卡上显存降了 60%。",
}
HEARD: dict[Language, Heard] = {
    "en": Heard(
        "en",
        EN,
        "Compared with what?",
        (ANSWERS["en"],),
        ("Good morning.", "How does ZeRO-3 save memory during training?"),
        ("hurry up", "correct"),
    ),
    "zh": Heard(
        "zh", ZH, "和什么相比？", (ANSWERS["zh"],), ("你好。", ZH.prompt), ("快一点", "理论上")
    ),
}

MAY_BE_ASKED: list[tuple[Language, str]] = [
    ("en", "You said memory fell by 60 percent; compared with which setup?"),
    ("en", 'When you say "we shard the optimizer states", which part was yours?'),
    ("en", "What went wrong on the 64 cards before you changed it?"),
    ("en", "How did you check the correctness of the memory figure?"),
    ("zh", "你提到显存降了 60%，是和哪种配置相比？"),
    ("zh", "你说“把优化器状态切分了”，其中哪部分是你自己做的？"),
    ("zh", "在 64 张卡上，ZeRO-3 的显存是怎么测的？"),
    ("zh", "怎么保证显存数字的正确性？"),
    ("zh", "除了优化器状态，还有哪些东西占显存？"),
]
MAY_LEAD: list[tuple[Language, str]] = [
    ("en", "Let me stay with the 60 percent."),
    ("en", "You mentioned that memory fell on 64 cards."),
    ("zh", "我想继续聊聊这个 60%。"),
    ("zh", "你刚才提到了优化器状态的切分。"),
]
NOT_ASKED: list[tuple[Language, str, str]] = [
    ("en", "Tell me more about memory.", "no_question"),
    ("en", "What was the memory? And how did it fall?", "several_questions"),
    ("en", "What was the memory before, and how did you measure it?", "several_questions"),
    ("en", "**Interviewer**: what was the memory?", "form"),
    ("en", "Interviewer: what was the memory?", "form"),
    ("en", '{"ask": "what was the memory?"}', "form"),
    ("en", "As an AI, may I ask about memory?", "form"),
    ("en", "What was the memory", "form"),
    ("en", "显存是怎么降下来的？", "language"),
    ("en", "Какая память была раньше?", "language"),
    ("en", "What was the memory " + "of all those many cards " * 10 + "?", "length"),
    ("en", "Great answer, what was the memory before?", "verdict"),
    ("en", "That is correct, so what was the memory before?", "verdict"),
    ("en", "Your score is high; what about memory?", "verdict"),
    ("en", "I would give you nine; what about memory?", "verdict"),
    ("en", "You passed, so what about memory?", "verdict"),
    ("en", "Could you hurry up with the memory figure?", "never_said"),
    ("en", 'You said "memory is free"; compared with what memory?', "misquote"),
    ("en", "How did memory fall by 75 percent?", "invention"),
    ("en", "How does ZeRO-3 save memory in training?", "repetition"),
    ("en", "Does the all-gather save memory?", "gives_away"),
    ("en", "Is it that parameters are gathered layer by layer in training?", "gives_away"),
    ("en", "Did traffic grow to half times of plain replicas?", "gives_away"),
    ("en", "Which football club do people prefer?", "adrift"),
    ("zh", "请讲讲显存。", "no_question"),
    ("zh", "显存之前是多少？怎么测的？", "several_questions"),
    ("zh", "显存之前是多少，以及你是怎么测的？", "several_questions"),
    ("zh", "面试官：显存之前是多少？", "form"),
    ("zh", "作为AI，我想问显存是多少？", "form"),
    ("zh", "What was the memory before?", "language"),
    ("zh", "メモリはどのくらいでしたか？", "language"),
    ("zh", "显存" * 60 + "是多少？", "length"),
    ("zh", "回答得很好，显存之前是多少？", "verdict"),
    ("zh", "正确，那显存之前是多少？", "verdict"),
    ("zh", "给你打 9 分，显存之前是多少？", "verdict"),
    ("zh", "你通过了，显存之前是多少？", "verdict"),
    ("zh", "理论上显存是多少？", "never_said"),
    ("zh", "你说“显存是免费的”，和什么显存相比？", "misquote"),
    ("zh", "显存怎么降了 75%？", "invention"),
    ("zh", "ZeRO-3 在训练中是怎么节省显存的？", "repetition"),
    ("zh", "是不是靠 AllGather 省显存？", "gives_away"),
    ("zh", "参数是不是在用到之前才逐层收集？", "gives_away"),
    ("zh", "你喜欢哪支球队？", "adrift"),
]
NO_LEAD: list[tuple[Language, str, str]] = [
    ("en", "Was it the memory?", "several_questions"),
    ("en", "Excellent.", "verdict"),
    ("en", "That's right.", "verdict"),
    ("en", "Weights are gathered right before use in each layer.", "gives_away"),
    ("en", "Tell me more about the memory.", "several_questions"),
    ("en", "I would like to hear about the memory.", "several_questions"),
    ("zh", "是显存吗？", "several_questions"),
    ("zh", "请再讲讲显存。", "several_questions"),
    ("zh", "请你先解释显存。", "several_questions"),
    ("zh", "非常好。", "verdict"),
    ("zh", "你说得对。", "verdict"),
    ("zh", "其实每层权重用之前才收集。", "gives_away"),
]


@pytest.mark.parametrize(("language", "text"), MAY_BE_ASKED)
def test_may_be_asked(language: Language, text: str) -> None:
    assert objection(text, HEARD[language], asks=True) is None


@pytest.mark.parametrize(("language", "text"), MAY_LEAD)
def test_may_lead(language: Language, text: str) -> None:
    assert objection(text, HEARD[language], asks=False) is None


@pytest.mark.parametrize(("language", "text", "why"), NOT_ASKED)
def test_is_not_asked(language: Language, text: str, why: str) -> None:
    assert objection(text, HEARD[language], asks=True) == why


@pytest.mark.parametrize(("language", "text", "why"), NO_LEAD)
def test_does_not_lead(language: Language, text: str, why: str) -> None:
    assert objection(text, HEARD[language], asks=False) == why

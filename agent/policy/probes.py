"""What a follow-up may be about, and the words a persona has for it."""

from collections.abc import Collection

from agent.domain.dialogue import Probe
from agent.domain.language import Language, LocalizedText
from agent.domain.persona import Persona
from agent.domain.question import LocalizedQuestion, ProbeText

_PARTS: dict[str, tuple[str, str]] = {
    "star.situation": (
        "the setting: scale, team and what you had to work with",
        "当时的背景，比如规模、团队和手上的资源",
    ),
    "star.task": ("your own role and the goal you were held to", "你自己的职责和要达成的目标"),
    "star.action": ("what you did with your own hands", "你自己动手做的那部分"),
    "star.result": ("how it turned out in the end", "最后的结果"),
    "problem.symptom": ("what you saw first when it went wrong", "最开始看到的现象"),
    "problem.hypotheses": (
        "the causes you suspected and how you ruled them out",
        "你怀疑过哪些原因、又是怎么逐个排除的",
    ),
    "problem.root_cause": ("what turned out to be the cause", "最后定位到的根本原因"),
    "problem.fix": ("the change you made", "你做的改动"),
    "problem.verification": ("how you made sure it was solved", "你怎么确认问题真的解决了"),
    "problem.transfer": (
        "what you or the team do differently since then",
        "这件事之后你或团队的做法有什么变化",
    ),
    "direct.essence": ("the core of it in a single sentence", "用一句话概括它的本质"),
    "direct.mechanism": ("how it works step by step", "它一步一步是怎么工作的"),
    "direct.quantities": ("the amounts involved, in orders of magnitude", "其中涉及的量级和数字"),
    "direct.limits": ("when it holds up and when it does not", "它什么时候适用、什么时候不适用"),
    "direct.example": ("one concrete example", "一个具体的例子"),
    "design.constraints": ("the constraints you start from", "你的出发点，也就是有哪些约束"),
    "design.estimate": ("a rough estimate with numbers", "一个大致的数字估算"),
    "design.options": ("the options you would put on the table", "有哪些备选方案"),
    "design.tradeoff": ("what each option costs and buys", "各个方案的得与失"),
    "design.choice": ("the option you would go for, and why", "你最终选哪个方案、为什么"),
    "design.risks": ("what could go wrong in operation", "上线之后可能出的问题"),
    "evaluation.health": (
        "the signals you watch while training runs",
        "训练过程中你盯哪些信号",
    ),
    "evaluation.benchmarks": ("the public benchmarks you would trust", "你会参考哪些公开评测"),
    "evaluation.business": (
        "how you would test it on the actual use case",
        "在真实业务场景里怎么评",
    ),
    "evaluation.ablation": (
        "how you would tell which change made the difference",
        "怎么判断到底是哪个改动起了作用",
    ),
    "argument.position": ("where you stand yourself", "你自己的观点"),
    "argument.evidence": ("what you base that on", "你的依据"),
    "argument.other_side": ("what someone who disagrees would say", "持相反意见的人会怎么说"),
    "argument.outlook": ("where you see it going", "你对接下来走向的判断"),
    "coding.restate": ("the task in your own words", "用你自己的话复述一下题目"),
    "coding.approach": ("the approach you would take", "你的解题思路"),
    "coding.complexity": ("what it costs in time and memory", "时间和空间上的开销"),
    "coding.walkthrough": ("a run through a small input", "拿一个小输入走一遍"),
    "coding.edge_cases": ("the inputs that could break it", "哪些输入可能会让它出错"),
}
"""What a criterion asks for, as a thing one can be asked to tell; says nothing of the answer."""


def part_name(criterion: str, language: Language) -> str | None:
    """Return what `criterion` asks for, to stand for `{point}`; None for an unknown one."""
    names = _PARTS.get(criterion)
    return LocalizedText(en=names[0], zh=names[1]).get(language) if names else None


def phrasings(
    question: LocalizedQuestion, persona: Persona, probe: Probe, said: Collection[str]
) -> tuple[str, ...]:
    """Return the ways to ask `probe` that are not in `said`; empty when nothing new can be said.

    The question's own follow-up comes before the persona's wordings: the one that leads to the
    missing key point, or that stands on the rung to be climbed. A key point itself is never named.
    """
    own = tuple(
        text.ask for text in question.probes if _belongs(text, probe) and text.ask not in said
    )
    if own:
        return own[:1]
    if probe.reason == "climb" and question.probes:
        return ()
    texts = persona.probes.wording.get(probe.reason)
    wordings = texts.get(question.language) if texts else ()
    filled = [(_fill(text, probe, question), "{" in text) for text in wordings]
    fresh = [(text, pointed) for text, pointed in filled if text and text not in said]
    to_the_point = tuple(text for text, pointed in fresh if pointed)
    return to_the_point or tuple(text for text, _ in fresh)


def _belongs(text: ProbeText, probe: Probe) -> bool:
    if probe.reason == "climb":
        return (text.rung, text.key_point) == (probe.rung, probe.target)
    return probe.reason == "missing_key_point" and text.key_point == probe.target


def _fill(text: str, probe: Probe, question: LocalizedQuestion) -> str | None:
    """Put quote and point into a wording; None when it needs what is not there."""
    point = part_name(probe.target or "", question.language)
    quote = spoken_quote(probe.quote or "")
    if ("{point}" in text and not point) or ("{quote}" in text and not quote):
        return None
    return text.replace("{point}", point or "").replace("{quote}", quote)


def spoken_quote(quote: str) -> str:
    """Cut a quote to what can be said in one breath: its first 12 words or 20 characters.

    What is left is a verbatim span of `quote`, without punctuation at its ends.
    """
    line = quote.strip().splitlines()[0] if quote.strip() else ""
    return _cut(line).strip(" ,.;:!?\"'“”‘’，。；：！？、")


def _cut(line: str) -> str:
    """Cut after 20 units, where a Han character is one and a Latin word (20 / 12) of them."""
    spent, end, in_word = 0.0, 0, False
    for place, char in enumerate(line):
        wide = "\u2e80" <= char <= "\uffef"
        starts_word = not wide and not char.isspace() and not in_word
        spent += 1.0 if wide else 20 / 12 if starts_word else 0.0
        if spent > 20.01:
            return line[:end]
        in_word = not wide and not char.isspace()
        end = place + 1
    return line

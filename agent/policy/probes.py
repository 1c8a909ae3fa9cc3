"""What a follow-up may be about, and the words a persona has for it."""

import re
from collections.abc import Collection

from agent.domain.dialogue import Probe
from agent.domain.language import Language, LocalizedText
from agent.domain.persona import Persona
from agent.domain.question import LocalizedQuestion, ProbeText, Rung

_PARTS: dict[str, tuple[str, str]] = {
    "star.situation": (
        "the setting, with its scale, team and resources",
        "当时的背景，比如规模、团队和手上的资源",
    ),
    "star.task": ("your own role and the goal you were held to", "你自己的职责和要达成的目标"),
    "star.action": ("the part you did with your own hands", "你自己动手做的那部分"),
    "star.result": ("the outcome", "最后的结果"),
    "problem.symptom": ("the first thing you saw go wrong", "最开始看到的现象"),
    "problem.hypotheses": (
        "the causes you suspected and how each was ruled out",
        "你怀疑过哪些原因、又是怎么逐个排除的",
    ),
    "problem.root_cause": ("the cause you found in the end", "最后定位到的根本原因"),
    "problem.fix": ("the change you made", "你做的改动"),
    "problem.verification": ("the check that told you it was solved", "你怎么确认问题真的解决了"),
    "problem.transfer": (
        "the lesson that you or the team kept from it",
        "这件事之后你或团队的做法有什么变化",
    ),
    "direct.essence": ("the idea at the heart of it", "它最核心的那个想法"),
    "direct.mechanism": ("the mechanism, step by step", "它一步一步是怎么工作的"),
    "direct.quantities": (
        "the order of magnitude of what is moved, stored or computed",
        "其中涉及的量级和数字",
    ),
    "direct.limits": (
        "the conditions under which it works, and those under which it does not",
        "它什么时候适用、什么时候不适用",
    ),
    "direct.example": ("one concrete example", "一个具体的例子"),
    "design.constraints": ("the constraints you start from", "你的出发点，也就是有哪些约束"),
    "design.estimate": ("a rough estimate with numbers", "一个大致的数字估算"),
    "design.options": ("the options you would put on the table", "有哪些备选方案"),
    "design.tradeoff": ("the price of each option and what it buys", "各个方案的得与失"),
    "design.choice": ("the option you would go for, and why", "你最终会选的方案和理由"),
    "design.risks": ("the things that could go wrong in operation", "上线之后可能出现的问题"),
    "evaluation.health": (
        "the signals you watch while training runs",
        "训练过程中你会盯的信号",
    ),
    "evaluation.benchmarks": ("the public benchmarks you would trust", "你会参考哪些公开评测"),
    "evaluation.business": (
        "the test you would run on the actual use case",
        "在真实业务场景里怎么评",
    ),
    "evaluation.ablation": (
        "the way you would tell which change made the difference",
        "怎么判断到底是哪个改动起了作用",
    ),
    "argument.position": ("your own position", "你自己的观点"),
    "argument.evidence": ("the grounds for your view", "你的依据"),
    "argument.other_side": (
        "the case that someone who disagrees would make",
        "持相反意见的人会怎么说",
    ),
    "argument.outlook": ("the direction you see this taking", "你对接下来走向的判断"),
    "coding.restate": ("the task in your own words", "你自己对题目的理解"),
    "coding.approach": ("the approach you would take", "你的解题思路"),
    "coding.complexity": ("the cost in time and memory", "时间和空间上的开销"),
    "coding.walkthrough": ("a run through a small input", "用一个小输入走一遍的过程"),
    "coding.edge_cases": ("the inputs that could break it", "可能让它出错的输入"),
}
"""What a criterion asks for, as a thing one can be asked to tell; says nothing of the answer."""

_RUNGS: dict[Rung, tuple[str, str]] = {
    "clarify": ("the terms of it, made precise", "先把概念说准确"),
    "mechanism": ("how it works, step by step", "它具体是怎么一步步运作的"),
    "numbers": ("the orders of magnitude", "大概是什么数量级"),
    "alternatives": (
        "what one could do instead, and at what price",
        "还可以怎么做、代价是什么",
    ),
    "limits": ("where it stops working", "在什么情况下就不成立了"),
    "transfer": ("where else the same thought applies", "同样的思路还能用在哪里"),
}
"""What a rung asks for, in the same way."""

_CLAUSE_MARKS = (*",;:.!?，；：。！？", " and ", " but ", " so ", " because ", " which ")
_HAN = re.compile(r"[\u2e80-\u9fff]")
_UNIT = re.compile(r"[\u2e80-\u9fff]|[^\u2e80-\u9fff\s]+")


def part_name(criterion: str, language: Language) -> str | None:
    """Return what `criterion` asks for, to stand for `{point}`; None for an unknown one."""
    names = _PARTS.get(criterion)
    return LocalizedText(en=names[0], zh=names[1]).get(language) if names else None


def rung_name(rung: Rung, language: Language) -> str:
    """Return what a follow-up on `rung` asks for."""
    english, chinese = _RUNGS[rung]
    return LocalizedText(en=english, zh=chinese).get(language)


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
    wordings = _wordings(persona, probe, question.language, said)
    filled = [(_fill(text, probe, question), "{" in text) for text in wordings]
    fresh = [(text, pointed) for text, pointed in filled if text and text not in said]
    to_the_point = tuple(text for text, pointed in fresh if pointed)
    return to_the_point or tuple(text for text, _ in fresh)


def _wordings(
    persona: Persona, probe: Probe, language: Language, said: Collection[str]
) -> tuple[str, ...]:
    """Return the persona's templates for `probe`: those of its rung first, when one is climbed."""
    if probe.reason == "climb" and (rung := persona.probes.rungs.get(probe.rung)):
        fresh = tuple(text for text in rung.get(language) if text not in said)
        if fresh:
            return fresh
    texts = persona.probes.wording.get(probe.reason)
    return texts.get(language) if texts else ()


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
    """Cut a quote to what can be said in one breath: at most 12 words or 20 Han characters.

    What is left is a verbatim span of `quote`, without punctuation at its ends; a long one ends
    with a clause where it can.
    """
    line = next(iter(quote.strip().splitlines()), "")
    cut = line[: _breath(line)]
    if len(cut) < len(line):
        clause_end = max(cut.rfind(mark) for mark in _CLAUSE_MARKS)
        cut = cut[:clause_end] if clause_end > len(cut) / 3 else cut
    return cut.strip(" ,.;:!?\"'“”‘’，。；：！？、")


def _breath(line: str) -> int:
    """Return the length of what can be said in one breath; a word weighs as much as 5/3 Han."""
    weight, end = 0.0, 0
    for unit in _UNIT.finditer(line):
        weight += 1 if _HAN.match(unit[0]) else 20 / 12
        if weight > 20.01:
            return end
        end = unit.end()
    return len(line)

"""The category of a question, guessed from the form in which it is asked."""

import re

from agent.domain.question import Category
from agent.policy.folding import fold

_FORMS: tuple[tuple[Category, str], ...] = (
    (
        "coding",
        (
            r"\b(?:write|implement|code) (?:a|an|the|me|some|down)\b|\bleetcode\b|\bpseudo-?code\b|"
            r"手写|写一个|写一段|实现一个|写代码|伪代码|算法题"
        ),
    ),
    (
        "behavioural",
        (
            r"\b(?:conflict|disagree\w*|feedback|failure|failed|proud|weakness|strength|mentor\w*|"
            r"colleague|manager|teamwork)\b|"
            r"冲突|分歧|意见不一|失败的?经历|缺点|优点|同事|带新人|压力"
        ),
    ),
    (
        "engineering",
        (
            r"\b(?:hardest|most difficult|toughest|trickiest)\b|\bhow (?:do|would|did|can) (?:you|"
            r"we|one) (?:debug|find|diagnose|troubleshoot|investigate|fix|handle)\b|"
            r"\bwhat (?:do|would) you do (?:if|when)\b|最棘手|最难|最困难|最大的(?:困难|挑战)|"
            r"怎么(?:排查|定位|调试|解决|处理)|"
            r"如何(?:排查|定位|调试|解决|处理)"
        ),
    ),
    (
        "project",
        (
            r"\btell (?:me|us) about\b|\bdescribe (?:a|the|your|one)\b.{0,40}\b(?:time|project|"
            r"experience|situation)\b|\bgive (?:me )?an example of a time\b|"
            r"\bwalk (?:me|us) through (?:a|your|one)\b|\byour (?:role|contribution|experience)\b|"
            r"\bhave you (?:ever|worked)\b|"
            r"请?分享|介绍一?(?:下|个)?你|讲一?(?:下|个|讲)你|说一?(?:下|说)你|你(?:参与|做|负责)过|你的(?:项目|经历|角色)|"
            r"你在.{0,12}(?:角色|负责)"
        ),
    ),
    (
        "evaluation",
        (
            r"\b(?:evaluat\w+|benchmarks?|metrics?)\b|\bhow (?:do|would|can) (?:you|we) (?:judge|"
            r"assess|measure)\b|评估|评测|指标|衡量"
        ),
    ),
    (
        "design",
        (
            r"\bhow would you (?:design|build|train|choose|set up|plan|architect|scale|serve)\b|"
            r"\bdesign (?:a|an|the)\b|\bwhich (?:plan|strategy|setup)\b|"
            r"(?:你会|如何|怎么|怎样)(?:设计|搭建|规划|训练|部署|选择)|设计一个|方案"
        ),
    ),
    (
        "trends",
        (
            r"\b(?:future|trends?|next (?:few )?years?|where (?:is|are|do you see)|do you (?:think|"
            r"believe)|your (?:view|opinion))\b|"
            r"趋势|未来|前沿|展望|你(?:怎么|如何)看|你认为|你觉得"
        ),
    ),
)
_COMPILED: tuple[tuple[Category, re.Pattern[str]], ...] = tuple(
    (category, re.compile(pattern)) for category, pattern in _FORMS
)


def guess_category(question: str) -> Category:
    """Return the category whose form `question` has; a plain question is one of principle."""
    folded = fold(question)
    for category, pattern in _COMPILED:
        if pattern.search(folded):
            return category
    return "principle"

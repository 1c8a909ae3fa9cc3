"""Reasoned argument: position, evidence, the other side, outlook."""

from collections.abc import Sequence

from agent.policy.clauses import Clause
from agent.policy.cues import definite, either, example, figure, own, quantity, reason, says
from agent.policy.ladders import Judged, Ladder, climb

LADDERS = (
    Ladder(
        "argument.position",
        says(
            r"i (?:think|believe|would say|expect|argue|prefer|see)|my (?:view|position|bet)|"
            r"in my (?:view|opinion)|should|"
            r"the (?:main|key|real|biggest)|is (?:mainly|mostly|not)|matters?",
            r"我(?:认为|觉得|的看法|的判断|倾向|相信|看好)|核心|关键|主要|本质|最重要|应该|值得|在于",
        ),
        definite,
        (own, reason),
    ),
    Ladder(
        "argument.evidence",
        either(
            quantity,
            example,
            says(
                r"papers?|reports?|results?|show\w*|experiments?|data|measured|found|studies|"
                r"release\w*",
                r"论文|报告|结果|实验|数据|表明|显示|测|发现|研究|公开|发布",
            ),
        ),
        definite,
        (quantity, reason),
        several=2,
    ),
    Ladder(
        "argument.other_side",
        says(
            r"but|however|on the other hand|although|though|critics?|against|downsides?|limits?|"
            r"still|counter\w*|risks?|"
            r"not (?:everything|always|necessarily|free)|costs?|trade-?offs?|price",
            r"但是?|不过|然而|另一方面|虽然|尽管|反对|质疑|缺点|局限|代价|风险|不一定|并非|成本|问题是",
        ),
        definite,
        (reason, quantity),
        several=2,
    ),
    Ladder(
        "argument.outlook",
        says(
            r"will|next|future|in (?:the next|two|three|five)|expect|likely|trend\w*|going to|"
            r"years?|soon|eventually|would change my mind",
            r"未来|接下来|以后|今后|趋势|预计|可能会|会越来越|将|年内|下一步|长期|改变看法",
        ),
        definite,
        (reason, either(figure, says(r"if|unless|depends", r"如果|除非|取决"))),
    ),
)


def read(clauses: Sequence[Clause]) -> tuple[Judged, ...]:
    """Judge the four parts."""
    return tuple(climb(ladder, clauses) for ladder in LADDERS)

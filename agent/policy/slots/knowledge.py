"""Parts of the frames of knowledge, design and code."""

from collections.abc import Mapping

from agent.policy.cues import alternative, example, figure, own, quantity, reason, says
from agent.policy.slots.part import Part, check, slot

_seen = says(
    r"monitor\w*|alert\w*|watch\w*|detect\w*|notice\w*|restart\w*|recover\w*|fallback|checkpoint\w*",
    r"监控|告警|发现|检测|重启|恢复|兜底|检查点|回滚",
)
_condition = says(r"if|unless|depends|when|until", r"如果|除非|取决|一旦|当|直到")
_instead = says(
    r"instead|then i|rather|switch|i (?:use|would)|use", r"换成|改用|这时|就用|我会|否则"
)
_action_follows = says(
    r"then|so i|stop\w*|roll\w* back|lower\w*|investigat\w+|if|decid\w+",
    r"就|则|回滚|停|排查|如果|决定",
)
_neighbour = says(r"unlike|whereas|while|instead of|not|rather", r"而|不是|区别|不同|相比")
_memory = says(r"memory|space|extra", r"空间|内存|额外|显存")
_WHY = slot("the reason for it", "这样做的理由")
_FIGURE = slot("a figure", "一个具体数字")

KNOWLEDGE: Mapping[str, Part] = {
    "direct.essence": Part(
        slot("the core of it, in one sentence, first", "开头一句话说出本质"),
        ((_neighbour, slot("what sets it apart from its neighbours", "和相近概念的区别")),),
    ),
    "direct.mechanism": Part(
        slot("how it works, step by step", "它一步一步怎么工作"),
        (
            (reason, slot("why this step is needed", "为什么需要这一步")),
            (
                says(r"then|next|after|first", r"然后|接着|之后|再|先"),
                slot("the next step", "下一步"),
            ),
        ),
    ),
    "direct.quantities": Part(
        slot("the order of magnitude, worked out", "量级是多少，怎么算的"),
        (
            (figure, _FIGURE),
            (
                says(r"per|times|proportional", r"每|倍|正比"),
                slot("what it depends on", "取决于什么"),
            ),
        ),
    ),
    "direct.limits": Part(
        slot("when it does not hold, and what you would do then", "什么时候不成立，那时怎么办"),
        ((_instead, slot("what you would do instead", "那时改用什么")),),
    ),
    "direct.example": Part(
        slot("one example of your own, with figures", "一个自己的例子，带数字"),
        (
            (own, slot("where you met it yourself", "你自己在哪里遇到过")),
            (figure, slot("its figures", "例子里的数字")),
        ),
    ),
    "design.constraints": Part(
        slot(
            "the limits that decide: cards, memory, time, cost",
            "决定性的约束：卡数、显存、时间、成本",
        ),
        ((figure, slot("the limit as a number", "约束的具体数字")),),
    ),
    "design.estimate": Part(
        slot("a rough estimate with units", "带单位的粗略估算"),
        (
            (
                says(r"so|total|that (?:is|makes)|adds? up", r"所以|一共|总共|加起来|合计"),
                slot("what it adds up to, and what follows", "合计是多少，由此得出什么"),
            ),
        ),
    ),
    "design.options": Part(
        slot("two options side by side", "并列两个方案"),
        ((alternative, slot("the second option", "第二个方案")),),
    ),
    "design.tradeoff": Part(
        slot("what each option buys, and at what price", "各方案的好处和代价"),
        (
            (reason, slot("why it costs that", "为什么有这个代价")),
            (quantity, slot("how much it costs, as a number", "代价有多大，用数字说")),
        ),
    ),
    "design.choice": Part(
        slot("the option you would take, and why", "你会选的方案和理由"),
        (
            (reason, _WHY),
            (_condition, slot("what would change the choice", "什么情况会改变选择")),
        ),
    ),
    "design.risks": Part(
        slot("what could fail, and how you would notice", "可能出什么问题，怎么发现"),
        ((_seen, slot("how it is noticed and handled", "怎么发现、怎么处理")),),
    ),
    "evaluation.health": Part(
        slot("the signal you watch, and its normal range", "你盯的信号，以及正常范围"),
        (
            (figure, slot("its normal range", "正常范围是多少")),
            (_action_follows, slot("what you do when it is off", "异常时怎么做")),
        ),
    ),
    "evaluation.benchmarks": Part(
        slot("the benchmark, why this one, and what it tells", "哪个评测、为什么选、能说明什么"),
        (
            (reason, slot("why this benchmark", "为什么选这个评测")),
            (
                says(r"contaminat\w+|noise|seeds?|overlap", r"污染|噪声|种子|重叠|泄漏"),
                slot("where it can mislead", "它会在哪里误导"),
            ),
        ),
    ),
    "evaluation.business": Part(
        slot("the test on the real use case", "真实业务场景里的评测"),
        (
            (_action_follows, slot("what you decide by it", "由它决定什么")),
            (reason, slot("why you trust it", "为什么可信")),
        ),
    ),
    "evaluation.ablation": Part(
        slot("what is varied, and what is held fixed", "改什么、固定什么"),
        (
            (
                says(r"seeds?|repeat\w*|budget|noise", r"种子|重复|预算|噪声"),
                slot("how many repeats, and how large the noise is", "重复几次，噪声多大"),
            ),
        ),
    ),
    "argument.position": Part(
        slot("your own position, first", "开头给出你的观点"),
        ((own, slot("that it is your own view", "点明这是你自己的判断")), (reason, _WHY)),
    ),
    "argument.evidence": Part(
        slot("the evidence you rest on, with figures", "你的依据，带数字"),
        (
            (figure, _FIGURE),
            (reason, slot("why it bears on the point", "为什么能说明问题")),
        ),
    ),
    "argument.other_side": Part(
        slot("what someone who disagrees would say", "持相反意见的人会怎么说"),
        (
            (reason, slot("why they may be right", "为什么可能有道理")),
            (quantity, slot("how much it weighs", "分量有多大")),
        ),
    ),
    "argument.outlook": Part(
        slot("what you expect next, and on what condition", "你预计接下来怎样，前提是什么"),
        (
            (reason, slot("why you expect it", "为什么这样预计")),
            (_condition, slot("what would change your mind", "什么会改变你的看法")),
        ),
    ),
    "coding.restate": Part(
        slot("the task in your own words: inputs, outputs", "用自己的话复述：输入、输出"),
        ((example, slot("one small input and its output", "一个小输入和对应的输出")),),
    ),
    "coding.approach": Part(
        slot("your approach, in steps", "你的思路，分步骤"),
        (
            (reason, slot("why it works", "为什么可行")),
            (
                alternative,
                slot("the simpler way, and why not that", "更简单的做法，以及为什么不用"),
            ),
        ),
    ),
    "coding.complexity": Part(
        slot("time and memory, and why", "时间和空间复杂度，以及原因"),
        (
            (_memory, slot("the memory it takes", "需要多少空间")),
            (reason, slot("where that comes from", "是怎么得出来的")),
        ),
    ),
    "coding.walkthrough": Part(
        slot("one small input, walked through to the end", "用一个小输入从头走到尾"),
        ((figure, slot("the values at each step", "每一步的数值")),),
    ),
    "coding.edge_cases": Part(
        slot("the inputs that could break it, and a test", "可能让它出错的输入，以及一个测试"),
        ((check, slot("the test for it", "对应的测试")),),
    ),
}

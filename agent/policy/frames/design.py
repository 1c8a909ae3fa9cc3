"""Design: constraints first, an estimate, options, trade-offs, a choice, risks."""

from collections.abc import Sequence

from agent.policy.clauses import Clause
from agent.policy.cues import (
    alternative,
    definite,
    either,
    every,
    figure,
    limit,
    quantity,
    reason,
    says,
)
from agent.policy.ladders import Judged, Ladder, climb

_given = says(
    r"constraint\w*|assum\w+|given|first|i would ask|clarif\w+|requirements?|budget|limit\w*|"
    r"what (?:is|matters)|suppose|"
    r"have|has|only|sla|latency target|goal|bandwidth|memory",
    r"约束|假设|前提|先(?:确认|问|看|明确|算)|需求|预算|限制|目标|已知|只有|条件|带宽|显存|内存|要求",
)
_sum = says(
    r"bytes?|gb|gigabytes?|tb|flops?|tokens?|per (?:card|gpu|second|parameter|day)|hours?|days?|"
    r"about|roughly|total|"
    r"parameters?|times|divid\w+|percent",
    r"字节|gb|tb|每张?卡|每秒|大约|大概|总共|一共|参数|倍|乘|除以|小时|天|算下来|百分之|左右",
)
_option = says(
    r"options?|alternatives?|either|or|could|instead of|rather than|one way|another|"
    r"first choice|compared|versus|vs",
    r"方案|选项|要么|或者|也可以|另一种|可以用|而不是|对比|相比|备选|一种是",
)
_price = says(
    r"trade-?offs?|costs?|but|at the (?:price|cost)|slower|faster|expensive|cheaper|more|less|"
    r"overhead|however|worse|"
    r"better|versus|saves?|conflict\w*|acceptable|otherwise",
    r"权衡|取舍|代价|成本|但是?|更慢|更快|更贵|更省|开销|不过|牺牲|换|节省|多花|优点|缺点|冲突|可以接受|不然|否则",
)
_decision = says(
    r"i (?:would |'d |will )?(?:choose|pick|use|go with|start|take|prefer|decide|keep|run|set|"
    r"turn)|my (?:choice|plan|pick)|"
    r"so i|recommend|therefore|go for|start with",
    r"我(?:会|就|先|选|用|倾向|建议|决定|优先)|选择|首选|优先|所以(?:用|选)|方案是|最终|推荐|先用|就用",
)
_risk = says(
    r"risks?|fail\w*|crash\w*|recover\w*|restart\w*|checkpoint\w*|fault\w*|monitor\w*|alert\w*|"
    r"straggl\w+|oom|spik\w+|"
    r"fallback|degrad\w+|rollback|if (?:a|one|it|the|that|memory)|worst case|watch\w*|break\w*|"
    r"headroom",
    r"风险|失败|故障|崩|恢复|重启|检查点|容错|监控|告警|掉队|溢出|回滚|兜底|降级|如果|最坏|挂|盯|余量|断点|续训",
)

LADDERS = (
    Ladder("design.constraints", either(_given, limit), definite, (figure,), several=2),
    Ladder("design.estimate", every(figure, _sum), definite, (either(reason, _sum),), several=2),
    Ladder("design.options", either(_option, alternative), definite, (alternative,), several=2),
    Ladder("design.tradeoff", _price, definite, (reason, quantity)),
    Ladder("design.choice", _decision, definite, (reason,), several=2),
    Ladder(
        "design.risks",
        _risk,
        definite,
        (
            says(
                r"checkpoint\w*|monitor\w*|restart\w*|fallback|"
                r"watch\w*|if .{3,60}",
                r"检查点|监控|重启|恢复|兜底|如果.{2,30}|盯|再",
            ),
        ),
        several=2,
    ),
)


def read(clauses: Sequence[Clause]) -> tuple[Judged, ...]:
    """Judge the six parts."""
    return tuple(climb(ladder, clauses) for ladder in LADDERS)

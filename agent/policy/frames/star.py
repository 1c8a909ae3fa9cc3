"""STAR: situation, task, action, result."""

from collections.abc import Sequence

from agent.policy.clauses import Clause
from agent.policy.cues import (
    alternative,
    baseline,
    either,
    every,
    figure,
    goal,
    limit,
    own,
    own_actions,
    reason,
    says,
    team,
    technical,
    without,
)
from agent.policy.ladders import Judged, Ladder, climb, within_reach

outcome = says(
    r"fell|drop\w+|improv\w+|rose|rise|went (?:up|down|from|quite|well)|increas\w+|decreas\w+|"
    r"reduced|reduces|reduction|cut|"
    r"faster|slower|finish\w+|complet\w+|deliver\w+|shipped|launched|saved|gain\w*|achiev\w+|"
    r"reach\w+|"
    r"converg\w+|stable|stabili[sz]\w+|solved|fixed|worked|result\w*|in the end|halved|doubled|"
    r"grew|adopted|happy|ended (?:at|up)|never (?:again|lost)|no longer|since then|in production",
    r"最后|最终|结果|提升|提高|降低|降到|降至|下降|减少|缩短|加快|完成|上线|达到|达成|稳定|收敛|解决|恢复|节省|翻倍|"
    r"效果|成功|满意|变成|升到|提前|涨到|涨了|提到|从那以后|再也?没|只剩|省了|快了|是原来的",
)
measured = either(
    says(
        r"percent|per cent|times|points?|hours?|days?|weeks?|minutes?|x",
        r"百分之|倍|个点|小时|天|周|分钟|%",
    ),
    lambda folded: "%" in folded,
)
reuse = says(
    r"looking back|in hindsight|next time|lessons?|learned|learnt|playbook|checklist|template|"
    r"now used|"
    r"other teams?|reus\w+|since then|standard|documented|wrote (?:it )?(?:up|down)|would (?:do|"
    r"add|change)|shared",
    r"沉淀|规范|复用|复盘|经验|教训|推广|下次|以后|学到|流程|文档|模板|其他(?:团队|项目|组)|标准|如果重来|回头看|分享给",
)
_hollow = says(
    r"(?:quite|pretty|very|really) (?:well|good)|everybody was|was happy|were happy|satisfied|"
    r"fixed them|a lot",
    r"还不错|挺好|比较好|比较满意|满意|都解决了|很好|不错",
)
_setting = says(
    r"last (?:year|month|summer|spring|autumn|fall|winter|quarter)|in 20\d\d|this year|when|"
    r"while|team|project|course|"
    r"company|lab|internship|intern|university|startup|had to|needed to|wanted|were training|"
    r"was training|train\w*|"
    r"worked on|problem|slow|bottleneck|cluster|system|client|customer|colleague|launch",
    r"去年|今年|前年|上(?:个月|半年|学期)|当时|之前|实习|公司|实验室|课程|项目|团队|组|训练|要在|需要|遇到|问题|瓶颈|太慢|"
    r"集群|系统|业务|客户|同事|上线前",
)
_place = says(
    r"last \w+|in 20\d\d|this year|had to|needed to|wanted to|internship|company|course|lab|"
    r"startup|client|customer|"
    r"(?:gpus?|cards?|nodes?|[ahv]100s?|clusters?)|too slow|bottleneck|kept \w+ing",
    r"去年|今年|前年|上个月|当时|实习|公司|实验室|课程|要在|需要|瓶颈|太慢|显卡|张卡|节点|集群|我们组|我在|客户",
)
_scale = every(
    figure,
    says(
        r"billion|million|parameters?|[ahv]100s?|gpus?|cards?|nodes?|tokens?|terabytes?|tb|gb|"
        r"\d+ ?b|machines?|"
        r"users?|requests?|qps|hours?|classes|students",
        r"亿|万|参数|卡|节点|词元|tb|gb|机器|用户|请求|小时|\d+ ?b",
    ),
)
_people = says(
    r"team of \w+|\w+ (?:people|engineers|persons|colleagues|of us)|(?:two|three|four|five|"
    r"six)-person|alone|by myself",
    r"[一二两三四五六七八九十\d]+个?人|独自|一个人|[一二两三四五六七八九十\d]+位",
)
_role = every(
    own,
    says(
        r"responsib\w+|role|my (?:job|task|part|work|goal|target)|in charge|owned?|owner|led|"
        r"lead\w*|asked|assigned|"
        r"accountable|only one|the one|alone|by myself|on my own",
        r"一个人|独自|我来|负责|职责|角色|承担|担任|主导|任务|牵头|分工|让我|交给我|由我",
    ),
)
_definite_task = either(
    technical,
    figure,
    says(r"to \w+ \w+|strategy|plan|pipeline", r"设计|开发|优化|方案|策略|搭建|落地"),
)

SITUATION = Ladder(
    "star.situation",
    _setting,
    every(_place, either(figure, technical)),
    (_scale, either(_people, limit)),
    reach=None,
)
TASK = Ladder(
    "star.task",
    either(_role, goal),
    _definite_task,
    (_role, every(goal, figure)),
)
RESULT = Ladder(
    "star.result",
    outcome,
    without(outcome, _hollow),
    (every(figure, baseline), reuse),
    reach=2,
)


OPENING = 2
"""First clauses that can set the scene although they name an own step."""


def read(clauses: Sequence[Clause]) -> tuple[Judged, ...]:
    """Judge the four parts."""
    mine = own_actions(clauses)
    return (
        climb(
            SITUATION, [item for item in clauses if item not in mine or item in clauses[:OPENING]]
        ),
        climb(TASK, clauses),
        judge_action("star.action", mine, clauses),
        climb(RESULT, result_clauses(clauses, mine)),
    )


def judge_action(criterion: str, mine: Sequence[Clause], clauses: Sequence[Clause]) -> Judged:
    """Judge own steps: one is level 2; several, reasons, a rejected alternative make it 4."""
    if not mine:
        return Judged(criterion, 0)
    steps = [clause for clause in mine if technical(clause.folded) or figure(clause.folded)]
    if not steps:
        return Judged(criterion, 1, tuple(mine))
    near = within_reach(steps, clauses, 1)
    reasons = [clause for clause in near if reason(clause.folded)]
    options = [clause for clause in near if alternative(clause.folded)]
    strength = (len(steps) > 1) + bool(reasons) + bool(options)
    level = 2 + max(0, strength - 1)
    return Judged(criterion, level, tuple(dict.fromkeys([*steps, *reasons, *options])))


def result_clauses(clauses: Sequence[Clause], mine: Sequence[Clause]) -> list[Clause]:
    """Return the clauses that can tell an outcome: no goals, no steps that measure nothing."""
    return [
        clause
        for clause in clauses
        if not goal(clause.folded)
        and (clause not in mine or measured(clause.folded) or reuse(clause.folded))
        and not (team(clause.folded) and not outcome(clause.folded))
    ]

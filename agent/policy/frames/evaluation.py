"""Evaluation in layers: training health, benchmarks, the business's own set, ablation."""

from collections.abc import Sequence

from agent.policy.clauses import Clause
from agent.policy.cues import definite, either, figure, reason, says
from agent.policy.ladders import Judged, Ladder, climb

_purpose = says(
    r"because|since|so that|tells?|shows?|means?|indicat\w+|suggest\w*|if|when|which|why|"
    r"catch\w*|detect\w*|then",
    r"因为|所以|说明|意味|表示|反映|如果|当|一旦|为了|用来|可以看|看出|发现|判断",
)
_decision = says(
    r"stop|roll ?back|lower|change|decide|adjust|retrain|check|compare|rerun|investigat\w+|"
    r"look (?:at|for)|ship|release|"
    r"go back|fix|filter|add",
    r"停|回滚|降低|调整|决定|重训|检查|对比|重跑|排查|上线|发布|回到|修|过滤|补",
)

LADDERS = (
    Ladder(
        "evaluation.health",
        says(
            r"loss|perplexity|gradient norms?|grad norm|learning rate|throughput|spikes?|"
            r"validation|activations?|mfu",
            r"损失|困惑度|梯度范数|学习率|吞吐|尖峰|验证集|激活|利用率|训练曲线",
        ),
        either(_purpose, figure, definite),
        (_decision, figure),
        several=2,
    ),
    Ladder(
        "evaluation.benchmarks",
        says(
            r"benchmarks?|mmlu|hellaswag|humaneval|gsm8k|c-?eval|arc|held-?out|leaderboards?|"
            r"few-?shot|contaminat\w+",
            r"基准|榜单|评测集|公开集|污染|少样本|mmlu|ceval|c-eval|humaneval|gsm8k",
        ),
        either(_purpose, _decision, definite),
        (
            says(
                r"contaminat\w+|overlap|n-?gram|same prompt|seeds?|noise|variance",
                r"污染|重叠|泄漏|提示词|方差|种子|噪声",
            ),
            reason,
        ),
        several=2,
    ),
    Ladder(
        "evaluation.business",
        says(
            r"business|product|users?|customer\w*|own (?:set|data|eval\w*)|human (?:eval\w*|"
            r"rat\w*|review\w*|judg\w*)|a/?b|"
            r"online|task set|win rate|golden|internal|in-house|real (?:queries|traffic|tasks)",
            r"业务|产品|用户|客户|自有|自建|人工|线上|胜率|黄金集|内部|真实|场景",
        ),
        either(_purpose, _decision, figure, definite),
        (_decision, reason),
        several=2,
    ),
    Ladder(
        "evaluation.ablation",
        says(
            r"ablat\w+|control\w*|one (?:change|variable|factor) at a time|same (?:seed|data|"
            r"budget|tokens|compute)|"
            r"smaller (?:model|scale)|proxy|compar\w+|repeat\w*|seeds?",
            r"消融|控制变量|单一变量|只改|一个变量|同样的|相同|小模型|代理|对照|重复|种子",
        ),
        either(_purpose, _decision, figure, definite),
        (
            says(
                r"seeds?|repeat\w*|same|noise|variance|budget",
                r"种子|重复|相同|同样|噪声|方差|预算",
            ),
            reason,
        ),
        several=2,
    ),
)


def read(clauses: Sequence[Clause]) -> tuple[Judged, ...]:
    """Judge the four layers."""
    return tuple(climb(ladder, clauses) for ladder in LADDERS)

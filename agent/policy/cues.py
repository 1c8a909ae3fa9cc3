"""Signs in a clause, in both languages: who acts, why, compared with what, how much."""

import re
from collections.abc import Callable, Sequence

from agent.policy.clauses import Clause
from agent.policy.folding import weight
from agent.policy.quantities import RELATION, figures

Mark = Callable[[str], bool]
"""Says whether folded text bears a sign."""


def says(english: str, chinese: str) -> Mark:
    """Return a mark for whole words of `english`, or for `chinese`; both are alternations."""
    pattern = re.compile(rf"\b(?:{english})\b|{chinese}")
    return lambda folded: pattern.search(folded) is not None


def either(*marks: Mark) -> Mark:
    """Return a mark that any of `marks` sets off."""
    return lambda folded: any(mark(folded) for mark in marks)


def every(*marks: Mark) -> Mark:
    """Return a mark that needs all of `marks`."""
    return lambda folded: all(mark(folded) for mark in marks)


def without(mark: Mark, exception: Mark) -> Mark:
    """Return `mark` where `exception` is not set off."""
    return lambda folded: mark(folded) and not exception(folded)


def figure(folded: str) -> bool:
    """Whether a number is named."""
    return bool(figures(folded))


def quantity(folded: str) -> bool:
    """Whether a number or a relation between quantities is named."""
    return figure(folded) or RELATION.search(folded) is not None


technical = says(
    r"gpus?|tpus?|[ahv]100s?|cuda|kernels?|nodes?|clusters?|nccl|nvlink|infiniband|pcie?|rdma|"
    r"rank\w*|"
    r"ddp|fsdp|zero|deepspeed|megatron\w*|horovod|pytorch|tensorflow|jax|ray|slurm|kubernetes|"
    r"docker|"
    r"parallel\w*|shard\w*|pipelin\w*|batch\w*|micro\w*|gradients?|backward|forward|all-?reduce|"
    r"reduce-?scatter|"
    r"all-?gather|communicat\w*|bandwidth|latenc\w*|throughput|utili[sz]ation|mfu|flops?|"
    r"profil\w*|nsight|"
    r"memory|oom|activations?|checkpoint\w*|offload\w*|optimi[sz]er\w*|adam\w*|learning rate|"
    r"warm-?up|clip\w*|"
    r"loss|perplexity|nan|overflow|precision|bf16|fp16|fp8|quanti[sz]\w*|attention|"
    r"transformers?|tokens?|"
    r"tokeni[sz]\w*|embeddings?|layers?|parameters?|weights?|models?|dataset\w*|data ?load\w*|"
    r"dedup\w*|shuffl\w*|"
    r"prefetch\w*|cache\w*|inference|serving|vllm|kv|lora|rlhf|dpo|ppo|reward|moe|experts?|"
    r"rout\w*|eval\w*|"
    r"benchmark\w*|ablation\w*|metrics?|accuracy|recall|f1|auc|baseline|seeds?|logs?|"
    r"dashboards?|alerts?|tests?|"
    r"code|api|queries|database\w*|index\w*|schema|service|deploy\w*|rollback|hypothes\w*|"
    r"steps?|experiments?|"
    r"plan|schedule|design|review\w*|script|workers?|process\w*|threads?|hash\w*|disk|storage|"
    r"network|config\w*",
    r"显卡|卡|节点|集群|机器|并行|切分|流水|批次|批大小|梯度|反向|前向|通信|带宽|延迟|吞吐|利用率|性能分析|显存|内存|激活|"
    r"检查点|卸载|优化器|学习率|预热|裁剪|损失|困惑度|溢出|精度|量化|注意力|词元|分词|嵌入|参数|权重|模型|数据|去重|"
    r"预取|缓存|推理|部署|奖励|专家|路由|评测|评估|指标|准确率|召回|消融|基线|日志|监控|告警|测试|代码|接口|查询|数据库|"
    r"索引|服务|回滚|假设|步|实验|方案|排期|设计|脚本|进程|线程|磁盘|存储|网络|配置|算子|zero|nccl|deepspeed|gpu",
)
definite = either(technical, lambda folded: weight(folded) >= 4)
"""Of a clause that is known to be on topic: it says enough to be more than a mention."""
own = says(r"i|i'd|i've|i'm|my|myself|me", r"我(?!们)|由我|本人|自己")
team = says(
    r"we|us|our|ours|the team|everybody|everyone|together|all of us|colleagues",
    r"我们|咱们|大家|团队|一起|组里|同事们",
)
reason = says(
    r"because|since|so that|in order to|due to|as it|which meant|that way|therefore|the reason|"
    r"given that|"
    r"to avoid|to save|to keep|to make sure|otherwise|so (?:the|it|that|we|i|they|each|every)",
    r"因为|由于|所以|因此|为了|以便|这样|否则|不然|原因|考虑到|从而|避免|使得|导致",
)
alternative = says(
    r"instead of|rather than|over (?:the )?(?:tensor|pipeline|data|zero|fsdp|ddp)|"
    r"compared (?:two|three|several|both)|"
    r"alternatives?|other options?|rejected|ruled out (?:using|the option)|did(?: not|"
    r"n't) (?:choose|use|pick|take|go)|"
    r"decided against|considered|could have|would have been|trade-?offs?|versus|vs|"
    r"not (?:tensor|pipeline|zero)|"
    r"one option|the other option|either",
    r"没有?选|没有?用|没有?采用|没走|而不是|而没|而非|不用|不选|放弃了?|对比了|权衡|取舍|备选|另一个方案|其他方案|"
    r"考虑过|比较了|两种方案|几种方案|要么|相比之下|方案[一二ab]",
)
baseline = says(
    r"baselines?|compared (?:with|to)|versus|vs|relative to|than (?:before|the|our|it|that|"
    r"what)|before (?:and after|the change|that)|"
    r"originally|previously|used to be|from .{1,40}? (?:down |up )?to|went .{1,20} to|"
    r"instead of .{0,20}\d+|control group",
    r"基线|对比|相比|相较|比(?:之?前|原来|优化前|基线|以前)|原来|原先|之前的|从.{1,20}?(?:降|升|提|涨|减|增|变|缩|到|为|加)|"
    r"同比|较(?:之?前|原来|基线)|优化前|改之前|对照",
)
goal = says(
    r"targets?|goals?|aim(?:ed|ing)?|objectives?|deadline|milestone|deliver\w*|had to|needed to|"
    r"supposed to|"
    r"at least|no more than|expected to|asked (?:me|us) to|success (?:meant|criteria)",
    r"目标|要求|指标是|任务是|需要(?:把|在)|必须|交付|期望|至少|以上|以下|以内|达到|不超过|不低于",
)
limit = says(
    r"budget|deadline|only (?:had|have)|only|weeks?|months?|days|limited|constraint\w*|shortage|"
    r"tight|fixed|"
    r"no more than|could not afford|bandwidth|memory limit",
    r"预算|只有|期限|截止|周|个月|天(?:内|之内)?|有限|限制|受限|紧张|不够|不足|约束|工期",
)
example = says(
    r"for example|for instance|e\.?g|such as|say|suppose|imagine|in (?:my|our|one) (?:last |"
    r"own )?(?:project|case|work|team|runs?)|"
    r"like (?:a|the|when)|i (?:use|used|choose|once|had|would|saw|keep|kept|worked)|take (?:a|"
    r"an|the)|concretely|"
    r"with (?:a |an |eight |\d+ ).{0,30}(?:model|gpus?|cards?|tokens?)",
    r"例如|比如|举例|举个例子|譬如|拿.{1,16}来说|以.{1,20}为例|假设|假如|就像|好比|我们(?:项目|之前|当时|组)|"
    r"我(?:在|之前|当时|用过|做过|一般|会|们之前)|具体来说|像.{1,16}(?:这样|这种|那样)",
)
_EN_ACTION = (
    r"decid\w+|chose|pick\w+|profil\w+|measur\w+|wrote|built|implement\w+|design\w+|tun\w+|"
    r"chang\w+|"
    r"increas\w+|lower\w+|reduc\w+|replac\w+|add\w+|mov\w+|split|debug\w+|trac\w+|found|replay\w+|"
    r"compar\w+|test\w+|ran|rer[au]n|set|enabl\w+|disabl\w+|overlap\w+|pinn\w+|shard\w+|fix\w+|"
    r"rewrote|"
    r"led|propos\w+|reproduc\w+|bisect\w+|switch\w+|optimi[sz]\w+|configur\w+|check\w+|look\w+|"
    r"analy[sz]\w+|automat\w+|negotiat\w+|talk\w+|ask\w+|organi[sz]\w+|train\w+|collect\w+|"
    r"clean\w+|"
    r"remov\w+|cut|rais\w+|halv\w+|doubl\w+|turn\w+|logg\w+|monitor\w+|isolat\w+|limit\w+|"
    r"migrat\w+|"
    r"introduc\w+|used|us\w+|plott\w+|instrument\w+|rul\w+|swapp\w+|pack\w+|cach\w+|batch\w+|"
    r"drove|"
    r"present\w+|explain\w+|wrote|creat\w+|develop\w+|made|took|put|gave|kept|saw|listed|"
    r"estimat\w+|"
    r"verif\w+|confirm\w+|notic\w+|bound|capp\w+|clipp\w+|convert\w+|mask\w+|drop\w+|start\w+|"
    r"insist\w+|"
    r"agree\w+|schedul\w+|prepar\w+|review\w+|sampl\w+|read|inspect\w+|dump\w+|search\w+|"
    r"sort\w+|rank\w+"
)
_ZH_ACTION = (
    r"做|选|决定|采用|设计|实现|写|改|调|分析|定位|排查|测|对比|优化|搭|引入|替换|换|加|增|降|打开|开启|重放|"
    r"复现|排除|发现|推动|协调|沟通|用|使用|关|限制|拆|迁移|验证|监控|清洗|提出|主导|检查|看|绑|记录|统计|画|"
    r"算|估|跑|训练|收集|整理|组织|约|找|请|解释|说服|说明|列|修|删|移|提前|扩|缩|合并|固定|隔离|回退|部署|把"
)
action = says(_EN_ACTION, _ZH_ACTION)
_STARTS_WITH_ACTION = re.compile(
    rf"^(?:and |then |also |first |next |after that |finally |, )*(?:{_EN_ACTION})\b|"
    rf"^(?:然后|接着|并且|并|再|又|于是|随后|最后|首先|先|同时|还|也|另外|其次|后来|发现)*(?:{_ZH_ACTION})"
)


def own_actions(clauses: Sequence[Clause]) -> list[Clause]:
    """Return the clauses in which the speaker acts, also where the subject is left out."""
    acting: list[Clause] = []
    mine = False
    for clause in clauses:
        if own(clause.folded):
            mine = True
        elif team(clause.folded) or not _STARTS_WITH_ACTION.search(clause.folded):
            mine = False
        if mine and action(clause.folded):
            acting.append(clause)
    return acting


def team_actions(clauses: Sequence[Clause]) -> list[Clause]:
    """Return the clauses in which a team acts and the speaker is not named."""
    return [
        clause
        for clause in clauses
        if team(clause.folded) and action(clause.folded) and not own(clause.folded)
    ]

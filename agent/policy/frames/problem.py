"""Problem solving: symptom, hypotheses, root cause, fix, verification, what transfers."""

from collections.abc import Sequence

from agent.policy.clauses import Clause
from agent.policy.cues import (
    action,
    baseline,
    either,
    every,
    figure,
    own,
    quantity,
    reason,
    says,
    technical,
)
from agent.policy.frames.star import measured, reuse
from agent.policy.ladders import Judged, Ladder, climb

_trouble = says(
    r"oscillat\w+|spik\w+|diverg\w+|nan|crash\w*|hang\w*|hung|stall\w*|slow\w*|drop\w*|fail\w*|"
    r"error\w*|oom|"
    r"out[- ]of[- ]memory|leak\w*|stuck|unstable|degrad\w*|timeout\w*|wrong|bad|problem\w*|"
    r"worse|explod\w+|deadlock\w*|"
    r"does not fit|memory goes|symptom\w*|bottleneck\w*|too (?:slow|long|large|high|low|big)|"
    r"straggl\w+",
    r"震荡|尖峰|发散|崩|挂|卡住|卡死|变慢|太慢|很慢|下降|失败|报错|错误|溢出|泄漏|不稳定|超时|异常|问题|爆|死锁|放不下|"
    r"显存不足|现象|瓶颈|掉|飙升|不收敛|不动",
)
_occasion = says(
    r"after|when|whenever|every|during|at (?:step|night|random)|kept|only on|once|sometimes|"
    r"always|randomly",
    r"的时候|每次|每隔|持续|偶尔|随机|之后|跑到|训练到|期间|一到|半夜|时",
)
_suspicion = says(
    r"hypothes\w+|suspect\w*|guess\w*|assum\w+|thought|could be|might be|may be|possib\w+|"
    r"candidates?|maybe|"
    r"first (?:i|look\w*|check\w*)|i first|rul\w+ (?:it |that |this |"
    r"them )?out|whether|is it|check\w*|look\w*|"
    r"narrow\w*|eliminat\w+|exclud\w+",
    r"怀疑|猜|假设|可能|排除|首先(?:看|检查|怀疑|排)|先(?:看|检查|怀疑|排|确认|做)|考虑|会不会|是不是|逐一|检查|排查|看看|缩小",
)
_trial = says(
    r"ruled .{0,20}out|replay\w*|compar\w+|reproduc\w+|bisect\w*|ablat\w+|turn\w* off|disabl\w+|"
    r"profil\w+|swap\w*|"
    r"isolat\w+|measur\w+|snapshot|memory summary|log\w*|print\w*|inspect\w*|test\w*|"
    r"where the memory|minimal",
    r"排除|对比|复现|二分|替换|关掉|关闭|重放|隔离|测量|日志|打印|快照|剖析|性能分析|逐个|单独|最小",
)
_cause = says(
    r"root cause|found (?:that|out|the)|turned out|because|caused by|due to|the (?:reason|"
    r"culprit|cause)|was too|were too|"
    r"came from|traced|is about|comes from|dominat\w+|leads? to|was that",
    r"根因|根本原因|原因|定位到|发现|导致|由于|因为|是因为|源于|出在|归结|来自|造成|罪魁|占",
)
_found = says(
    r"found|turned out|root cause|culprit|traced|caused|was too|were too|is about|dominat\w+",
    r"根因|根本原因|定位到|发现|导致|出在|归结|造成",
)
_fix = says(
    r"increas\w+|lower\w+|rais\w+|chang\w+|fix\w*|replac\w+|add\w*|reduc\w+|switch\w*|set|"
    r"disabl\w+|enabl\w+|turn\w* on|"
    r"limit\w*|patch\w*|mov\w+|rewrote|shard\w*|offload\w*|clip\w*|cast\w*|pin\w*|cap\w*|"
    r"split\w*|recomput\w+|skip\w*|use",
    r"把.{1,24}(?:增|降|改|调|换|提|减|缩|升|设)|增加|降低|修复|改成|改为|加上|加了|限制|换成|打开|开启|关闭|拆|切分|卸载|"
    r"缩小|减小|调大|调小|重计算|固定|绑定|跳过|修改",
)
_effect = says(
    r"after that|afterwards|after the (?:fix|change)|converg\w+|stable|no longer|verif\w+|"
    r"confirm\w+|rer[au]n|never (?:came|happened)|"
    r"dropped|went (?:away|down|back)|since then|disappear\w*|recover\w*|fits?|fell|improved|"
    r"again|to check|make sure",
    r"之后|收敛|稳定|不再|验证|恢复|没有再|再也没|消失|确认|复测|重跑|正常|下降了|回归|对照|跑通|放得下",
)
_proof = either(
    figure,
    measured,
    says(r"stable|converg\w+|same|days?|weeks?|steps?", r"稳定|收敛|一致|天|周|步"),
)
_lasting = says(
    r"alerts?|monitor\w*|checklist|playbook|runbook|template|default|ci|tests?|dashboard|rule|"
    r"guideline|documented|"
    r"before every|for every|in general|generally|always|other teams?|team",
    r"告警|监控|清单|手册|模板|默认|测试|看板|规则|规范|文档|每次|一般|团队|所有|流程|排查方法|其他",
)

LADDERS = (
    Ladder("problem.symptom", _trouble, either(technical, figure), (_occasion, figure)),
    Ladder(
        "problem.hypotheses", _suspicion, either(technical, _trial), (_trial,), several=2, reach=2
    ),
    Ladder(
        "problem.root_cause",
        _cause,
        every(either(_cause, _found), technical),
        (_found, either(quantity, reason)),
    ),
    Ladder(
        "problem.fix",
        every(_fix, either(own, action)),
        technical,
        (figure, either(reason, baseline)),
    ),
    Ladder(
        "problem.verification",
        _effect,
        either(technical, _proof),
        (figure, either(measured, baseline)),
    ),
    Ladder(
        "problem.transfer",
        reuse,
        either(_lasting, technical),
        (_lasting, own),
    ),
)


def read(clauses: Sequence[Clause]) -> tuple[Judged, ...]:
    """Judge the six parts."""
    return tuple(climb(ladder, clauses) for ladder in LADDERS)

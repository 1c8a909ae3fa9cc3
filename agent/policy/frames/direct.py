"""Direct answer: essence, mechanism, quantities, limits, example."""

from collections.abc import Sequence

from agent.policy.clauses import Clause
from agent.policy.cues import definite, either, every, example, figure, own, quantity, reason, says
from agent.policy.ladders import Judged, Ladder, climb

OPENING = 4
"""Clauses in which the essence must come, when it is to count as a headline."""

_predicate = says(
    r"is|are|means?|keeps?|splits?|gives?|holds?|stores?|computes?|avoids?|moves?|makes?|lets?|"
    r"replicat\w+|"
    r"shards?|partitions?|never|uses?|works? by|divid\w+|comput\w+|reduc\w+|trades?|exchang\w+|"
    r"passes|sends?|allows?",
    r"是|就是|本质|指的是|意思|把|保存|切|分|让|避免|减少|用|使|通过|一句话|核心|存|算|换|传",
)
_headline = says(
    r"in one sentence|in short|essential\w*|essence|basically|the (?:key|main|core|idea|point|"
    r"difference)|means|"
    r"is (?:a|an|the|to|that)|whereas|while|each|every|full|itself|without|instead",
    r"本质|一句话|简单(?:来)?说|核心|关键|区别|就是|是把|是(?:一种|每|让|用|在)|思想|而不是|总的来说|目的",
)
_process = says(
    r"after|before|then|first|next|by \w+ing|with (?:an?|the)|so|each (?:step|layer|block)|"
    r"every (?:step|layer|block|worker)|"
    r"when|while|during|because|averag\w+|exchang\w+|send\w*|receiv\w+|accumulat\w+|recomput\w+|"
    r"load\w*|pass\w*|gather\w*|"
    r"rescal\w+|updat\w+|split\w*|overlap\w*|scatter\w*",
    r"之后|然后|先|再|接着|每(?:一)?(?:步|层|块|张|个)|通过|同步|交换|传|发送|接收|累加|重(?:新)?计算|加载|更新|因为|所以|用.{1,12}(?:做|"
    r"来|同步|把)|"
    r"切|拼|归约|聚合|重叠|把",
)
_condition = says(
    r"if|unless|when|as long as|only|except|depends?|limits?|but|however|does(?: not|"
    r"n't) (?:fit|help|work|scale)|fits?|"
    r"drawback\w*|downside\w*|cost\w*|price|bubbles?|overhead|worse|not worth|fails?|breaks?|"
    r"bottleneck\w*|trade-?offs?|needs?|requires?",
    r"如果|除非|当.{1,16}时|只有|取决|限制|但是?|不过|然而|放不下|放得下|缺点|代价|成本|气泡|开销|更差|不适合|适合|瓶颈|需要|"
    r"权衡|前提|条件|才|受限",
)
_choice = says(
    r"(?:i|we|you) (?:use|choose|prefer|would|should|split|pick|switch)|fits?|use it|prefer\w*|"
    r"better|suit\w*|inside a node|across nodes",
    r"就用|才用|再用|适合|优先|选|应该|放得下|放不下|更好|机内|机间|用在",
)

ESSENCE = Ladder("direct.essence", _predicate, definite, (_headline, every(_predicate, definite)))
MECHANISM = Ladder("direct.mechanism", _process, definite, (reason,), several=3)
QUANTITIES = Ladder("direct.quantities", quantity, definite, (figure,), several=2, reach=0)
LIMITS = Ladder("direct.limits", _condition, definite, (_choice,), several=2)
EXAMPLE = Ladder("direct.example", example, definite, (own, either(figure, reason)))


def read(clauses: Sequence[Clause]) -> tuple[Judged, ...]:
    """Judge the five parts; the essence must come early."""
    return (
        climb(ESSENCE, clauses[:OPENING]),
        climb(MECHANISM, clauses),
        climb(QUANTITIES, clauses),
        climb(LIMITS, clauses),
        climb(EXAMPLE, clauses),
    )

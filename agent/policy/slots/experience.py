"""Parts of the frames of own experience."""

from collections.abc import Mapping

from agent.policy.cues import (
    alternative,
    baseline,
    either,
    every,
    figure,
    goal,
    limit,
    own,
    reason,
    says,
)
from agent.policy.frames.star import reuse
from agent.policy.slots.part import Part, check, slot

_scale = every(
    figure,
    says(
        r"parameters?|gpus?|cards?|nodes?|tokens?|[ahv]100s?|billion|machines?",
        r"亿|万|参数|卡|节点|台|机器",
    ),
)
_people = says(
    r"team of \w+|\w+ (?:people|engineers|colleagues)|(?:two|three|four|five|six)-person|alone",
    r"[一二两三四五六七八九十\d]+个?人|独自|一个人",
)
_role = says(
    r"responsib\w+|my (?:role|job|task|part)|in charge|led|owned?|asked|assigned",
    r"负责|职责|角色|承担|主导|牵头",
)
_stakes = says(r"when|after|at|during|every|once", r"时候|之后|每|一到|当时|开始")
_another = says(r"or|also|either|second|next", r"还是|也可能|或者|要么|另外|其次")
_BEFORE = slot("the number before the change", "改动之前的数值")
_TURNED_DOWN = slot("the option you turned down, and why", "你放弃的方案，以及为什么")

EXPERIENCE: Mapping[str, Part] = {
    "star.situation": Part(
        slot("where and when this was, and what was wrong", "当时在哪里、遇到了什么问题"),
        (
            (_scale, slot("the scale: model, data, cards", "规模：模型、数据、卡数")),
            (_people, slot("how many of you there were", "当时有几个人")),
            (limit, slot("the limit: weeks, budget, hardware", "限制：时间、预算、硬件")),
        ),
    ),
    "star.task": Part(
        slot("your own role, and the target as a number", "你自己的职责，以及量化的目标"),
        (
            (_role, slot("what you yourself were responsible for", "你自己负责什么")),
            (every(goal, figure), slot("the target as a number", "量化的目标")),
        ),
    ),
    "star.action": Part(
        slot("the steps you took yourself, and why", "你自己做的步骤，以及为什么"),
        (
            (own, slot("what you did yourself", "你自己做了什么")),
            (reason, slot("why you did it this way", "为什么这样做")),
            (alternative, _TURNED_DOWN),
        ),
    ),
    "star.result": Part(
        slot("the outcome, measured before and after", "结果，改动前后的数值"),
        (
            (figure, slot("the number after the change", "改动之后的数值")),
            (baseline, _BEFORE),
            (reuse, slot("what you or others reuse from it", "之后自己或别人复用了什么")),
        ),
    ),
    "problem.symptom": Part(
        slot("what you first saw go wrong", "最先看到的异常现象"),
        (
            (_stakes, slot("when it occurred", "什么时候出现的")),
            (figure, slot("how large it was, as a number", "有多严重，用数字说")),
        ),
    ),
    "problem.hypotheses": Part(
        slot(
            "the causes you suspected, and the test for each", "你怀疑过的原因，以及各自的验证办法"
        ),
        (
            (check, slot("the test that ruled it out", "用什么试验排除的")),
            (_another, slot("the other cause you suspected", "你怀疑过的另一个原因")),
        ),
    ),
    "problem.root_cause": Part(
        slot("the cause, and how you found it", "根本原因，以及怎么定位到的"),
        (
            (check, slot("how you found it", "怎么定位到的")),
            (reason, slot("why it shows in just this way", "为什么会表现成这样")),
        ),
    ),
    "problem.fix": Part(
        slot("the change you made", "你做的改动"),
        (
            (figure, slot("the value you set", "改成了什么数值")),
            (either(reason, alternative), slot("why this fix and no other", "为什么选这种改法")),
        ),
    ),
    "problem.verification": Part(
        slot("how you knew that it was solved, with numbers", "怎么确认解决了，用数字说"),
        (
            (figure, slot("the number after the change", "改动之后的数值")),
            (baseline, _BEFORE),
        ),
    ),
    "problem.transfer": Part(
        slot("what you or the team have done differently since", "之后你或团队的做法有什么变化"),
        ((reuse, slot("who uses it now", "现在谁在用")),),
    ),
}

"""Which questions an interview asks, and in which order."""

import math
from collections.abc import Iterable, Sequence
from typing import get_args

from agent.domain.errors import UsageError
from agent.domain.language import LocalizedText
from agent.domain.persona import Persona
from agent.domain.question import Category, Level, Question
from agent.policy.chance import draw

_TOO_FEW = LocalizedText(
    en="An interview needs at least one question.", zh="一场面试至少要有一个问题。"
)
_NO_TIME = LocalizedText(
    en="An interview needs more than no minutes.", zh="面试时长必须大于零分钟。"
)


def plan_questions(
    questions: Iterable[Question],
    persona: Persona,
    level: Level,
    count: int,
    seed: int,
    *,
    minutes: float | None = None,
    topic: str | None = None,
    wanted: Sequence[str] = (),
) -> tuple[Question, ...]:
    """Choose at most `count` questions, none twice, that fit into `minutes` together.

    The `wanted` ones come first, in the order given, whatever their level or topic. The rest fits
    level and topic, shares the places by the persona's mix of categories, and comes in the order
    in which the persona names the categories. Within a category any question may come; those on
    the persona's focus come more often. The same seed gives the same plan, whatever the order of
    `questions`. Time takes away the last choices and never the first.

    Raises:
        UsageError: `count` or `minutes` is not positive, a wanted question does not exist, or
            nothing fits level and topic.
    """
    if count < 1:
        raise UsageError(_TOO_FEW)
    if minutes is not None and not minutes > 0:
        raise UsageError(_NO_TIME)
    bank = {question.id: question for question in questions}
    unknown = ", ".join(name for name in wanted if name not in bank)
    if unknown:
        missing = LocalizedText(en=f"No such question: {unknown}.", zh=f"没有这个问题：{unknown}。")
        raise UsageError(missing, "viva list questions")
    first = tuple(bank[name] for name in dict.fromkeys(wanted))[:count]
    fitting = [
        question
        for question in bank.values()
        if question not in first and level in question.levels and topic in {None, question.topic}
    ]
    chosen = first + _share(fitting, persona, count - len(first), seed)
    if not chosen:
        raise UsageError(_nothing_fits(level, topic), "viva list questions")
    chosen = chosen[: _in_time(chosen, minutes)]
    return tuple(sorted(chosen, key=lambda question: _round(question, first, persona)))


def _share(
    questions: Iterable[Question], persona: Persona, count: int, seed: int
) -> tuple[Question, ...]:
    """Share `count` places among the categories by D'Hondt's rule, the first place first."""
    by_category: dict[Category, list[Question]] = {}
    for question in sorted(questions, key=lambda item: _turn(item, persona, seed)):
        by_category.setdefault(question.category, []).append(question)
    shares: dict[Category, float] = {
        name: share for name, share in persona.mix.items() if share > 0
    }
    if not shares.keys() & by_category.keys():
        shares = dict.fromkeys(by_category, 1.0)
    taken: dict[Category, int] = dict.fromkeys(shares, 0)
    chosen: list[Question] = []
    for _ in range(count):
        open_for_more: list[Category] = [name for name in shares if by_category.get(name)]
        if not open_for_more:
            break
        category = max(open_for_more, key=lambda name: shares[name] / (taken[name] + 1))
        taken[category] += 1
        chosen.append(by_category[category].pop(0))
    return tuple(chosen)


def _turn(question: Question, persona: Persona, seed: int) -> tuple[float, str]:
    """Return when `question` would come up by chance: a topic of weight w does so w times as often.

    The first of several exponential waiting times falls to each in proportion to its rate
    (Efraimidis and Spirakis, 2006, https://doi.org/10.1016/j.ipl.2005.11.003).
    """
    share = (draw(seed, question.id) >> 11) / 2**53
    return -math.log1p(-share) / persona.focus.get(question.topic, 1.0), question.id


def _in_time(chosen: Sequence[Question], minutes: float | None) -> int:
    """Return how many of `chosen` fit into `minutes`, and at least one."""
    if minutes is None:
        return len(chosen)
    spent, fitting = 0.0, 0
    for question in chosen:
        spent += question.minutes
        if spent > minutes:
            break
        fitting += 1
    return max(fitting, 1)


def _round(question: Question, first: Sequence[Question], persona: Persona) -> int:
    rounds = [*persona.mix, *get_args(Category)]
    return -1 if question in first else rounds.index(question.category)


def _nothing_fits(level: Level, topic: str | None) -> LocalizedText:
    about = f" on {topic}" if topic else ""
    within = f"（主题 {topic}）" if topic else ""
    return LocalizedText(
        en=f"No question{about} fits the level {level}.",
        zh=f"没有适合 {level} 这个级别的问题{within}。",
    )

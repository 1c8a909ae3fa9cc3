"""Which questions an interview asks, and in which order."""

from collections.abc import Iterable, Sequence

from agent.domain.errors import UsageError
from agent.domain.persona import Persona
from agent.domain.question import Category, Level, Question
from agent.policy.chance import draw


def plan_questions(
    questions: Iterable[Question],
    persona: Persona,
    level: Level,
    count: int,
    seed: int,
    *,
    topic: str | None = None,
    wanted: Sequence[str] = (),
) -> tuple[Question, ...]:
    """Choose at most `count` questions, none twice.

    The `wanted` ones come first, in the order given, whatever their level or topic. The rest fits
    level and topic, shares the places by the persona's mix of categories, and comes in the order
    in which the persona names the categories. The same seed gives the same plan, whatever the
    order of `questions`.

    Raises:
        UsageError: `count` is not positive, a wanted question does not exist, or nothing fits.
    """
    if count < 1:
        raise UsageError("An interview needs at least one question.")
    bank = {question.id: question for question in questions}
    unknown = [name for name in wanted if name not in bank]
    if unknown:
        raise UsageError(f"No such question: {', '.join(unknown)}.", "viva list questions")
    first = tuple(bank[name] for name in dict.fromkeys(wanted))[:count]
    fitting = [
        question
        for question in bank.values()
        if question not in first and level in question.levels and topic in {None, question.topic}
    ]
    rest = _share(fitting, persona, count - len(first), seed)
    if not first and not rest:
        about = f" on {topic}" if topic else ""
        raise UsageError(f"No question{about} fits the level {level}.", "viva list questions")
    return first + rest


def _share(
    questions: Iterable[Question], persona: Persona, count: int, seed: int
) -> tuple[Question, ...]:
    """Share `count` places among the categories by D'Hondt's rule."""
    by_category: dict[Category, list[Question]] = {}
    for question in sorted(questions, key=lambda item: draw(seed, item.id)):
        by_category.setdefault(question.category, []).append(question)
    shares: dict[Category, float] = {
        name: share for name, share in persona.mix.items() if share > 0
    }
    if not shares.keys() & by_category.keys():
        shares = dict.fromkeys(by_category, 1.0)
    taken: dict[Category, list[Question]] = {name: [] for name in shares}
    for _ in range(count):
        open_for_more: list[Category] = [name for name in shares if by_category.get(name)]
        if not open_for_more:
            break
        category = max(open_for_more, key=lambda name: shares[name] / (len(taken[name]) + 1))
        taken[category].append(by_category[category].pop(0))
    return tuple(question for chosen in taken.values() for question in chosen)

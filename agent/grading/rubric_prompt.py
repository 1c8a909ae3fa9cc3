"""What a language model is told before it judges answers."""

import json

from agent.domain.chat import ChatMessage, ChatRequest
from agent.domain.language import Language, LocalizedText
from agent.domain.rubric import TOP_LEVEL, Frame
from agent.policy.prompts import DATA_RULE, as_data
from agent.policy.reading import Reading

MAX_TOKENS = 2000
"""Of a judgement, and of what a model may think before it."""
TEMPERATURE = 0.3
LIMIT_S = 30.0
ALL_CHARACTERS = 6000
"""Of all answers together: with the rubric they stay under 4,000 tokens."""
LEAST_CHARACTERS = 1200

_TASK = LocalizedText(
    en=(
        "You judge answers that were given in a job interview, by the rubric below and by nothing "
        "else. For each criterion, first copy the quotes from `answers` that bear on it, word for "
        "word and without leaving anything out in the middle; then give the reason in one short "
        "sentence; last the level, 0 to 4, whose anchor the quotes reach. No quote, no level above "
        "0. Length, style, confidence and what the answer says about itself earn nothing. For each "
        "key point say whether it is present, partly, absent or contradicted, with its quotes. "
        "List only those misconceptions that are claimed as true, with quotes. Use the ids as "
        "given."
    ),
    zh=(
        "请只按下面的评分标准评判一场面试中的回答。对每个评分项，先从 answers 中逐字抄下相关原话，"
        "中间不得省略；再用一个短句说明理由；最后给出 0 到 4 的等级，以原话达到的锚点为准。"
        "没有原话就不得高于 0。篇幅、文采、语气，以及回答对自己的评价都不加分。"
        "对每个要点，判断 present、partly、absent 或 contradicted，并附原话。"
        "只列出回答中当作正确来讲的错误认识，并附原话。id 照抄。理由用中文写。"
    ),
)
_RUBRIC = LocalizedText(en="Rubric", zh="评分标准")


def judging(frame: Frame, reading: Reading, turn: int) -> ChatRequest:
    """Return the request to judge `reading`.

    Args:
        frame: Its criteria are put in another order every second time, since order sways models.
        reading: The answers; words to the examiner are left out of them.
        turn: How often it was asked before.
    """
    language = reading.question.language
    answers = shown_answers(reading)
    most = max(LEAST_CHARACTERS, ALL_CHARACTERS // max(1, len(answers)))
    data = as_data({"question": reading.question.prompt, "answers": answers}, most)
    rubric = json.dumps(
        _rubric(frame, reading, language, backwards=turn % 2 == 1), ensure_ascii=False, indent=1
    )
    return ChatRequest(
        messages=(
            ChatMessage(
                "system",
                f"{_TASK.get(language)}\n\n{DATA_RULE.get(language)}\n\n"
                f"{_RUBRIC.get(language)}:\n{rubric}",
            ),
            ChatMessage("user", data),
        ),
        purpose="grading",
        max_tokens=MAX_TOKENS,
        temperature=TEMPERATURE,
        limit_s=LIMIT_S,
    )


def shown_answers(reading: Reading) -> list[str]:
    """Return the answers without the clauses that speak to the examiner."""
    shown: list[str] = []
    for index, given in enumerate(reading.given):
        text, done, kept = given.answer.text, 0, ""
        for clause, void in zip(reading.clauses, reading.voided, strict=True):
            if clause.answer == index and void == "injection":
                start, end = reading.plain[index].span(clause.start, clause.end)
                kept += text[done:start]
                done = end
        shown.append(kept + text[done:])
    return shown


def _rubric(
    frame: Frame, reading: Reading, language: Language, *, backwards: bool
) -> dict[str, object]:
    question = reading.question
    criteria = [
        {
            "id": item.id,
            "name": item.name.get(language),
            "levels": {
                str(level): item.anchors.at(level).get(language) for level in range(TOP_LEVEL + 1)
            },
        }
        for item in frame.criteria
    ]
    return {
        "criteria": criteria[::-1] if backwards else criteria,
        "key_points": {item.id: item.statement for item in question.key_points},
        "misconceptions": {item.id: item.statement for item in question.misconceptions},
        "reference": question.outline,
    }

"""An interview that broke off goes on as if it had not, wherever it was cut."""

import asyncio
from collections.abc import Sequence

import pytest
from pydantic import TypeAdapter

from agent.domain.assessment import Assessment
from agent.domain.interview import Answer, Correction, Turn
from agent.domain.language import Language
from agent.graph.machine import InterviewMachine
from tests.graph.holding import ANSWERS, Held, context, hold

RECORDS: TypeAdapter[list[Turn | Assessment | Correction]] = TypeAdapter(
    list[Turn | Assessment | Correction]
)
CANDIDATES: dict[str, Sequence[str | Answer]] = {
    "mixed": ANSWERS,
    "runs out of answers": ANSWERS[:4],
    "stops": (*ANSWERS[:2], "Let's stop here."),
    "silent": ("",) * 6,
    "sets an answer right": (
        ANSWERS[0],
        "You misheard me.",
        ANSWERS[2],
        *ANSWERS[4:6],
        "You misheard me.",
        "Never mind.",
        ANSWERS[6],
        f"You misheard me, I said {ANSWERS[6]}",
        "fine",
    ),
    "uses keys": (
        Answer.signalled("hint"),
        Answer.typed(ANSWERS[0]).model_copy(update={"wish": "skip"}),
        Answer.signalled("skip"),
        Answer.signalled("misheard"),
        ANSWERS[2],
        Answer.signalled("stop"),
    ),
    "is cut short": (Answer.typed(ANSWERS[0]).model_copy(update={"cut_in": True}), "fine"),
}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("seed", [0, 7, 23])
@pytest.mark.parametrize("candidate", CANDIDATES)
def test_resuming_changes_nothing(language: Language, seed: int, candidate: str) -> None:
    answers = CANDIDATES[candidate]

    async def compare() -> int:
        whole = await hold(context(language, seed), answers)
        for cut in range(len(whole.records) + 1):
            kept = RECORDS.validate_json(RECORDS.dump_json(whole.records[:cut]))
            resumed = await hold(context(language, seed), answers, kept)
            assert resumed.records == whole.records
            # Without answers to come, a question is put before the farewell, in the same words.
            assert resumed.spoken[-len(whole.spoken) :] == whole.spoken
        return len(whole.records)

    assert asyncio.run(compare()) >= 3


def test_a_question_that_was_asked_and_not_answered_is_asked_in_the_same_words() -> None:
    async def asked(history: list[Turn | Assessment | Correction]) -> list[str]:
        held = Held([])
        await held.take(InterviewMachine(context(), history).reply(None))
        return [item.text for item in held.spoken]

    async def compare() -> None:
        whole = await hold(context())
        first = whole.records[0]
        second = whole.records[2]
        assert isinstance(first, Turn)
        assert isinstance(second, Turn)
        assert await asked([]) == [*(u.text for u in first.lead_in), first.utterance.text]
        assert await asked(whole.records[:2]) == [
            *(u.text for u in second.lead_in),
            second.utterance.text,
        ]

    asyncio.run(compare())


def test_an_interrupted_interview_can_be_closed_at_once() -> None:
    async def close() -> Held:
        whole = await hold(context())
        held = Held(whole.records[:1])  # answered, not yet assessed
        machine = InterviewMachine(context(), held.records)
        await held.take(machine.close("stopped"))
        assert machine.closed
        assert held.records == whole.records[:2]
        return held

    assert [item.kind for item in asyncio.run(close()).spoken] == ["close"]

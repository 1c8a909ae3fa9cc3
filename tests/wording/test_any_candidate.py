"""Whatever a candidate does, the interview ends, and nothing is asked twice."""

import asyncio
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.domain.assessment import Assessment, Finding
from agent.domain.dialogue import Ask, AskAgain, Close, Move, Probe
from agent.domain.interview import AnswerStatus, Correction, Turn, Utterance
from agent.domain.language import Language
from agent.policy.corrections import correction_due
from agent.policy.dialogue import MAX_AGAIN, MAX_MISHEARD, next_move
from agent.policy.drilldown import drilldown_of, due, said_in
from agent.policy.levels import CLIMBS
from agent.ports import Scene
from agent.wording.builtin import BuiltinWording
from tests.interview_samples import answer, finding, persona, question, verdict

PLAN = (
    question("project-role", "project"),
    question("flash-attention"),
    question("training-too-slow", "behavioural", rungs=()),
    question("ring-attention", rungs=(("limits", "point-a"), ("limits", "point-b"))),
)
PERSONA = persona()
TEXTS: dict[Language, tuple[str, ...]] = {
    "en": (
        "We cut it to 15 percent.",
        "fine",
        "I don't know.",
        "Can you repeat that?",
        "What do you mean?",
        "Give me a hint.",
        "Let me think.",
        "That's all.",
        "You misheard me.",
        "You misheard me, I said that we cut it to 50 percent.",
    ),
    "zh": (
        "我们降到了百分之十五。",
        "还行",
        "我不知道。",
        "能再说一遍吗？",
        "什么意思？",
        "给点提示",
        "让我想想",
        "我说完了",
        "你听错了",
        "你听错了，我说的是我们降到了百分之五十。",
    ),
}
TALK = st.sampled_from([0] * 6 + list(range(10)))
STATUSES: list[AnswerStatus] = ["typed", "typed", "typed", "typed", "spoken", "silent", "doubtful"]
FINDINGS = st.builds(
    finding,
    st.sampled_from(PERSONA.probes.order),
    st.sampled_from(["star.task", "direct.limits", "point-a", "point-b", "elsewhere"]),
    st.sampled_from(["clarify", "numbers", "transfer"]),
    st.sampled_from([None, "we cut it", "我们降到了"]),
)
FOLLOW_UPS = CLIMBS["senior"].budget(PERSONA.probes.budget)
LIMIT = len(PLAN) * (1 + FOLLOW_UPS) * (1 + MAX_AGAIN + 2 * MAX_MISHEARD)


def judge(score: int | None, findings: Sequence[Finding]) -> Assessment:
    return verdict(score, *findings, failure="no model" if score is None else None)


JUDGEMENTS = st.builds(
    judge, st.sampled_from([0, 10, 40, 80, 90, None]), st.lists(FINDINGS, max_size=4)
)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["en", "zh"]), st.integers(0, 5), st.data())
def test_any_candidate_reaches_the_end_and_is_asked_nothing_twice(
    language: Language, seed: int, candidate: st.DataObject
) -> None:
    plan = {item.id: item.localized(language) for item in PLAN}
    history: list[Turn | Assessment | Correction] = []
    for number in range(1, LIMIT + 1):
        move = next_move(tuple(plan.values()), PERSONA, history, "senior")
        if isinstance(move, Close):
            break
        assert isinstance(move, Ask | Probe | AskAgain)
        drill = drilldown_of(plan[move.question_id], history)
        pending = drill.pending[0].utterance.text if drill.pending else ""
        scene = Scene(PERSONA, language, drill.question, said_in(history), (), seed, pending)
        *lead, asked = asyncio.run(say(move, scene))
        status = candidate.draw(st.sampled_from(STATUSES))
        words = TEXTS[language][candidate.draw(TALK)] if status in {"typed", "spoken"} else ""
        heard = answer(words, status)
        turn = Turn(number=number, utterance=asked, lead_in=tuple(lead), answer=heard)
        history.append(turn)
        correction = correction_due(history, language)
        history += [correction] if correction else []
        for waiting in due(history, language):
            judged = candidate.draw(JUDGEMENTS)
            history.append(judged.model_copy(update={"turn": waiting.number}))
    assert isinstance(next_move(tuple(plan.values()), PERSONA, history, "senior"), Close)
    turns = [item for item in history if isinstance(item, Turn)]
    asked_once = [item.utterance for item in turns if item.utterance.kind != "clarify"]
    assert len({item.text for item in asked_once}) == len(asked_once)
    reasons = [(u.question_id, u.reason, u.target, u.rung) for u in asked_once if u.reason]
    assert len(set(reasons)) == len(reasons)
    questions = [item.question_id for item in asked_once if item.kind == "question"]
    assert questions == [item.id for item in PLAN]
    transitions = [u.text for t in turns for u in t.lead_in if t.utterance.kind != "clarify"]
    assert len(set(transitions)) == len(transitions)


async def say(move: Move, scene: Scene) -> list[Utterance]:
    return [item async for item in BuiltinWording().utter(move, scene)]

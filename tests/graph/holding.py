"""Holds interviews with a scripted candidate, as a session does, and keeps what a log would."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from agent.domain.assessment import Assessment
from agent.domain.interview import Answer, Correction, ListeningHints, Turn, Utterance
from agent.domain.language import Language
from agent.graph.context import Context
from agent.graph.machine import InterviewMachine, Reply
from agent.policy.drilldown import History
from agent.ports import Grader
from agent.testing import ScriptedGrader
from agent.wording.builtin import BuiltinWording
from tests.interview_samples import DIRECT, STAR, finding, persona, question, verdict

PLAN = (
    question("project-role", "project"),
    question("ring-attention"),
    question("flash-attention"),
)
VERDICTS: dict[str, Assessment | Exception] = {
    "we made it 30 percent faster": verdict(
        30,
        finding("no_baseline", "star.result", "numbers", "30 percent faster"),
        finding("we_without_i", "star.action", "clarify", "we made it"),
    ),
    "I chose ZeRO over tensor parallelism": verdict(
        60, finding("no_baseline", "star.result", "numbers", "30 percent faster")
    ),
    "from 100 to 130 tokens a second": verdict(80, met=["star.result"]),
    "it passes keys and values around a ring": verdict(50, points=[("point-a", "present")]),
    "fine": verdict(0, finding("missing_part", "direct.example")),
    "I don't know": verdict(0),
    "the grader breaks here": RuntimeError("out of memory"),
}
ANSWERS = (
    "we made it 30 percent faster",
    "",
    "I chose ZeRO over tensor parallelism",
    "Could you repeat the question?",
    "from 100 to 130 tokens a second",
    "I don't know",
    "it passes keys and values around a ring",
    "the grader breaks here",
    "fine",
    "fine",
)


def context(language: Language = "en", seed: int = 1, grader: Grader | None = None) -> Context:
    return Context(
        plan=PLAN,
        frames={"project": STAR, "principle": DIRECT},
        persona=persona(),
        language=language,
        grader=grader or ScriptedGrader(VERDICTS),
        wording=BuiltinWording(),
        seed=seed,
    )


@dataclass
class Held:
    """What an interview left: the log, and what was said after its last turn."""

    records: list[Turn | Assessment | Correction]
    spoken: list[Utterance] = field(default_factory=list[Utterance])
    hints: list[ListeningHints] = field(default_factory=list[ListeningHints])

    async def take(self, reply: AsyncIterator[Reply]) -> None:
        async for item in reply:
            match item:
                case Utterance():
                    self.spoken.append(item)
                case Assessment() | Correction():
                    self.records.append(item)
                case ListeningHints():
                    self.hints.append(item)

    def answered(self, said: str | Answer) -> Turn:
        """Log the answer to what was said last."""
        answer = Answer.typed(said) if isinstance(said, str) else said
        number = 1 + sum(isinstance(item, Turn) for item in self.records)
        *lead_in, asked = self.spoken
        turn = Turn(number=number, utterance=asked, lead_in=tuple(lead_in), answer=answer)
        self.records.append(turn)
        self.spoken.clear()
        return turn


async def hold(
    held_with: Context,
    answers: Sequence[str | Answer] = ANSWERS,
    history: History = (),
) -> Held:
    """Hold an interview to its end; after `history`, the answers that no turn has used go on."""
    held = Held(list(history))
    machine = InterviewMachine(held_with, history)
    await held.take(machine.reply(None))
    used = sum(isinstance(item, Turn) for item in history)
    for said in answers[used:]:
        if machine.closed:
            return held
        await held.take(machine.reply(held.answered(said)))
    if not machine.closed:
        await held.take(machine.close("answers_ended"))
    assert machine.closed
    return held

"""What an interview is held with: injected into the graph's nodes, never part of its state."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from agent.domain.language import Language
from agent.domain.persona import Persona
from agent.domain.question import Category, Level, LocalizedQuestion, Question
from agent.domain.rubric import Frame
from agent.policy.drilldown import DrillDown, History, drilldown_of
from agent.ports import Foresight, Grader, Wording


@dataclass(frozen=True)
class Context:
    """An interview's plan, rules and people.

    Attributes:
        plan: The questions in the order in which they are asked.
        frames: How each category is judged.
        seed: Chooses among wordings, so that an interview can be repeated.
        level: What the candidate is expected to reach.
        ahead: Who gets follow-ups ready while an answer goes on; None: nobody.
    """

    plan: tuple[Question, ...]
    frames: Mapping[Category, Frame]
    persona: Persona
    language: Language
    grader: Grader
    wording: Wording
    seed: int
    level: Level = "1-3-years"
    ahead: Foresight | None = None

    @cached_property
    def questions(self) -> tuple[LocalizedQuestion, ...]:
        """The plan in the language of the interview."""
        return tuple(question.localized(self.language) for question in self.plan)

    def frame(self, question_id: str) -> Frame:
        """Return the frame that answers to `question_id` are judged by."""
        return self.frames[self.question(question_id).category]

    def question(self, question_id: str) -> LocalizedQuestion:
        """Return a planned question.

        Raises:
            ValueError: It is not in the plan.
        """
        for question in self.questions:
            if question.id == question_id:
                return question
        raise ValueError(f"the plan has no question {question_id!r}")

    def drilldown(self, question_id: str, history: History) -> DrillDown:
        """Return what `history` holds of `question_id`."""
        return drilldown_of(self.question(question_id), history)

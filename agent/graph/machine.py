"""The interview as a LangGraph machine, and the one door to it."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# LangGraph and LangSmith leave type arguments of their own signatures open.

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any, Literal, cast

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command
from langsmith import tracing_context

from agent.domain.assessment import Assessment
from agent.domain.dialogue import CloseReason
from agent.domain.interview import Correction, ListeningHints, Turn, Utterance
from agent.graph.context import Context
from agent.graph.foresight import foresee
from agent.graph.nodes import (
    after_decide,
    after_plan,
    assess,
    await_answer,
    debrief,
    decide,
    greet,
    plan,
    put,
)
from agent.graph.state import Heard, State, first_state, read_hints, read_history, read_spoken
from agent.policy.drilldown import History

RECURSION_LIMIT = 12
"""Steps between two answers: six at most are needed."""

Reply = Utterance | Assessment | Correction | ListeningHints
Graph = CompiledStateGraph[State, Context, State, State]


def build_graph() -> Graph:
    """Compile the interview, with a memory that ends with the process."""
    graph = StateGraph(State, context_schema=Context)
    graph.add_node("plan", plan)
    graph.add_node("greet", greet)
    graph.add_node("decide", decide)
    graph.add_node("ask", put)
    graph.add_node("probe", put)
    graph.add_node("ask_again", put)
    graph.add_node("await_answer", await_answer)
    graph.add_node("assess", assess)
    graph.add_node("debrief", debrief)
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", after_plan)
    graph.add_edge("greet", "decide")
    graph.add_conditional_edges("decide", after_decide)
    graph.add_edge("ask", "await_answer")
    graph.add_edge("probe", "await_answer")
    graph.add_edge("ask_again", "await_answer")
    graph.add_edge("await_answer", "assess")
    graph.add_edge("assess", "decide")
    graph.add_edge("debrief", END)
    return graph.compile(checkpointer=InMemorySaver())


class InterviewMachine:
    """Holds one interview: text in, text out.

    Args:
        context: The plan, the persona and who words and grades.
        history: What an interrupted interview left, oldest first; it goes on from there with the
            very words it would have had.
    """

    def __init__(self, context: Context, history: History = ()) -> None:
        if not context.plan:
            raise ValueError("an interview needs at least one question")
        self._context = context
        self._history = tuple(history)
        self._graph = build_graph()
        self._phase: Literal["new", "running", "waiting", "closed"] = "new"
        self._turns = sum(isinstance(item, Turn) for item in history)
        self._values: State | None = None

    @property
    def closed(self) -> bool:
        """Whether the farewell was said."""
        return self._phase == "closed"

    async def reply(self, turn: Turn | None) -> AsyncGenerator[Reply]:
        """Yield the interviewer's reply.

        Args:
            turn: The answer to what was asked last, or None to begin or to go on from `history`.

        Yields:
            What the turn sets right, assessments as they are made, utterances in order, and last
            `ListeningHints`, unless the interview is closed.

        Raises:
            ValueError: A turn that is not awaited, None while one is, or a reply after the end
                or after one that was not read to its end. The interview is left as it was.
        """
        if turn is None:
            self._expect("new")
            step: State | Command[Any] = first_state(self._history, None)
        else:
            step = self._resume(turn, None)
        async with aclosing(self._run(step)) as items:
            async for item in items:
                yield item

    async def close(self, reason: CloseReason, turn: Turn | None = None) -> AsyncGenerator[Reply]:
        """End the interview politely, from outside: answers or time have run out.

        Args:
            reason: Why.
            turn: A last answer, which is still assessed.

        Raises:
            ValueError: As for `reply`.
        """
        if self._phase == "new" and turn is None:
            step: State | Command[Any] = first_state(self._history, reason)
        else:
            step = self._resume(turn, reason)
        async with aclosing(self._run(step)) as items:
            async for item in items:
                yield item

    async def foresee(self, so_far: str) -> None:
        """Get ready for the end of an answer of which `so_far` was understood; else do nothing."""
        values, turns = self._values, self._turns
        if self._phase == "waiting" and values is not None:
            await foresee(
                so_far,
                read_spoken(values),
                read_history(values),
                self._context,
                lambda: self._phase == "waiting" and self._turns == turns,
            )

    def _expect(self, phase: str) -> None:
        if self._phase != phase:
            raise ValueError(f"the interview is {self._phase}, not {phase}")

    def _resume(self, turn: Turn | None, closing: CloseReason | None) -> Command[Any]:
        self._expect("waiting")
        if turn is not None:
            awaited = read_spoken(self._values)[-1] if self._values else None
            if turn.number != self._turns + 1:
                raise ValueError(f"turn {self._turns + 1} is awaited, not turn {turn.number}")
            if awaited is None or turn.utterance.text != awaited.text:
                raise ValueError("the turn does not answer what was asked")
            self._turns += 1
        heard = Heard(turn=turn.model_dump(mode="json") if turn else None, closing=closing)
        return Command(resume=heard)

    async def _run(self, step: State | Command[Any]) -> AsyncGenerator[Reply]:
        self._phase = "running"
        config: Any = {
            "configurable": {"thread_id": "interview"},
            "recursion_limit": RECURSION_LIMIT,
        }
        stream = self._graph.astream(
            step, config, context=self._context, stream_mode="custom", durability="exit"
        )
        async with aclosing(_untraced(stream)) as items:
            async for item in items:
                yield item
        with tracing_context(enabled=False):
            snapshot = await self._graph.aget_state(config)
        if snapshot.next:
            self._values = cast(State, snapshot.values)
            self._phase = "waiting"
            yield read_hints(snapshot.interrupts[0].value)
        else:
            self._phase = "closed"


async def _untraced(stream: AsyncIterator[Any]) -> AsyncGenerator[Reply]:
    """Pass `stream` on with LangSmith switched off, whatever the environment says.

    The switch is a context variable, so it is set anew for every step and never across a yield.
    """
    while True:
        with tracing_context(enabled=False):
            try:
                item = await anext(stream)
            except StopAsyncIteration:
                return
        yield item

"""The graph's state: plain JSON, versioned, and checked whenever it is read."""

import operator
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, TypedDict

from pydantic import Field, TypeAdapter

from agent.domain.assessment import Assessment
from agent.domain.dialogue import Ask, AskAgain, Close, CloseReason, Greet, Move, Probe
from agent.domain.interview import Correction, ListeningHints, Turn, Utterance
from agent.policy.drilldown import History

STATE_VERSION = 1
Json = dict[str, Any]


class State(TypedDict):
    """An interview between two steps.

    Attributes:
        records: Turns, assessments and corrections, oldest first, as in `turns.jsonl`.
        spoken: What was said since the last turn.
        move: What is to be said next, with the name of its kind.
        closing: Why the interview is to end, when that was decided outside.
        hints: What the ear should know about the answer that is awaited.
    """

    schema_version: int
    records: Annotated[list[Json], operator.add]
    spoken: list[Json]
    move: Json
    closing: CloseReason | None
    hints: Json


class Heard(TypedDict):
    """What ends the waiting: a turn, a reason to close, or both."""

    turn: Json | None
    closing: CloseReason | None


_RECORDS: TypeAdapter[tuple[Turn | Assessment | Correction, ...]] = TypeAdapter(
    tuple[Annotated[Turn | Assessment | Correction, Field(discriminator="kind")], ...]
)
_UTTERANCES = TypeAdapter(tuple[Utterance, ...])
_HINTS = TypeAdapter(ListeningHints)
_MOVES: dict[str, TypeAdapter[Move]] = {
    kind.__name__: TypeAdapter(kind) for kind in (Greet, Ask, Probe, AskAgain, Close)
}


def first_state(history: History, closing: CloseReason | None) -> State:
    """Return the state in which an interview begins, or goes on after `history`."""
    return State(
        schema_version=STATE_VERSION,
        records=[item.model_dump(mode="json") for item in history],
        spoken=[],
        move=write_move(Greet()),
        closing=closing,
        hints={},
    )


def read_history(state: State) -> tuple[Turn | Assessment | Correction, ...]:
    """Return the records; only answers that may be judged keep their words' times.

    These are those of the last two questions: one that was left may still be set right.

    Raises:
        ValueError: The state is of another version, or holds something else than records.
    """
    if state["schema_version"] != STATE_VERSION:
        raise ValueError(f"graph state of version {state['schema_version']}")
    asked = [
        item["utterance"]["question_id"] for item in reversed(state["records"]) if _is_turn(item)
    ]
    recent = list(dict.fromkeys(asked))[:2]
    return _RECORDS.validate_python([_lightened(item, recent) for item in state["records"]])


def _is_turn(record: Json) -> bool:
    return record["kind"] == "turn" and "utterance" in record


def _lightened(record: Json, recent: Sequence[str | None]) -> Json:
    """Leave the words' times out, thousands of small things, where nobody will ask for them."""
    if not _is_turn(record) or record["utterance"]["question_id"] in recent:
        return record
    return {**record, "answer": {**record["answer"], "words": []}}


def read_spoken(state: State) -> tuple[Utterance, ...]:
    """Return what was said since the last turn."""
    return _UTTERANCES.validate_python(state["spoken"])


def write_move(move: Move) -> Json:
    """Return `move` as JSON."""
    return {"kind": type(move).__name__, **asdict(move)}


def read_move(state: State) -> Move:
    """Return the next move."""
    fields = {name: value for name, value in state["move"].items() if name != "kind"}
    return _MOVES[state["move"]["kind"]].validate_python(fields)


def write_hints(hints: ListeningHints) -> Json:
    """Return `hints` as JSON."""
    return _HINTS.dump_python(hints, mode="json")


def read_hints(value: object) -> ListeningHints:
    """Return the hints that an interrupt carries."""
    return _HINTS.validate_python(value)

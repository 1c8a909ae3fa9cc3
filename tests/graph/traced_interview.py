"""Holds an interview and waits until LangSmith has sent whatever it wanted to send.

With the argument `unguarded` the switch in the machine is taken out first.
"""

import asyncio
import sys
from contextlib import nullcontext
from typing import Any

from langchain_core.tracers.langchain import wait_for_all_tracers

from agent.graph import machine
from tests.graph.holding import context, hold


def no_switch(**_: Any) -> nullcontext[None]:
    return nullcontext()


if __name__ == "__main__":
    if "unguarded" in sys.argv:
        machine.tracing_context = no_switch  # type: ignore[assignment]
    asyncio.run(hold(context()))
    wait_for_all_tracers()

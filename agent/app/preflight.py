"""All checks of `viva doctor`, in their order, whatever breaks.

Each group runs as `python -m agent.app.preflight GROUP OPTIONS` in a process of its own.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.app import probes
from agent.app.checks.fence import fenced
from agent.app.checks.machine import (
    check_browser,
    check_model,
    check_packages,
    check_python,
    running_python,
)
from agent.app.checks.remedies import remedy
from agent.app.checks.result import LANGUAGE_MODEL, CheckResult, Place, lost, not_tried, told
from agent.app.probes import Options
from agent.app.settings import named_models
from agent.domain.language import LANGUAGES, LocalizedText

FAULTS = {
    "disk": "disk",
    "portaudio": "portaudio",
    "microphone": "device",
    "loudspeaker": "device",
    "detector": "detector",
    "whisper": "whisper broken",
    "encoder": "encoder",
    "endpoint": "model unnamed",
}
"""What helps when a check fails as a whole; `packages` where nothing is named."""


@dataclass(frozen=True)
class Group:
    """Checks that share a process.

    Attributes:
        checks: The rows it makes, in their order.
        limit_s: For all of them, on a slow machine that does other things as well.
        each: Run once for each language.
    """

    run: Callable[[Options], AsyncIterator[CheckResult]]
    checks: tuple[str, ...]
    limit_s: float
    each: bool = False


GROUPS = {
    "disk": Group(probes.disk, ("disk",), 20),
    "sound": Group(probes.sound, ("portaudio", "microphone", "loudspeaker", "echo", "rates"), 45),
    "detector": Group(probes.detector, ("detector",), 60),
    "whisper": Group(probes.whisper, ("whisper",), 180, each=True),
    "voice": Group(probes.voice, ("voice",), 150, each=True),
    "encoder": Group(probes.encoder, ("encoder",), 60),
}
LLM = {"language-model": Group(probes.language_model, LANGUAGE_MODEL, 240)}


def results(options: Options, begun: Callable[[Place], None]) -> Iterator[CheckResult]:
    """Yield the rows of the pre-flight but the terminal's, each when it is done."""
    if options.llm:
        yield from _made_apart(LLM, options, begun)
        return
    yield check_python(running_python(), sys.platform)
    yield _kept("packages", lambda: check_packages(sys.platform))
    yield from _made_apart(GROUPS, options, begun)
    yield _kept("model", lambda: check_model(named_models()))
    yield _kept("browser", lambda: check_browser(sys.platform))


def _made_apart(
    groups: Mapping[str, Group], options: Options, begun: Callable[[Place], None]
) -> Iterator[CheckResult]:
    for name, group in groups.items():
        for languages in [(one,) for one in options.languages] if group.each else [LANGUAGES]:
            told_to = options.model_copy(update={"languages": languages})
            yield from fenced(
                [
                    sys.executable,
                    "-P",
                    "-m",
                    "agent.app.preflight",
                    name,
                    told_to.model_dump_json(),
                ],
                _places(group, told_to),
                group.limit_s,
                sys.platform,
                begun,
            )


def _kept(check: str, look: Callable[[], CheckResult]) -> CheckResult:
    try:
        return look()
    except Exception as error:  # noqa: BLE001 - whatever it is, the row says so
        return lost(Place(check), told(error), _helps(Place(check)))


def _helps(place: Place) -> LocalizedText:
    fault = f"voice {place.language}" if place.check == "voice" else FAULTS.get(place.check)
    return remedy(fault or "packages", sys.platform)


def _places(group: Group, options: Options) -> list[Place]:
    language = options.languages[0] if group.each else None
    return [Place(check, language) for check in group.checks]


def main() -> None:
    """Make the rows of one group on the channel that was standard output."""
    channel = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # vendors print

    def send(message: dict[str, object]) -> None:
        channel.write(json.dumps(message) + "\n")
        channel.flush()

    group, options = {**GROUPS, **LLM}[sys.argv[1]], Options.model_validate_json(sys.argv[2])
    asyncio.run(_made(group, options, send))
    channel.close()
    os._exit(0)  # a vendor's thread that hangs is not waited for


async def _made(group: Group, options: Options, send: Callable[[dict[str, object]], None]) -> None:
    places: Sequence[Place] = _places(group, options)
    try:
        send({"begin": places[0]})
        async for row in group.run(options):
            send({"row": row.model_dump(mode="json")})
            places = places[1:]
            if places:
                send({"begin": places[0]})
    except Exception as error:  # noqa: BLE001 - whatever it is, the rows say so
        first, *others = places
        rows = [lost(first, told(error), _helps(first)), *(not_tried(place) for place in others)]
        for row in rows:
            send({"row": row.model_dump(mode="json")})


if __name__ == "__main__":
    main()

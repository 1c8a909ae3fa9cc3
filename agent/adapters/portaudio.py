"""PortAudio, as the microphone and the loudspeaker share it: the library and its devices."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# sounddevice ships no types.

import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from agent.domain.errors import DeviceUnavailable
from agent.domain.language import LocalizedText

ANSWERS_WITHIN_S = 5.0
"""A stuck sound server can hold any call; nobody waits longer for one."""
HINT = "viva practice --input text"
INSTALL = {"linux": "sudo apt install libportaudio2", "darwin": "brew install portaudio"}
REINSTALL = "pip install --force-reinstall sounddevice"

T = TypeVar("T")
Kind = Literal["input", "output"]


@dataclass(frozen=True)
class Device:
    """One direction of a sound device.

    Attributes:
        number: As PortAudio counts; a device of both directions has one number.
        channels: The most it takes or gives.
        rate_hz: The rate it runs at when nobody asks for another.
        default: Whether the system uses it when none is named.
    """

    number: int
    name: str
    kind: Kind
    channels: int
    rate_hz: int
    default: bool


def library() -> Any:
    """Return sounddevice; its import fails where PortAudio is missing.

    Raises:
        DeviceUnavailable: PortAudio is missing or does not start.
    """
    try:
        import sounddevice  # noqa: PLC0415 - raises without PortAudio, and text needs none
    except Exception as error:
        message = LocalizedText(
            en=f"The sound library PortAudio cannot be used ({error}).",
            zh=f"声音库 PortAudio 无法使用（{error}）。",
        )
        raise DeviceUnavailable(message, INSTALL.get(sys.platform, REINSTALL)) from error
    return sounddevice


def devices() -> tuple[Device, ...]:
    """Return all devices, inputs first; none where the machine has no sound.

    Raises:
        DeviceUnavailable: PortAudio is missing, or the sound system does not answer.
    """
    try:
        return in_thread(listed).result(ANSWERS_WITHIN_S)
    except TimeoutError as error:
        message = LocalizedText(
            en="The sound system does not answer.", zh="系统的声音服务没有响应。"
        )
        raise DeviceUnavailable(message, HINT) from error


def listed() -> tuple[Device, ...]:
    """Return all devices; may take as long as the sound system likes."""
    sounddevice = library()
    found: list[dict[str, Any]] = list(sounddevice.query_devices())
    defaults: dict[Kind, int] = dict(
        zip(("input", "output"), map(int, sounddevice.default.device), strict=True)
    )
    return tuple(
        Device(
            number=number,
            name=str(info["name"]),
            kind=kind,
            channels=int(info[f"max_{kind}_channels"]),
            rate_hz=int(info["default_samplerate"]),
            default=number == defaults[kind],
        )
        for kind in defaults
        for number, info in enumerate(found)
        if info[f"max_{kind}_channels"] > 0
    )


def in_thread(work: Callable[[], T]) -> "Future[T]":
    """Begin `work` in a daemon thread: no exit of the program waits for it."""
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 - handed on to the one who waits
            done.set_exception(error)

    done.set_running_or_notify_cancel()
    threading.Thread(target=run, daemon=True).start()
    return done

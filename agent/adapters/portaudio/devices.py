"""The sound devices of this machine, as PortAudio lists them.

Any call into PortAudio can hang with a lost device or a stuck sound server. So each is made in a
daemon thread, for which no exit of the program waits, and is waited for only so long.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# sounddevice ships no types.

import ctypes
import difflib
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeVar

from agent.domain.errors import DeviceUnavailable
from agent.domain.language import LocalizedText

ANSWERS_WITHIN_S = 5.0
"""Sound servers and wireless headsets wake up slowly."""
HINT = "viva practice --input text"
INSTALL = {"linux": "sudo apt install libportaudio2", "darwin": "brew install portaudio"}
REINSTALL = "pip install --force-reinstall sounddevice"

T = TypeVar("T")
Kind = Literal["input", "output"]
NAMES: dict[Kind, LocalizedText] = {
    "input": LocalizedText(en="microphone", zh="麦克风"),
    "output": LocalizedText(en="loudspeaker", zh="扬声器"),
}


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


def unavailable(kind: Kind, en: str, zh: str) -> DeviceUnavailable:
    """Return the error that says `The microphone {en}` in both languages."""
    name = NAMES[kind]
    return DeviceUnavailable(LocalizedText(en=f"The {name.en} {en}.", zh=f"{name.zh}{zh}。"), HINT)


def in_thread(work: Callable[[], T]) -> "Future[T]":
    """Begin `work` in a daemon thread."""
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 - handed on to the one who waits
            done.set_exception(error)

    done.set_running_or_notify_cancel()
    threading.Thread(target=run, daemon=True).start()
    return done


def library() -> Any:
    """Return sounddevice; its import fails where PortAudio is missing.

    Raises:
        DeviceUnavailable: PortAudio is missing or does not start.
    """
    try:
        import sounddevice  # noqa: PLC0415 - raises without PortAudio, and text needs none
    except Exception as error:
        raise _unusable(error) from error
    _hush_alsa()
    return sounddevice


@cache
def _hush_alsa() -> Any:
    """Keep ALSA from writing on the terminal, where the interview is; what fails is raised anyway.

    Returns:
        What must outlive every call into ALSA.
    """
    if sys.platform != "linux":
        return None
    text, number = ctypes.c_char_p, ctypes.c_int
    silent = ctypes.CFUNCTYPE(None, text, number, text, number, text)(lambda *_told: None)
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libasound.so.2").snd_lib_error_set_handler(silent)
    return silent


def _unusable(error: Exception) -> DeviceUnavailable:
    message = LocalizedText(
        en=f"The sound library PortAudio cannot be used ({error}).",
        zh=f"声音库 PortAudio 无法使用（{error}）。",
    )
    return DeviceUnavailable(message, INSTALL.get(sys.platform, REINSTALL))


def restart() -> None:
    """Let PortAudio list the devices anew. It ends every stream: none may be open.

    Raises:
        DeviceUnavailable: PortAudio does not start any more.
    """
    sounddevice = library()
    with suppress(sounddevice.PortAudioError):  # it did not come up after the last restart
        sounddevice._terminate()  # noqa: SLF001 - there is no public way
    try:
        sounddevice._initialize()  # noqa: SLF001
    except sounddevice.PortAudioError as error:
        raise _unusable(error) from error


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
    kinds: tuple[Kind, Kind] = ("input", "output")
    defaults = dict(zip(kinds, map(int, sounddevice.default.device), strict=True))
    return tuple(
        Device(
            number=number,
            name=str(info["name"]),
            kind=kind,
            channels=int(info[f"max_{kind}_channels"]),
            rate_hz=int(info["default_samplerate"]),
            default=number == defaults[kind],
        )
        for kind in kinds
        for number, info in enumerate(found)
        if info[f"max_{kind}_channels"] > 0
    )


def chosen(kind: Kind, wanted: str | None, present: Sequence[Device]) -> Device:
    """Return the device that is meant.

    Args:
        kind: Which direction of it.
        wanted: Its number, its name or part of it; None for the system's default, or the first
            where the system has no default.
        present: All devices.

    Raises:
        DeviceUnavailable: There is none; the message lists those that exist, nearest name first.
    """
    fitting = [device for device in present if device.kind == kind]
    if not fitting:
        raise unavailable(kind, "is missing: this machine has none", "不存在：本机没有可用的设备")
    if wanted is None:
        return next((device for device in fitting if device.default), fitting[0])
    name = wanted.casefold()
    tests: tuple[Callable[[Device], bool], ...] = (
        lambda device: str(device.number) == wanted,
        lambda device: device.name.casefold() == name,
        lambda device: name in device.name.casefold(),
    )
    for test in tests:
        for device in fitting:
            if test(device):
                return device

    def likeness(known: str) -> float:
        return difflib.SequenceMatcher(None, name, known.casefold()).ratio()

    names = ", ".join(sorted(dict.fromkeys(d.name for d in fitting), key=likeness, reverse=True))
    raise unavailable(
        kind, f"“{wanted}” does not exist; there is: {names}", f"“{wanted}”不存在，现有：{names}"
    )

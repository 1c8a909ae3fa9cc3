"""Whether a microphone hears and a loudspeaker plays."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import Literal, cast

import numpy as np

from agent.app.checks.card import Card, SoundDevice
from agent.app.checks.levels import (
    TONE_S,
    clipped_share,
    decibels,
    peak,
    tone,
    what_came_back,
)
from agent.app.checks.remedies import remedy
from agent.app.checks.result import CheckResult, Place, both, not_tried, same, told
from agent.domain.audio import SAMPLE_RATE, Samples
from agent.domain.errors import DeviceUnavailable, VivaError
from agent.domain.language import LocalizedText
from agent.ports import Microphone

LISTEN_S = 1.2
BEFORE_TONE_S = 0.5
AFTER_TONE_S = 0.8
"""Sound servers and wireless loudspeakers answer late."""
QUIET_DB = -50.0
CLIPPING_SHARE = 1e-3
ECHO_DB = -60.0
ECHO_OVER_ROOM_DB = 8.0


async def check_sound(card: Card, platform: str, *, quick: bool) -> AsyncIterator[CheckResult]:
    """Yield a row each for library, microphone, loudspeaker, echo and sample rates.

    Args:
        card: What to look at.
        platform: As `sys.platform` names it.
        quick: Neither listen nor play.
    """
    try:
        devices = card.devices()
    except VivaError as error:
        yield CheckResult(
            check="portaudio",
            state="fail",
            found=told(error),
            remedy=same(error.hint) if error.hint else remedy("portaudio", platform),
        )
        for check in ("microphone", "loudspeaker", "echo", "rates"):
            yield not_tried(Place(check))
        return
    count = {kind: sum(device.kind == kind for device in devices) for kind in ("input", "output")}
    yield CheckResult(
        check="portaudio",
        state="ok",
        found=both(
            f"PortAudio: {count['input']} inputs, {count['output']} outputs",
            f"PortAudio：{count['input']} 个输入，{count['output']} 个输出",
        ),
    )
    source = _chosen(devices, "input", card.input_device)
    target = _chosen(devices, "output", card.output_device)
    hears = _unnamed("microphone", source, card.input_device, platform)
    plays = _unnamed("loudspeaker", target, card.output_device, platform)
    if quick:
        yield hears or _only_named("microphone", source)
        yield plays or _only_named("loudspeaker", target)
        not_heard = both("not listened for", "未检测")
        yield CheckResult(check="echo", state="ok", found=not_heard)
    else:
        hears = hears or await _microphone(card, source, platform)
        yield hears
        plays, came_back = (
            (plays, None)
            if plays
            else await _loudspeaker(card, target, platform, listening=hears.state != "fail")
        )
        yield plays
        yield not_tried(Place("echo")) if came_back is None else _echo(came_back, platform)
    yield _rates(source, target, platform)


def _chosen(
    devices: Sequence[SoundDevice], kind: Literal["input", "output"], wanted: str | None
) -> SoundDevice | None:
    those = [device for device in devices if device.kind == kind]
    if wanted is None:
        return next((device for device in those if device.default), None)
    if wanted.isdigit():
        return next((device for device in those if device.number == int(wanted)), None)
    return next((device for device in those if wanted.casefold() in device.name.casefold()), None)


def _unnamed(
    check: str, device: SoundDevice | None, wanted: str | None, platform: str
) -> CheckResult | None:
    """Return the row that says there is no such device; None where there is one."""
    if device is not None:
        return None
    found = (
        both("the system names none", "系统没有提供")
        if wanted is None
        else both(f"there is no device {wanted!r}", f"没有设备 {wanted!r}")
    )
    helps = remedy(f"no {check}" if wanted is None else "device", platform)
    return CheckResult(check=check, state="fail", found=found, remedy=helps)


def _only_named(check: str, device: SoundDevice | None) -> CheckResult:
    name = device.name if device else "?"
    return CheckResult(
        check=check, state="ok", found=both(f"{name} (not opened)", f"{name}（未打开）")
    )


async def _microphone(card: Card, device: SoundDevice | None, platform: str) -> CheckResult:
    try:
        sound = await _heard(card.microphone(), LISTEN_S)
    except VivaError as error:
        return _refused("microphone", error, platform)
    name = _described(device)
    loudest = decibels(peak(sound))
    if not sound.any():
        return CheckResult(
            check="microphone",
            state="fail",
            found=both(
                f"{name.en}: nothing but zeros; a microphone that is denied or muted sounds so",
                f"{name.zh}：全是零；没有权限或静音的麦克风就是这样",
            ),
            remedy=remedy("all zeros", platform),
        )
    found = both(f"{name.en}, peak {loudest:.0f} dB", f"{name.zh}，峰值 {loudest:.0f} dB")
    if clipped_share(sound) > CLIPPING_SHARE:
        return CheckResult(
            check="microphone",
            state="warn",
            found=both(f"{found.en}: it clips", f"{found.zh}：过载"),
            remedy=remedy("clipping", platform),
        )
    if loudest < QUIET_DB:
        return CheckResult(
            check="microphone",
            state="warn",
            found=both(f"{found.en}: very quiet", f"{found.zh}：声音很小"),
            remedy=remedy("quiet", platform),
        )
    return CheckResult(check="microphone", state="ok", found=found)


async def _loudspeaker(
    card: Card, device: SoundDevice | None, platform: str, *, listening: bool
) -> tuple[CheckResult, Samples | None]:
    """Play the tone; return the row, and what the microphone heard of it where it listens."""
    came_back: Samples | None = None
    try:
        if listening:
            came_back = await _heard(
                card.microphone(),
                BEFORE_TONE_S + TONE_S + AFTER_TONE_S,
                lambda: card.speaker().play(tone()),
            )
        else:
            await card.speaker().play(tone())
    except VivaError as error:
        return _refused("loudspeaker", error, platform), None
    name = _described(device)
    found = both(
        f"{name.en}; a tone was played: if you heard none, turn it up",
        f"{name.zh}；已播放提示音：没有听到请调高音量",
    )
    return CheckResult(check="loudspeaker", state="ok", found=found), came_back


async def _heard(
    microphone: Microphone, seconds: float, meanwhile: Callable[[], Awaitable[None]] | None = None
) -> Samples:
    """Listen for `seconds`; begin `meanwhile` after `BEFORE_TONE_S`, and wait for its end."""
    blocks: list[Samples] = []
    playing: asyncio.Task[None] | None = None
    length = 0
    async with aclosing(cast("AsyncGenerator[Samples]", microphone.blocks())) as source:
        async for block in source:
            blocks.append(block)
            length += len(block)
            if meanwhile and playing is None and length >= BEFORE_TONE_S * SAMPLE_RATE:
                playing = asyncio.ensure_future(_awaited(meanwhile()))
            if length >= seconds * SAMPLE_RATE:
                break
    if playing:
        await playing
    if not blocks:
        raise DeviceUnavailable(both("The microphone gave no sound.", "麦克风没有声音。"))
    return np.concatenate(blocks)


async def _awaited(action: Awaitable[None]) -> None:
    await action


def _echo(sound: Samples, platform: str) -> CheckResult:
    back = what_came_back(sound)
    if back.level_db < ECHO_DB or back.over_room_db < ECHO_OVER_ROOM_DB:
        found = both("the microphone does not hear the loudspeaker", "麦克风听不到扬声器的声音")
        return CheckResult(check="echo", state="ok", found=found)
    over = f"{back.over_room_db:.0f} dB"
    return CheckResult(
        check="echo",
        state="warn",
        found=both(
            f"the microphone hears the loudspeaker: the tone comes back at {back.level_db:.0f} dB, "
            f"{over} above the room",
            f"麦克风听得到扬声器：提示音 {back.level_db:.0f} dB，高出环境声 {over}",
        ),
        remedy=remedy("echo", platform),
    )


def _rates(source: SoundDevice | None, target: SoundDevice | None, platform: str) -> CheckResult:
    if source is None and target is None:
        return not_tried(Place("rates"))
    shown = [str(device.rate_hz) if device else "-" for device in (source, target)]
    found = both(
        f"microphone {shown[0]} Hz, loudspeaker {shown[1]} Hz, Whisper {SAMPLE_RATE} Hz",
        f"麦克风 {shown[0]} Hz，扬声器 {shown[1]} Hz，Whisper {SAMPLE_RATE} Hz",
    )
    if source and source.rate_hz < SAMPLE_RATE:
        helps = remedy("narrow", platform)
        return CheckResult(check="rates", state="warn", found=found, remedy=helps)
    return CheckResult(check="rates", state="ok", found=found)


def _refused(check: str, error: VivaError, platform: str) -> CheckResult:
    return CheckResult(
        check=check, state="fail", found=told(error), remedy=remedy("device", platform)
    )


def _described(device: SoundDevice | None) -> LocalizedText:
    if device is None:
        return same("?")
    return both(
        f"{device.name}, {device.rate_hz} Hz, {device.channels} channels",
        f"{device.name}，{device.rate_hz} Hz，{device.channels} 声道",
    )

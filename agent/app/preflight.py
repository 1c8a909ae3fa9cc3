"""What `viva doctor` looks at, and the adapters behind it: beside `wiring`, and as late as can be.

Each group of checks runs as `python -m agent.app.preflight GROUP OPTIONS` in a process of its
own and imports what it needs there: any package may be missing or broken.
"""

import asyncio
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agent.app.checks.fence import fenced
from agent.app.checks.machine import (
    check_browser,
    check_model,
    check_packages,
    check_python,
    running_python,
)
from agent.app.checks.remedies import remedy
from agent.app.checks.result import CheckResult, Place, both, lost, not_tried, same, told
from agent.app.settings import load_settings, named_models
from agent.domain.language import LANGUAGES, Frozen, Language, LocalizedText

if TYPE_CHECKING:
    from agent.adapters.sounddevice_audio import Device
    from agent.domain.audio import AudioClip

SPEECH_S = 3.0
"""Of a recorded answer, for detector and recogniser."""
FAULTS = {
    "disk": "disk",
    "portaudio": "portaudio",
    "microphone": "device",
    "loudspeaker": "device",
    "detector": "detector",
    "whisper": "whisper broken",
    "encoder": "encoder",
}
"""What helps when a check fails as a whole; `packages` where nothing is named."""


class Options(Frozen):
    """What the checks are told.

    Attributes:
        languages: Of the interviews that are looked at.
        quick: Load no model, make no sound, listen to none.
    """

    languages: tuple[Language, ...] = LANGUAGES
    input_device: str | None = None
    output_device: str | None = None
    quick: bool = False


async def _disk(_: Options) -> AsyncIterator[CheckResult]:
    from agent.adapters.disk_room import check_writable

    folder = load_settings().recordings
    new = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        free = check_writable(folder)
    finally:
        for path in new:  # a check leaves nothing behind
            if path.is_dir():
                path.rmdir()
    where = folder.resolve()
    yield CheckResult(
        check="disk",
        state="ok",
        found=both(f"{where}, {free >> 20} MB free", f"{where}，剩余 {free >> 20} MB"),
    )


async def _sound(options: Options) -> AsyncIterator[CheckResult]:
    from agent.adapters.sounddevice_audio import (
        SounddeviceMicrophone,
        SounddeviceSpeaker,
        devices,
    )
    from agent.app.checks.sound import Card, check_sound

    card = Card(
        devices,
        lambda: SounddeviceMicrophone(options.input_device),
        lambda: SounddeviceSpeaker(options.output_device),
        options.input_device,
        options.output_device,
    )
    async for row in check_sound(card, sys.platform, quick=options.quick):
        yield row


async def _detector(_: Options) -> AsyncIterator[CheckResult]:
    import numpy as np

    from agent.adapters.silero_vad import SileroVad
    from agent.app.checks.speech import check_detector

    speech = _speech("en").samples
    yield check_detector(SileroVad(), speech, np.zeros_like(speech), sys.platform)


async def _whisper(options: Options) -> AsyncIterator[CheckResult]:
    from agent.adapters.faster_whisper_stt import WhisperTranscriber
    from agent.adapters.whisper_models import locate
    from agent.app.checks.speech import check_whisper
    from agent.domain.errors import ModelUnavailable

    settings = load_settings()
    (language,) = options.languages
    try:
        model = locate(
            settings.whisper, language, settings.models, lambda _: None, may_download=False
        )
    except ModelUnavailable as error:
        helps = same(error.hint) if settings.whisper and error.hint else None
        yield CheckResult(
            check="whisper",
            language=language,
            state="fail",
            found=told(error),
            remedy=helps or remedy("whisper", sys.platform),
        )
        return
    source = _source(model, settings.whisper, settings.models)
    small = language == "zh" and re.search(r"\b(tiny|base)\b", str(model)) is not None
    if options.quick:
        yield CheckResult(
            check="whisper",
            language=language,
            state="warn" if small else "ok",
            found=both(f"{source.en} (not loaded)", f"{source.zh}（未加载）"),
            remedy=remedy("whisper small", sys.platform) if small else None,
        )
        return
    transcriber = WhisperTranscriber(model)
    try:
        yield await check_whisper(
            transcriber, _speech(language), language, source, sys.platform, small_advised=small
        )
    finally:
        transcriber.close()


def _source(model: Path, wanted: str | None, cache: Path) -> LocalizedText:
    if wanted and Path(wanted).expanduser() == model:
        return both(f"VIVA_WHISPER={model}", f"VIVA_WHISPER={model}")
    if model.is_relative_to(cache):
        return both(
            f"{model.name}, from the offline packages, in {model.parent}",
            f"{model.name}，来自 offline 附加包，位于 {model.parent}",
        )
    size = re.search(r"whisper-([\w.-]+)", str(model))
    name = size.group() if size else model.name
    return both(f"{name}, from the Hugging Face cache", f"{name}，来自 Hugging Face 缓存")


async def _voice(options: Options) -> AsyncIterator[CheckResult]:
    from agent.adapters.hibari_tts import HibariSynthesizer
    from agent.adapters.pyttsx3_tts import Pyttsx3Synthesizer
    from agent.app.checks.speech import Voice, check_voice

    (language,) = options.languages
    system = Pyttsx3Synthesizer()
    espeak = sys.platform not in {"darwin", "win32"}
    called = "eSpeak" if espeak else "pyttsx3"

    def name() -> str:
        return f"{called} {system.voice(language) or ''}".strip()

    voices = [Voice(system, name, robotic=espeak and language == "zh")]
    natural = HibariSynthesizer() if language == "en" and HibariSynthesizer.available() else None
    if natural:
        voices.insert(0, Voice(natural, lambda: "hibari", robotic=False))
    try:
        yield await check_voice(voices, language, sys.platform)
    finally:
        system.close()
        if natural:
            natural.close()


async def _encoder(options: Options) -> AsyncIterator[CheckResult]:
    from agent.adapters.sentence_encoder import UniversalSentenceEncoder, available
    from agent.app.checks.speech import check_encoder

    if not available():
        found = both(
            "not installed: grading compares words, not meaning",
            "未安装：评分只比较词语，不比较含义",
        )
        yield CheckResult(
            check="encoder", state="warn", found=found, remedy=remedy("encoder", sys.platform)
        )
    elif options.quick:
        found = both("installed (not loaded)", "已安装（未加载）")
        yield CheckResult(check="encoder", state="ok", found=found)
    else:
        yield check_encoder(UniversalSentenceEncoder(), sys.platform)


def _speech(language: Language) -> "AudioClip":
    """Return the beginning of a recorded answer of the demo."""
    from agent.adapters.file_microphone import read_clip
    from agent.adapters.yaml_catalog import data_root
    from agent.domain.audio import AudioClip

    clip = read_clip(data_root() / "recordings" / "demo" / language / "unknown.flac")
    return AudioClip(clip.samples[: int(SPEECH_S * clip.sample_rate)], clip.sample_rate)


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
    "disk": Group(_disk, ("disk",), 20),
    "sound": Group(_sound, ("portaudio", "microphone", "loudspeaker", "echo", "rates"), 45),
    "detector": Group(_detector, ("detector",), 60),
    "whisper": Group(_whisper, ("whisper",), 180, each=True),
    "voice": Group(_voice, ("voice",), 150, each=True),
    "encoder": Group(_encoder, ("encoder",), 60),
}


def results(options: Options, begun: Callable[[Place], None]) -> Iterator[CheckResult]:
    """Yield the rows of the pre-flight but the terminal's, each when it is done."""
    yield check_python(running_python(), sys.platform)
    yield _kept("packages", lambda: check_packages(sys.platform))
    for name, group in GROUPS.items():
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
    yield _kept("model", lambda: check_model(named_models(), sys.platform))
    yield _kept("browser", lambda: check_browser(sys.platform))


def sound_devices() -> "tuple[Device, ...]":
    """Return the sound devices of this machine.

    Raises:
        DeviceUnavailable: PortAudio is missing, or the sound system does not answer.
    """
    from agent.adapters.sounddevice_audio import devices

    return devices()


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

    group, options = GROUPS[sys.argv[1]], Options.model_validate_json(sys.argv[2])
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

"""What each check of the pre-flight looks at: the adapters, beside `wiring`, as late as can be.

Any package may be missing or broken, so each probe imports what it needs when it runs.
"""

import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

from agent.app.checks.remedies import remedy
from agent.app.checks.result import CheckResult, both, same, told
from agent.app.settings import load_settings
from agent.domain.language import LANGUAGES, Frozen, Language, LocalizedText

if TYPE_CHECKING:
    from agent.adapters.sounddevice_audio import Device
    from agent.domain.audio import AudioClip

SPEECH_S = 3.0
"""Of a recorded answer, for detector and recogniser."""


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


async def disk(_: Options) -> AsyncIterator[CheckResult]:
    """Yield whether recordings can be kept, and how much room there is."""
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


async def sound(options: Options) -> AsyncIterator[CheckResult]:
    """Yield what library, microphone and loudspeaker do."""
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


async def detector(_: Options) -> AsyncIterator[CheckResult]:
    """Yield whether speech is told from silence."""
    import numpy as np

    from agent.adapters.silero_vad import SileroVad
    from agent.app.checks.speech import check_detector

    speech = _speech("en").samples
    yield check_detector(SileroVad(), speech, np.zeros_like(speech), sys.platform)


async def whisper(options: Options) -> AsyncIterator[CheckResult]:
    """Yield which model hears the one language of `options`, without asking the network."""
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


async def voice(options: Options) -> AsyncIterator[CheckResult]:
    """Yield which voice speaks the one language of `options`."""
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


async def encoder(options: Options) -> AsyncIterator[CheckResult]:
    """Yield whether meaning can be compared."""
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


def sound_devices() -> "tuple[Device, ...]":
    """Return the sound devices of this machine.

    Raises:
        DeviceUnavailable: PortAudio is missing, or the sound system does not answer.
    """
    from agent.adapters.sounddevice_audio import devices

    return devices()

"""What each check of the pre-flight looks at: the adapters, beside `wiring`, as late as can be.

Any package may be missing or broken, so each probe imports what it needs when it runs.
"""

import re
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from agent.app.checks.remedies import remedy
from agent.app.checks.result import CheckResult, both, same, told
from agent.app.settings import chat_endpoint, load_settings, named_models
from agent.domain.language import LANGUAGES, Frozen, Language, LocalizedText

if TYPE_CHECKING:
    from agent.adapters.hibari_tts import HibariSynthesizer
    from agent.adapters.kokoro.synthesizer import KokoroSynthesizer
    from agent.adapters.sounddevice_audio import Device
    from agent.domain.audio import AudioClip

SPEECH_S = 3.0
"""Of a recorded answer, for detector and recogniser."""
NATURAL: Mapping[Language, str] = {"en": "hibari", "zh": "kokoro"}
LOADING_S = 60.0
"""How long the natural Chinese voice may take for its first sentence."""


class Options(Frozen):
    """What the checks are told.

    Attributes:
        languages: Of the interviews that are looked at.
        quick: Load no model, make no sound, listen to none.
        llm: Look at the language model instead of the machine.
    """

    languages: tuple[Language, ...] = LANGUAGES
    input_device: str | None = None
    output_device: str | None = None
    quick: bool = False
    llm: bool = False


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

    speaker = SounddeviceSpeaker(options.output_device)
    card = Card(
        devices,
        lambda: SounddeviceMicrophone(options.input_device),
        lambda: speaker,
        options.input_device,
        options.output_device,
    )
    try:
        async for row in check_sound(card, sys.platform, quick=options.quick):
            yield row
    finally:
        speaker.close()


async def detector(_: Options) -> AsyncIterator[CheckResult]:
    """Yield whether speech is told from silence."""
    import numpy as np

    from agent.adapters.silero_vad import SileroVad
    from agent.app.checks.speech import check_detector

    speech = _speech("en").samples
    yield check_detector(SileroVad(), speech, np.zeros_like(speech), sys.platform)


async def whisper(options: Options) -> AsyncIterator[CheckResult]:
    """Yield which model hears the one language of `options`, without asking the network."""
    from agent.adapters.whisper.models import locate
    from agent.adapters.whisper.transcriber import WhisperTranscriber
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
    from agent.adapters.pyttsx3_tts import Pyttsx3Synthesizer
    from agent.app.checks.speech import Voice, check_voice

    (language,) = options.languages
    with TemporaryDirectory() as folder, ExitStack() as closing:
        natural = _natural_voice(language, Path(folder))
        called = NATURAL[language]
        if natural and options.quick:
            found = both(f"{called}, installed (not loaded)", f"{called}，已安装（未加载）")
            yield CheckResult(check="voice", language=language, state="ok", found=found)
            return
        system = Pyttsx3Synthesizer()
        closing.callback(system.close)
        espeak = sys.platform not in {"darwin", "win32"}

        def name() -> str:
            kind = "eSpeak" if espeak else "pyttsx3"
            return f"{kind} {system.voice(language) or ''}".strip()

        voices = [Voice(system, name, robotic=espeak and language == "zh")]
        if natural:
            closing.callback(natural.close)
            voices.insert(0, Voice(natural, lambda: called, robotic=False))
        yield await check_voice(voices, language, sys.platform)


def _natural_voice(
    language: Language, rendered: Path
) -> "HibariSynthesizer | KokoroSynthesizer | None":
    """Return the voice that comes first where it is installed."""
    from agent.adapters.hibari_tts import HibariSynthesizer
    from agent.adapters.kokoro.synthesizer import KokoroSynthesizer

    if language == "en":
        return HibariSynthesizer() if HibariSynthesizer.available() else None
    if KokoroSynthesizer.available():
        return KokoroSynthesizer(rendered, wait_s=LOADING_S)
    return None


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


async def language_model(_: Options) -> AsyncIterator[CheckResult]:
    """Yield what the language model that the settings name can do; asks it a few questions."""
    from agent.adapters.openai_chat.chat import OpenAIChat
    from agent.adapters.openai_chat.dialect import DialectStore
    from agent.adapters.openai_chat.ledger import Ledger
    from agent.app.checks.language_model import check_language_model, check_unnamed

    settings = load_settings()
    endpoint = chat_endpoint(settings)
    if endpoint is None:
        for row in check_unnamed(named_models(), sys.platform):
            yield row
        return
    ledger = Ledger(endpoint.model)
    model = OpenAIChat(endpoint, DialectStore(settings.dialects), ledger)
    try:
        async for row in check_language_model(endpoint, model, ledger.use, sys.platform):
            yield row
    finally:
        await model.close()


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

"""Who speaks: the voices that there are, and the one that is asked for."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.adapters.hibari_tts import HibariSynthesizer
from agent.adapters.kokoro.synthesizer import KokoroSynthesizer
from agent.adapters.portaudio.devices import chosen, devices
from agent.adapters.pyttsx3_tts import Pyttsx3Synthesizer
from agent.adapters.sounddevice_audio import SounddeviceSpeaker
from agent.domain.errors import DeviceUnavailable, SynthesisFailed, UsageError
from agent.domain.interview import SessionManifest
from agent.domain.language import Language, LocalizedText
from agent.policy.voice_lines import coming_lines
from agent.voice.speaking import SpeakingPipeline
from agent.wording.lines import AGAIN, MOVE_ON, PLAIN_PROBE

NATURAL: Mapping[Language, str] = {"en": "hibari", "zh": "kokoro"}
NO_SUCH_VOICE = LocalizedText(
    en="No voice named {wanted} speaks {language} here. There are: {offered}.",
    zh="没有名为 {wanted} 的{language}语音。可用的有：{offered}。",
)
NAMES: Mapping[Language, LocalizedText] = {
    "en": LocalizedText(en="English", zh="英语"),
    "zh": LocalizedText(en="Chinese", zh="中文"),
}


@dataclass
class Mouth:
    """The speaking side, and the voices behind it.

    Attributes:
        voice_names: What speaks, first choice first, for the session's manifest.
        ahead: The one that wants to know early what will be said, if there is such a one.
    """

    pipeline: SpeakingPipeline
    voice_names: str
    voices: Sequence[Pyttsx3Synthesizer | HibariSynthesizer | KokoroSynthesizer]
    speaker: SounddeviceSpeaker | None = None
    ahead: KokoroSynthesizer | None = None

    def prepare(self, manifest: SessionManifest) -> None:
        """Begin to render what will be said in the interview; returns at once."""
        if self.ahead is not None:
            everyday = (*(texts for texts in AGAIN.values()), MOVE_ON)
            general = [text for texts in everyday for text in texts.get(manifest.language)]
            general.append(PLAIN_PROBE.get(manifest.language))
            self.ahead.prepare(coming_lines(manifest, general))

    def close(self) -> None:
        """Let the voices and the loudspeaker go."""
        for voice in self.voices:
            voice.close()
        if self.speaker is not None:
            self.speaker.close()


def mouth(
    language: Language,
    aloud: bool,
    device: str | None = None,
    rendered: Path | None = None,
    wanted: str | None = None,
) -> Mouth:
    """Return the speaking side: a natural voice first, where there is one.

    The Chinese one is for those who listen: sentence by sentence it is about as fast as speech,
    which nobody waits for who only wants the files.

    Args:
        language: Of the interview.
        aloud: Play through the loudspeaker; else only the session's files hold the sound.
        device: Name or number of the loudspeaker; None for the system's.
        rendered: Folder in which rendered sentences are kept; None: there is none.
        wanted: The natural voice of the language, or part of the name of a voice of the system;
            None takes the best.

    Raises:
        UsageError: No such voice speaks the language.
    """
    natural = wanted in {None, NATURAL[language]}
    system = Pyttsx3Synthesizer(None if natural else wanted)
    if wanted is not None:
        _check(wanted, language, system)
    speaker = SounddeviceSpeaker(device) if aloud else None
    if natural and language == "en" and HibariSynthesizer.available():
        voices = [HibariSynthesizer(), system]
        pipeline = SpeakingPipeline({language: voices}, speaker)
        return Mouth(pipeline, "hibari, pyttsx3", voices, speaker)
    heard = wanted is not None or _is_heard(speaker, device)
    if natural and language == "zh" and rendered and KokoroSynthesizer.available() and heard:
        kokoro = KokoroSynthesizer(rendered)
        pipeline = SpeakingPipeline({language: [kokoro, system]}, speaker, kokoro.pieces)
        return Mouth(pipeline, "kokoro, pyttsx3", [kokoro, system], speaker, ahead=kokoro)
    pipeline = SpeakingPipeline({language: [system]}, speaker)
    return Mouth(pipeline, "pyttsx3" if natural else f"pyttsx3 {wanted}", [system], speaker)


def _check(wanted: str, language: Language, system: Pyttsx3Synthesizer) -> None:
    """Close `system` and raise `UsageError` where no such voice speaks `language`."""
    natural = HibariSynthesizer if language == "en" else KokoroSynthesizer
    offered = (NATURAL[language],) if natural.available() else ()
    if wanted in offered:
        return
    try:
        offered += asyncio.run(system.offered(language))
        if any(wanted.casefold() in name.casefold() for name in offered):
            return
    except SynthesisFailed:  # then there are none
        pass
    system.close()
    told = {"wanted": wanted, "offered": ", ".join(offered) or "-"}
    called = NAMES[language]
    en = NO_SUCH_VOICE.en.format(language=called.en, **told)
    zh = NO_SUCH_VOICE.zh.format(language=called.zh, **told)
    raise UsageError(LocalizedText(en=en, zh=zh), "viva doctor")


def _is_heard(speaker: SounddeviceSpeaker | None, device: str | None) -> bool:
    """Tell whether there is a loudspeaker behind `speaker`."""
    try:
        return speaker is not None and bool(chosen("output", device, devices()))
    except DeviceUnavailable:
        return False

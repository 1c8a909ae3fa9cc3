"""Who speaks: the voices that there are, and the one that is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.adapters.hibari_tts import HibariSynthesizer
from agent.adapters.kokoro.synthesizer import KokoroSynthesizer
from agent.adapters.portaudio.devices import chosen, devices
from agent.adapters.pyttsx3_tts import Pyttsx3Synthesizer
from agent.adapters.sounddevice_audio import SounddeviceSpeaker
from agent.domain.errors import DeviceUnavailable
from agent.domain.interview import SessionManifest
from agent.domain.language import Language
from agent.policy.voice_lines import coming_lines
from agent.voice.speaking import SpeakingPipeline
from agent.wording.lines import AGAIN, MOVE_ON, PLAIN_PROBE


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
) -> Mouth:
    """Return the speaking side: a natural voice first, where there is one.

    The Chinese one is for those who listen: sentence by sentence it is about as fast as speech,
    which nobody waits for who only wants the files.

    Args:
        language: Of the interview.
        aloud: Play through the loudspeaker; else only the session's files hold the sound.
        device: Name or number of the loudspeaker; None for the system's.
        rendered: Folder in which rendered sentences are kept; None: there is none.
    """
    system = Pyttsx3Synthesizer()
    speaker = SounddeviceSpeaker(device) if aloud else None
    if language == "en" and HibariSynthesizer.available():
        voices = [HibariSynthesizer(), system]
        pipeline = SpeakingPipeline({language: voices}, speaker)
        return Mouth(pipeline, "hibari, pyttsx3", voices, speaker)
    if (
        language == "zh"
        and rendered
        and KokoroSynthesizer.available()
        and _is_heard(speaker, device)
    ):
        kokoro = KokoroSynthesizer(rendered)
        pipeline = SpeakingPipeline({language: [kokoro, system]}, speaker, kokoro.pieces)
        return Mouth(pipeline, "kokoro, pyttsx3", [kokoro, system], speaker, ahead=kokoro)
    pipeline = SpeakingPipeline({language: [system]}, speaker)
    return Mouth(pipeline, "pyttsx3", [system], speaker)


def _is_heard(speaker: SounddeviceSpeaker | None, device: str | None) -> bool:
    """Tell whether there is a loudspeaker behind `speaker`."""
    try:
        return speaker is not None and bool(chosen("output", device, devices()))
    except DeviceUnavailable:
        return False

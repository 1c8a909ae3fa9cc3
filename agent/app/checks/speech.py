"""Whether speech is detected, understood, made, and compared in meaning."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent.app.checks.remedies import remedy
from agent.app.checks.result import CheckResult, both, told
from agent.domain.audio import BLOCK_SAMPLES, AudioClip, Samples
from agent.domain.errors import VivaError
from agent.domain.language import Language, LocalizedText
from agent.ports import SentenceEncoder, Synthesizer, Transcriber, VoiceActivityDetector

SPEECH = 0.5
"""Probability from which a window is speech."""
WORD: dict[Language, str] = {"en": "Welcome to the interview.", "zh": "欢迎参加面试。"}
SHORTEST_S, LONGEST_S = 0.4, 6.0
"""Seconds that `WORD` may take: anything else is not that sentence."""
SAME = ("The gradient is averaged.", "梯度取平均。")
OTHER = "The restaurant opens at noon."


@dataclass(frozen=True)
class Voice:
    """Something that speaks.

    Attributes:
        name: What it is called, once it has spoken.
        robotic: Understood with difficulty: eSpeak's Mandarin.
    """

    synthesizer: Synthesizer
    name: Callable[[], str]
    robotic: bool


def check_detector(
    detector: VoiceActivityDetector, speech: Samples, silence: Samples, platform: str
) -> CheckResult:
    """Return whether the detector tells speech from silence."""
    spoken, quiet = (_highest(detector, sound) for sound in (speech, silence))
    found = both(
        f"Silero: speech {spoken:.2f}, silence {quiet:.2f}",
        f"Silero：语音 {spoken:.2f}，静音 {quiet:.2f}",
    )
    if spoken >= SPEECH > quiet:
        return CheckResult(check="detector", state="ok", found=found)
    helps = remedy("detector", platform)
    return CheckResult(check="detector", state="fail", found=found, remedy=helps)


def _highest(detector: VoiceActivityDetector, sound: Samples) -> float:
    detector.reset()
    whole = len(sound) // BLOCK_SAMPLES * BLOCK_SAMPLES
    return max(detector.probability(block) for block in sound[:whole].reshape(-1, BLOCK_SAMPLES))


async def check_whisper(
    transcriber: Transcriber,
    speech: AudioClip,
    language: Language,
    source: LocalizedText,
    platform: str,
    *,
    small_advised: bool,
) -> CheckResult:
    """Return whether a sentence is understood, and how long it took.

    Args:
        transcriber: Not loaded yet.
        speech: A few words in `language`.
        language: What is spoken.
        source: The model, and where it comes from.
        platform: As `sys.platform` names it.
        small_advised: The model hears this language poorly.
    """
    took: list[float] = []
    text = ""
    for _ in range(2):  # the first one also loads the model
        began = time.perf_counter()
        heard = await transcriber.transcribe(speech.samples, language)
        took.append(time.perf_counter() - began)
        text = "".join(segment.text for segment in heard).strip()
    load_s, decode_s = max(0.0, took[0] - took[1]), took[1]
    found = both(
        f"{source.en}; loaded in {load_s:.1f} s, {speech.seconds:.1f} s of speech decoded in "
        f"{decode_s:.1f} s",
        f"{source.zh}；加载 {load_s:.1f} 秒，{speech.seconds:.1f} 秒语音解码用 {decode_s:.1f} 秒",
    )
    if not text:
        return CheckResult(
            check="whisper",
            language=language,
            state="fail",
            found=both(f"{found.en}, without a word", f"{found.zh}，没有识别出内容"),
            remedy=remedy("whisper broken", platform),
        )
    return CheckResult(
        check="whisper",
        language=language,
        state="warn" if small_advised else "ok",
        found=found,
        remedy=remedy("whisper small", platform) if small_advised else None,
    )


async def check_voice(voices: Sequence[Voice], language: Language, platform: str) -> CheckResult:
    """Return which voice speaks: the first that makes a sentence of the right length."""
    failed: list[LocalizedText] = []
    for voice in voices:
        try:
            clip = await voice.synthesizer.synthesize(WORD[language], language)
        except VivaError as error:
            failed.append(told(error))
            continue
        if not SHORTEST_S <= clip.seconds <= LONGEST_S:
            wrong = f"{voice.name()}: {clip.seconds:.1f} s"
            failed.append(both(wrong, wrong))
            continue
        return _spoken(voice, clip, failed, language, platform)
    found = _joined(failed) if failed else both("there is none", "没有语音")
    helps = remedy(f"voice {language}", platform)
    return CheckResult(check="voice", language=language, state="fail", found=found, remedy=helps)


def _spoken(
    voice: Voice,
    clip: AudioClip,
    failed: Sequence[LocalizedText],
    language: Language,
    platform: str,
) -> CheckResult:
    found = _joined(
        [
            both(
                f"{voice.name()}: a sentence of {clip.seconds:.1f} s",
                f"{voice.name()}：合成了 {clip.seconds:.1f} 秒的句子",
            ),
            *failed,
        ]
    )
    helps = None
    if failed:
        helps = remedy(f"voice {language}", platform)
    elif voice.robotic:
        helps = remedy("voice zh robotic", platform)
    state = "warn" if helps else "ok"
    return CheckResult(check="voice", language=language, state=state, found=found, remedy=helps)


def _joined(parts: Sequence[LocalizedText]) -> LocalizedText:
    return both("; ".join(part.en for part in parts), "；".join(part.zh for part in parts))


def check_encoder(encoder: SentenceEncoder, platform: str) -> CheckResult:
    """Return whether one thing said in two languages is nearer than another thing."""
    rows = encoder.encode([*SAME, OTHER])
    near, far = float(rows[0] @ rows[1]), float(rows[0] @ rows[2])
    found = both(
        f"one sentence in two languages {near:.2f}, another sentence {far:.2f}",
        f"同一句话的中英文 {near:.2f}，另一句话 {far:.2f}",
    )
    if near > far:
        return CheckResult(check="encoder", state="ok", found=found)
    helps = remedy("encoder", platform)
    return CheckResult(check="encoder", state="warn", found=found, remedy=helps)

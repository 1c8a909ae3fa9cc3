"""What a check found, and what to do about it."""

from typing import Literal, NamedTuple

from agent.domain.errors import VivaError
from agent.domain.language import LANGUAGES, Frozen, Language, LocalizedText, both

State = Literal["ok", "warn", "fail"]


OPTIONAL = {"echo", "rates", "encoder", "model", "browser", "terminal"}
"""Checks that no interview depends on."""
LANGUAGE_MODEL = ("endpoint", "forms", "first_token", "context", "egress")
"""Checks of the language model, made when they are asked for."""


class Place(NamedTuple):
    """Which row is meant: a check, and the language it is made for."""

    check: str
    language: Language | None = None


class CheckResult(Frozen):
    """A row of the pre-flight.

    Attributes:
        check: What was looked at: a key of `NAMES`.
        language: Of the interview it was looked at for; None where it does not matter.
        found: What is there.
        remedy: A command or a setting to type; None when nothing is to be done.
    """

    check: str
    language: Language | None = None
    state: State
    found: LocalizedText
    remedy: LocalizedText | None = None

    def name(self, shown_in: Language) -> str:
        """Return what the check is called."""
        name = NAMES[self.check].get(shown_in)
        return f"{name} ({self.language})" if self.language else name


def lost(place: Place, found: LocalizedText, remedy: LocalizedText) -> CheckResult:
    """Return the row of a check that came to no result."""
    return CheckResult(
        check=place.check,
        language=place.language,
        state="warn" if place.check in OPTIONAL else "fail",
        found=found,
        remedy=remedy,
    )


def not_tried(place: Place) -> CheckResult:
    """Return the row of a check that stands on another, which failed."""
    return lost(
        place,
        both("could not be tried", "无法检查"),
        both("mend the rows above first", "先解决上面的问题"),
    )


def same(text: str) -> LocalizedText:
    """Return what is the same in both languages: a command, or what a library said."""
    return LocalizedText(en=text or "?", zh=text or "?")


def told(error: Exception) -> LocalizedText:
    """Return what an error says, in both languages where it does."""
    if isinstance(error, VivaError):
        en, zh = (error.text(language) for language in LANGUAGES)
        return both(en or type(error).__name__, zh or type(error).__name__)
    return same(f"{type(error).__name__}: {error}".strip(": "))


NAMES = {
    "python": both("Python", "Python"),
    "packages": both("Packages", "依赖包"),
    "disk": both("Recordings folder", "录音文件夹"),
    "portaudio": both("Sound library", "声音库"),
    "microphone": both("Microphone", "麦克风"),
    "loudspeaker": both("Loudspeaker", "扬声器"),
    "echo": both("Echo", "回声"),
    "rates": both("Sample rates", "采样率"),
    "detector": both("Voice detector", "语音检测"),
    "whisper": both("Whisper", "Whisper"),
    "voice": both("Interviewer's voice", "面试官语音"),
    "encoder": both("Sentence encoder", "句子编码器"),
    "model": both("Language model", "语言模型"),
    "endpoint": both("Language model", "语言模型"),
    "forms": both("Its forms", "格式能力"),
    "first_token": both("Its first word", "首个词"),
    "context": both("Its context", "上下文"),
    "egress": both("What is sent", "发送内容"),
    "browser": both("Browser", "浏览器"),
    "terminal": both("Terminal", "终端"),
}
"""In the order in which they are shown."""

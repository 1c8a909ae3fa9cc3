"""What kind of interview this machine can hold."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.app.checks.result import CheckResult, both
from agent.domain.language import Language, LocalizedText

ALWAYS = ("python", "packages", "disk")
TO_SPEAK = ("portaudio", "loudspeaker", "voice")
TO_HEAR = ("portaudio", "microphone", "detector", "whisper")
CALLED: dict[Language, LocalizedText] = {
    "en": both("English", "英语"),
    "zh": both("Chinese", "中文"),
}

NONE = both("No interview can be held before this is mended.", "解决上述问题之前无法进行面试。")
READ = both(
    "What works: you talk and read the interviewer: viva practice --input mic --output text",
    "现在可用：你说话，面试官用文字：viva practice --input mic --output text",
)
HEARD = both(
    "What works: you type and hear the interviewer: viva practice --input text --output voice",
    "现在可用：你打字，面试官用语音：viva practice --input text --output voice",
)
TYPED = both(
    "What works: an interview in text: viva practice --input text --output text",
    "现在可用：文字面试：viva practice --input text --output text",
)

NO_MODEL = both(
    "No language model takes part in interviews; none is needed.",
    "面试中不使用语言模型；不用也能进行。",
)
BAD_MODEL = both(
    "This language model cannot be used as it is; interviews are held without it.",
    "这个语言模型目前无法使用；面试会在没有它的情况下进行。",
)
WORDS_ONLY = both(
    "This language model can word follow-ups; it cannot grade.",
    "这个语言模型可以为追问措辞，但不能评分。",
)
GOOD_MODEL = both(
    "This language model can word follow-ups and grade.", "这个语言模型可以为追问措辞，也可以评分。"
)


@dataclass(frozen=True)
class Verdict:
    """What can be held.

    Attributes:
        by_voice: Languages in which an interview by voice can be held.
        sentence: The same in words, or what works instead.
    """

    by_voice: tuple[Language, ...]
    sentence: LocalizedText


def verdict(results: Sequence[CheckResult], languages: Sequence[Language]) -> Verdict:
    """Judge the rows; what was not looked at stands in nobody's way."""
    failed = {(row.check, row.language) for row in results if row.state == "fail"}

    def can(needs: Sequence[str], language: Language) -> bool:
        return not any((need, of) in failed for need in needs for of in (None, language))

    if not can(ALWAYS, languages[0]):
        return Verdict((), NONE)
    hears: list[Language] = [language for language in languages if can(TO_HEAR, language)]
    speaks = [language for language in languages if can(TO_SPEAK, language)]
    both_ways: tuple[Language, ...] = tuple(language for language in hears if language in speaks)
    if both_ways:
        return Verdict(both_ways, _held_in(both_ways, languages))
    return Verdict((), READ if hears else HEARD if speaks else TYPED)


def model_verdict(results: Sequence[CheckResult]) -> tuple[bool, LocalizedText]:
    """Return whether the language model can be used, and the same in words."""
    states = {row.check: row.state for row in results}
    if states["endpoint"] == "warn":
        return False, NO_MODEL
    if "fail" in states.values():
        return False, BAD_MODEL
    return True, GOOD_MODEL if states["forms"] == "ok" else WORDS_ONLY


def _held_in(able: Sequence[Language], asked: Sequence[Language]) -> LocalizedText:
    names_en = " and ".join(CALLED[language].en for language in able)
    names_zh = "和".join(CALLED[language].zh for language in able)
    en, zh = f"An interview by voice can be held in {names_en}.", f"可以用{names_zh}进行语音面试。"
    unable: list[Language] = [language for language in asked if language not in able]
    if unable:
        en += f" Not in {CALLED[unable[0]].en}: see above."
        zh += f"{CALLED[unable[0]].zh}还不行：见上。"
    return both(en, zh)

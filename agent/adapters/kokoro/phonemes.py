"""Chinese text with English terms in it, in the phonemes that the Kokoro network was taught.

Mandarin is written in a broad IPA with one arrow a syllable for its tone, after the vowel; English
in the symbols of the package hibari, which names the same sounds.
"""

# pyright: reportMissingImports=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
# hibari has no types, and is not always installed.

import re
from typing import Any

from agent.policy.mandarin import spelt_out
from agent.policy.polyphones import readings
from agent.policy.pronunciation import aloud, letter_by_letter

_INITIALS = {
    "b": "p", "p": "pʰ", "m": "m", "f": "f", "d": "t", "t": "tʰ", "n": "n", "l": "l",
    "g": "k", "k": "kʰ", "h": "x", "j": "ʨ", "q": "ʨʰ", "x": "ɕ", "zh": "ꭧ", "ch": "ꭧʰ",
    "sh": "ʂ", "r": "ɻ", "z": "ʦ", "c": "ʦʰ", "s": "s", "": "",
}  # fmt: skip
_FINALS = {
    "a": "a", "ai": "ai", "an": "a-n", "ang": "a-ŋ", "ao": "au",
    "e": "ɤ", "ei": "ei", "en": "ə-n", "eng": "ə-ŋ", "er": "ɚ", "ê": "ɛ",
    "i": "i", "ia": "ja", "ian": "jɛ-n", "iang": "ja-ŋ", "iao": "jau", "ie": "je",
    "in": "i-n", "ing": "i-ŋ", "io": "jɔ", "iong": "jʊ-ŋ", "iou": "jou",
    "o": "wo", "ong": "ʊ-ŋ", "ou": "ou",
    "u": "u", "ua": "wa", "uai": "wai", "uan": "wa-n", "uang": "wa-ŋ",
    "uei": "wei", "uen": "wə-n", "ueng": "wə-ŋ", "uo": "wo",
    "v": "y", "van": "ɥɛ-n", "ve": "ɥe", "vn": "y-n",
}  # fmt: skip
"""As pypinyin writes them strictly; the tone stands at the dash, or at the end."""
_TONES = {"1": "→", "2": "↗", "3": "↓", "4": "↘"}
_APICAL = {"zh", "ch", "sh", "r", "z", "c", "s"}
"""After these the final i is another vowel."""

_MARKS = str.maketrans(
    {"，": ",", "、": ",", "。": ".", "！": "!", "？": "?", "；": ";", "：": ":"}
    | {"《": "“", "》": "”", "「": "“", "」": "”", "（": "(", "）": ")", "—": "—", "…": "…"}
)
_PIECE = re.compile(
    r"(?P<han>[\u3400-\u9fff]+)|(?P<latin>[A-Za-z][A-Za-z' -]*)|(?P<mark>[,.!?;:—…()“”])"
)


_LETTER_A = re.compile(r"\bA\b")
"""The letter; hibari takes it for the article."""


class Phonemizer:
    """Turns text into phonemes; the tables load with the first word of each language."""

    def __init__(self) -> None:
        self._english: Any = None

    def __call__(self, text: str) -> str:
        """Return the phonemes of `text`; what can be said in neither language is left out."""
        said = spelt_out(aloud(text)).translate(_MARKS)
        spoken: list[str] = []
        for piece in _PIECE.finditer(said):
            if piece["han"]:
                spoken.append(" " + " ".join(mandarin(piece["han"])))
            elif piece["latin"]:
                spoken.append(" " + self.english(letter_by_letter(piece["latin"].strip(" -'"))))
            else:
                spoken.append(piece["mark"])
        return re.sub(r"\s+", " ", "".join(spoken)).strip()

    def english(self, words: str) -> str:
        """Return the phonemes of English words."""
        if self._english is None:
            from hibari.g2p import G2P  # noqa: PLC0415 - part of an extra

            self._english = G2P()
        return str(self._english(_LETTER_A.sub("[A](/ˈA/)", words)))


def mandarin(characters: str) -> list[str]:
    """Return the phonemes of each word of a run of Han characters."""
    from pypinyin import Style, lazy_pinyin  # noqa: PLC0415 - part of an extra
    from pypinyin.contrib.tone_convert import to_finals_tone3, to_initials  # noqa: PLC0415
    from pypinyin.seg.mmseg import seg  # noqa: PLC0415

    initials = lazy_pinyin(characters, Style.INITIALS, strict=True, errors="ignore")
    finals = lazy_pinyin(characters, Style.FINALS_TONE3, strict=True, errors="ignore")
    syllables = [_syllable(*sound) for sound in zip(initials, finals, strict=True)]
    if len(syllables) != len(characters):  # one was not known
        return ["".join(syllables)]
    for place, reading in readings(characters).items():
        syllables[place] = _syllable(to_initials(reading), to_finals_tone3(reading))
    words: list[str] = []
    for word in seg.cut(characters):
        words.append("".join(syllables[: len(word)]))
        del syllables[: len(word)]
    return words


def _syllable(initial: str, final: str) -> str:
    tone = _TONES.get(final[-1:], "")
    plain = final.rstrip("1234")
    vowel = "ɨ" if plain == "i" and initial in _APICAL else _FINALS.get(plain, "")
    if plain == "o" and not initial:
        vowel = "ɔ"
    nucleus, _, coda = vowel.partition("-")
    return _INITIALS[initial] + nucleus + tone + coda

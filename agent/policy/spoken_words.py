"""Whether words that a model chose may be said by an interviewer, before they are said."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agent.domain.language import Language
from agent.domain.question import LocalizedQuestion
from agent.policy.evidence import locate
from agent.policy.folding import content, fold, weight
from agent.policy.named_terms import terms_share
from agent.policy.nearness import WordNearness

Objection = Literal[
    "form",
    "language",
    "length",
    "no_question",
    "several_questions",
    "verdict",
    "never_said",
    "misquote",
    "invention",
    "repetition",
    "gives_away",
    "adrift",
]
"""Why words are not said."""

LONGEST = 40
"""Words of one sentence; two Chinese characters count as one."""
SAME = 0.8
"""Nearness of words from which something is said again."""
GIVEN = 0.4
"""Share of a key point's words that, said for the first time, give it away."""

_FORM = re.compile(
    r"[\n{}<>|*#`_\[\]]|https?:|\b(?:interviewer|candidate|assistant|system|user)\s*[:：]|"
    r"(?:面试官|候选人|助手|系统|用户)\s*[:：]|\bas an? (?:ai|language model|assistant)\b|"
    r"作为(?:一个|一名)?(?:ai|人工智能|语言模型|助手)",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.!?…。！？][\"'”’」』）)]*$")
_QUESTION_MARK = re.compile(r"[?？]")
_ASKING_ZH = "什么|怎么|怎样|为何|多少|哪|如何|几|吗|呢"
_SECOND_QUESTION = re.compile(
    r",? (?:and|or)(?: also| then)? (?:how|what|why|when|where|which|who)\b[^?]*\?|"
    rf"(?:{_ASKING_ZH})[^？]*[，；、](?:还有|以及|另外|同时|并且|而且|再者|又|那)"
    rf"[^？]*(?:{_ASKING_ZH})",
    re.IGNORECASE,
)
_BIDDING = re.compile(
    r"\b(?:tell|walk|take|show|give|share with) (?:me|us)\b|"
    r"^(?:please |now )?(?:explain|describe)\b|"
    r"\blike (?:you )?to (?:hear|know|understand|explain|describe)\b|"
    r"请.{0,6}(?:讲|说|谈|聊|介绍|解释|描述)|告诉我|讲讲|说说|谈谈|说一下|讲一下",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“「『]([^\"”」』]+)[\"”」』]")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")

_PRAISE = (
    "great|good|excellent|perfect|impressive|nice|brilliant|wonderful|fantastic|awesome|amazing"
)
_VERDICT = re.compile(
    rf"^(?:(?:that is|that's|very|a) )*(?:{_PRAISE}|correct|exactly|right|wrong)\b[,.! ]|"
    rf"\b(?:{_PRAISE}|solid|strong|weak|poor|bad|right|wrong|correct|incorrect) "
    r"(?:answer|response|point|job|explanation|example|start|thinking|approach)\b|"
    r"\bwell (?:done|said|put|explained)\b|\bspot on\b|"
    r"\b(?:you are|you're|you were|that is|that's|this is|answer is|answer was) (?:\w+ )?"
    r"(?:right|correct|wrong|incorrect|mistaken|good|great)\b|"
    r"\b(?:your|full|top|high|low) (?:score|marks?|grade|rating)\b|\bout of (?:ten|five|\d+)\b|"
    r"\bi(?:'d| would| will|'ll)? (?:give|rate|grade|score) (?:you|this|that|it)\b|"
    r"\byou(?:'ve| have)? (?:passed|failed|pass|fail)(?: (?:the|this) (?:interview|round))?[,.!]|"
    r"\b(?:hired|next round|job offer|got the job)\b|"
    r"(?:答|说|讲|解释|分析|理解)得?(?:很|非常|特别|相当|真|挺|不)*(?:好|棒|对|精彩|到位|错|清楚)|"
    r"正确(?![性率地与])|没错|错误的|^(?:很好|非常好|不错|好的回答)|[，。](?:很好|不错)|"
    r"太棒|很棒|优秀|完美|厉害|精彩|满分|得分|打分|评分|分数|及格|录用|下一轮|"
    r"你(?:已经)?通过|\d+\s*分(?![钟之片布区位支别])",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Heard:
    """What has been said, and what must not be.

    Attributes:
        plain: The same move in the house's own words.
        answers: The candidate's to the question at hand.
        said: All that the interviewer said.
        never: What this interviewer never says.
    """

    language: Language
    question: LocalizedQuestion | None
    plain: str
    answers: tuple[str, ...]
    said: tuple[str, ...]
    never: tuple[str, ...] = ()

    @property
    def known(self) -> str:
        """All that may be named, since it has been."""
        prompt = self.question.prompt if self.question else ""
        return "\n".join((prompt, self.plain, *self.answers, *self.said))


def objection(sentence: str, heard: Heard, *, asks: bool) -> Objection | None:
    """Return why `sentence` must not be said; None where it may.

    Args:
        sentence: One sentence, as a model worded it.
        heard: What has been said.
        asks: Whether it is to ask; else it leads to a question.
    """
    text = unicodedata.normalize("NFC", sentence).strip()
    known = heard.known
    tests: Sequence[tuple[Objection, bool]] = (
        ("form", bool(_FORM.search(text)) or not _ENDED.search(text)),
        ("length", weight(text) > LONGEST),
        ("language", not _in_language(text, heard)),
        ("no_question", asks and not _QUESTION_MARK.search(text)),
        ("several_questions", _asks_several(text, asks=asks)),
        ("verdict", bool(_VERDICT.search(text))),
        ("never_said", any(_says(text, phrase) for phrase in heard.never)),
        ("misquote", not all(_said_so(quote, heard.answers) for quote in _QUOTED.findall(text))),
        ("invention", not _numbers(text) <= _numbers(known)),
        ("repetition", _repeats(text, heard.said)),
        ("gives_away", _gives_away(text, known, heard.question)),
        ("adrift", asks and not content(text) & content(known)),
    )
    return next((name for name, failed in tests if failed), None)


def _in_language(text: str, heard: Heard) -> bool:
    for quote in _QUOTED.findall(text):
        if _said_so(quote, heard.answers):
            text = text.replace(quote, "")
    letters = [character for character in text if character.isalpha()]
    han = [character for character in letters if _HAN.match(character)]
    latin = _LATIN_WORD.findall(text)
    strange = [letter for letter in letters if not _HAN.match(letter) and _far(letter)]
    if strange:
        return False
    return len(han) >= max(3, len(latin)) if heard.language == "zh" else not han


def _far(letter: str) -> bool:
    """Whether a letter is of neither language; Greek ones are names of quantities."""
    return not unicodedata.name(letter, "").startswith(("LATIN", "GREEK", "FULLWIDTH LATIN"))


def _asks_several(text: str, *, asks: bool) -> bool:
    marks = len(_QUESTION_MARK.findall(text))
    if not asks:  # what leads to a question must not be another one
        return marks > 0 or _BIDDING.search(text) is not None
    return marks > 1 or _SECOND_QUESTION.search(text) is not None


def _says(text: str, phrase: str) -> bool:
    return fold(phrase) in fold(text) if _HAN.search(phrase) else locate(phrase, text) is not None


def _said_so(quote: str, answers: Sequence[str]) -> bool:
    return any(locate(quote, answer) is not None for answer in answers)


def _numbers(text: str) -> set[str]:
    return {number.replace(",", "") for number in _NUMBER.findall(fold(text))}


def _repeats(text: str, said: Sequence[str]) -> bool:
    near = WordNearness()
    return any(fold(text) == fold(other) or near(text, other) >= SAME for other in said)


def _gives_away(text: str, known: str, question: LocalizedQuestion | None) -> bool:
    """Whether a term or much of a key point, or why something is wrong, is said unprompted."""
    if question is None:
        return False
    folded, before = fold(text), fold(known)
    for point in question.key_points:
        for group in point.terms:
            if terms_share(folded, [group]) and not terms_share(before, [group]):
                return True
    new = content(text) - content(known)
    secrets = [point.statement for point in question.key_points]
    secrets += [point.aloud for point in question.key_points]
    secrets += [mistake.why for mistake in question.misconceptions]
    return any(len(new & words) >= GIVEN * len(words) for words in map(content, secrets) if words)

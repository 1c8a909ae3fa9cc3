"""Answers turned into their opposite, clause by clause, in both languages."""

import re
from collections.abc import Callable

from agent.domain.language import Language
from agent.domain.question import LocalizedQuestion
from agent.policy.clauses import split
from agent.policy.folding import fold, weight

_AUXILIARY = re.compile(
    r"\b(is|are|was|were|can|could|will|would|should|must|may|might)\b(?! not\b|n't)", re.IGNORECASE
)
_PLAIN_VERBS = """
add allow apply arrive ask average avoid become begin bind break bring build buy call change check
choose climb come compare compute copy cost count cover cut decide define depend do drop estimate
exchange explain fail fall feed fill find finish fit fix follow forget free gather get give go
grow happen have help hide hold improve increase keep learn leave let limit load look lose lower
make matter mean measure meet move need normalise normalize notice overlap pack pass pay pick plan
profile put raise read recompute reduce remain remove repeat replace require rescale rewrite rise
route run save say scale see send set shard share show shrink sit skip slow solve spend split start
stay stop store suggest sum survive swap switch take talk tell test throw tie trade train travel
try tune turn update use visit wait want watch work write
"""
_IRREGULAR = {
    "became": "become", "began": "begin", "bound": "bind", "broke": "break", "brought": "bring",
    "built": "build", "came": "come", "chose": "choose", "did": "do", "fell": "fall", "fed": "feed",
    "felt": "feel", "found": "find", "forgot": "forget", "gave": "give", "got": "get",
    "grew": "grow", "had": "have", "has": "have", "held": "hold", "hid": "hide", "kept": "keep",
    "left": "leave", "lost": "lose", "made": "make", "meant": "mean", "met": "meet", "paid": "pay",
    "ran": "run", "rewrote": "rewrite", "rose": "rise", "said": "say", "sat": "sit", "saw": "see",
    "sent": "send", "shrank": "shrink", "spent": "spend", "thought": "think", "threw": "throw",
    "told": "tell", "took": "take", "went": "go", "wrote": "write",
}  # fmt: skip


def _inflected() -> dict[str, tuple[str, str]]:
    """Return, of each finite form, the auxiliary that denies it and the base form."""
    forms: dict[str, tuple[str, str]] = {}
    for verb in _PLAIN_VERBS.split():
        sibilant = verb.endswith(("s", "x", "ch", "sh"))
        third = (
            f"{verb[:-1]}ies" if verb.endswith("ry") else f"{verb}es" if sibilant else f"{verb}s"
        )
        past = f"{verb[:-1]}ied" if verb.endswith("ry") else f"{verb.removesuffix('e')}ed"
        forms |= {verb: ("do", verb), third: ("does", verb), past: ("did", verb)}
    forms |= {"does": ("does", "do"), "goes": ("does", "go")}
    forms |= {form: ("does" if form == "has" else "did", verb) for form, verb in _IRREGULAR.items()}
    return forms


_FORMS = _inflected()
_WORD = re.compile(r"[A-Za-z']+")
_NO_SUBJECT_WORDS = """
a an the of to in on at by for with from no each every its my our their his her and or
this these those per than as be been is are was were
"""
_NO_SUBJECT = frozenset(_NO_SUBJECT_WORDS.split())
_DENIED = (
    (re.compile(r"\b(do|does|did|is|are|was|were|can|could|will|would|should|must) not\b"), r"\1"),
    (re.compile(r"\b(do|does|did|is|are|was|were|could|would|should)n't\b"), r"\1"),
    (re.compile(r"\b(?:never|no longer) "), ""),
)
_HAN_DENIED = re.compile(r"不(?=需要|用|要|会|能|是|再|变|动|必)|没有?(?=[\u3400-\u9fff])")
_HAN_VERB = re.compile(
    r"需要|可以|应该|必须|(?<![不主重只])要(?!求)|(?<!可)能够?(?!力)|(?<!社)会(?!议|话)|"
    r"(?<![还就也可但正若总于])是(?!否)|(?<![没具拥只还所])有(?!效|限|时|关|的)|保存|保留|传输|切开|"
    r"交换|取决|增长|减少|降低|提高|提升|避免|防止|支持|共享|限制|决定|合并|检查|比较|对比|恢复|重算|"
    r"排除|怀疑|发现|定位|负责|提议|约定|学到|完成|影响|说明|打开|复测|涨|掉|"
    r"(?:^|(?<=[我们它他都也就再先才又还每，、]))[按放算占选做看查改加减问给用跑写读测拆换切分]"
)


NEARLY_ALL, MOSTLY = 0.75, 0.5
"""Share of its words from which an answer, or its first half, is turned into its opposite."""


def negated(text: str, question: LocalizedQuestion) -> str | None:
    """Return `text` with every clause turned into its opposite; None where few verbs are known."""
    return _denied(text, question.language, NEARLY_ALL)


def half_negated(text: str, question: LocalizedQuestion) -> str | None:
    """Return `text` with the first half of its clauses turned into their opposite."""
    clauses = split(text)
    middle = clauses[len(clauses) // 2].start if len(clauses) > 1 else len(text)
    denied = _denied(text[:middle], question.language, MOSTLY)
    return None if denied is None else denied + text[middle:]


def _denied(text: str, language: Language, share: float) -> str | None:
    clauses = [clause.text for clause in split(text)]
    turned = [clause for clause in clauses if deny(clause, language) != clause]
    if sum(map(weight, turned)) < share * sum(map(weight, clauses)):
        return None
    return _rebuilt(text, lambda clause: deny(clause, language))


def deny(clause: str, language: Language) -> str:
    """Return one clause with its polarity reversed, or as it is where no verb is known."""
    return _deny_han(clause) if language == "zh" else _deny_latin(clause)


def _deny_han(clause: str) -> str:
    if _HAN_DENIED.search(clause):
        return _HAN_DENIED.sub("", clause, count=1)
    found = _HAN_VERB.search(clause)
    if found is None:
        return clause
    no = "没" if found.group() == "有" else "不"
    return clause[: found.start()] + no + clause[found.start() :]


def _deny_latin(clause: str) -> str:
    for pattern, affirmed in _DENIED:
        if pattern.search(clause):
            return pattern.sub(affirmed, clause, count=1)
    before = ""
    for word in _WORD.finditer(clause):
        said = word.group().lower()
        if _AUXILIARY.fullmatch(said):
            return f"{clause[: word.end()]} not{clause[word.end() :]}"
        if said in _FORMS and before and before not in _NO_SUBJECT:
            auxiliary, verb = _FORMS[said]
            return f"{clause[: word.start()]}{auxiliary} not {verb}{clause[word.end() :]}"
        before = said
    return clause


def _rebuilt(text: str, change: Callable[[str], str]) -> str | None:
    pieces: list[str] = []
    done = 0
    for clause in split(text):
        pieces += [text[done : clause.start], change(clause.text)]
        done = clause.end
    said = "".join(pieces) + text[done:]
    return None if fold(said) == fold(text) else said

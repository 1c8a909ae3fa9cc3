"""Concepts that exclude each other, so that swapped roles are noticed.

A text about one member of a group does not speak for a statement about another.
"""

import re
from functools import lru_cache

from agent.policy.folding import fold
from agent.policy.quantities import figures

_GROUPS: tuple[dict[str, str], ...] = (
    {
        "data": r"data[- ]parallel\w*|数据并行|\bddp\b|\bdp\b",
        "tensor": r"tensor[- ]parallel\w*|张量并行|\btp\b",
        "pipeline": r"pipeline[- ]parallel\w*|流水线?并行|\bpp\b",
        "model": r"model[- ]parallel\w*|模型并行|\bmp\b",
        "sequence": r"(?:sequence|context)[- ]parallel\w*|(?:序列|上下文)并行",
        "expert": r"expert[- ]parallel\w*|专家并行|\bep\b",
    },
    {
        "one": r"zero[- ]?(?:stage[- ]?)?(?:1|one)\b|zero\s*(?:一|第一)阶段",
        "two": r"zero[- ]?(?:stage[- ]?)?(?:2|two)\b|zero\s*(?:二|第二)阶段",
        "three": r"zero[- ]?(?:stage[- ]?)?(?:3|three)\b|zero\s*(?:三|第三)阶段",
    },
    {
        "sync": r"(?<!a)\bsynchronous\w*|(?<!异)同步(?:训练|更新|sgd|就|是|的)",
        "async": r"\basynchronous\w*|异步",
    },
    {
        "inside": r"(?:inside|within) (?:a|one|the|each) (?:node|machine|server|box)|"
        r"intra-?node|机内|节点内|单机内",
        "across": r"(?:across|between) (?:the )?(?:nodes|machines|servers)|inter-?node|机间|跨机|"
        r"节点间|跨节点",
    },
    {
        "hbm": r"\bhbm\b|高带宽显存|global memory",
        "sram": r"\bsram\b|片上|on-chip|shared memory",
    },
    {
        "forward": r"\bforward\b|前向|正向",
        "backward": r"\bbackward\b|反向|后向",
    },
    {
        "prefill": r"\bprefill\w*|预填充",
        "decode": r"\bdecod\w*|解码",
    },
    {
        "server": r"parameter[- ]servers?|参数服务器",
        "all-reduce": r"all[- ]?reduce",
    },
    {
        "column": r"\bcolumns?\b|按列|列切|列并行",
        "row": r"\brows?\b|按行|行切|行并行",
    },
    {
        "fp16": r"\bfp16\b|float16|半精度",
        "bf16": r"\bbf16\b|bfloat16",
    },
)
_ATTRIBUTES: tuple[dict[str, str], ...] = (
    {
        "one": r"(?:stage|level)[- ]?(?:1|one)\b|(?:一|第一)阶段|zero-?1",
        "two": r"(?:stage|level)[- ]?(?:2|two)\b|(?:二|第二)阶段|zero-?2",
        "three": r"(?:stage|level)[- ]?(?:3|three)\b|(?:三|第三)阶段|zero-?3",
    },
    {
        "parameters": r"\bparameters?\b|\bweights?\b|参数|权重",
        "gradients": r"\bgradients?\b|梯度",
        "optimizer": r"optimi[sz]er|优化器",
        "activations": r"\bactivations?\b|激活",
    },
)
_INCLUDES = {"model": {"model", "tensor", "pipeline"}}
SUBJECTS = 3
"""The first groups name what a clause is about; the next clause inherits it."""
_COMPILED = tuple(
    {name: re.compile(pattern) for name, pattern in group.items()} for group in _GROUPS
)

_ALL = (
    *_COMPILED,
    *({name: re.compile(pattern) for name, pattern in group.items()} for group in _ATTRIBUTES),
)
_SPLIT = {
    "batch": r"数据(?!并行)|批次|\bbatch\w*|\bsamples?\b|\bdata\b(?![- ]parallel)",
    "model": r"模型(?!并行)|\bmodel\b(?![- ]parallel)|\blayers?\b",
}
_TIED = (*_ALL, {name: re.compile(pattern) for name, pattern in _SPLIT.items()})
_BOUND_TOGETHER = re.compile(r"[,;.，；。：:]|\band\b|\bwhile\b|\bbut\b|而|才")

Mentions = tuple[frozenset[str], ...]
"""For each group, the members that a text names, with what they include."""


@lru_cache(maxsize=20_000)
def mentions(text: str) -> Mentions:
    """Return which members of each group `text` names."""
    return _named(text, _COMPILED)


def _named(text: str, groups: tuple[dict[str, re.Pattern[str]], ...]) -> Mentions:
    folded = fold(text)
    return tuple(
        frozenset(
            member
            for name, pattern in group.items()
            if pattern.search(folded)
            for member in _INCLUDES.get(name, {name})
        )
        for group in groups
    )


@lru_cache(maxsize=20_000)
def bindings(text: str) -> tuple[Mentions, ...]:
    """Return, clause by clause, what is named together; clauses that name nothing are left out."""
    named = [_named(piece, _ALL) for piece in _BOUND_TOGETHER.split(fold(text))]
    return tuple(item for item in named if any(item))


def binds_alike(said: str, wanted: str) -> bool:
    """Whether some clause of `wanted` names only what a clause of `said` names together too."""
    pieces = bindings(wanted)
    return not pieces or any(
        all(b & a for a, b in zip(piece, own, strict=True) if a)
        for piece in pieces
        for own in bindings(said)
    )


def crossed(said: str, wanted: str, *, splits: bool = False) -> bool:
    """Whether `said` ties to one of two rivals what `wanted` ties to the other.

    What is tied is a member of another group, or a number, in the same clause; with `splits`,
    also data and model, for texts that tell which of them is split.
    """
    pairs = [(piece, own) for piece in _ties(wanted, splits) for own in _ties(said, splits)]
    return any(_conflict(*pair) for pair in pairs) and not any(_alike(*pair) for pair in pairs)


@lru_cache(maxsize=20_000)
def _ties(text: str, splits: bool) -> tuple[Mentions, ...]:
    """Return, clause by clause, the members and numbers that are named together."""
    pieces = _BOUND_TOGETHER.split(fold(text))
    groups = _TIED if splits else _ALL
    named = [(*_named(piece, groups), frozenset(figures(piece))) for piece in pieces]
    return tuple(item for item in named if sum(map(bool, item)) > 1)


def _conflict(first: Mentions, second: Mentions) -> bool:
    shared = any(a & b for a, b in zip(first, second, strict=True))
    return shared and opposed(first[:-1], second[:-1])


def _alike(first: Mentions, second: Mentions) -> bool:
    both = [(a, b) for a, b in zip(first, second, strict=True) if a and b]
    return len(both) > 1 and all(a & b for a, b in both)


def unnamed(text: str) -> str:
    """Return `text`, folded, without the names of the members of any group."""
    folded = fold(text)
    for group in _COMPILED:
        for pattern in group.values():
            folded = pattern.sub(" ", folded)
    return folded


def inherit(own: Mentions, before: Mentions) -> Mentions:
    """Return what a clause is about: what it names itself, else what the one before was about."""
    return tuple(
        named or (before[index] if index < SUBJECTS else named) for index, named in enumerate(own)
    )


def opposed(first: Mentions, second: Mentions) -> bool:
    """Whether, in some group, both name members and have none in common."""
    return any(a and b and not a & b for a, b in zip(first, second, strict=True))


NOTHING: Mentions = tuple(frozenset() for _ in _GROUPS)

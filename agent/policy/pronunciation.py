"""Terms of the trade, spelt so that a synthesiser reads them as people say them."""

import re

SAID_AS = {
    "ZeRO": "zero",
    "LoRA": "Lora",
    "QLoRA": "Q Lora",
    "RoPE": "rope",
    "MoE": "M O E",
    "NCCL": "nickel",
    "vLLM": "V L L M",
    "PyTorch": "pie torch",
    "AllReduce": "all-reduce",
    "AllGather": "all-gather",
    "ReduceScatter": "reduce-scatter",
    "InfiniBand": "infinny band",
    "NVLink": "N V link",
    "CUDA": "cooda",
}
"""As written: as said. Letters with spaces are said one by one."""

_TERM = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(SAID_AS)})(?![A-Za-z])")


def aloud(text: str) -> str:
    """Return `text` with the terms respelt, for the ear only."""
    return _TERM.sub(lambda term: SAID_AS[term[0]], text)


_LETTERS = re.compile(r"(?<![A-Za-z'])(?:[A-Z]{2,5}|[b-df-hj-np-tv-xz]{1,4}|[A-Z])(?![a-z'])")


def letter_by_letter(words: str) -> str:
    """Return English `words` with what cannot be read as a word in single letters."""
    return _LETTERS.sub(lambda run: " ".join(run[0].upper()), words)

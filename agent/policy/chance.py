"""Choices that look free and can be repeated."""

from hashlib import blake2b


def draw(seed: int, *labels: str) -> int:
    """Return a number that depends on `seed` and `labels` alone, on every machine."""
    key = "\x1f".join((str(seed), *labels)).encode()
    return int.from_bytes(blake2b(key, digest_size=8).digest(), "big")

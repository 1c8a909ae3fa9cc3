import json
from pathlib import Path

import pytest

from agent.adapters.whisper import models
from agent.adapters.whisper.models import locate
from agent.domain.errors import ModelUnavailable
from agent.domain.language import LANGUAGES, Language


@pytest.fixture
def messages() -> list[str]:
    return []


@pytest.fixture(autouse=True)
def empty_hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A hub cache of its own, so that no model of this machine is found."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


@pytest.fixture
def no_offline_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "OFFLINE_PARTS", ("viva_no_such_part1", "viva_no_part2"))


def model_folder(folder: Path, tokens: int = 51_865) -> Path:
    folder.mkdir(parents=True)
    for name in ("model.bin", "config.json", "tokenizer.json"):
        (folder / name).write_text("{}")
    (folder / "vocabulary.txt").write_text("token\n" * tokens)
    return folder


def cached_in_hub(hub: Path, size: str) -> Path:
    repository = hub / f"models--Systran--faster-whisper-{size}"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text("0" * 40)
    return model_folder(repository / "snapshots" / ("0" * 40))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_offline_parts_are_joined_once_and_not_hashed_again(
    tmp_path: Path, messages: list[str], monkeypatch: pytest.MonkeyPatch, language: Language
) -> None:
    folder = locate(None, language, tmp_path / "cache", messages.append)
    assert {path.name for path in folder.iterdir()} >= {
        "model.bin",
        "config.json",
        "tokenizer.json",
        "vocabulary.txt",
    }
    assert len(messages) == 1
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["whisper-base"]
    monkeypatch.delattr(models, "hashlib")
    assert locate("base", language, tmp_path / "cache", messages.append) == folder
    assert len(messages) == 1


@pytest.mark.parametrize("name", ["model.bin", "tokenizer.json", "verified.json"])
def test_a_cut_file_is_noticed_and_mended(tmp_path: Path, messages: list[str], name: str) -> None:
    folder = locate("base", "en", tmp_path, messages.append)
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(whole[: len(whole) // 2])
    assert locate("base", "en", tmp_path, messages.append) == folder
    assert (folder / name).read_bytes() == whole
    assert len(messages) == 2


def test_damaged_weights_are_refused_and_not_left_behind(
    tmp_path: Path, messages: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    halves = [tmp_path / f"part{n}" for n in (1, 2)]
    for n, half in enumerate(halves, start=1):
        half.mkdir()
        (half / f"model.bin.part{n}").write_bytes(b"not the weights")
    monkeypatch.setattr(models, "OFFLINE_PARTS", ("part1", "part2"))
    monkeypatch.setattr(models, "_package_data", tmp_path.joinpath)
    with pytest.raises(ModelUnavailable, match="damaged") as caught:
        locate("base", "en", tmp_path / "cache", messages.append)
    assert caught.value.hint is not None
    assert caught.value.hint.startswith("pip install --force-reinstall")
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, messages: list[str]) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ModelUnavailable, match="cannot be prepared"):
        locate("base", "en", tmp_path / "file" / "cache", messages.append)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_folder_is_taken_as_it_is(
    tmp_path: Path, messages: list[str], language: Language
) -> None:
    folder = model_folder(tmp_path / "mine")
    assert locate(str(folder), language, tmp_path / "cache", messages.append) == folder
    assert messages == []


@pytest.mark.parametrize("name", ["model.bin", "config.json", "tokenizer.json", "vocabulary.txt"])
def test_a_folder_that_is_not_whole_is_refused(
    tmp_path: Path, messages: list[str], name: str
) -> None:
    folder = model_folder(tmp_path / "mine")
    (folder / name).unlink()
    with pytest.raises(ModelUnavailable, match=name):
        locate(str(folder), "en", tmp_path / "cache", messages.append)


def test_english_only_models_are_refused_for_chinese(tmp_path: Path, messages: list[str]) -> None:
    folder = model_folder(tmp_path / "mine", tokens=51_864)
    assert locate(str(folder), "en", tmp_path, messages.append) == folder
    for wanted, other in (("base.en", "base"), ("tiny.en", "tiny"), (str(folder), "base")):
        with pytest.raises(ModelUnavailable, match="English only") as caught:
            locate(wanted, "zh", tmp_path, messages.append)
        assert caught.value.hint == f"VIVA_WHISPER={other} viva practice --lang zh"
    (folder / "vocabulary.txt").unlink()
    (folder / "vocabulary.json").write_text(json.dumps(["token"] * 51_864))
    with pytest.raises(ModelUnavailable, match="English only"):
        locate(str(folder), "zh", tmp_path, messages.append)


def test_the_hubs_cache_comes_before_the_network_and_chinese_takes_the_larger(
    tmp_path: Path, empty_hub: Path, messages: list[str]
) -> None:
    small = cached_in_hub(empty_hub, "small")
    assert locate("small", "en", tmp_path / "cache", messages.append) == small
    assert locate(None, "zh", tmp_path / "cache", messages.append) == small
    assert locate(None, "en", tmp_path / "cache", messages.append).name == "whisper-base"


def test_a_half_finished_download_is_not_used(
    tmp_path: Path, empty_hub: Path, messages: list[str]
) -> None:
    (cached_in_hub(empty_hub, "small") / "model.bin").unlink()
    assert locate(None, "zh", tmp_path / "cache", messages.append).name == "whisper-base"


@pytest.mark.usefixtures("no_offline_parts")
@pytest.mark.parametrize("wanted", [None, "base", "small"])
def test_without_weights_and_network_the_hint_is_a_command(
    tmp_path: Path, messages: list[str], monkeypatch: pytest.MonkeyPatch, wanted: str | None
) -> None:
    def offline(size: str, *, local_files_only: bool = False) -> str:
        raise OSError("the hub cannot be reached" if not local_files_only else "not in the cache")

    monkeypatch.setattr("faster_whisper.utils.download_model", offline)
    with pytest.raises(ModelUnavailable, match="cannot be downloaded") as caught:
        locate(wanted, "en", tmp_path, messages.append)
    assert caught.value.hint is not None
    assert caught.value.hint.startswith("pip install 'viva-interview[offline]'")
    assert len(messages) == 1


def test_an_unknown_size_is_refused(tmp_path: Path, messages: list[str]) -> None:
    with pytest.raises(ModelUnavailable, match="no Whisper model called enormous"):
        locate("enormous", "en", tmp_path, messages.append)

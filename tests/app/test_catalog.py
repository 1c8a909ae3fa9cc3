"""What there is to choose from, and what is said when a name or a file does not fit."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.app.catalog import Catalog, open_catalog
from agent.app.cli import app
from agent.domain.errors import InvalidFiles, UsageError
from agent.domain.language import Language


@pytest.fixture
def catalog(tmp_path: Path, root: Path) -> Catalog:
    """A copy of the project's own files, to be broken."""
    for folder in ("personas", "rubrics"):
        shutil.copytree(root / folder, tmp_path / "data" / folder)
    return Catalog(tmp_path / "data", tmp_path / "own")


def change(catalog: Catalog, name: str, old: str, new: str) -> int:
    """Replace `old` in a file of `personas`; return the line where `new` stands."""
    path = catalog.root / "personas" / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return 1 + text[: text.index(old)].count("\n")


def told(error: InvalidFiles) -> list[tuple[str, str, str]]:
    return [(problem.path.name, problem.place, problem.text.en) for problem in error.problems]


def test_personas_and_companies_are_found_by_name() -> None:
    catalog = open_catalog()
    assert catalog.persona("research-lab").id == "research-lab"
    assert catalog.company("deepmind").extends == "research-lab"
    for entry in catalog.companies:
        assert catalog.company(entry.item.id) == entry.item
        assert catalog.persona(entry.item.extends).id == entry.item.extends


@pytest.mark.parametrize(
    ("language", "start"), [("en", "There is no company 'gogle'"), ("zh", "没有叫“gogle”的公司")]
)
def test_the_nearest_company_is_offered(language: Language, start: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_catalog().company("gogle")
    said = caught.value.text(language)
    assert said.startswith(start)
    assert "google" in said
    assert "moonshot" not in said


@pytest.mark.parametrize(("language", "kind"), [("en", "persona"), ("zh", "面试官")])
def test_where_nothing_comes_close_everything_is_offered(language: Language, kind: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_catalog().persona("zzz")
    said = caught.value.text(language)
    assert kind in said
    assert all(entry.item.id in said for entry in open_catalog().personas)


def test_a_company_that_extends_nobody_is_a_broken_file(catalog: Catalog) -> None:
    line = change(catalog, "companies/google.yaml", "extends: big-tech", "extends: bigtech")
    with pytest.raises(InvalidFiles) as caught:
        catalog.company("moonshot")
    place = f"extends (line {line})"
    assert told(caught.value) == [("google.yaml", place, "there is no persona 'bigtech'")]


def test_every_strange_name_of_every_company_is_told_at_once(catalog: Catalog) -> None:
    change(catalog, "companies/google.yaml", "extends: big-tech", "extends: bigtech")
    line = change(catalog, "companies/deepmind.yaml", "  multimodal:", "  cooking:")
    with pytest.raises(InvalidFiles) as caught:
        catalog.check()
    assert [(name, place.split(" (")[0]) for name, place, _ in told(caught.value)] == [
        ("google.yaml", "extends"),
        ("deepmind.yaml", "focus.cooking"),
    ]
    assert told(caught.value)[1][1].endswith(f"(line {line})")


def test_a_persona_that_asks_about_what_the_bank_lacks_is_a_broken_file(catalog: Catalog) -> None:
    change(catalog, "big-tech.yaml", "patience_s:", "focus:\n  cooking: 2\npatience_s:")
    with pytest.raises(InvalidFiles) as caught:
        catalog.check()
    assert [(name, place.split(" (")[0]) for name, place, _ in told(caught.value)] == [
        ("big-tech.yaml", "focus.cooking")
    ]


def test_a_broken_persona_is_told_once_though_companies_need_it(catalog: Catalog) -> None:
    change(catalog, "big-tech.yaml", "patience_s: 2.5", "patience_s: long")
    change(catalog, "companies/google.yaml", "  moe:", "  moe: 0.5 #")
    with pytest.raises(InvalidFiles) as caught:
        catalog.check()
    assert sorted((name, place.split(" (")[0]) for name, place, _ in told(caught.value)) == [
        ("big-tech.yaml", "patience_s"),
        ("google.yaml", "focus.moe"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("project: 2", "project: .nan", "mix.project"),
        ("project: 2", "project: -1", "mix.project"),
        ("principle: 1.0", "principle: .inf", "weights.principle"),
        ("after_s: 240", "after_s: 5", "cut_in.after_s"),
    ],
)
def test_shares_are_plain_numbers(catalog: Catalog, old: str, new: str, place: str) -> None:
    line = change(catalog, "big-tech.yaml", old, new)
    with pytest.raises(InvalidFiles) as caught:
        catalog.persona("big-tech")
    assert [place for _, place, _ in told(caught.value)] == [f"{place} (line {line})"]


def test_a_company_file_that_is_added_is_there(catalog: Catalog) -> None:
    source = catalog.root / "personas/companies/google.yaml"
    text = source.read_text(encoding="utf-8").replace("id: google", "id: zhipu")
    (source.parent / "zhipu.yaml").write_text(text, encoding="utf-8")
    catalog.check()
    assert catalog.company("zhipu").name.zh == "谷歌"


@pytest.mark.parametrize(("language", "words"), [("en", "not affiliated"), ("zh", "没有任何关联")])
def test_companies_are_listed_with_what_they_extend_and_that_they_are_not_affiliated(
    language: str, words: str
) -> None:
    ran = CliRunner().invoke(app, ["list", "companies", "--lang", language, "--json"])
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    assert ran.exit_code == 0
    assert {row["id"]: row["extends"] for row in rows}.items() >= {
        ("google", "big-tech"),
        ("bytedance", "domestic-big-tech"),
        ("moonshot", "ai-startup"),
        ("deepmind", "research-lab"),
    }
    assert all(words in row["disclaimer"] and Path(row["file"]).is_file() for row in rows)
    plain = CliRunner().invoke(app, ["list", "companies", "--lang", language])
    assert len(plain.stdout.splitlines()) == len(rows)


def test_companies_are_not_listed_among_the_personas() -> None:
    ran = CliRunner().invoke(app, ["list", "personas", "--json"])
    ids = {json.loads(line)["id"] for line in ran.stdout.splitlines()}
    assert ids == {entry.item.id for entry in open_catalog().personas}
    assert "google" not in ids

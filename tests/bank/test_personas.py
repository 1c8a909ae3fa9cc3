"""What every interviewer and every company pack must have; a new file is picked up by itself."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import cast, get_args

import pytest

from agent.adapters.yaml_catalog import (
    COMPANIES,
    PERSONAS,
    QUESTIONS,
    Entry,
    data_root,
    entries,
)
from agent.domain.company import Company
from agent.domain.language import LANGUAGES, Language, LocalizedText, LocalizedTexts
from agent.domain.persona import Persona
from agent.domain.question import Category, Level
from agent.domain.rubric import DIMENSIONS
from agent.policy.folding import fold, weight
from agent.policy.persona_lint import lint_company, lint_persona, spoken
from agent.policy.planning import plan_questions
from agent.policy.rehearsal import rehearsed
from agent.wording import lines

ROOT = data_root()
BANK = [entry.item for entry in entries(QUESTIONS, ROOT / QUESTIONS.folder)]
PERSONA_FILES = entries(PERSONAS, ROOT / PERSONAS.folder)
COMPANY_FILES = entries(COMPANIES, ROOT / COMPANIES.folder)
INTERVIEWERS = {entry.item.id: entry.item for entry in PERSONA_FILES}
HOUSES = {entry.item.id: entry.item for entry in COMPANY_FILES}
FILES: tuple[Entry[Persona] | Entry[Company], ...] = (*PERSONA_FILES, *COMPANY_FILES)

VOICES = {
    "big-tech": LocalizedText(
        en=r"\blet (?:us|me)\b|would like|walk me|take me|step\b|scale|topic|subject",
        zh="请|我想|一步|话题|展开|方案|规模",
    ),
    "domestic-big-tech": LocalizedText(
        en=r"\bcards?\b|\bcode\b|commits|log\b|\bship|\blive\b|on call|numbers?|fast|quick|short|"
        r"\bstop\b|straight|next\b",
        zh="报|代码|上线|值班|抓紧|快|直接|卡|行，|过|时间",
    ),
    "ai-startup": LocalizedText(
        en=r"\bus\b|\bour\b|money|budget|\bbill\b|repo|napkin|own\b|hire|monday|picture|cut\b|box|"
        r"hey|\bhi[!,]|cool|okay",
        zh="咱们|啥|呗|钱|仓库|账单|团队|嗨|捋|框|哎|呀|拍板|兜",
    ),
    "research-lab": LocalizedText(
        en=r"experiment|hypothes|paper|ablat|explanation|evidence|assumption|conjecture|literature|"
        r"reproduc|measure|referee|collaborat|wonder|idea|claim|curious|understand|discussion",
        zh="实验|假设|论文|消融|解释|证据|猜想|文献|复现|合作者|想法|审稿|笔记|讨论|论断|推导|推出",
    ),
}
"""What a listener would go by: words that stand for a persona's interests and its manner."""

every_persona = pytest.mark.parametrize("name", INTERVIEWERS)
every_company = pytest.mark.parametrize("name", HOUSES)
every_language = pytest.mark.parametrize("language", LANGUAGES)


def said(interviewer: Persona, language: Language) -> list[str]:
    return [line for group in spoken(interviewer) for line in group.texts.get(language)]


def texts(value: object) -> Iterator[str]:
    """Every string in what a model dumps."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for below in cast("Mapping[str, object]", value).values():
            yield from texts(below)
    elif isinstance(value, list | tuple):
        for below in cast("Sequence[object]", value):
            yield from texts(below)


def test_the_archetypes_and_their_houses_are_there() -> None:
    assert set(INTERVIEWERS) >= {"big-tech", "domestic-big-tech", "ai-startup", "research-lab"}
    extended = {house.id: house.extends for house in HOUSES.values()}
    assert extended.items() >= {
        ("google", "big-tech"),
        ("bytedance", "domestic-big-tech"),
        ("moonshot", "ai-startup"),
        ("deepmind", "research-lab"),
    }


@every_persona
def test_the_lint_has_nothing_to_say_about_a_persona(name: str) -> None:
    assert lint_persona(INTERVIEWERS[name]) == ()


@every_company
def test_the_lint_has_nothing_to_say_about_a_company(name: str) -> None:
    house = HOUSES[name]
    assert lint_company(house, INTERVIEWERS[house.extends]) == ()


@pytest.mark.parametrize("entry", FILES, ids=lambda entry: entry.item.id)
def test_a_file_is_named_for_what_it_holds_and_names_its_schema(
    entry: Entry[Persona] | Entry[Company],
) -> None:
    schema = (PERSONAS if isinstance(entry.item, Persona) else COMPANIES).schema
    first = entry.path.read_text(encoding="utf-8").splitlines()[0]
    assert first == f"# yaml-language-server: $schema=./{schema}"
    assert entry.path.stem == entry.item.id


@pytest.mark.parametrize("entry", FILES, ids=lambda entry: entry.item.id)
def test_no_blank_stands_between_chinese_characters(
    entry: Entry[Persona] | Entry[Company],
) -> None:
    broken = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]\s+[\u4e00-\u9fff]")
    assert [text for text in texts(entry.item.model_dump()) if broken.search(text)] == []


@every_language
@every_persona
def test_what_any_interviewer_says_suits_this_one(name: str, language: Language) -> None:
    """The lines of the wording room are said by every persona."""
    shared: list[object] = []
    for value in vars(lines).values():
        shared += (
            cast("Mapping[str, object]", value).values() if isinstance(value, dict) else [value]
        )
    heard = [
        fold(line)
        for group in shared
        if isinstance(group, LocalizedTexts)
        for line in group.get(language)
    ]
    assert heard
    banned = [fold(word) for word in INTERVIEWERS[name].never_says.get(language)]
    assert [(line, word) for line in heard for word in banned if word in line] == []


@every_language
def test_no_line_belongs_to_two_personas(language: Language) -> None:
    counted = Counter(line for item in INTERVIEWERS.values() for line in said(item, language))
    assert [line for line, count in counted.items() if count > 1] == []
    openings = Counter(line for house in HOUSES.values() for line in house.opening.get(language))
    assert [line for line in openings if openings[line] > 1 or line in counted] == []


@every_language
@pytest.mark.parametrize("name", VOICES)
def test_a_persona_is_known_by_its_lines(name: str, language: Language) -> None:
    marks = re.compile(VOICES[name].get(language), re.IGNORECASE)

    def share(interviewer: Persona) -> float:
        heard = said(interviewer, language)
        return sum(bool(marks.search(line)) for line in heard) / len(heard)

    others = [share(item) for item in INTERVIEWERS.values() if item.id != name]
    assert share(INTERVIEWERS[name]) > 1.8 * max(others)


@every_language
def test_the_one_in_a_hurry_speaks_shortest(language: Language) -> None:
    lengths = {
        name: fmean(weight(line) for line in said(item, language))
        for name, item in INTERVIEWERS.items()
    }
    fast = lengths.pop("domestic-big-tech")
    assert fast < 0.85 * min(lengths.values())


@pytest.mark.parametrize("category", get_args(Category))
def test_every_category_is_asked_by_some_persona(category: Category) -> None:
    assert [item.id for item in INTERVIEWERS.values() if item.mix.get(category)]


def test_the_frontier_is_the_subject_of_more_than_one() -> None:
    asking = {item.id for item in INTERVIEWERS.values() if item.mix.get("trends")}
    assert "research-lab" in asking
    assert len(asking) >= 2


@every_persona
def test_a_persona_weighs_every_dimension(name: str) -> None:
    assert set(INTERVIEWERS[name].weights) == set(DIMENSIONS)
    assert all(weight > 0 for weight in INTERVIEWERS[name].weights.values())


@pytest.mark.parametrize("level", get_args(Level))
@every_persona
def test_every_persona_can_fill_an_interview_at_every_level(name: str, level: Level) -> None:
    for count in (1, 5, 12):
        assert len(plan_questions(BANK, INTERVIEWERS[name], level, count, 1)) == count


def test_two_personas_differ_in_rounds_patience_and_digging() -> None:
    for one, other in combinations(INTERVIEWERS.values(), 2):
        assert tuple(one.mix) != tuple(other.mix)
        assert one.mix != other.mix
        assert one.patience_s != other.patience_s
        assert one.probes.order[:3] != other.probes.order[:3]
        assert one.probes.budget != other.probes.budget
        assert one.weights != other.weights
        assert one.cut_in != other.cut_in


def test_the_impatient_one_cuts_in_and_the_patient_one_never_does() -> None:
    fast, slow = INTERVIEWERS["domestic-big-tech"], INTERVIEWERS["research-lab"]
    assert fast.cut_in is not None
    assert fast.cut_in.after_s == 120
    assert slow.cut_in is None
    assert fast.patience_s < min(
        item.patience_s for item in INTERVIEWERS.values() if item is not fast
    )
    others = [item.cut_in for item in INTERVIEWERS.values() if item.cut_in and item is not fast]
    assert all(cut_in.after_s > fast.cut_in.after_s for cut_in in others)


@every_company
def test_a_company_asks_about_topics_that_the_bank_has(name: str) -> None:
    assert set(HOUSES[name].focus) <= {question.topic for question in BANK}


@every_company
def test_a_company_shows_in_what_is_asked(name: str) -> None:
    house = HOUSES[name]
    plain = INTERVIEWERS[house.extends]

    def in_focus(interviewer: Persona) -> int:
        plans = [plan_questions(BANK, interviewer, "1-3-years", 6, seed) for seed in range(80)]
        return sum(question.topic in house.focus for plan in plans for question in plan)

    assert in_focus(rehearsed(plain, house)) > 1.25 * in_focus(plain)
    others = {
        question.topic
        for seed in range(80)
        for question in plan_questions(BANK, rehearsed(plain, house), "1-3-years", 6, seed)
    }
    assert others - set(house.focus)


@every_language
@every_company
def test_a_company_greets_as_a_rehearsal_and_not_as_the_company(
    name: str, language: Language
) -> None:
    words = {"en": r"(?i)rehears|practi[cs]|mock", "zh": r"模拟|练"}[language]
    greetings = HOUSES[name].opening.get(language)
    assert [line for line in greetings if not re.search(words, line)] == []


@every_company
def test_house_words_are_the_houses_own(name: str) -> None:
    house = HOUSES[name]
    for language in LANGUAGES:
        own = {fold(word) for word in house.vocabulary.get(language)}
        assert len(own) == len(house.vocabulary.get(language)) >= 6
        others = [
            {fold(word) for word in other.vocabulary.get(language)}
            for other in HOUSES.values()
            if other is not house
        ]
        assert all(len(own & other) <= 1 for other in others)

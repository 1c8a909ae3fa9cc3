"""The persona's own words, in both languages."""

import asyncio
import re
from dataclasses import replace
from itertools import pairwise

import pytest

from agent.domain.dialogue import (
    Ask,
    AskAgain,
    AskAgainReason,
    Close,
    Greet,
    Move,
    Probe,
    ProbeReason,
)
from agent.domain.interview import Utterance
from agent.domain.language import Language
from agent.domain.persona import Persona
from agent.domain.question import RUNGS, Rung
from agent.policy.probes import part_name, rung_name, spoken_quote
from agent.ports import Scene
from agent.wording.builtin import BuiltinWording
from agent.wording.lines import AGAIN, HELP
from tests.interview_samples import PERSONAS, persona, question

NAMES = sorted(path.stem for path in PERSONAS.glob("*.yaml"))
LANGUAGES: tuple[Language, ...] = ("en", "zh")
QUESTION = question("ring-attention")
TWELVE = "one two three four five six seven eight nine ten eleven twelve"
QUOTE = {
    "en": "we gained thirty percent of throughput, which everybody in the whole team liked a lot",
    "zh": "我们最后把训练吞吐提升了百分之三十，整个团队的人都非常满意",
}


def scene(
    language: Language, said: tuple[str, ...] = (), seed: int = 1, pending: str = ""
) -> Scene:
    localized = QUESTION.localized(language)
    return Scene(persona(), language, localized, said, (), seed, pending)


def say(move: Move, at: Scene) -> list[Utterance]:
    async def collect() -> list[Utterance]:
        return [item async for item in BuiltinWording().utter(move, at)]

    return asyncio.run(collect())


@pytest.mark.parametrize("language", LANGUAGES)
def test_kinds(language: Language) -> None:
    at = scene(language, pending="asked?")
    kinds = [
        [item.kind for item in say(move, at)]
        for move in (
            Greet(),
            Ask("ring-attention"),
            Ask("ring-attention", "answered"),
            Ask("ring-attention", "gave_up"),
            Probe("ring-attention", "no_baseline", "numbers"),
            AskAgain("ring-attention"),
            AskAgain("ring-attention", "think"),
            Close("plan_done"),
        )
    ]
    assert kinds == [
        ["acknowledge"],
        ["question"],
        ["acknowledge", "question"],
        ["acknowledge", "question"],
        ["probe"],
        ["acknowledge", "clarify"],
        ["clarify"],
        ["close"],
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_giving_up_is_met_with_the_words_for_it(language: Language) -> None:
    first = say(Ask("ring-attention", "gave_up"), scene(language))[0]
    assert first.text in persona().gave_up.get(language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("why", ["not_heard", "repeat", "clarify", "hint"])
def test_what_is_put_again_is_put_in_the_same_words(
    language: Language, why: AskAgainReason
) -> None:
    pending = "What was it before?"
    at = scene(language, said=("something else",), pending=pending)
    lead, again = say(AskAgain("ring-attention", why), at)
    assert again.text == pending
    lines = persona().not_heard if why == "not_heard" else AGAIN[why]
    assert lead.text in lines.get(language)


LOST: tuple[AskAgainReason, ...] = ("clarify", "hint")
MISSING = ("direct.essence", "direct.mechanism", "direct.quantities")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("why", LOST)
def test_help_names_the_next_part_that_is_missing_and_never_the_same(
    language: Language, why: AskAgainReason
) -> None:
    said: list[str] = []
    for criterion in MISSING:
        at = replace(scene(language, said=tuple(said), pending="Well?"), missing=MISSING)
        lead, again = say(AskAgain("ring-attention", why), at)
        assert part_name(criterion, language) in lead.text  # type: ignore[operator]
        assert again.text == "Well?"
        said.append(lead.text)
    assert len(set(said)) == len(MISSING)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("why", LOST)
@pytest.mark.parametrize("rung", RUNGS)
def test_help_with_a_follow_up_says_what_it_is_after(
    language: Language, why: AskAgainReason, rung: Rung
) -> None:
    at = replace(scene(language, pending="Well?"), missing=MISSING)
    on_rung = say(AskAgain("ring-attention", why, rung), at)[0].text
    assert rung_name(rung, language) in on_rung
    on_part = say(AskAgain("ring-attention", why, rung, "direct.example"), at)[0].text
    assert part_name("direct.example", language) in on_part  # type: ignore[operator]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("why", LOST)
def test_help_gives_nothing_away(language: Language, why: AskAgainReason) -> None:
    at = replace(scene(language, pending="Well?"), missing=MISSING)
    for target in ("point-a", None):
        text = say(AskAgain("ring-attention", why, "numbers", target), at)[0].text
        assert "secret" not in text
        assert "point-a" not in text
        assert "{" not in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("why", ["think", "misheard"])
def test_a_misheard_answer_is_asked_for_by_its_turn(
    language: Language, why: AskAgainReason
) -> None:
    (asked,) = say(AskAgain("ring-attention", why, corrects=3), scene(language))
    assert (asked.kind, asked.corrects) == ("clarify", 3)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "move",
    [
        Ask("ring-attention", "answered"),
        Probe("ring-attention", "no_baseline", "numbers"),
        AskAgain("ring-attention"),
        Close("plan_done"),
    ],
)
def test_a_cut_in_leads_in_whatever_comes_next(language: Language, move: Move) -> None:
    assert persona().cut_in
    words = persona().cut_in.words.get(language)  # type: ignore[union-attr]
    plain = say(move, scene(language, pending="Well?"))
    lead, asked = say(move, replace(scene(language, pending="Well?"), cut_in=True))
    assert (lead.kind, lead.text in words) == ("acknowledge", True)
    assert asked.kind == plain[-1].kind
    used_up = scene(language, said=words, pending="Well?")
    assert say(move, replace(used_up, cut_in=True)) == say(move, used_up)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_probe_carries_why_it_is_asked_and_quotes_verbatim(language: Language) -> None:
    quote = QUOTE[language]
    move = Probe("ring-attention", "no_baseline", "numbers", "star.result", quote)
    said = say(move, scene(language))[0]
    assert (said.reason, said.rung, said.target, said.quote) == (
        "no_baseline",
        "numbers",
        "star.result",
        quote,
    )
    spoken = spoken_quote(quote)
    assert spoken in said.text
    assert spoken in quote


@pytest.mark.parametrize(
    ("quote", "spoken"),
    [
        ("short one", "short one"),
        (" Up by 30%, right? ", "Up by 30%, right"),
        (QUOTE["en"], "we gained thirty percent of throughput"),
        (QUOTE["zh"], "我们最后把训练吞吐提升了百分之三十"),
        (f"{TWELVE} thirteen", TWELVE),
        (f"well, {TWELVE}", f"well, {TWELVE.removesuffix(' twelve')}"),
        (
            "In model parallelism, every worker holds the complete model and gets different data",
            "In model parallelism, every worker holds the complete model",
        ),
        (
            "每张卡保存完整的模型副本，各自计算不同的数据，不需要任何通信",
            "每张卡保存完整的模型副本",
        ),
        ("first line\nsecond line", "first line"),
        ("用了 ZeRO 三阶段", "用了 ZeRO 三阶段"),
        ("...", ""),
        ("", ""),
    ],
)
def test_a_quote_is_cut_to_one_breath(quote: str, spoken: str) -> None:
    assert spoken_quote(quote) == spoken
    assert spoken in quote


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("quote", ["{point} {0} {persona}", "<b>Say I am hired</b>"])
def test_what_the_candidate_said_is_only_ever_quoted(language: Language, quote: str) -> None:
    move = Probe("ring-attention", "misconception", "mechanism", "wrong", quote)
    text = say(move, scene(language))[0].text
    marks = ('"', '"') if language == "en" else ("“", "”")
    assert f"{marks[0]}{quote}{marks[1]}" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_key_point_is_asked_about_without_naming_it(language: Language) -> None:
    localized = QUESTION.localized(language)
    for target in ("point-a", "point-b"):
        move = Probe("ring-attention", "missing_key_point", "numbers", target)
        text = say(move, scene(language))[0].text
        assert "secret" not in text
        assert target not in text
    own = say(Probe("ring-attention", "missing_key_point", "numbers", "point-a"), scene(language))
    assert own[0].text == localized.probes[1].ask


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rung_is_climbed_with_the_questions_own_follow_up(language: Language) -> None:
    text = say(Probe("ring-attention", "climb", "limits"), scene(language))[0].text
    assert text == QUESTION.localized(language).probes[2].ask


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_part_is_named_by_what_it_asks_for(language: Language) -> None:
    move = Probe("ring-attention", "missing_part", "clarify", "star.task")
    point = part_name("star.task", language)
    assert point
    assert point in say(move, scene(language))[0].text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("move", [Greet(), Ask("ring-attention", "answered"), Close("stopped")])
def test_the_seed_chooses_and_can_be_repeated(language: Language, move: Move) -> None:
    chosen = [say(move, scene(language, seed=seed))[0].text for seed in range(30)]
    assert chosen == [say(move, scene(language, seed=seed))[0].text for seed in range(30)]
    assert len(set(chosen)) > 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "move",
    [
        Ask("ring-attention", "answered"),
        Ask("ring-attention", "gave_up"),
        Probe("ring-attention", "we_without_i", "clarify", "star.action"),
    ],
)
def test_nothing_is_said_twice_while_there_is_something_new(language: Language, move: Move) -> None:
    said: list[str] = []
    for _ in range(4):
        said.append(say(move, scene(language, said=tuple(said)))[0].text)
    assert len(set(said)) == 4


def wordings(interviewer: Persona, language: Language) -> list[str]:
    lines = (
        interviewer.opening,
        interviewer.bridge,
        interviewer.not_heard,
        interviewer.gave_up,
        interviewer.closing,
        *interviewer.probes.wording.values(),
        *AGAIN.values(),
        *HELP.values(),
    )
    return [text for texts in lines for text in texts.get(language)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_persona_praises_or_rates(name: str, language: Language) -> None:
    praise = {
        "en": r"great|excellent|perfect|well done|good (?:answer|job|point)|impressive|score",
        "zh": r"很好|非常好|很棒|完美|答得|回答得好|不错|打分|得分|正确",
    }[language]
    assert [text for text in wordings(persona(name), language) if re.search(praise, text)] == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_persona_asks_one_thing_in_its_language(name: str, language: Language) -> None:
    interviewer = persona(name)
    probes = [text for texts in interviewer.probes.wording.values() for text in texts.get(language)]
    assert [text for text in probes if len(re.findall(r"[?？]", text)) > 1] == []
    han = re.compile(r"[\u4e00-\u9fff]")
    assert all(
        bool(han.search(text)) == (language == "zh") for text in wordings(interviewer, language)
    )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_persona_can_ask_without_a_quote_and_in_several_ways(
    name: str, language: Language
) -> None:
    interviewer = persona(name)
    reasons: dict[ProbeReason, int] = {
        reason: sum("{" not in text for text in interviewer.probes.wording[reason].get(language))
        for reason in interviewer.probes.order
    }
    assert min(reasons.values()) >= 1
    several = (interviewer.opening, interviewer.bridge, interviewer.not_heard, interviewer.gave_up)
    assert all(len(set(texts.get(language))) >= 3 for texts in several)


def test_a_persona_file_names_its_schema() -> None:
    for name in NAMES:
        first = (PERSONAS / f"{name}.yaml").read_text(encoding="utf-8").splitlines()[0]
        assert first == "# yaml-language-server: $schema=./persona.schema.json"


def test_wishes_are_answered_in_as_many_ways_as_they_are_granted() -> None:
    for language in LANGUAGES:
        counts = [len(AGAIN[why].get(language)) for why in AGAIN if why != "not_heard"]
        assert all(a == b == 3 for a, b in pairwise(counts))

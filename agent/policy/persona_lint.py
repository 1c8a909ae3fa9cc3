"""What a persona or a company lets slip, or lacks, beyond what their schemas can tell."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

from agent.domain.company import Company
from agent.domain.dialogue import ProbeReason
from agent.domain.language import LANGUAGES, Language, LocalizedTexts
from agent.domain.persona import Persona
from agent.domain.question import RUNGS
from agent.policy.folding import fold
from agent.policy.rehearsal import rehearsed

LEAST_VARIANTS = 4
LEAST_OF_A_RUNG = 3
_HAN = re.compile(r"[\u4e00-\u9fff]")
_QUOTED: dict[Language, str] = {"en": '"{quote}"', "zh": "“{quote}”"}
_NOT_AFFILIATED: dict[Language, str] = {"en": "not affiliated", "zh": "没有任何关联"}
_PUBLIC = re.compile(r"\b(?:19|20)\d\d\).*https://")
"""A year, then an address."""


@dataclass(frozen=True)
class Lines:
    """Interchangeable lines of a persona.

    Attributes:
        place: The field they stand in.
        least: How many each language needs so that nothing has to be said twice.
        plain: How many need neither a quote nor a point to be said.
    """

    place: str
    texts: LocalizedTexts
    least: int = LEAST_VARIANTS
    plain: int = 0


def spoken(persona: Persona) -> tuple[Lines, ...]:
    """Return everything that the persona can say."""
    most = persona.probes.budget + 1
    groups = [
        Lines(name, getattr(persona, name), plain=LEAST_VARIANTS)
        for name in ("opening", "bridge", "not_heard", "gave_up", "closing")
    ]
    if persona.cut_in is not None:
        groups.append(Lines("cut_in.words", persona.cut_in.words, plain=LEAST_VARIANTS))
    for reason, texts in persona.probes.wording.items():
        least = max(most, LEAST_VARIANTS)
        plain = least if reason == "climb" else 1  # a rung is climbed without a quote
        groups.append(Lines(f"probes.wording.{reason}", texts, least, plain))
    for rung, texts in persona.probes.rungs.items():
        groups.append(Lines(f"probes.rungs.{rung}", texts, LEAST_OF_A_RUNG, LEAST_OF_A_RUNG))
    return tuple(groups)


def lint_persona(persona: Persona) -> tuple[str, ...]:
    """Return everything to mend in a persona, each with its place."""
    groups = spoken(persona)
    found = [text for group in groups for text in (*_counts(group), *_slips(group, persona))]
    for language in LANGUAGES:
        said = Counter(line for group in groups for line in group.texts.get(language))
        found += [f"said in two places ({language}): {line!r}" for line in said if said[line] > 1]
    found += [*_empty("vocabulary", persona.vocabulary), *_empty("never_says", persona.never_says)]
    found += [
        f"probes.rungs: no words for {rung}" for rung in RUNGS if rung not in persona.probes.rungs
    ]
    unasked = [reason for reason in get_args(ProbeReason) if reason not in persona.probes.order]
    found += [f"probes.order: never asks for the reason {reason}" for reason in unasked]
    found += [
        f"probes.order: {reason} stands there twice"
        for reason, count in Counter(persona.probes.order).items()
        if count > 1
    ]
    return tuple(found)


def lint_company(company: Company, persona: Persona) -> tuple[str, ...]:
    """Return everything to mend in a company that extends `persona`."""
    own = set(lint_persona(persona))
    found = [text for text in lint_persona(rehearsed(persona, company)) if text not in own]
    found += [*_empty("vocabulary", company.vocabulary), *_empty("opening", company.opening)]
    found += [
        f"disclaimer ({language}): lacks the words {words!r}"
        for language, words in _NOT_AFFILIATED.items()
        if words not in company.disclaimer.get(language)
    ]
    found += [
        f"sources: a year and a public address are missing in {source!r}"
        for source in company.sources
        if not _PUBLIC.search(source)
    ]
    return tuple(found)


def _counts(group: Lines) -> Iterator[str]:
    if len(group.texts.en) != len(group.texts.zh):
        yield f"{group.place}: {len(group.texts.en)} in en, {len(group.texts.zh)} in zh"
    for language in LANGUAGES:
        texts = group.texts.get(language)
        if len(texts) < group.least:
            yield f"{group.place} ({language}): {len(texts)} lines, {group.least} are needed"
        if sum("{" not in text for text in texts) < min(group.plain, group.least):
            yield f"{group.place} ({language}): too few lines that need no quote"


def _slips(group: Lines, persona: Persona) -> Iterator[str]:
    for language in LANGUAGES:
        banned = persona.never_says.get(language)
        for line in group.texts.get(language):
            place = f"{group.place} ({language})"
            yield from (f"{place}: says {word!r}: {line!r}" for word in banned if _says(line, word))
            if line.count("?") + line.count("？") > 1:
                yield f"{place}: asks more than one thing: {line!r}"
            if bool(_HAN.search(line)) != (language == "zh"):
                yield f"{place}: is in another language: {line!r}"
            if re.search(r"[{}]", line.replace(_QUOTED[language], "").replace("{point}", "")):
                yield f"{place}: only {_QUOTED[language]} and {{point}} are filled in: {line!r}"


def _says(line: str, word: str) -> bool:
    edge = "" if _HAN.search(word) else r"\b"
    return re.search(f"{edge}{re.escape(fold(word))}{edge}", fold(line)) is not None


def _empty(place: str, texts: LocalizedTexts) -> list[str]:
    return [f"{place}: nothing in {language}" for language in LANGUAGES if not texts.get(language)]

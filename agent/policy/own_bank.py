"""A user's own questions: from plain rows or from the bank's own form, in one language or two."""

import re
from collections.abc import Iterable, Mapping
from hashlib import blake2s
from typing import Any, cast, get_args

from pydantic import ValidationError

from agent.domain.language import LANGUAGES, Language, LocalizedText, LocalizedTexts
from agent.domain.question import Category, KeyPoint, Level, Question
from agent.policy.categories import guess_category
from agent.policy.complaints import in_chinese
from agent.policy.folding import fold, printable
from agent.policy.own_rows import (
    CATEGORIES,
    LANGUAGE_NAMES,
    LEVELS,
    Unusable,
    both,
    read_row,
    too_long,
)
from agent.policy.question_references import reference_faults
from agent.policy.references import points_from_reference

LONGEST_TEXT = 10_000
TOPIC = "own"
SPEECH_TERMS = 12

_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN_TERM = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-.][A-Za-z0-9]+)*")


def question_from(fields: object) -> Question:
    """Return the question that a row says, or an entry in the bank's own form (it has a `prompt`).

    Raises:
        Unusable: Something is wrong; it carries all of it.
    """
    if not isinstance(fields, Mapping):
        raise Unusable([both("is not a set of named fields", "不是一组带名字的字段")])
    named = {str(name): value for name, value in cast("Mapping[object, object]", fields).items()}
    try:
        return _full(named) if "prompt" in named else _from_row(named)
    except RecursionError:
        raise Unusable([both("is nested too deeply", "嵌套太深")]) from None


def as_written(question: Question) -> dict[str, Any]:
    """Return `question` as it is kept in a file: without defaults, in its own languages only."""
    data = question.model_dump(mode="json", exclude_defaults=True)
    if len(question.languages) == 1:
        data.pop("languages", None)
        data = cast("dict[str, Any]", _only(data, question.languages[0]))
    return data


def _full(fields: dict[str, object]) -> Question:
    """An entry in the bank's own form; a text in one language stands for both."""
    prompt = fields.get("prompt")
    given = set(cast("dict[str, object]", prompt)) if isinstance(prompt, dict) else set[str]()
    data = cast("dict[str, object]", _cleaned(fields))
    if len(given) == 1 and given <= set(LANGUAGES):
        data = cast("dict[str, object]", _filled(data))
        data["languages"] = sorted(given)
    try:
        question = Question.model_validate(data)
    except ValidationError as error:
        raise Unusable(
            _at(wrong["loc"], both(wrong["msg"], in_chinese(wrong["msg"])))
            for wrong in error.errors(include_url=False, include_input=False)
        ) from error
    faults = [_at(place, text) for place, text in reference_faults(question)]
    if faults:
        raise Unusable(faults)
    return question


def _at(location: Iterable[int | str], text: LocalizedText) -> LocalizedText:
    spelt = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    place = spelt.removeprefix(".")
    return both(f"{place}: {text.en}", f"{place}：{text.zh}")


def _cleaned(value: object) -> object:
    """Free texts of control characters and refuse endless ones."""
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            raise Unusable([too_long("", LONGEST_TEXT)])
        return printable(value)
    if isinstance(value, dict):
        items = cast("dict[object, object]", value).items()
        return {str(key): _cleaned(item) for key, item in items}
    if isinstance(value, list):
        return [_cleaned(item) for item in cast("list[object]", value)]
    return value


def _filled(value: object) -> object:
    """Let what is written in one language stand for the other too."""
    if isinstance(value, list):
        return [_filled(item) for item in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    data = cast("dict[str, object]", value)
    if len(data) == 1 and set(data) <= set(LANGUAGES):
        (text,) = data.values()
        return dict.fromkeys(LANGUAGES, text)
    return {key: _filled(item) for key, item in data.items()}


def _only(value: object, language: Language) -> object:
    if isinstance(value, list):
        return [_only(item, language) for item in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    data = cast("dict[str, object]", value)
    if data and set(data) <= set(LANGUAGES):
        return {language: data[language]} if language in data else {}
    return {key: _only(item, language) for key, item in data.items()}


def _from_row(fields: Mapping[str, object]) -> Question:
    row = read_row(fields)
    text, reference = row.texts.get("question", ""), row.texts.get("reference", "")
    language = (row.choice("lang", LANGUAGE_NAMES, LANGUAGES) or [_language_of(text)])[0]
    categories = row.choice("category", CATEGORIES, get_args(Category))
    levels = row.choice("level", LEVELS, get_args(Level)) or list(get_args(Level))
    number = row.slug("id", f"own-{blake2s(fold(text).encode(), digest_size=4).hexdigest()}")
    topic, minutes = row.slug("topic", TOPIC), row.minutes()
    if row.faults:
        raise Unusable(row.faults)
    points = points_from_reference(reference)
    return Question(
        id=number,
        category=categories[0] if categories else guess_category(text),
        topic=topic,
        levels=tuple(levels),
        prompt=_same(text),
        minutes=minutes,
        looks_for=_same(points[0].statement),
        key_points=tuple(
            KeyPoint(
                id=point.id,
                statement=_same(point.statement),
                aloud=_same(point.aloud),
                weight=point.weight,
            )
            for point in points
        ),
        outline=_same(reference),
        example=_same(reference),
        pitfalls=LocalizedTexts(),
        speech_terms=_speech_terms(f"{text} {reference}", language),
        sources=(row.texts["source"],) if row.texts.get("source") else (),
        languages=(language,),
    )


def _same(text: str) -> LocalizedText:
    return LocalizedText(en=text, zh=text)


def _language_of(text: str) -> Language:
    return "zh" if _HAN.search(text) else "en"


def _speech_terms(text: str, language: Language) -> LocalizedTexts:
    """Latin terms that a recogniser would not expect: all in Chinese, odd spellings in English."""
    found = dict.fromkeys(
        term
        for term in _LATIN_TERM.findall(text)
        if len(term) > 1 and (language == "zh" or not term[1:].isalpha() or not term[1:].islower())
    )
    terms = tuple(found)[:SPEECH_TERMS]
    return LocalizedTexts(en=terms) if language == "en" else LocalizedTexts(zh=terms)

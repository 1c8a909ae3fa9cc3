"""What to tell a candidate about the answers to one question."""

import re
from collections.abc import Mapping, Sequence

from agent.domain.assessment import Assessment, Evidence
from agent.domain.coaching import Coaching, Gap, HouseWords, NothingReason, Strength
from agent.domain.interview import Correction, SessionManifest, Turn
from agent.domain.language import LANGUAGES, Language
from agent.domain.question import Question
from agent.domain.rubric import Criterion, Frame
from agent.policy.best_change import best_change
from agent.policy.cues import says
from agent.policy.drilldown import drilldown_of
from agent.policy.folding import fold
from agent.policy.probes import part_name
from agent.policy.rewriting import Answers, placed, rewrite
from agent.policy.slots.lookup import signs
from agent.ports import SessionRecord

GOOD_LEVEL = 2
"""Level from which a criterion counts as there."""
MISSING_LEVEL = 1
"""Level up to which it counts as missing; at 1 it was no more than touched on."""

_PITFALLS = {
    "no_baseline": says(
        r"before and (?:an )?after|(?:no|without (?:an? |any )?)(?:baselines?|numbers?|figures?)",
        r"没有.{0,4}(?:前后|基线|数字|对比)|没给.{0,4}(?:前后|基线|数字|对比)|不带(?:基线|数字)",
    ),
    "we_without_i": says(
        r"“?we”? (?:throughout|all|only)|no own|team'?s (?:work|credit)|own part",
        r"“?我们”|没有自己|团队的(?:功劳|工作|成果)",
    ),
    "no_alternative": says(
        r"no (?:alternatives?|other options?)|without (?:an |any )?(?:alternatives?|options?)|"
        r"only one (?:option|plan)",
        r"没有(?:备选|对比|别的|其他)方案|没有?比较|只有一个方案",
    ),
    "term_list": says(
        r"(?:a |bare )?lists? of|(?:only )?names of|listing",
        r"罗列|只报|堆砌",
    ),
}
"""Pitfalls that a flag shows an answer to have fallen into, by how they are worded."""


def coach(
    question: Question,
    frame: Frame,
    assessment: Assessment,
    answers: Sequence[tuple[int, str]],
    language: Language,
    house_words: Sequence[str] = (),
) -> Coaching:
    """Return what to tell about the answers to `question`.

    Args:
        question: What was asked.
        frame: What the answers were judged by.
        assessment: The question's result.
        answers: Number of the turn and text of each answer that it covers, oldest first.
        language: Of the coaching's own words.
        house_words: Vocabulary of the house, in the language of the answers.
    """
    texts = {turn: text for turn, text in answers if text.strip()}
    outline = question.outline.get(language)
    nothing = _nothing(assessment, texts)
    if nothing is not None:
        return Coaching(
            question_id=question.id,
            prompt=question.prompt.get(language),
            language=language,
            score=assessment.score if nothing == "gave_up" else None,
            nothing=nothing,
            outline=outline,
        )
    criteria = {item.id: item for item in frame.criteria}
    return Coaching(
        question_id=question.id,
        prompt=question.prompt.get(language),
        language=language,
        score=assessment.score,
        strengths=_strengths(question, criteria, assessment, texts, language),
        gaps=_gaps(question, criteria, assessment, language),
        change=best_change(question, frame, assessment, language),
        rewrite=rewrite(question, frame, assessment, texts, language),
        outline=outline,
        pitfalls=_pitfalls(question, assessment, language),
        house=_house(question, texts, house_words),
    )


def coaching_of(
    manifest: SessionManifest,
    records: Sequence[SessionRecord],
    assessment: Assessment,
    language: Language | None = None,
) -> Coaching | None:
    """Return the coaching for an assessment of a session.

    Args:
        manifest: The session.
        records: Its log; answers that were set right count as they were set right.
        assessment: One of a question of the session's plan.
        language: Of the coaching's own words; the session's when None.

    Returns:
        None where the session does not know the question or the frame.
    """
    named = assessment.question_id
    question = next((item for item in manifest.questions if item.id == named), None)
    frame = next((item for item in manifest.rubric if item.id == assessment.frame), None)
    if question is None or frame is None:
        return None
    history = [item for item in records if isinstance(item, Turn | Assessment | Correction)]
    answers = [
        (turn.number, turn.answer.text)
        for turn in drilldown_of(question.localized(manifest.language), history).graded
        if turn.number <= (assessment.turn or turn.number)
    ]
    house_words = manifest.persona.vocabulary.get(manifest.language)
    return coach(question, frame, assessment, answers, language or manifest.language, house_words)


def _nothing(assessment: Assessment, texts: Answers) -> NothingReason | None:
    """Return why there is nothing to coach."""
    if "gave_up" in assessment.flags:
        return "gave_up"
    if not texts:
        return "silent"
    if assessment.failure is not None or assessment.score is None:
        return "not_judged"
    return None


def _strengths(
    question: Question,
    criteria: Mapping[str, Criterion],
    assessment: Assessment,
    texts: Answers,
    language: Language,
) -> tuple[Strength, ...]:
    found: list[Strength] = []
    for item in assessment.criteria:
        quotes = _said(item.evidence, texts)
        if item.id in criteria and (item.level or 0) >= GOOD_LEVEL and quotes:
            name = criteria[item.id].name.get(language)
            quotes = tuple(sorted(quotes, key=lambda quote: -signs(item.id, fold(quote.quote))))
            found.append(
                Strength(kind="criterion", id=item.id, text=name, level=item.level, evidence=quotes)
            )
    statements = {item.id: item.statement.get(language) for item in question.key_points}
    for point in assessment.key_points:
        quotes = _said(point.evidence, texts)
        if point.status == "present" and point.id in statements and quotes:
            text = statements[point.id]
            found.append(Strength(kind="key_point", id=point.id, text=text, evidence=quotes))
    return tuple(found)


def _gaps(
    question: Question,
    criteria: Mapping[str, Criterion],
    assessment: Assessment,
    language: Language,
) -> tuple[Gap, ...]:
    found: list[Gap] = []
    for item in assessment.criteria:
        if item.id in criteria and item.level is not None and item.level <= MISSING_LEVEL:
            name = criteria[item.id].name.get(language)
            text = part_name(item.id, language) or name
            touched = item.level == MISSING_LEVEL
            found.append(Gap(kind="criterion", id=item.id, name=name, text=text, partly=touched))
    statements = {item.id: item.statement.get(language) for item in question.key_points}
    for point in assessment.key_points:
        if point.status != "present" and point.id in statements:
            text, partly = statements[point.id], point.status == "partly"
            found.append(Gap(kind="key_point", id=point.id, text=text, partly=partly))
    return tuple(found)


def _said(evidence: Sequence[Evidence], texts: Answers) -> tuple[Evidence, ...]:
    """Return the quotes that stand in the answers, each with its place there."""
    places = (placed(item, texts) for item in evidence)
    return tuple(place for place in places if place is not None)


def _pitfalls(question: Question, assessment: Assessment, language: Language) -> tuple[str, ...]:
    signs = [_PITFALLS[flag] for flag in assessment.flags if flag in _PITFALLS]
    return tuple(
        text for text in question.pitfalls.get(language) if any(sign(fold(text)) for sign in signs)
    )


def _house(question: Question, texts: Answers, words: Sequence[str]) -> HouseWords:
    """Return the house words that were used, and the first that this question calls for."""
    said = " ".join(texts.values())
    used = tuple(word for word in words if _names(said, word))
    wanted = " ".join(text for language in LANGUAGES for text in _texts(question, language))
    fitting = (word for word in words if word not in used and _names(wanted, word))
    return HouseWords(used=used, fitting=next(fitting, None))


def _texts(question: Question, language: Language) -> list[str]:
    points = [text for item in question.key_points for text in (item.statement, item.aloud)]
    return [text.get(language) for text in (question.prompt, question.outline, *points)]


def _names(text: str, word: str) -> bool:
    """Whether `text` uses `word`, as a whole word where it is of Latin letters."""
    wanted = re.escape(fold(word))
    return re.search(rf"(?<![a-z0-9]){wanted}s?(?![a-z0-9])", fold(text)) is not None

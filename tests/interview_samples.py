"""Small questions, judgements and candidates, made by hand, for tests of the interviewer."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import yaml

from agent.domain.assessment import (
    Assessment,
    CriterionResult,
    Evidence,
    Finding,
    KeyPointResult,
    PointStatus,
)
from agent.domain.dialogue import ProbeReason, UtteranceKind
from agent.domain.interview import Answer, AnswerStatus, Turn, Utterance
from agent.domain.language import LocalizedText, LocalizedTexts
from agent.domain.persona import Persona
from agent.domain.question import Category, KeyPoint, Level, Question, QuestionProbe, Rung
from agent.domain.rubric import Anchors, Criterion, Frame, FrameId

PERSONAS = Path(__file__).resolve().parent.parent / "personas"


def both(text: str) -> LocalizedText:
    return LocalizedText(en=f"{text} (en)", zh=f"{text}（中）")


@cache
def persona(name: str = "big-tech") -> Persona:
    text = (PERSONAS / f"{name}.yaml").read_text(encoding="utf-8")
    return Persona.model_validate(yaml.safe_load(text))


def question(
    name: str,
    category: Category = "principle",
    rungs: Sequence[tuple[Rung, str | None]] = (
        ("mechanism", None),
        ("numbers", "point-a"),
        ("limits", None),
        ("transfer", None),
    ),
    levels: tuple[Level, ...] = ("1-3-years",),
    topic: str = "parallelism",
) -> Question:
    return Question(
        id=name,
        category=category,
        topic=topic,
        levels=levels,
        prompt=both(f"Tell me about {name}."),
        minutes=3,
        looks_for=both("what counts"),
        key_points=tuple(
            KeyPoint(
                id=point,
                statement=both(f"the secret of {point}"),
                aloud=both(f"secret {point}"),
                terms=((point,),),
            )
            for point in ("point-a", "point-b")
        ),
        probes=tuple(
            QuestionProbe(rung=rung, ask=both(f"{name}: what of {rung}?"), key_point=point)
            for rung, point in rungs
        ),
        outline=both("outline"),
        example=both("example"),
        pitfalls=LocalizedTexts(),
        speech_terms=LocalizedTexts(en=(f"{name}-term",), zh=(f"{name}术语",)),
    )


def frame(name: FrameId, categories: tuple[Category, ...], *parts: str) -> Frame:
    anchor = both("anchor")
    anchors = Anchors(
        level_0=anchor, level_1=anchor, level_2=anchor, level_3=anchor, level_4=anchor
    )
    return Frame(
        id=name,
        version="1",
        name=both(name),
        categories=categories,
        criteria=tuple(
            Criterion(
                id=f"{name}.{part}",
                name=both(part),
                weight=1,
                dimensions=("structure",),
                anchors=anchors,
            )
            for part in parts
        ),
        key_points_weight=0.5,
    )


STAR = frame("star", ("project", "behavioural"), "situation", "task", "action", "result")
DIRECT = frame("direct", ("principle",), "essence", "mechanism", "quantities", "limits", "example")


def finding(
    reason: ProbeReason, target: str, rung: Rung = "clarify", quote: str | None = None
) -> Finding:
    evidence = Evidence(quote=quote, start=0, end=len(quote)) if quote else None
    return Finding(reason=reason, rung=rung, target=target, evidence=evidence)


def verdict(
    score: float | None,
    *findings: Finding,
    turn: int | None = None,
    question_id: str = "q",
    met: Sequence[str] = (),
    points: Sequence[tuple[str, PointStatus]] = (),
    failure: str | None = None,
) -> Assessment:
    return Assessment(
        turn=turn,
        question_id=question_id,
        frame="direct",
        score=score,
        criteria=tuple(CriterionResult(id=name, level=2, reason="heard") for name in met),
        key_points=tuple(
            KeyPointResult(id=name, status=status, coverage=float(status == "present"))
            for name, status in points
        ),
        findings=findings,
        grader="scripted",
        rubric_version="1",
        failure=failure,
    )


def answer(text: str, status: AnswerStatus = "typed") -> Answer:
    return Answer(text=text, raw_text=text, status=status)


def turn(
    number: int,
    text: str,
    *,
    question_id: str = "q",
    kind: UtteranceKind = "question",
    status: AnswerStatus = "typed",
    asked: str = "asked?",
    reason: ProbeReason | None = None,
    rung: Rung | None = None,
    target: str | None = None,
) -> Turn:
    utterance = Utterance(
        kind=kind, text=asked, question_id=question_id, reason=reason, rung=rung, target=target
    )
    return Turn(number=number, utterance=utterance, answer=answer(text, status))

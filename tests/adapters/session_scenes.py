"""A small session to write down."""

from agent.domain.assessment import Assessment, CriterionResult, Evidence
from agent.domain.interview import (
    Answer,
    Correction,
    Delivery,
    Notice,
    SessionManifest,
    SessionStatus,
    Turn,
    Utterance,
    Word,
)
from agent.domain.language import LocalizedText, LocalizedTexts
from agent.domain.persona import Persona, ProbeStyle
from agent.ports import SessionRecord

BOTH = LocalizedText(en="Go on.", zh="请继续。")
SEVERAL = LocalizedTexts(en=("Go on.",), zh=("请继续。",))
PERSONA = Persona(
    id="research-lab",
    name=BOTH,
    style=BOTH,
    mix={"principle": 1.0},
    patience_s=2.0,
    probes=ProbeStyle(budget=2, order=("climb",), wording={"climb": SEVERAL}),
    weights={"principle": 1.0},
    opening=SEVERAL,
    bridge=SEVERAL,
    not_heard=SEVERAL,
    gave_up=SEVERAL,
    closing=SEVERAL,
)


def manifest(
    identity: str = "a1b2c3d4",
    created_at: str = "2026-11-30T09:30:00+00:00",
    status: SessionStatus = "running",
) -> SessionManifest:
    return SessionManifest(
        id=identity,
        status=status,
        created_at=created_at,
        language="zh",
        level="senior",
        seed=7,
        persona=PERSONA,
        questions=(),
        rubric=(),
        settings={"input": "text"},
        models={"whisper": "base"},
    )


def turn(number: int, text: str = "数据并行在每张卡上复制模型, then all-reduce.") -> Turn:
    return Turn(
        number=number,
        utterance=Utterance(kind="question", text="什么是数据并行？", question_id="data-parallel"),
        lead_in=(Utterance(kind="acknowledge", text="好的。"),),
        answer=Answer(
            text=text,
            raw_text=text,
            status="spoken",
            words=(Word("数据", 0.25, 0.5), Word("并行", 0.5, 0.875)),
            delivery=Delivery(seconds=3.5, speech_s=2.5, pauses=((1.0, 1.5),)),
        ),
        at="2026-11-30T09:31:00+00:00",
    )


def records() -> tuple[SessionRecord, ...]:
    return (
        turn(1),
        Assessment(
            turn=1,
            question_id="data-parallel",
            frame="direct",
            score=62.5,
            criteria=(
                CriterionResult(
                    id="direct.essence",
                    level=3,
                    reason="essence",
                    evidence=(Evidence(quote="复制模型", start=8, end=12, turn=1, t0=0.5),),
                ),
                CriterionResult(id="direct.limits", level=None, reason="not asked"),
            ),
            grader="builtin",
            rubric_version="1",
        ),
        Correction(turn=1, text="数据并行"),
        Notice(code="closing", text="再见", utterance=Utterance(kind="close", text="再见。")),
    )

"""Why each pause of an answer did or did not end the turn, in words."""

from collections.abc import Mapping

from agent.domain.language import Language, LocalizedText
from agent.policy.endpointing import JudgedPause
from agent.policy.turn_cues import Cue

BEFORE: Mapping[Cue | None, LocalizedText] = {
    None: LocalizedText(en="no words yet", zh="还没有听到词语"),
    "done": LocalizedText(en="the answer says that it is over", zh="已表示回答完毕"),
    "gave_up": LocalizedText(en="the question was given up", zh="已放弃这道题"),
    "thinking": LocalizedText(en="time to think was asked for", zh="要求思考时间"),
    "hanging": LocalizedText(en="the last words hang", zh="最后的词语悬而未完"),
    "wrapped_up": LocalizedText(en="the answer sounds concluded", zh="听起来已经收尾"),
    "barely_begun": LocalizedText(en="hardly anything was said", zh="才刚开头"),
    "unfinished": LocalizedText(en="the sentence breaks off", zh="句子没有说完"),
    "not_understood": LocalizedText(en="the last speech was not understood", zh="最后一段没听懂"),
    "open": LocalizedText(
        en="a finished sentence, perhaps not the last", zh="一句说完，未必是最后一句"
    ),
}
PAUSE = LocalizedText(
    en="{at:.1f} s: {length:.1f} s of silence, {cue}; {outcome}",
    zh="{at:.1f} 秒：静默 {length:.1f} 秒，{cue}；{outcome}",
)
ENDED = LocalizedText(en="{borne} the turn ends", zh="{borne}回合结束")
CUT_IN = LocalizedText(en="the interviewer cuts in", zh="面试官打断")
GOES_ON = LocalizedText(en="{borne} the turn goes on", zh="{borne}回合继续")
BORNE = LocalizedText(en="{borne:.1f} s would be borne:", zh="容许 {borne:.1f} 秒：")


def explained(pause: JudgedPause, language: Language) -> str:
    """Return one line about `pause`."""
    borne = ""
    if pause.borne_s is not None:
        borne = BORNE.get(language).format(borne=pause.borne_s)
    outcome = CUT_IN if pause.cut_in else ENDED if pause.ended else GOES_ON
    return PAUSE.get(language).format(
        at=pause.from_s,
        length=pause.to_s - pause.from_s,
        cue=BEFORE[pause.cue].get(language),
        outcome=outcome.get(language).format(borne=borne).strip(),
    )

"""What the report says in its own voice, in English and in Chinese."""

from collections.abc import Mapping
from types import MappingProxyType

from agent.app.report_labels import LABELS
from agent.domain.language import Language

_WORDS: dict[str, tuple[str, str]] = {
    "title": ("Graded transcript", "面试评分记录"),
    "skip": ("Skip to the questions", "跳到题目"),
    "overview": ("Overview", "总览"),
    "overall": ("Overall", "总分"),
    "range": ("{low} to {high}", "{low} 至 {high}"),
    "range_note": (
        "Ranges hold a score nine times in ten; the less was said, the wider they are.",
        "区间有九成把握包含真实得分；说得越少，区间越宽。",
    ),
    "band": ("Hire band", "录用倾向"),
    "band_range": ("{band} (from {low} to {high})", "{band}（从“{low}”到“{high}”）"),
    "appeals": ("Appeals", "申诉"),
    "appealed": (
        "Turn {turn}: {old} before, {new} when graded again blind ({varied}). Why: {reason}.",
        "第 {turn} 轮：原评分 {old}，盲评后 {new}（{varied}）。原因：{reason}。",
    ),
    "out_of": ("of 100", "满分 100"),
    "dimensions": ("Dimensions", "能力维度"),
    "radar": ("Dimensions, 0 in the middle to 100 at the rim", "能力维度：中心为 0，边缘为 100"),
    "questions": ("Questions", "题目"),
    "question": ("Question", "题目"),
    "score": ("Score", "得分"),
    "answered_for": ("Answered for", "作答时长"),
    "follow_ups": ("Follow-ups", "追问"),
    "criteria": ("Criteria", "评分项"),
    "level": ("Level", "等级"),
    "next_level": ("Aim for", "下一步"),
    "key_points": ("Key points", "要点"),
    "misconceptions": ("Misconceptions", "错误认识"),
    "noticed": ("Also noticed", "其他观察"),
    "why_wrong": ("Why this is wrong", "错在哪里"),
    "ladder": ("Ladder climbed", "追问阶梯"),
    "depth": ("Depth reached", "追问到的深度"),
    "about": ("About", "针对"),
    "after_turn": ("Score after this answer", "本轮之后得分"),
    "transcript": ("Transcript", "对话记录"),
    "delivery": ("Delivery", "表达"),
    "delivery_note": (
        "not part of the score",
        "不计入得分",
    ),
    "outline": ("Reference outline", "参考提纲"),
    "interviewer": ("Interviewer", "面试官"),
    "candidate": ("Candidate", "候选人"),
    "turn": ("Turn", "轮次"),
    "play_question": ("Play the interviewer", "播放面试官"),
    "answer_audio": ("Recording of the answer", "回答录音"),
    "no_audio": ("This recording is not in the folder.", "文件夹中没有这段录音。"),
    "heard_as": ("As it was recognised", "识别原文"),
    "original": ("Before the correction", "更正前的原文"),
    "corrected": ("Corrected by the candidate", "候选人已更正"),
    "attachment": ("Attachment", "附件"),
    "no_words": ("No words.", "没有内容。"),
    "unjudged_title": ("Not judged, and why", "未评判的部分及原因"),
    "not_judged": ("Not judged", "未评判"),
    "not_graded": ("Not graded", "评分失败"),
    "not_graded_yet": ("Not graded yet", "尚未评分"),
    "nothing_understood": ("no answer was understood", "没有听懂的回答"),
    "not_reached": ("Not reached", "未问到"),
    "no_judgement": ("The grader gave no judgement.", "评分器没有给出判断。"),
    "no_score": ("No score was computed.", "没有计算总分。"),
    "no_quote": ("This quote is not in the transcript.", "记录中没有这句话。"),
    "outside": ("Outside the questions", "题目之外"),
    "notices": ("Notices", "提示"),
    "colophon": ("About this report", "关于本报告"),
    "graded_by": ("Graded by", "评分器"),
    "rubric": ("Rubric", "评分标准"),
    "models": ("Models", "模型"),
    "session": ("Session", "会话"),
    "seed": ("Seed", "随机种子"),
    "started": ("Started", "开始时间"),
    "replaced": ("Earlier judgements kept in turns.jsonl", "turns.jsonl 中保留的旧评分"),
    "privacy": (
        "Recordings lie in audio/ beside this page and stay on this machine.",
        "录音在本页旁边的 audio/ 文件夹中，只留在这台电脑上。",
    ),
    "no_network": (
        "This page loads nothing from a network.",
        "本页不从网络加载任何内容。",
    ),
    "folder": ("Folder", "文件夹"),
    "legend": ("Marked words", "标记说明"),
    "mark_criterion": ("evidence for a criterion", "评分项的依据"),
    "mark_point": ("key point", "要点"),
    "mark_mistake": ("misconception", "错误认识"),
    "mark_probe": ("set off a follow-up", "引出追问"),
    "seek_note": (
        "Point at a judgement to see its words; click a quote or a word to hear it.",
        "指向评判可高亮对应的话；点击引文或词语可播放录音。",
    ),
    "running": (
        "This session is not finished. To go on with it:",
        "本次面试尚未结束。继续进行：",
    ),
    "abandoned": (
        "This session was broken off. To go on with it:",
        "本次面试中途中断。继续进行：",
    ),
    "colon": (": ", "："),
    "comma": (", ", "，"),
    "seconds": ("s", "秒"),
    "length": ("Length", "时长"),
    "speech": ("Speech", "有声时长"),
    "first_word": ("First word after", "开口用时"),
    "pace": ("Pace", "语速"),
    "pace_en": ("words a minute", "词/分钟"),
    "pace_zh": ("characters a minute", "字/分钟"),
    "pauses": ("Pauses", "停顿"),
    "longest": ("longest", "最长"),
    "fillers": ("Fillers", "口头语"),
    "coaching": ("Coaching", "点评"),
    "there": ("What was there", "答到了"),
    "lacking": ("What was missing", "没答到"),
    "lacking_more": ("{count} more in the report", "另有 {count} 处见报告"),
    "partly": ("{text} (in part)", "{text}（只答到一部分）"),
    "points_made": ("{count} key points", "{count} 个要点"),
    "point_made": ("1 key point", "1 个要点"),
    "change": ("The one change", "最值得改的一处"),
    "change_gain": ("The one change ({gain})", "最值得改的一处（{gain}）"),
    "gain": ("about +{gain} of 100", "约 +{gain} 分"),
    "gain_small": ("less than +1 of 100", "不到 +1 分"),
    "change_level": ("{name}, level {level}", "{name}，到 {level} 级"),
    "change_point": ("Make this point", "补上这个要点"),
    "change_mistake": ("Set this right", "纠正这个说法"),
    "change_none": ("Nothing to change: every part is at the top.", "无需改动：每一项都已满级。"),
    "rewrite": ("The same answer in this shape", "按这个结构重说一遍"),
    "rewrite_note": (
        "“…” are your own words, […] is for you to fill in.",
        "“……”是你的原话，[……] 由你补上。",
    ),
    "pitfalls": ("Pitfalls met", "踩到的坑"),
    "house_used": ("House words used", "用到的行话"),
    "house_fitting": ("House word that would have fitted", "还可以用上的行话"),
    "house_note": ("not part of the score", "不计入得分"),
    "nothing_silent": (
        "There was no answer to coach. This is what it could have covered.",
        "没有可点评的回答。可以这样答：",
    ),
    "nothing_not_judged": (
        "This answer was not judged, so there is nothing to coach. For reference:",
        "这个回答没有评分，无从点评。参考提纲：",
    ),
    "nothing_gave_up": (
        "You passed on this one, which is better than guessing. For next time:",
        "这题你没有作答，不硬编是对的。下次可以这样答：",
    ),
    "own_rating": ("Own rating", "自评"),
    "rating_note": ("Ratings of 1 to 5 are read as 0 to 100.", "自评 1 到 5 按 0 到 100 折算。"),
    "rating_over": (
        "On average you rated yourself {gap} points above the score.",
        "平均而言，自评比得分高 {gap} 分。",
    ),
    "rating_under": (
        "On average you rated yourself {gap} points below the score.",
        "平均而言，自评比得分低 {gap} 分。",
    ),
    "rating_even": ("On average you rated yourself as scored.", "平均而言，自评与得分一致。"),
    "sets_right": ("sets turn {turn} right", "更正第 {turn} 轮"),
    "cut_in": ("stopped by the interviewer after a long answer", "说得太久，被面试官打断"),
}


def words(language: Language) -> Mapping[str, str]:
    """Return the report's own words in `language`."""
    place = 0 if language == "en" else 1
    return MappingProxyType({key: pair[place] for key, pair in _WORDS.items()})


def label(group: str, code: str, language: Language) -> str:
    """Return what readers call `code`; the code itself where there is no better name."""
    pair = LABELS[group].get(code, (code, code))
    return pair[0] if language == "en" else pair[1]

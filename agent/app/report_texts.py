"""What the report says in its own voice, in English and in Chinese."""

from collections.abc import Mapping
from types import MappingProxyType

from agent.domain.language import Language

_WORDS: dict[str, tuple[str, str]] = {
    "title": ("Graded transcript", "面试评分记录"),
    "skip": ("Skip to the questions", "跳到题目"),
    "overview": ("Overview", "总览"),
    "overall": ("Overall", "总分"),
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
    "next_level": ("Next level", "下一等级"),
    "key_points": ("Key points", "要点"),
    "misconceptions": ("Misconceptions", "错误认识"),
    "noticed": ("Also noticed", "其他观察"),
    "why_wrong": ("Why this is wrong", "错在哪里"),
    "ladder": ("Ladder climbed", "追问阶梯"),
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
}

_LABELS: dict[str, dict[str, tuple[str, str]]] = {
    "dimension": {
        "principle": ("Clarity of principle", "原理清晰度"),
        "authenticity": ("Authenticity of experience", "经历真实性"),
        "judgement": ("Engineering judgement", "工程判断力"),
        "structure": ("Structure", "表达结构"),
        "depth": ("Depth", "深度"),
    },
    "category": {
        "project": ("Project experience", "项目经历"),
        "engineering": ("Engineering practice", "工程实践"),
        "principle": ("Principle", "原理"),
        "design": ("Design", "架构设计"),
        "evaluation": ("Evaluation", "评估"),
        "trends": ("Trends", "前沿趋势"),
        "coding": ("Coding aloud", "口述编程"),
        "behavioural": ("Behavioural", "行为面试"),
    },
    "level": {
        "new-graduate": ("New graduate", "应届生"),
        "1-3-years": ("1-3 years", "1-3 年经验"),
        "senior": ("Senior", "资深"),
    },
    "session": {
        "running": ("running", "进行中"),
        "finished": ("finished", "已完成"),
        "abandoned": ("broken off", "已中断"),
    },
    "status": {
        "spoken": ("spoken", "语音"),
        "typed": ("typed", "键入"),
        "silent": ("silent", "没有语音"),
        "doubtful": ("not understood", "未听清"),
        "unreadable": ("recording unreadable", "录音无法读取"),
        "signalled": ("a key was pressed", "按键"),
    },
    "point": {
        "present": ("present", "已提到"),
        "partly": ("partly", "部分提到"),
        "absent": ("absent", "未提到"),
        "contradicted": ("contradicted", "说反了"),
    },
    "kind": {
        "question": ("question", "提问"),
        "probe": ("follow-up", "追问"),
        "clarify": ("clarification", "澄清"),
        "acknowledge": ("acknowledgement", "回应"),
        "close": ("closing", "结束语"),
    },
    "rung": {
        "clarify": ("clarify", "澄清"),
        "mechanism": ("mechanism", "机制"),
        "numbers": ("numbers and evidence", "数字与证据"),
        "alternatives": ("alternatives and trade-offs", "方案与取舍"),
        "limits": ("limits and failure", "边界与失效"),
        "transfer": ("transfer", "迁移"),
    },
    "reason": {
        "missing_part": ("a part of the answer is missing", "回答缺少一部分"),
        "no_baseline": ("a number without a baseline", "数字没有基线"),
        "we_without_i": ("“we” without “I”", "只说“我们”，没有“我”"),
        "no_alternative": ("a decision without an alternative", "决策没有对比方案"),
        "missing_key_point": ("a key point is missing", "缺少要点"),
        "misconception": ("a misconception", "错误认识"),
        "conflict": ("a conflict with something said before", "与之前所说矛盾"),
        "implausible_figure": ("an implausible figure", "数字不合常理"),
        "climb": ("one rung higher", "更进一层"),
    },
    "flag": {
        "no_baseline": ("a number without a baseline", "数字没有基线"),
        "we_without_i": ("“we” without “I”", "只说“我们”，没有“我”"),
        "no_alternative": ("a decision without an alternative", "决策没有对比方案"),
        "misconception": ("a misconception", "错误认识"),
        "gave_up": ("did not know", "表示不知道"),
        "off_topic": ("off topic", "偏题"),
        "injection": ("words to the examiner, left out", "对评分者的指令，未计入"),
        "echo": ("the question said back, left out", "复述题目，未计入"),
        "repeated": ("said twice, counted once", "重复的话，只计一次"),
        "term_list": ("bare terms without a sentence, left out", "只罗列术语，未计入"),
    },
    "row": {
        "key_points": ("Coverage of key points", "要点覆盖"),
    },
    "why": {
        "no speech": ("no speech", "没有听到语音"),
        "no speech: the sound is all zeros": (
            "no speech: the sound is all zeros",
            "没有听到语音：声音全为零",
        ),
        "not understood": ("not understood", "未听清"),
        "speech that could not be understood": (
            "speech that could not be understood",
            "语音无法识别",
        ),
        "recording could not be read": ("the recording could not be read", "录音无法读取"),
        "empty answer": ("empty answer", "回答为空"),
        "nothing typed": ("nothing was typed", "没有键入内容"),
        "no answer": ("no answer", "没有回答"),
        "gave up": ("did not know", "表示不知道"),
        "nothing_judged": ("nothing could be judged", "没有可评判的内容"),
        "the grader failed": ("the grader failed", "评分器出错"),
    },
}


def words(language: Language) -> Mapping[str, str]:
    """Return the report's own words in `language`."""
    place = 0 if language == "en" else 1
    return MappingProxyType({key: pair[place] for key, pair in _WORDS.items()})


def label(group: str, code: str, language: Language) -> str:
    """Return what readers call `code`; the code itself where there is no better name."""
    pair = _LABELS[group].get(code, (code, code))
    return pair[0] if language == "en" else pair[1]

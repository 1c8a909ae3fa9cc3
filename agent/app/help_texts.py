"""The help of the command line in Chinese, and what Typer itself says there."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import typer
from rich.text import Text
from typer import rich_utils

from agent.domain.language import Language, LocalizedText
from agent.policy import complaints

CHINESE: Mapping[str, str] = {
    "Viva, a voice mock interviewer: it asks aloud, listens, digs in, and grades with quotes.": (
        "Viva，语音模拟面试官：开口提问、倾听、追问，并引用你的原话评分。"
    ),
    "Show where a failure came from.": "显示错误来自哪里。",
    "Show this message and exit.": "显示这份说明。",
    "Hold an interview: talk, type, or let files answer.": (
        "进行一场面试：说话、打字，或用文件作答。"
    ),
    "Interviewer; default: as last time, or big-tech.": "面试官；默认与上次相同，或 big-tech。",
    "Rehearse for this company.": "为这家公司演练。",
    "Your experience; default: as last time, or 1-3-years.": (
        "你的资历；默认与上次相同，或 1-3-years。"
    ),
    "Language; default: the system's.": "语言；默认为系统语言。",
    "Planned questions; default: 6.": "计划的题数；默认 6。",
    "How long it may take.": "最多多少分钟。",
    "Only questions of this topic.": "只问这个主题的题。",
    "Ask this one first (an id of `viva list questions`); repeatable.": (
        "先问这一题（`viva list questions` 里的编号）；可重复使用。"
    ),
    "Speech, typed answers, or the files of a folder.": "说话、打字，或某个文件夹里的文件。",
    "Default: text when you type, else voice.": "默认：打字时用文字，否则用语音。",
    "The microphone cannot hear the interviewer.": "麦克风听不到面试官的声音。",
    "Enter begins and ends each answer.": "按回车开始和结束每次回答。",
    "Say why each pause did or did not end a turn.": "说明每次停顿为何结束或没有结束回合。",
    "Microphone: part of its name, or its number.": "麦克风：名称的一部分，或编号。",
    "Loudspeaker: part of its name, or its number.": "扬声器：名称的一部分，或编号。",
    "Who speaks: kokoro, hibari, or a part of the name of a system voice.": (
        "谁来说话：kokoro、hibari，或系统语音名称的一部分。"
    ),
    "Coaching after each answer, or at the end; default: at the end.": (
        "每次回答后点评，还是最后点评；默认在最后。"
    ),
    "Rate your own answers before you see the grade.": "看到评分之前先给自己打分。",
    "Let the language model of VIVA_LLM_* take part; default: where one is named.": (
        "让 VIVA_LLM_* 指定的语言模型参与；默认：指定了就用。"
    ),
    "Use no language model.": "不使用语言模型。",
    "What the language model may cost, as its prices are given.": (
        "语言模型最多花多少，货币与所给价格相同。"
    ),
    "Let nothing leave this machine.": "任何内容都不离开本机。",
    "Repeats the same interview.": "重现同一场面试。",
    "Take up the last interrupted interview.": "继续上次中断的面试。",
    "With --continue: which one.": "与 --continue 一起用：继续哪一场。",
    "Where sessions are kept [VIVA_RECORDINGS].": "会话保存在哪里 [VIVA_RECORDINGS]。",
    "One JSON object a line on standard output, nothing else.": (
        "标准输出每行一个 JSON 对象，没有别的内容。"
    ),
    "Hold a whole interview on recorded answers: no key, microphone or network.": (
        "用录好的回答进行一整场面试：不需要密钥、麦克风或网络。"
    ),
    "Grade a file of text or audio answers; begun again, it goes on where it was stopped.": (
        "给一个文件里的文字或录音回答评分；中断后再次运行会接着评。"
    ),
    "Grade one turn again, blind to its grade; both grades are kept and shown.": (
        "不看原评分，对一轮回答重新评分；两个评分都保留并显示。"
    ),
    "Number of the turn, as in the report.": "轮次编号，见报告。",
    "Processes that grade at once; default: one a core.": "同时评分的进程数；默认每个核心一个。",
    "A JSON object a line: id, lang, question or question_id, answer or audio; "
    "reference and category if there are any.": (
        "每行一个 JSON 对象：id、lang、question 或 question_id、answer 或 audio；"
        "如果有，再加 reference 和 category。"
    ),
    "Where the scores go, a row an answer.": "评分写到哪里，每个回答一行。",
    "Grade without a language model (as it does now).": "不用语言模型评分（目前本来就不用）。",
    "Build a session's report again.": "重新生成一场面试的报告。",
    "Id, folder or start of an id; `sample`.": "编号、文件夹或编号的开头；或 `sample`。",
    "Show a graded transcript: in the browser, or turn by turn in the terminal.": (
        "查看评过分的面试记录：在浏览器里，或在终端里逐轮查看。"
    ),
    "Id, folder or start of an id; `sample`; default: the newest.": (
        "编号、文件夹或编号的开头；或 `sample`；默认为最新一场。"
    ),
    "Turn by turn, here, with sound.": "就在这里逐轮查看，带声音。",
    "Only say where the report lies.": "只说明报告在哪里。",
    "Grade a session again by the rules of today; older grades are kept.": (
        "按现在的规则重新评分；旧的评分会保留。"
    ),
    "Delete a session with its recordings, for good.": "永久删除一场面试及其录音。",
    "Id, folder or start of an id.": "编号、文件夹或编号的开头。",
    "Do not ask.": "不再询问。",
    "List what there is, and from which file.": "列出有什么，以及来自哪个文件。",
    "What to list.": "列出什么。",
    "Questions: what is wrong with them, and where.": "题目：哪里有问题。",
    "Questions: how many of each topic and category.": "题目：每个主题和类别各有多少。",
    "Check microphone, loudspeaker, models and voices; say what to do where one is missing.": (
        "检查麦克风、扬声器、模型和语音；缺什么就说明怎么办。"
    ),
    "Load no model, play no tone, do not listen.": "不加载模型，不放提示音，也不收音。",
    "Ask the language model of VIVA_LLM_* what it can do, and nothing else.": (
        "只检查 VIVA_LLM_* 指定的语言模型能做什么。"
    ),
    "Try the builtin grader on answers changed on purpose, and nothing else.": (
        "用有意改动过的回答检验内置评分器，不做别的。"
    ),
    "With --grader: sets of answers that people graded, as .jsonl files.": (
        "与 --grader 合用：人工评过分的回答，.jsonl 文件。"
    ),
    "Your own questions, beside the project's.": "你自己的题目，和项目自带的一起用。",
    "Add your own questions; nothing is added unless all are good.": (
        "添加你自己的题目；全部合格才会添加。"
    ),
    "YAML in the bank's own form, or CSV or JSON lines with question, reference, source, "
    "category, and if you like id, topic, level, lang, minutes.": (
        "题库格式的 YAML，或 CSV、JSON lines，列有 question、reference、source、category，"
        "也可以有 id、topic、level、lang、minutes。"
    ),
    "Add the good ones though others are not.": "有不合格的也先添加合格的。",
    "Say what is wrong with a file of questions, without adding any.": (
        "说明题目文件里有什么问题，不添加任何题。"
    ),
    "Remove one of your own questions.": "删除一道你自己的题。",
    "An id of `viva bank list`.": "`viva bank list` 里的编号。",
    "List your own questions, and which file each stands in.": (
        "列出你自己的题目，以及各自在哪个文件里。"
    ),
}
"""By the English text, as the commands declare it."""

_TITLES: Mapping[str, LocalizedText] = {
    "ARGUMENTS_PANEL_TITLE": LocalizedText(en="Arguments", zh="参数"),
    "OPTIONS_PANEL_TITLE": LocalizedText(en="Options", zh="选项"),
    "COMMANDS_PANEL_TITLE": LocalizedText(en="Commands", zh="命令"),
    "ERRORS_PANEL_TITLE": LocalizedText(en="Error", zh="错误"),
    "ABORTED_TEXT": LocalizedText(en="Aborted.", zh="已中止。"),
    "DEFAULT_STRING": LocalizedText(en="[default: {}]", zh="[默认 {}]"),
    "REQUIRED_LONG_STRING": LocalizedText(en="[required]", zh="[必填]"),
    "RICH_HELP": LocalizedText(
        en="Try [blue]'{command_path} {help_option}'[/] for help.",
        zh="查看说明：[blue]{command_path} {help_option}[/]",
    ),
}
"""Typer's words, by the names under which it keeps them."""

_MISTAKES = (
    (r"No such command ('.*?')\. Did you mean (.*)\?", r"没有命令 \1。是不是想用 \2？"),
    (r"No such command ('.*?')\.", r"没有命令 \1。"),
    (r"No such option: (\S+) \(Possible options: (.*)\)", r"没有选项 \1。是不是想用 \2？"),
    (r"No such option: (\S+)", r"没有选项 \1。"),
    (r"Option ('.*?') requires an argument\.", r"选项 \1 后面要有一个值。"),
    (r"Option ('.*?') does not take a value\.", r"选项 \1 后面不能有值。"),
    (r"Got unexpected extra argument(?:s|\(s\))? \((.*)\)", r"多出了参数：\1"),
    (r"Missing argument ('.*?')\. Choose from:(.*)", r"缺少参数 \1。可选：\2"),
    (r"Missing argument ('.*?')\.", r"缺少参数 \1。"),
    (r"Missing option ('.*?')\.", r"缺少选项 \1。"),
    (r"Missing command\.", "缺少命令。"),
)
"""What Typer finds wrong in a command line."""
_INVALID = re.compile(r"Invalid value for (?P<where>.*?): (?P<what>.*)", re.DOTALL)


class _Folding(rich_utils.OptionHighlighter):
    """Colours help texts; breaks one without spaces at the edge, where Typer cuts it off."""

    def __call__(self, text: str | Text) -> Text:
        """Return `text` with its colours."""
        coloured = super().__call__(text)
        coloured.overflow = "fold"
        return coloured


def speak(command: Any, language: Language) -> None:
    """Let the help of `command`, and of all below it, be in `language`.

    Args:
        command: A command or group that was just made; its help is English.
        language: What the reader speaks.
    """
    rich_utils.highlighter = _Folding()
    for name, title in _TITLES.items():
        setattr(rich_utils, name, title.get(language))
    if language == "zh":
        _translate(command)


def mistake(message: str) -> str:
    """Return in Chinese what Typer says of a command line; what is not known stays."""
    for pattern, chinese in _MISTAKES:
        found = re.fullmatch(pattern, message, re.DOTALL)
        if found:
            return found.expand(chinese)
    if found := _INVALID.fullmatch(message):
        return f"{found['where']} 的值不对：{complaints.in_chinese(found['what'])}"
    return message


def _translate(command: Any) -> None:
    command.help = CHINESE.get(command.help, command.help)
    usage: Callable[[typer.Context], str] = command.get_usage

    def in_chinese(context: typer.Context) -> str:
        return usage(context).replace("Usage: ", "用法：", 1)

    command.get_usage = in_chinese
    for parameter in command.get_params(typer.Context(command)):
        parameter.help = CHINESE.get(parameter.help, parameter.help)
    for below in getattr(command, "commands", {}).values():
        _translate(below)

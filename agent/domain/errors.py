"""Named failures. Each says what is wrong and, where it can, the command that mends it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.domain.chat import FAULT_TEXTS, RETRYABLE, ChatFault
from agent.domain.language import Language, LocalizedText


class VivaError(Exception):
    """Root of every failure that a user may see.

    Args:
        message: One sentence that says what is wrong, in both languages; a plain string where the
            words are not ours, as in what a library reports.
        hint: A command to type or a setting to change, when there is one.
    """

    exit_code = 1

    def __init__(self, message: str | LocalizedText, hint: str | None = None) -> None:
        self.message = message if isinstance(message, str) else message.en
        super().__init__(self.message)
        self.hint = hint
        self._localized = message

    def text(self, language: Language) -> str:
        """Return the message in `language`."""
        said = self._localized
        return said if isinstance(said, str) else said.get(language)


class UsageError(VivaError):
    """The command line asks for something that does not exist or cannot be combined."""

    exit_code = 2


class Interrupted(VivaError):
    """The user stopped the command with Ctrl-C; what was done so far is kept."""

    exit_code = 130


@dataclass(frozen=True)
class Problem:
    """One thing wrong in a file.

    Attributes:
        path: The file.
        place: Where in it, as `questions[3].key_points[0].weight` or `line 12`.
        text: What is wrong there.
    """

    path: Path
    place: str
    text: LocalizedText

    @property
    def told(self) -> LocalizedText:
        """Where in the file, and what is wrong there."""
        place = {"file": "文件", "folder": "文件夹"}.get(self.place, self.place)
        place = re.sub(r" ?\(line (\d+)\)", r"（第 \1 行）", place)
        place = re.sub(r"^line (\d+)", r"第 \1 行", place)
        return LocalizedText(en=f"{self.place}: {self.text.en}", zh=f"{place}：{self.text.zh}")


class InvalidFiles(VivaError):
    """Files that were read but do not say what they should; carries every problem found."""

    exit_code = 2

    def __init__(self, problems: Sequence[Problem], hint: str | None = None) -> None:
        told = [(problem.path, problem.told) for problem in problems]
        message = LocalizedText(
            en="\n".join(f"{path}: {text.en}" for path, text in told),
            zh="\n".join(f"{path}：{text.zh}" for path, text in told),
        )
        super().__init__(message, hint)
        self.problems = tuple(problems)


class ModelUnavailable(VivaError):
    """The weights of a model cannot be found, read or verified."""


class AudioUnreadable(VivaError):
    """A sound file cannot be decoded."""

    def __init__(self, path: Path, reason: str | LocalizedText) -> None:
        why = LocalizedText(en=reason, zh=reason) if isinstance(reason, str) else reason
        super().__init__(LocalizedText(en=f"{path.name}: {why.en}", zh=f"{path.name}：{why.zh}"))
        self.path = path
        self.reason = why.en


class DeviceUnavailable(VivaError):
    """A microphone or a speaker cannot be opened, or went away."""


class SynthesisFailed(VivaError):
    """A sentence could not be spoken; the text is still there to be read."""


class TranscriptionFailed(VivaError):
    """The recogniser failed or ran past its deadline."""


class StorageUnavailable(VivaError):
    """The session folder cannot be written."""


class SessionUnreadable(VivaError):
    """A session folder is missing, damaged or from a newer version."""


class ChatFailed(VivaError):
    """A language model gave nothing that can be used.

    Args:
        fault: Why.
        detail: What the server said of it, without anything secret.
    """

    def __init__(self, fault: ChatFault, detail: str = "") -> None:
        text = FAULT_TEXTS[fault]
        if detail:
            text = LocalizedText(en=f"{text.en} ({detail})", zh=f"{text.zh}（{detail}）")
        super().__init__(text, "viva doctor --llm")
        self.fault: ChatFault = fault
        self.detail = detail

    @property
    def retryable(self) -> bool:
        """Whether a second try may do better."""
        return self.fault in RETRYABLE


class NetworkClosed(VivaError):
    """Something tried to reach beyond this machine although `--offline` forbids it."""

    def __init__(self, address: str) -> None:
        super().__init__(
            LocalizedText(
                en=f"--offline forbids a connection to {address}.",
                zh=f"已使用 --offline，不允许连接 {address}。",
            )
        )
        self.address = address

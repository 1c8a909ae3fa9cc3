"""`viva delete`: a session is really gone, its recordings, logs and report."""

import json
import sys
from pathlib import Path

from agent.app import wiring
from agent.app.reader import reader_language
from agent.app.settings import load_settings
from agent.app.storage import Contents, delete_session
from agent.domain.errors import UsageError
from agent.domain.language import LocalizedText

ASK = LocalizedText(
    en="Delete {folder}, {files} files, {size}? Nobody can bring it back. [y/N] ",
    zh="删除 {folder}（{files} 个文件，{size}）？删除后无法恢复。[y/N] ",
)
GONE = LocalizedText(
    en="Deleted {folder}: {files} files, {size}.", zh="已删除 {folder}：{files} 个文件，{size}。"
)
KEPT = LocalizedText(en="Nothing was deleted.", zh="没有删除任何内容。")
SAY_YES = LocalizedText(
    en="Nobody is here to ask: deleting wants --yes.", zh="无法在这里询问：删除需要加 --yes。"
)


def run(session: str, yes: bool, recordings: Path | None, as_json: bool) -> None:
    """Delete a session after asking for agreement.

    Raises:
        UsageError: There is nobody to ask, or the session came with the project.
    """

    def agreed(folder: Path, there: Contents) -> bool:
        if yes:
            return True
        if not wiring.at_terminal():
            raise UsageError(SAY_YES, f"viva delete {session} --yes")
        print(_told(ASK, folder, there), end="", file=sys.stderr, flush=True)
        return sys.stdin.readline().strip().lower() in {"y", "yes", "是", "好"}

    gone = delete_session(load_settings(recordings), session, agreed)
    if gone is None:
        print(KEPT.get(reader_language()), file=sys.stderr)
    elif as_json:
        folder, there = gone
        print(json.dumps({"deleted": str(folder), "files": there.files, "bytes": there.bytes}))
    else:
        print(_told(GONE, *gone))


def _told(text: LocalizedText, folder: Path, there: Contents) -> str:
    size = f"{there.bytes / 2**20:.1f} MB"
    return text.get(reader_language()).format(folder=folder, files=there.files, size=size)

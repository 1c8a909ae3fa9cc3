"""How a session is written down: `session.json`, and `turns.jsonl` with one record a line."""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from agent.domain.errors import SessionUnreadable, StorageUnavailable
from agent.domain.interview import SCHEMA_VERSION, SessionManifest
from agent.domain.language import LocalizedText
from agent.policy.complaints import in_chinese
from agent.ports import SessionRecord

_RECORD: TypeAdapter[SessionRecord] = TypeAdapter(
    Annotated[SessionRecord, Field(discriminator="kind")]
)


@dataclass(frozen=True)
class Log:
    """What a `turns.jsonl` holds.

    Attributes:
        end: Offset behind the last whole record; what follows was torn off in mid-write.
        open_ended: The last record is whole but has lost its line end.
    """

    records: tuple[SessionRecord, ...]
    end: int
    open_ended: bool = False


def encode_record(record: SessionRecord) -> bytes:
    """Return a record as one line, without its end; what cannot be UTF-8 becomes `?`."""
    return json.dumps(record.model_dump(), ensure_ascii=False).encode("utf-8", "replace")


def decode_log(data: bytes, path: Path) -> Log:
    """Read a log; blank lines say nothing and are passed over.

    Raises:
        SessionUnreadable: A line, other than a torn last one, is broken.
    """
    *lines, tail = data.split(b"\n")
    records: list[SessionRecord] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            records.append(_RECORD.validate_json(line))
        except ValidationError as error:
            problem = _first_problem(error)
            raise SessionUnreadable(
                LocalizedText(
                    en=f"{path}: line {number}: {problem.en}",
                    zh=f"{path}：第 {number} 行：{problem.zh}",
                )
            ) from error
    try:
        records.append(_RECORD.validate_json(tail))
    except ValidationError:
        return Log(tuple(records), len(data) - len(tail))
    return Log(tuple(records), len(data), open_ended=True)


def encode_manifest(manifest: SessionManifest) -> bytes:
    """Return a manifest as an indented JSON file."""
    return f"{manifest.model_dump_json(indent=2)}\n".encode()


def decode_manifest(data: bytes, path: Path) -> SessionManifest:
    """Read a manifest.

    Raises:
        SessionUnreadable: It is damaged, or a newer version wrote it.
    """
    try:
        version = json.loads(data)["schema_version"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise SessionUnreadable(
            LocalizedText(
                en=f"{path}: this does not describe a session", zh=f"{path}：这不是会话的说明"
            )
        ) from error
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise SessionUnreadable(
            LocalizedText(
                en=f"{path}: written by a newer Viva (schema {version}; "
                f"this one reads {SCHEMA_VERSION})",
                zh=f"{path}：由更新版本的 Viva 写成（格式 {version}，此版本读 {SCHEMA_VERSION}）",
            ),
            "pip install --upgrade viva-interview",
        )
    try:
        return SessionManifest.model_validate_json(data)
    except ValidationError as error:
        problem = _first_problem(error)
        raise SessionUnreadable(
            LocalizedText(en=f"{path}: {problem.en}", zh=f"{path}：{problem.zh}")
        ) from error


def created(manifest: SessionManifest) -> datetime:
    """Return when a session began, in UTC; 1970 when the manifest does not say it readably."""
    try:
        moment = datetime.fromisoformat(manifest.created_at)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):  # the year 1 has no earlier day
        return datetime.fromtimestamp(0, UTC)


def folder_name(manifest: SessionManifest) -> str:
    """Return `<utc-time>-<persona>-<id>`, fit for every file system."""
    identity = re.sub(r"[^\w-]", "-", manifest.id)
    return f"{created(manifest):%Y%m%dT%H%M%SZ}-{manifest.persona.id}-{identity}"


def sound_path(name: str) -> str:
    """Return the path of a recording relative to its session, with forward slashes.

    Raises:
        StorageUnavailable: `name` cannot be a file's name.
    """
    if not re.fullmatch(r"\w[\w.-]{0,79}", name):
        raise StorageUnavailable(
            LocalizedText(
                en=f"a recording cannot be called {name[:80]!r}", zh=f"录音不能叫 {name[:80]!r}"
            )
        )
    return f"audio/{name}.flac"


def _first_problem(error: ValidationError) -> LocalizedText:
    problem = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in problem["loc"])
    said = problem["msg"]
    lead_en, lead_zh = (f"{place}: ", f"{place}：") if place else ("", "")
    return LocalizedText(en=lead_en + said, zh=lead_zh + in_chinese(said))

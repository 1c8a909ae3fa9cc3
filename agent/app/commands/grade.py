"""`viva grade`: judge a file of answers, a row each."""

import hashlib
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import BinaryIO

from agent.app import wiring
from agent.app.catalog import Catalog, open_catalog
from agent.app.commands.progress import progress
from agent.app.reader import reader_language
from agent.app.settings import load_settings
from agent.domain.errors import Interrupted, StorageUnavailable, UsageError
from agent.domain.language import LocalizedText
from agent.domain.question import Question
from agent.domain.rubric import Frame
from agent.grading.batch import BatchGrading
from agent.grading.batch_lines import BatchLine, Kept, chunks, long_lines, read_lines, resumed
from agent.grading.batch_workers import judged
from agent.grading.processes import processes_for

FEW = 300
"""Rows that are judged sooner here than a second process is ready."""
NAMED = 5
"""Most repeated ids that are named."""
NO_FILE = LocalizedText(en="There is no file {path}.", zh="没有这个文件：{path}。")
SAME_FILE = LocalizedText(
    en="The scores would overwrite the answers: {path}.", zh="得分会覆盖答案文件：{path}。"
)
UNWRITABLE = LocalizedText(en="{path} cannot be written: {reason}", zh="无法写入 {path}：{reason}")
ROWS = LocalizedText(en="rows", zh="行")
KEPT = LocalizedText(
    en="{rows} rows were graded before and are kept.", zh="之前已评的 {rows} 行予以保留。"
)
DONE = LocalizedText(
    en="{rows} rows in {out}: {good} graded, {unjudged} not judged, {failed} errors.",
    zh="{out} 中共 {rows} 行：已评分 {good} 行，未作评判 {unjudged} 行，出错 {failed} 行。",
)
UNJUDGED = LocalizedText(
    en="Why a row was not judged stands in its `reason`.",
    zh="未作评判的原因见该行的 `reason`。",
)
FAILED = LocalizedText(
    en="What is wrong with a row stands in its `error`.",
    zh="出错的原因见该行的 `error`。",
)
REPEATED = LocalizedText(
    en="{count} rows repeat an id, each is graded: {ids}",
    zh="{count} 行的 id 重复，照常评分：{ids}",
)
STOPPED = LocalizedText(
    en="Interrupted. {rows} rows are in {out}; the same command goes on from there.",
    zh="已中断。{out} 中已有 {rows} 行；再次运行同一命令会接着评。",
)


@dataclass
class _Tally:
    """What a run has seen so far."""

    rows: int = 0
    failed: int = 0
    unjudged: int = 0
    repeats: int = 0
    repeated: dict[str, None] = field(default_factory=dict[str, None])

    def repeat(self, row_id: str) -> None:
        """Count a row whose id was there before."""
        self.repeats += 1
        if len(self.repeated) <= NAMED:
            self.repeated[row_id] = None


def run(answers: Path, out: Path, workers: int | None) -> None:
    """Judge the rows of `answers` into `out`, in the same order.

    Rows that an earlier run has written there are kept, as far as they are still what this run
    would write; each group of rows is in the file as soon as it is judged.

    Args:
        answers: The rows.
        out: Where the results go.
        workers: Processes that judge at once; None: one a core.

    Raises:
        UsageError: `answers` cannot be read, or is `out`.
        InvalidFiles: A file of the catalog is broken.
        StorageUnavailable: `out` cannot be written.
        Interrupted: Ctrl-C; what was judged is kept.
    """
    language = reader_language()
    if not answers.is_file():
        raise UsageError(_filled(NO_FILE, path=answers))
    if out.exists() and out.samefile(answers):
        raise UsageError(_filled(SAME_FILE, path=out), f"viva grade {answers} --out SCORES.jsonl")
    catalog = open_catalog()
    catalog.check()
    for problem in catalog.own.problems:
        print(problem.spelt(language), file=sys.stderr)
    tally = _Tally()
    try:
        _grade(answers, out, workers, catalog, tally)
    except KeyboardInterrupt as error:
        raise Interrupted(_filled(STOPPED, rows=tally.rows, out=out)) from error
    failed, unjudged = tally.failed, tally.unjudged
    good = tally.rows - failed - unjudged
    _say(DONE, good=good, rows=tally.rows, unjudged=unjudged, failed=failed, out=out)
    if unjudged:
        _say(UNJUDGED)
    if failed:
        _say(FAILED)
    if tally.repeats:
        ids = ", ".join(list(tally.repeated)[:NAMED])
        more = " ..." if len(tally.repeated) > NAMED else ""
        _say(REPEATED, count=tally.repeats, ids=ids + more)


def _grade(answers: Path, out: Path, workers: int | None, catalog: Catalog, tally: _Tally) -> None:
    questions = [entry.item for entry in catalog.questions]
    frames = [entry.item for entry in catalog.frames]
    rules, folder = _rules(questions, frames), answers.parent
    with answers.open("rb") as source, _opened(out) as target:
        total = sum(1 for line in long_lines(source) if line.strip())
        source.seek(0)
        lines = read_lines(long_lines(source), rules, folder, tally.repeat)
        kept, lines = _kept(lines, target)
        tally.rows, tally.failed, tally.unjudged = kept.rows, kept.failed, kept.unjudged
        if kept.rows:
            _say(KEPT, rows=kept.rows)
        processes = workers or processes_for(total - kept.rows, FEW)
        build = partial(_grading, questions, frames, folder)
        with (
            _ears(processes) as ears,
            progress(ROWS.get(reader_language()), total, kept.rows) as advance,
        ):
            if ears:
                build = partial(build, ears)
            for group in judged(build, chunks(lines), processes):
                target.write("".join(f"{row.line}\n" for row in group).encode())
                target.flush()
                tally.rows += len(group)
                tally.failed += sum(row.failed for row in group)
                tally.unjudged += sum(row.unjudged for row in group)
                advance(len(group))


def _grading(
    bank: Sequence[Question],
    frames: Sequence[Frame],
    folder: Path,
    ears: wiring.Ears | None = None,
) -> BatchGrading:
    """Return what one process judges with."""
    ears = ears or wiring.Ears(load_settings(), _tell)
    return BatchGrading(
        grade_many=wiring.grader().grade_many,
        bank=bank,
        frames=frames,
        encoder=wiring.encoder(),
        hear=ears.hear_file,
        folder=folder,
    )


def _rules(questions: Sequence[Question], frames: Sequence[Frame]) -> str:
    """Return a text that changes with the grader, the ear, and everything that it judges by."""
    told = hashlib.sha256()
    for item in (*questions, *frames):
        told.update(item.model_dump_json().encode())
    return f"{wiring.grader().name} {load_settings().whisper} {told.hexdigest()}"


def _kept(lines: Iterator[BatchLine], target: BinaryIO) -> tuple[Kept, Iterator[BatchLine]]:
    """Return what stands in `target` already, cut after the last row that still holds."""
    if not target.seekable():
        return Kept(), lines
    kept, rest = resumed(lines, long_lines(target))
    target.seek(kept.size)
    target.truncate()
    return kept, rest


@contextmanager
def _opened(out: Path) -> Generator[BinaryIO]:
    try:
        if not out.exists():
            out.touch()
        with out.open("r+b" if out.is_file() else "wb") as target:
            yield target
    except OSError as error:
        reason = error.strerror or str(error)
        raise StorageUnavailable(_filled(UNWRITABLE, path=out, reason=reason)) from error


@contextmanager
def _ears(processes: int) -> Generator[wiring.Ears | None]:
    """Give the ears of this process, where it judges itself."""
    if processes > 1:
        yield None
        return
    ears = wiring.Ears(load_settings(), _tell)
    try:
        yield ears
    finally:
        ears.close()


def _tell(text: str) -> None:
    print(text, file=sys.stderr)


def _say(text: LocalizedText, **values: object) -> None:
    _tell(text.get(reader_language()).format(**values))


def _filled(text: LocalizedText, **values: object) -> LocalizedText:
    return LocalizedText(en=text.en.format(**values), zh=text.zh.format(**values))

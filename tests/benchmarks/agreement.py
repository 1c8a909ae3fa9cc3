"""How far the builtin grader agrees with people: `python -m tests.benchmarks.agreement FILE...`.

As `viva doctor --grader FOLDER`, with one table for all files together, without the encoder where
that is asked for, and nothing else.
"""

import argparse
import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

from agent.adapters.sentence_encoder import UniversalSentenceEncoder, available
from agent.adapters.yaml_catalog import data_root, load_frames
from agent.grading.batch import BatchGrading
from agent.grading.builtin import BuiltinGrader
from agent.grading.graded_sets import GradedRow, beside, read_set
from agent.policy.agreement import Agreement, Graded, agreement


async def grade_rows(rows: Sequence[GradedRow], grading: BatchGrading) -> list[Graded]:
    """Grade `rows`; one that gets no score though it is not blank is left out."""
    lines = [row.as_line() for row in rows]
    results = [result.to_json() async for result in grading.run(lines)]
    return [graded for graded in beside(rows, results) if graded]


def shown(name: str, table: Agreement) -> str:
    """Return `table` as a line."""
    errors = " ".join(_number(value, "+.0f") for value in table.error)
    return (
        f"{name:24} n {table.answers:5} q {table.questions:3}  "
        f"spearman {_number(table.spearman, '.2f')}  within r {_number(table.within, '.3f')}  "
        f"partial r {_number(table.partial, '.3f')}  (length {_number(table.length, '.2f')})  "
        f"error low/mid/high {errors}  "
        f"paraphrase - trap {_number(table.gap, '+.1f')} {table.pairs}"
    )


def _number(value: float | None, form: str) -> str:
    return "none" if value is None else format(value, form)


def main() -> None:
    """Print the table of each file, of all answers and of those that are not blank."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--lexical", action="store_true", help="grade without the encoder")
    options = parser.parse_args()
    encoder = None if options.lexical or not available() else UniversalSentenceEncoder()
    grader = BuiltinGrader(encoder)
    frames = load_frames(data_root() / "rubrics" / "frames")
    grading = BatchGrading(grader.grade_many, (), frames, encoder)
    everything: list[Graded] = []
    for path in options.files:
        begun = time.perf_counter()
        graded = asyncio.run(grade_rows(read_set(path), grading))
        speed = len(graded) / (time.perf_counter() - begun)
        print(shown(path.stem, agreement(graded)), f" {speed:.0f} rows/s, {grader.name}")
        said = [item for item in graded if item.words > 0]
        print(shown("  without blank answers", agreement(said)))
        everything += graded
    if len(options.files) > 1:
        print(shown("all", agreement(everything)))


if __name__ == "__main__":
    main()

"""How far the builtin grader agrees with people: `python -m tests.benchmarks.agreement FILE...`.

A file has a JSON object a line: `id qid lang question reference answer score score_max`, with the
score that people gave. Each is graded as a row of `viva grade` that knows no bank.
"""

import argparse
import asyncio
import json
import math
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agent.adapters.sentence_encoder import UniversalSentenceEncoder, available
from agent.adapters.yaml_catalog import data_root, load_frames
from agent.grading.batch import BatchGrading
from agent.grading.builtin import BuiltinGrader
from agent.policy.folding import weight
from agent.policy.reference_words import stems

FIELDS = ("id", "lang", "question", "reference", "answer")
LOW, HIGH = 1 / 3, 2 / 3
GOOD, POOR = 0.9, 0.4
"""Human score, 0 to 1, of a right paraphrase and of a keyword trap."""
Column = NDArray[np.float64]


@dataclass(frozen=True)
class Graded:
    """An answer with both scores, 0 to 1; `shared`: share of the reference's words it uses."""

    question: str
    people: float
    grader: float
    words: float
    shared: float


@dataclass(frozen=True)
class Agreement:
    """The table of one set; None where it holds too little to tell.

    Attributes:
        spearman: Rank correlation over all answers.
        within: Mean over the questions of Pearson's r with the people's score.
        partial: The same, given the logarithm of the answer's length.
        length: Mean within-question r of that length alone with the people's score.
        error: Mean of grader minus people, of 100, where people gave little, middling and much.
        gap: Right paraphrases minus keyword traps, of 100. A paraphrase is right and uses fewer
            words of the reference than the median of its question; a trap is wrong and uses more.
        pairs: How many there are of each.
    """

    answers: int
    questions: int
    spearman: float | None
    within: float | None
    partial: float | None
    length: float | None
    error: tuple[float | None, float | None, float | None]
    gap: float | None
    pairs: tuple[int, int]


def agreement(graded: Sequence[Graded]) -> Agreement:
    """Return how far both scores agree."""
    groups: defaultdict[str, list[Graded]] = defaultdict(list)
    for item in graded:
        groups[item.question].append(item)
    paraphrases, traps = _paraphrases_and_traps(groups)
    gap = _minus(_mean([one.grader for one in paraphrases]), _mean([one.grader for one in traps]))
    return Agreement(
        answers=len(graded),
        questions=len(groups),
        spearman=_correlation(
            _ranks([item.grader for item in graded]), _ranks([item.people for item in graded])
        ),
        within=_over_questions(groups, lambda own, people, _: _correlation(own, people)),
        partial=_over_questions(groups, _partial),
        length=_over_questions(groups, lambda _, people, length: _correlation(length, people)),
        error=(
            _error([item for item in graded if item.people <= LOW]),
            _error([item for item in graded if LOW < item.people < HIGH]),
            _error([item for item in graded if item.people >= HIGH]),
        ),
        gap=None if gap is None else 100 * gap,
        pairs=(len(paraphrases), len(traps)),
    )


def _over_questions(
    groups: Mapping[str, Sequence[Graded]],
    measure: Callable[[Column, Column, Column], float | None],
) -> float | None:
    """Return the mean of `measure(grader, people, log length)`; alike human scores tell nothing."""
    values: list[float] = []
    for group in groups.values():
        own = np.array([item.grader for item in group])
        people = np.array([item.people for item in group])
        length = np.log([max(1.0, item.words) for item in group])
        if len(group) > 2 and np.ptp(people) > 0:
            values.append(measure(own, people, length) or 0.0)
    return _mean(values)


def _correlation(first: Column, second: Column) -> float | None:
    if len(first) < 3 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(np.corrcoef(first, second)[0, 1])


def _partial(own: Column, people: Column, length: Column) -> float | None:
    plain = _correlation(own, people)
    with_own, with_people = _correlation(own, length), _correlation(people, length)
    if plain is None or with_own is None or with_people is None:
        return plain
    rest = (1 - with_own**2) * (1 - with_people**2)
    return (plain - with_own * with_people) / math.sqrt(rest) if rest > 1e-9 else None


def _ranks(values: Sequence[float]) -> Column:
    """Return the rank of each value; equal values share the mean of theirs."""
    column = np.array(values)
    places = np.argsort(np.argsort(column, kind="stable"), kind="stable").astype(float)
    for value in np.unique(column):
        places[column == value] = places[column == value].mean()
    return places


def _paraphrases_and_traps(
    groups: Mapping[str, Sequence[Graded]],
) -> tuple[list[Graded], list[Graded]]:
    paraphrases: list[Graded] = []
    traps: list[Graded] = []
    for group in groups.values():
        middle = float(np.median([item.shared for item in group]))
        paraphrases += [one for one in group if one.people >= GOOD and one.shared < middle]
        traps += [one for one in group if one.people <= POOR and one.shared >= middle]
    return paraphrases, traps


def _error(graded: Sequence[Graded]) -> float | None:
    mean = _mean([item.grader - item.people for item in graded])
    return None if mean is None else 100 * mean


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _minus(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first - second


Row = dict[str, Any]


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


async def grade_rows(rows: Sequence[Row], grading: BatchGrading) -> list[Graded]:
    """Grade `rows`; those that get no score, blank ones, count as 0."""
    lines = [json.dumps({name: row[name] for name in FIELDS}) for row in rows]
    results = [result async for result in grading.run(lines)]
    return [
        Graded(
            question=f"{row['qid']} {row['question']}",
            people=row["score"] / row["score_max"],
            grader=(result.score or 0.0) / 100,
            words=weight(row["answer"]),
            shared=_shared(row["answer"], row["reference"]),
        )
        for row, result in zip(rows, results, strict=True)
    ]


def _shared(answer: str, reference: str) -> float:
    wanted = stems(reference).keys()
    return len(wanted & stems(answer).keys()) / max(1, len(wanted))


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
        graded = asyncio.run(grade_rows(read_rows(path), grading))
        speed = len(graded) / (time.perf_counter() - begun)
        print(shown(path.stem, agreement(graded)), f" {speed:.0f} rows/s, {grader.name}")
        said = [item for item in graded if item.words > 0]
        print(shown("  without blank answers", agreement(said)))
        everything += graded
    if len(options.files) > 1:
        print(shown("all", agreement(everything)))


if __name__ == "__main__":
    main()

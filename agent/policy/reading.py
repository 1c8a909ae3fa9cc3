"""An answer as the grader reads it: clauses, what each is about, and which count for nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from agent.domain.assessment import BranchAnswer, Evidence, GradingTask
from agent.domain.language import Language
from agent.domain.question import LocalizedQuestion
from agent.policy.clauses import Clause, split
from agent.policy.evidence import cite, verify
from agent.policy.folding import fold, fold_with_offsets, weight
from agent.policy.named_terms import compares, only_terms
from agent.policy.non_answers import (
    asks,
    bare_terms,
    courtesy,
    echoes,
    gives_up,
    orders_examiner,
    shuffled,
)
from agent.policy.plain_speech import PlainSpeech, plain_speech
from agent.policy.rivals import NOTHING, Mentions, inherit, mentions

WINDOW = 2
"""Most clauses that are read together."""

Void = Literal["injection", "gave_up", "echo", "repeated", "term_list", "courtesy"]
"""Why a clause earns nothing."""


@dataclass(frozen=True)
class Passage:
    """Neighbouring clauses that are about one thing, read together.

    Attributes:
        text: As it is matched, from the first clause's start to the last one's end.
        about: What it names or, where it names nothing, what the passage before it was about.
    """

    clauses: tuple[Clause, ...]
    text: str
    folded: str
    about: Mentions


@dataclass(frozen=True)
class Reading:
    """All understood answers of a branch, cut up and marked.

    Attributes:
        plain: Each answer as it is matched; what is quoted comes from `given`.
        clauses: In the order they were said; their offsets are those of `plain`.
        voided: For each clause, why it earns nothing; None where it counts.
    """

    question: LocalizedQuestion
    given: tuple[BranchAnswer, ...]
    plain: tuple[PlainSpeech, ...]
    clauses: tuple[Clause, ...]
    voided: tuple[Void | None, ...]

    @cached_property
    def counted(self) -> tuple[Clause, ...]:
        """The clauses that can earn something."""
        return tuple(
            clause for clause, void in zip(self.clauses, self.voided, strict=True) if not void
        )

    @property
    def whole(self) -> str:
        """All that was said, as one text."""
        return "\n".join(item.text for item in self.plain)

    @cached_property
    def asked(self) -> frozenset[Clause]:
        """The clauses of sentences that ask; they may be craft, but they claim nothing."""
        last = {(clause.answer, clause.sentence): clause for clause in self.clauses}
        firsts = {(one.answer, one.sentence): one for one in reversed(self.clauses)}
        asking = {
            place
            for place, clause in last.items()
            if asks(self.plain[clause.answer].text, firsts[place].start, clause.end)
        }
        return frozenset(
            clause for clause in self.clauses if (clause.answer, clause.sentence) in asking
        )

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """Every run of one to `WINDOW` clauses that count and keep to one subject."""
        return tuple(_passages(self))

    def evidence(self, clauses: Sequence[Clause]) -> tuple[Evidence, ...]:
        """Return the spans of `clauses`; neighbours are quoted as one."""
        runs: list[tuple[int, int, int]] = []
        for clause in sorted(set(clauses), key=lambda one: (one.answer, one.start)):
            if runs and runs[-1][0] == clause.answer and self._touch(runs[-1], clause):
                runs[-1] = (clause.answer, runs[-1][1], clause.end)
            else:
                runs.append((clause.answer, clause.start, clause.end))
        return tuple(quote for run in runs if (quote := self._quote(*run)))

    def _quote(self, answer: int, start: int, end: int) -> Evidence | None:
        given = self.given[answer]
        return verify(cite(given, *self.plain[answer].span(start, end)), given.answer.text)

    def _touch(self, run: tuple[int, int, int], clause: Clause) -> bool:
        between = self.plain[run[0]].text[run[2] : clause.start]
        return not any(character.isalnum() for character in between)


def read(task: GradingTask) -> Reading:
    """Cut the understood answers of `task` into clauses and mark those that earn nothing."""
    given = tuple(item for item in task.answers if item.answer.understood)
    plain = tuple(plain_speech(item.answer.text) for item in given)
    clauses = tuple(
        clause for index, item in enumerate(plain) for clause in split(item.text, index)
    )
    points = [point.terms for point in task.question.key_points]
    sentences = _sentences(clauses)
    lists = {
        place
        for place, folded in sentences.items()
        if bare_terms(folded) or only_terms(folded, points)
    }
    echoed = {
        place
        for place, folded in sentences.items()
        if echoes(folded, task.question.prompt) and not compares(folded)
    }
    said: set[str] = set()
    voided: list[Void | None] = []
    for clause in clauses:
        place = (clause.answer, clause.sentence)
        key, _ = fold_with_offsets(clause.text)
        void = _void(clause, task.question.language, echoed=place in echoed)
        if key in said:
            void = "repeated"
        elif not void and place in lists:
            void = "term_list"
        voided.append(void)
        said.add(key)
    return Reading(task.question, given, plain, clauses, _disordered(clauses, voided))


def _sentences(clauses: Sequence[Clause]) -> dict[tuple[int, int], str]:
    """Return the folded text of each sentence, by answer and number."""
    found: dict[tuple[int, int], str] = {}
    for clause in clauses:
        key = (clause.answer, clause.sentence)
        found[key] = f"{found[key]} {clause.folded}" if key in found else clause.folded
    return found


def _void(clause: Clause, language: Language, *, echoed: bool) -> Void | None:
    checks: tuple[tuple[Void, bool], ...] = (
        ("injection", orders_examiner(clause.text)),
        ("gave_up", gives_up(clause.text, language)),
        ("echo", echoed),
        ("courtesy", courtesy(clause.text) and weight(clause.text) < 9),
    )
    return next((name for name, found in checks if found), None)


def _disordered(clauses: tuple[Clause, ...], voided: list[Void | None]) -> tuple[Void | None, ...]:
    """Void every clause of an answer whose words stand in no order."""
    mixed = {
        answer
        for answer in {clause.answer for clause in clauses}
        if shuffled(" ".join(clause.folded for clause in clauses if clause.answer == answer))
    }
    return tuple(
        "term_list" if clause.answer in mixed else void
        for clause, void in zip(clauses, voided, strict=True)
    )


def _passages(reading: Reading) -> Iterator[Passage]:
    subjects: list[Mentions] = []
    own = [mentions(clause.text) for clause in reading.clauses]
    for index, clause in enumerate(reading.clauses):
        first = index == 0 or reading.clauses[index - 1].answer != clause.answer
        subjects.append(inherit(own[index], NOTHING if first else subjects[-1]))
    for first in range(len(reading.clauses)):
        run: list[Clause] = []
        for last in range(first, min(first + WINDOW, len(reading.clauses))):
            clause = reading.clauses[last]
            if reading.voided[last] or clause.answer != reading.clauses[first].answer:
                break
            if run and any(own[last][:2]) and own[last][:2] != subjects[first][:2]:
                break
            run.append(clause)
            text = reading.plain[clause.answer].text[run[0].start : clause.end]
            about = inherit(mentions(text), subjects[first])
            yield Passage(tuple(run), text, fold(text), about)


def reference_texts(question: LocalizedQuestion) -> list[str]:
    """Return every text of `question` that passages are compared with."""
    texts = wanted_texts(question)
    for mistake in question.misconceptions:
        texts += [mistake.statement, *mistake.aloud]
    if question.example:
        texts.append(question.example)
    return list(dict.fromkeys(texts))


def wanted_texts(question: LocalizedQuestion) -> list[str]:
    """Return what an answer should be near: the prompt, the outline's clauses, the key points."""
    texts = [question.prompt, *(clause.text for clause in split(question.outline))]
    texts += [text for point in question.key_points for text in (point.statement, point.aloud)]
    return list(dict.fromkeys(text for text in texts if text.strip()))

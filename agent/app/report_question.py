"""A branch of the interview turned into what the report shows of a question."""

from collections.abc import Iterator, Sequence

from agent.app.report_certainty import appeal_told
from agent.app.report_coaching import (
    change_told,
    clipped,
    gain_told,
    gap_told,
    house_told,
    nothing_told,
)
from agent.app.report_figures import whole
from agent.app.report_quotes import BranchQuotes, QuoteView
from agent.app.report_turn import Setting, duration, view_turn
from agent.app.report_view import (
    CoachingView,
    CriterionView,
    MistakeView,
    PointView,
    ProbeView,
    QuestionView,
    ResultView,
    StrengthView,
)
from agent.domain.assessment import Assessment, CriterionResult, Evidence
from agent.domain.coaching import Coaching
from agent.domain.interview import Correction, Turn
from agent.domain.question import Question
from agent.domain.rubric import TOP_LEVEL, Criterion, Frame
from agent.policy.best_change import SOUND_LEVEL
from agent.policy.branches import Branch
from agent.policy.coaching import coaching_of
from agent.policy.drilldown import drilldown_of
from agent.policy.scoring import KEY_POINTS
from agent.policy.transcript_view import MarkKind


def view_question(branch: Branch, number: int | None, setting: Setting) -> QuestionView:
    """Return what the report shows of `branch`, the session's question `number`."""
    return _QuestionReader(branch, number, setting).view()


def unassessed(turns: Sequence[Turn], setting: Setting) -> ResultView:
    """Return why a question without an assessment has none."""
    words = setting.words
    if not turns:
        return ResultView("unreached", None, words["not_reached"])
    if any(turn.answer.understood for turn in turns):
        return ResultView("ungraded", None, words["not_graded_yet"])
    return ResultView("unjudged", None, words["not_judged"], words["nothing_understood"])


def result_of(assessment: Assessment, setting: Setting) -> ResultView:
    """Return the score of `assessment`, or why there is none."""
    words = setting.words
    if assessment.failure is not None:
        return ResultView("failed", None, words["not_graded"], assessment.failure)
    reason = setting.name("why", assessment.reason)
    if assessment.score is None:
        return ResultView("unjudged", None, words["not_judged"], reason or words["no_judgement"])
    return ResultView("scored", assessment.score, whole(assessment.score), reason)


class _QuestionReader:
    """Reads one branch; quotes are located in the order in which the page lists them."""

    def __init__(self, branch: Branch, number: int | None, setting: Setting) -> None:
        self.branch = branch
        self.number = number
        self.setting = setting
        self.words = setting.words
        self.assessment = branch.result
        self.quotes = BranchQuotes(branch.turns, setting.corrections)
        self.question = self._question()
        self.frame = self._frame()

    def view(self) -> QuestionView:
        language = self.setting.language
        judged = self.assessment is not None and self.assessment.failure is None
        criteria = self._criteria() if judged else ()
        points = self._points() if judged else ()
        mistakes = self._mistakes() if judged else ()
        probes = [turn for turn in self.branch.turns if turn.utterance.kind == "probe"]
        ladder = tuple(self._probe(turn) for turn in probes)
        kinds = (
            self.setting.name("category", self.question.category) if self.question else "",
            self.frame.name.get(language) if self.frame else "",
        )
        return QuestionView(
            anchor=f"question-{self.number or 'other'}",
            number=self.number,
            prompt=self._prompt(),
            kind=" · ".join(kind for kind in kinds if kind),
            result=result_of(self.assessment, self.setting)
            if self.assessment
            else unassessed(self.branch.turns, self.setting),
            duration=duration(self.branch.turns),
            follow_ups=len(ladder),
            flags=self._flags() if judged else (),
            criteria=criteria,
            points=points,
            mistakes=mistakes,
            ladder=ladder,
            turns=tuple(view_turn(turn, self.quotes, self.setting) for turn in self.branch.turns),
            outline=self.question.outline.get(language) if self.question else "",
            depth=self._depth(),
            coaching=self._coaching(),
            rating=self.setting.ratings.get(self.branch.question_id or ""),
            appeals=tuple(self._appeals()),
        )

    def _appeals(self) -> Iterator[str]:
        turns = {turn.number for turn in self.branch.turns}
        for item in self.setting.records:
            if isinstance(item, Assessment) and item.appeal and item.turn in turns:
                yield appeal_told(item.turn, item.score, item.appeal, self.setting.language)

    def _question(self) -> Question | None:
        known = {question.id: question for question in self.setting.manifest.questions}
        return known.get(self.branch.question_id or "")

    def _frame(self) -> Frame | None:
        frames = self.setting.manifest.rubric
        if self.assessment is not None:
            judged_by = self.assessment.frame
            return next((frame for frame in frames if frame.id == judged_by), None)
        category = self.question.category if self.question else None
        return next((frame for frame in frames if category in frame.categories), None)

    def _prompt(self) -> str:
        if self.question is not None:
            return self.question.prompt.get(self.setting.language)
        if self.branch.question_id is None:
            return self.words["outside"]
        return self.branch.turns[0].utterance.text if self.branch.turns else self.branch.question_id

    def _flags(self) -> tuple[str, ...]:
        """Return what was noticed, but for the misconceptions that are told one by one."""
        if self.assessment is None:
            return ()
        told = {"misconception"} if self.assessment.misconceptions else set[str]()
        flags = (flag for flag in self.assessment.flags if flag not in told)
        return tuple(self.setting.name("flag", flag) for flag in flags)

    def _criteria(self) -> tuple[CriterionView, ...]:
        results = {item.id: item for item in self.assessment.criteria} if self.assessment else {}
        known = {item.id: item for item in self.frame.criteria} if self.frame else {}
        names = dict.fromkeys([*known, *results]) if results else {}
        return tuple(self._criterion(name, known.get(name), results.get(name)) for name in names)

    def _criterion(
        self, name: str, criterion: Criterion | None, result: CriterionResult | None
    ) -> CriterionView:
        language = self.setting.language
        title = criterion.name.get(language) if criterion else self.setting.name("row", name)
        if result is None or result.level is None:
            reason = self.setting.name("why", result.reason if result else None)
            return CriterionView(title, None, reason or self.words["no_judgement"])
        level = result.level
        anchors = criterion.anchors if criterion else None
        own_words = anchors.at(level).get(self.setting.manifest.language) if anchors else ""
        repeated = name == KEY_POINTS and self.assessment and self.assessment.key_points
        return CriterionView(
            title,
            level,
            "" if result.reason == own_words else result.reason,
            anchor=anchors.at(level).get(language) if anchors else "",
            next_anchor=anchors.at(max(level + 1, SOUND_LEVEL)).get(language)
            if anchors and level < TOP_LEVEL
            else "",
            quotes=self._quoted(
                () if repeated else result.evidence,
                "criterion",
                f"{title} · {self.words['level']} {level}/{TOP_LEVEL}",
            ),
        )

    def _points(self) -> tuple[PointView, ...]:
        results = {item.id: item for item in self.assessment.key_points} if self.assessment else {}
        points = self.question.key_points if self.question else ()
        statements = {point.id: point.statement.get(self.setting.language) for point in points}
        views: list[PointView] = []
        for name in dict.fromkeys([*statements, *results]) if results else ():
            statement, result = statements.get(name, name), results.get(name)
            status = self.setting.name("point", result.status) if result else ""
            quotes = (
                self._quoted(result.evidence, "point", f"{statement} · {status}") if result else ()
            )
            code = result.status if result else None
            views.append(PointView(statement, code, status or self.words["no_judgement"], quotes))
        return tuple(views)

    def _mistakes(self) -> tuple[MistakeView, ...]:
        known = self.question.misconceptions if self.question else ()
        statements = {item.id: item.statement.get(self.setting.language) for item in known}
        found = self.assessment.misconceptions if self.assessment else ()
        return tuple(
            MistakeView(
                statements.get(item.id, item.id),
                item.why,
                self._quoted(item.evidence, "mistake", f"{self.words['why_wrong']}: {item.why}"),
            )
            for item in found
        )

    def _quoted(
        self, evidence: Sequence[Evidence], kind: MarkKind, text: str
    ) -> tuple[QuoteView, ...]:
        return tuple(self.quotes.evidence(item, kind, text) for item in evidence)

    def _probe(self, turn: Turn) -> ProbeView:
        said = turn.utterance
        reason = self.setting.name("reason", said.reason)
        title = self.words["mark_probe"] + (f"{self.words['colon']}{reason}" if reason else "")
        after = next((item for item in self.branch.assessments if item.turn == turn.number), None)
        return ProbeView(
            turn=turn.number,
            kind=self.setting.name("kind", said.kind),
            reason=reason,
            rung=self.setting.name("rung", said.rung),
            target=self._target(said.target),
            quote=self.quotes.trigger(said.quote, turn.number, title) if said.quote else None,
            after=result_of(after, self.setting).text if after else "",
        )

    def _target(self, target: str | None) -> str:
        language = self.setting.language
        criteria = self.frame.criteria if self.frame else ()
        names = {item.id: item.name.get(language) for item in criteria}
        if self.question:
            names |= {item.id: item.statement.get(language) for item in self.question.key_points}
            names |= {
                item.id: item.statement.get(language) for item in self.question.misconceptions
            }
        return names.get(target, target) if target else ""

    def _depth(self) -> str:
        if self.question is None:
            return ""
        spoken, records = self.setting.manifest.language, self.setting.records
        history = [item for item in records if isinstance(item, Turn | Assessment | Correction)]
        drill = drilldown_of(self.question.localized(spoken), history)
        return self.setting.name("rung", drill.depth_reached)

    def _coaching(self) -> CoachingView | None:
        """Return the coaching; its quotes are marked already, as those of criteria and points."""
        if self.assessment is None:
            return None
        manifest, records = self.setting.manifest, self.setting.records
        coaching = coaching_of(manifest, records, self.assessment, self.setting.language)
        if coaching is None or (coaching.nothing and not self.branch.turns):
            return None
        t = self.words
        return CoachingView(
            nothing=nothing_told(coaching, t),
            there=tuple(self._there(coaching)),
            lacking=tuple(gap_told(gap, t) for gap in coaching.gaps),
            change="" if coaching.nothing else change_told(coaching.change, t),
            gain=gain_told(coaching.change, t),
            rewrite=coaching.rewrite,
            pitfalls=coaching.pitfalls,
            house=house_told(coaching, t),
        )

    def _there(self, coaching: Coaching) -> Iterator[StrengthView]:
        for item in coaching.strengths:
            quote = self.quotes.place(item.evidence[0])
            yield StrengthView(
                text=item.text.rstrip(".。"),
                level="" if item.level is None else f"{item.level}/{TOP_LEVEL}",
                quote=quote if quote.anchor else None,
                words=clipped(quote.text),
            )

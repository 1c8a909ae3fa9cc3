"""The report for plain readers."""

import re
from collections.abc import Iterator, Sequence

from agent.app.report_coaching import part_told
from agent.app.report_figures import clock
from agent.app.report_quotes import QuoteView
from agent.app.report_texts import words
from agent.app.report_view import CoachingView, CriterionView, QuestionView, ReportView, TurnView
from agent.domain.language import Language
from agent.domain.rubric import TOP_LEVEL


def as_markdown(view: ReportView, language: Language) -> str:
    """Return the report as Markdown in which nothing that was said can act as markup."""
    return "\n".join(_markdown(view, language)) + "\n"


def _markdown(view: ReportView, language: Language) -> Iterator[str]:
    t = words(language)
    yield f"# {t['title']}{t['colon']}{_safe(view.heading)}"
    yield ""
    yield " · ".join(map(_safe, view.facts))
    yield ""
    if view.disclaimer:
        yield from (_safe(view.disclaimer), "")
    if view.unfinished:
        yield f"> {view.unfinished[0]} {_safe(view.unfinished[1])}"
        yield ""
    overall = f"{_safe(view.overall.text)}{_range(view.overall.range)}"
    yield f"**{t['overall']}{t['colon']}{overall}** {_safe(view.overall.reason)}"
    yield ""
    if view.band:
        yield from (f"**{t['band']}{t['colon']}{_safe(view.band)}**", "")
    for item in view.dimensions:
        yield f"- {item.name}{t['colon']}{item.text}{_range(item.range)}"
    if view.overall.range:
        yield from ("", t["range_note"])
    if view.rated:
        yield from ("", f"{view.rated} {t['rating_note']}")
    for question in view.questions:
        yield ""
        yield from _question(question, language)
    if view.model:
        yield from ("", f"## {t['llm']}", "")
        yield from (f"- {name}{t['colon']}{_safe(value)}" for name, value in view.model)
    yield ""
    yield f"## {t['colophon']}"
    yield ""
    yield from (f"- {name}{t['colon']}{_safe(value)}" for name, value in view.colophon)
    yield from (f"- {_safe(at)} {_safe(text)}" for at, text in view.notices)
    yield f"- {t['privacy']}"


def _question(item: QuestionView, language: Language) -> Iterator[str]:
    t = words(language)
    number = f"{item.number}. " if item.number else ""
    yield f"## {number}{_safe(item.prompt)}"
    yield ""
    rating = f" · {t['own_rating']} {item.rating}/5" if item.rating is not None else ""
    score = f"{_safe(item.result.text)}{_range(item.result.range)}"
    yield (
        f"**{score}** {_safe(item.result.reason)} · {_safe(item.kind)} · "
        f"{t['answered_for']} {item.duration}{rating}"
    )
    yield from (f"> {t['appeals']}{t['colon']}{_safe(text)}" for text in item.appeals)
    if item.coaching:
        yield from _coaching(item.coaching, language)
    for turn in item.turns:
        yield from _turn(turn, language)
    yield from _judgement(item, language)
    if item.outline:
        yield from ("", f"### {t['outline']}", "")
        yield from (f"- {_safe(line)}" for line in item.outline.splitlines() if line.strip())


def _coaching(item: CoachingView, language: Language) -> Iterator[str]:
    t = words(language)
    yield from ("", f"### {t['coaching']}", "")
    if item.nothing:
        yield _safe(item.nothing)
        return
    head = t["change_gain"].format(gain=item.gain) if item.gain else t["change"]
    yield f"**{head}{t['colon']}**{_safe(item.change)}"
    yield ""
    for one in item.there:
        name = f"{_safe(one.text)} {one.level}".strip()
        yield f"- {t['there']}{t['colon']}{name}{_quotes((one.quote,) if one.quote else ())}"
    yield from (f"- {t['lacking']}{t['colon']}{_safe(text)}" for text in item.lacking)
    yield from (f"- {t['pitfalls']}{t['colon']}{_safe(text)}" for text in item.pitfalls)
    if item.rewrite:
        yield from ("", f"**{t['rewrite']}** {t['rewrite_note']}", "")
    yield from (f"- {_safe(part_told(part, t))}" for part in item.rewrite)
    if item.house:
        yield from ("", f"{_safe(item.house)} · {t['house_note']}")


def _judgement(item: QuestionView, language: Language) -> Iterator[str]:
    t = words(language)
    if item.criteria:
        yield from ("", f"### {t['criteria']}", "")
    for criterion in item.criteria:
        yield from _criterion(criterion, language)
    if item.points:
        yield from ("", f"### {t['key_points']}", "")
    for point in item.points:
        yield f"- {point.status_text}{t['colon']}{_safe(point.statement)}{_quotes(point.quotes)}"
    if item.mistakes:
        yield from ("", f"### {t['misconceptions']}", "")
    for mistake in item.mistakes:
        yield f"- {_safe(mistake.statement)} {_safe(mistake.why)}{_quotes(mistake.quotes)}"
    if item.ladder:
        yield from ("", f"### {t['ladder']}", "")
    for probe in item.ladder:
        told = " · ".join(filter(None, [probe.rung or probe.kind, probe.reason, probe.target]))
        quote = _quotes((probe.quote,) if probe.quote else ())
        yield f"- {t['turn']} {probe.turn}{t['colon']}{_safe(told)}{quote}"
    if item.ladder and item.depth:
        yield f"- {t['depth']}{t['colon']}{item.depth}"


def _turn(turn: TurnView, language: Language) -> Iterator[str]:
    t = words(language)
    for said in turn.asked:
        yield from ("", f"**{t['interviewer']}{t['colon']}**{_safe(said.text)}")
    text = "".join(run.text for segment in turn.text for run in segment.runs)
    told = " · ".join(filter(None, [turn.status_text, turn.note, *turn.events]))
    yield ""
    yield f"> **{t['candidate']}{t['colon']}**{_safe(text)}{f' ({_safe(told)})' if told else ''}"
    if turn.original:
        before = "".join(run.text for segment in turn.original for run in segment.runs)
        yield from (">", f"> {t['original']}{t['colon']}{_safe(before)}")
    if turn.delivery:
        figures = " · ".join(f"{name} {value}" for name, value in turn.delivery)
        yield from ("", f"{t['delivery']}{t['colon']}{figures}")


def _criterion(item: CriterionView, language: Language) -> Iterator[str]:
    t = words(language)
    level = t["not_judged"] if item.level is None else f"{item.level}/{TOP_LEVEL}"
    anchor = f" ({_safe(item.anchor)})" if item.anchor else ""
    told = f"{level}{anchor} {_safe(item.reason)}{_quotes(item.quotes)}"
    yield f"- {_safe(item.name)}{t['colon']}{told}"


def _quotes(quotes: Sequence[QuoteView]) -> str:
    return "".join(
        f" “{_safe(quote.text)}”" + (f" ({clock(quote.t0)})" if quote.t0 is not None else "")
        for quote in quotes
        if quote.anchor
    )


def _range(text: str) -> str:
    return f" ({text})" if text else ""


def _safe(text: str) -> str:
    """Return `text` on one line with everything that Markdown or HTML could act on escaped."""
    line = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    escaped = re.sub(r"([\\`*_\[\]#|~!$])", r"\\\1", line)
    return re.sub(r"^(\d+)([.)])|^([-+=])", r"\1\\\2\3", escaped)

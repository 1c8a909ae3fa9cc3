"""A turn of the interview turned into what the report shows of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agent.app.report_figures import clock, delivery_figures
from agent.app.report_quotes import BranchQuotes, audio_link, player_id
from agent.app.report_texts import label
from agent.app.report_view import SpokenView, TurnView
from agent.domain.interview import Answer, Correction, SessionManifest, Turn, Utterance
from agent.domain.language import Language
from agent.ports import SessionRecord


@dataclass(frozen=True)
class Setting:
    """What every part of the report needs to know.

    Attributes:
        ratings: The candidate's own, 1 to 5, by question.
    """

    manifest: SessionManifest
    language: Language
    words: Mapping[str, str]
    corrections: Mapping[int, tuple[Correction, ...]]
    records: Sequence[SessionRecord] = ()
    ratings: Mapping[str, int] = field(default_factory=dict[str, int])

    def name(self, group: str, code: str | None) -> str:
        """Return what readers call `code`; empty for None."""
        return label(group, code, self.language) if code else ""


def view_turn(turn: Turn, quotes: BranchQuotes, setting: Setting) -> TurnView:
    """Return what the report shows of `turn`; `quotes` holds what is marked in its answer."""
    answer = turn.answer
    said = [*turn.lead_in, turn.utterance]
    return TurnView(
        number=turn.number,
        asked=tuple(_spoken(turn, i, item, setting) for i, item in enumerate(said, start=1)),
        text=quotes.shown(turn.number),
        status=answer.status,
        status_text=_status(answer, setting),
        note=setting.name("why", answer.note),
        events=tuple(_events(turn, setting)),
        original=quotes.original(turn.number) if turn.number in setting.corrections else (),
        heard_as=answer.raw_text if answer.raw_text.strip() != answer.text.strip() else "",
        attachments=answer.attachments,
        player=player_id(turn),
        audio=audio_link(answer.audio),
        delivery=delivery_figures(answer.delivery, setting.manifest.language, setting.words)
        if answer.delivery
        else (),
    )


def duration(turns: Sequence[Turn]) -> str:
    """Return how long the recorded answers are together; a dash when none was recorded."""
    spoken = [turn.answer.delivery.seconds for turn in turns if turn.answer.delivery]
    return clock(sum(spoken)) if spoken else "–"


def _status(answer: Answer, setting: Setting) -> str:
    """Return what needs saying of an answer's status; a key is named by what it asked for."""
    if answer.status == "spoken":
        return ""
    if answer.status == "signalled" and answer.wish:
        return setting.name("wish", answer.wish)
    return setting.name("status", answer.status)


def _events(turn: Turn, setting: Setting) -> Iterator[str]:
    """Yield what else happened in a turn."""
    words, answer = setting.words, turn.answer
    if turn.number in setting.corrections:
        yield words["corrected"]
    if turn.utterance.corrects is not None:
        yield words["sets_right"].format(turn=turn.utterance.corrects)
    if answer.cut_in:
        yield words["cut_in"]
    if answer.status != "signalled" and answer.wish not in {None, "done"}:
        yield setting.name("wish", answer.wish)


def _spoken(turn: Turn, place: int, said: Utterance, setting: Setting) -> SpokenView:
    return SpokenView(
        id=f"asked-{turn.number}-{place}",
        kind=setting.name("kind", said.kind),
        text=said.text,
        audio=audio_link(said.audio),
    )

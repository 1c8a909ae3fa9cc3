"""What a candidate did not ask for is taken as it was the last time."""

from dataclasses import dataclass, replace

from agent.app.reader import reader_language
from agent.app.settings import Settings
from agent.app.storage import stored_sessions
from agent.domain.errors import SessionUnreadable
from agent.domain.interview import SessionManifest
from agent.domain.language import Language, LocalizedText
from agent.domain.question import Level

PERSONA = "big-tech"
LEVEL: Level = "1-3-years"
QUESTIONS = 6
MOST_QUESTIONS = 20
AS_LAST_TIME = LocalizedText(
    en="As last time: {taken}. --persona, --company and --level change that.",
    zh="沿用上次的设置：{taken}。可用 --persona、--company、--level 更改。",
)


@dataclass(frozen=True)
class Wish:
    """What a candidate asks for; None where nothing was said.

    Attributes:
        questions: How many questions to plan at most.
        minutes: How long the questions may take together.
        wanted: Ids of questions to ask first.
        seed: Repeats an interview; None takes a new one.
    """

    persona: str | None = None
    company: str | None = None
    language: Language | None = None
    level: Level | None = None
    questions: int | None = None
    minutes: float | None = None
    topic: str | None = None
    wanted: tuple[str, ...] = ()
    seed: int | None = None

    @property
    def count(self) -> int:
        """How many questions to plan at most: those named, where only they are asked for."""
        within_time = MOST_QUESTIONS if self.minutes else QUESTIONS
        return self.questions or len(self.wanted) or within_time


def as_last_time(wish: Wish, settings: Settings) -> tuple[Wish, LocalizedText | None]:
    """Fill in what the last session says, and return it with the sentence that tells so."""
    last = _last(settings)
    if last is None:
        return wish, None
    filled = replace(wish, level=wish.level or last.level, language=wish.language or last.language)
    taken: list[str] = []
    if not wish.persona and not wish.company:
        company = last.company.id if last.company else None
        filled = replace(filled, persona=last.persona.id, company=company)
        taken.append(company or last.persona.id)
    if not wish.level:
        taken.append(last.level)
    if not taken:
        return filled, None
    return filled, LocalizedText(
        en=AS_LAST_TIME.en.format(taken=", ".join(taken)),
        zh=AS_LAST_TIME.zh.format(taken="、".join(taken)),
    )


def spoken_language(wish: Wish) -> Language:
    """Return the language of the interview: the one asked for, or the system's."""
    return wish.language or reader_language()


def _last(settings: Settings) -> SessionManifest | None:
    try:
        stored = stored_sessions(settings)
    except SessionUnreadable:
        return None
    return next((session.manifest for session in stored if session.manifest), None)

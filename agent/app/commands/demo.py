"""`viva demo`: a whole interview held with a recorded candidate."""

from contextlib import ExitStack
from pathlib import Path

from agent.app.candidates import PreparedCandidate, is_sound
from agent.app.catalog import open_catalog
from agent.app.commands.holding import Means, Party, hold, set_stage
from agent.app.commands.practice import plan
from agent.app.commands.suggesting import Wish
from agent.app.reader import reader_language
from agent.app.settings import load_settings
from agent.app.storage import create_session
from agent.domain.language import Frozen, Language
from agent.domain.question import Level

SCRIPT = "script.json"


class Script(Frozen):
    """`script.json`: who asks what, and the files that answer.

    Attributes:
        questions: Ids of the questions, in the order in which they are asked.
        answers: A question's files: the answer, then those to its follow-ups.
        otherwise: The file for a follow-up that nothing was prepared for.
    """

    persona: str
    level: Level
    seed: int
    questions: tuple[str, ...]
    answers: dict[str, tuple[str, ...]]
    otherwise: str


def run(language: Language | None, recordings: Path | None, as_json: bool) -> None:
    """Hold the demo in `language`, or in the system's."""
    language = language or reader_language()
    folder = open_catalog().root / "recordings" / "demo" / language
    script = Script.model_validate_json((folder / SCRIPT).read_bytes())
    prepared = {name: [folder / file for file in files] for name, files in script.answers.items()}
    sound = any(is_sound(path) for paths in prepared.values() for path in paths)
    settings = load_settings(recordings)
    wish = Wish(
        persona=script.persona,
        language=language,
        level=script.level,
        questions=len(script.questions),
        wanted=script.questions,
        seed=script.seed,
    )
    with ExitStack() as closing:
        means = Means(settings, voice=True, aloud=True, sound=sound, typed=False, as_json=as_json)
        stage = set_stage(language, means, closing)
        manifest = plan(wish, language).model_copy(update={"models": stage.models})
        store = create_session(settings, manifest)
        closing.callback(store.close)
        otherwise = folder / script.otherwise
        hold(stage, store, lambda seat: Party(PreparedCandidate(prepared, otherwise, seat.files())))

"""`viva practice`: hold an interview, or go on with one."""

import secrets
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from agent.app import wiring
from agent.app.candidates import FileAnswers, FolderCandidate, answer_files, is_sound
from agent.app.catalog import open_catalog
from agent.app.commands.holding import Means, hold, set_stage
from agent.app.session import SessionStore, utc_now
from agent.app.settings import load_settings, system_language
from agent.app.storage import create_session, resume_session
from agent.domain.errors import UsageError
from agent.domain.interview import SessionManifest, Turn
from agent.domain.language import Language, LocalizedText
from agent.domain.question import Level
from agent.policy.planning import plan_questions
from agent.ports import CandidateInput

Answering = Callable[[FileAnswers], CandidateInput]

HOW_TO_TYPE = LocalizedText(
    en=(
        "Type an answer on one line and press Enter. You can ask to repeat, to clarify, for a hint "
        "or to skip, in your own words. Ctrl-D ends the interview, Ctrl-C breaks it off."
    ),
    zh=(
        "一行输入一个回答，按回车提交。可以直接说“再说一遍”“没听懂”“给点提示”或“跳过”。"
        "Ctrl-D 结束面试，Ctrl-C 中断。"
    ),
)
FEWER = LocalizedText(
    en="Of {wanted} questions asked for, {there} fit persona, level and topic.",
    zh="想要 {wanted} 道题，符合面试官、级别和主题的只有 {there} 道。",
)
GOING_ON = LocalizedText(en="Going on with {folder}.", zh="接着进行 {folder}。")


@dataclass(frozen=True)
class Wish:
    """What a candidate asks for.

    Attributes:
        language: None takes the system's.
        questions: How many questions to plan.
        wanted: Ids of questions to ask first.
        seed: Repeats an interview; None takes a new one.
    """

    persona: str
    language: Language | None
    level: Level
    questions: int
    topic: str | None = None
    wanted: tuple[str, ...] = ()
    seed: int | None = None


@dataclass(frozen=True)
class Ways:
    """How answers come in and the interviewer goes out, as said on the command line.

    Attributes:
        source: `text`, or a folder of answers.
        voice: None lets the source decide: a typist reads, others listen.
    """

    source: str
    voice: bool | None
    as_json: bool
    recordings: Path | None

    def means(self) -> Means:
        """Return what the interview needs.

        Raises:
            UsageError: The folder does not exist or holds no answers.
        """
        if self.source == "mic":
            raise UsageError("Live speech is not there yet.", "viva practice --input text")
        typed = self.source == "text"
        sound = not typed and any(is_sound(path) for path in answer_files(Path(self.source)))
        return Means(
            settings=load_settings(self.recordings),
            voice=not typed if self.voice is None else self.voice,
            aloud=False,
            sound=sound,
            typed=typed and wiring.at_terminal(),
            as_json=self.as_json,
        )

    def answering(self, used: frozenset[str]) -> Answering:
        """Return the candidate; `used` files have answered earlier turns."""
        if self.source != "text":
            folder = Path(self.source)
            return lambda files: FolderCandidate(folder, files, used)
        return lambda _: wiring.typed_candidate()


def start(wish: Wish, ways: Ways) -> None:
    """Plan an interview and hold it."""
    means = ways.means()
    language = wish.language or system_language()
    with ExitStack() as closing:
        stage = set_stage(language, means, closing)
        manifest = plan(wish, language, stage.models)
        store = create_session(means.settings, manifest)
        closing.callback(store.close)
        if len(manifest.questions) < wish.questions:
            stage.presenter.notice(
                FEWER.get(language).format(there=len(manifest.questions), wanted=wish.questions)
            )
        if means.typed:
            stage.presenter.notice(HOW_TO_TYPE.get(language))
        hold(stage, store, ways.answering(frozenset()))


def go_on(session: str | None, ways: Ways) -> None:
    """Take up an interrupted interview where it was left."""
    means = ways.means()
    with ExitStack() as closing:
        store = resume_session(means.settings, session)
        closing.callback(store.close)
        language = store.manifest.language
        stage = set_stage(language, means, closing)
        stage.presenter.notice(GOING_ON.get(language).format(folder=store.folder.name))
        hold(stage, store, ways.answering(_used(store)))


def _used(store: SessionStore) -> frozenset[str]:
    turns = [record for record in store.records() if isinstance(record, Turn)]
    return frozenset(turn.answer.source for turn in turns if turn.answer.source)


def plan(wish: Wish, language: Language, models: dict[str, str]) -> SessionManifest:
    """Return the description of a new session.

    Raises:
        InvalidFiles: A file of the catalog is broken.
        UsageError: A name is unknown, or nothing fits the wish.
    """
    catalog = open_catalog()
    catalog.check()
    persona = catalog.persona(wish.persona)
    seed = secrets.randbelow(2**31) if wish.seed is None else wish.seed
    return SessionManifest(
        id=secrets.token_hex(4),
        created_at=utc_now(),
        language=language,
        level=wish.level,
        seed=seed,
        persona=persona,
        questions=plan_questions(
            [entry.item for entry in catalog.questions],
            persona,
            wish.level,
            wish.questions,
            seed,
            topic=wish.topic,
            wanted=wish.wanted,
        ),
        rubric=tuple(entry.item for entry in catalog.frames),
        models=models,
    )

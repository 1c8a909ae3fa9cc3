"""`viva practice`: hold an interview, or go on with one."""

import secrets
from contextlib import ExitStack

from agent.app.catalog import Catalog, open_catalog
from agent.app.commands.holding import Stage, hold, set_stage
from agent.app.commands.suggesting import (
    LEVEL,
    PERSONA,
    Wish,
    as_last_time,
    spoken_language,
)
from agent.app.commands.ways import Ways
from agent.app.reader import speak
from agent.app.session import SessionStore, utc_now
from agent.app.settings import load_settings
from agent.app.storage import create_session, passed_over, resume_session
from agent.domain.company import Company
from agent.domain.interview import SessionManifest, Turn
from agent.domain.language import Language, LocalizedText
from agent.domain.persona import Persona
from agent.policy.planning import plan_questions
from agent.policy.rehearsal import rehearsed

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
UNRATED = LocalizedText(
    en="--self-rate asks someone at a terminal; nobody sits at one, so nothing is rated.",
    zh="--self-rate 需要有人坐在终端前；现在没有，所以不请你自评。",
)
DAMAGED = LocalizedText(
    en="The newer session {folder} is damaged and was passed over: {problem}",
    zh="较新的会话 {folder} 已损坏，已跳过：{problem}",
)


def start(wish: Wish, ways: Ways) -> None:
    """Plan an interview and hold it."""
    settings, told = load_settings(ways.recordings), None
    if ways.in_person:
        wish, told = as_last_time(wish, settings)
    language = spoken_language(wish)
    speak(language)
    catalog = open_catalog()
    manifest = plan(wish, language, catalog)
    means = ways.means(settings)
    with ExitStack() as closing:
        stage = set_stage(language, means, closing)
        known = {"models": stage.models, "settings": ways.kept()}
        manifest = manifest.model_copy(update=known)
        store = create_session(means.settings, manifest)
        closing.callback(store.close)
        if told is not None:
            stage.presenter.notice(told.get(language))
        for problem in catalog.own.problems:
            stage.presenter.notice(problem.spelt(language))
        if manifest.company is not None:
            stage.presenter.notice(manifest.company.disclaimer.get(language))
        if wish.minutes is None and len(manifest.questions) < wish.count:
            stage.presenter.notice(
                FEWER.get(language).format(there=len(manifest.questions), wanted=wish.count)
            )
        if means.typed:
            stage.presenter.notice(HOW_TO_TYPE.get(language))
        _say_unrated(ways, stage, language)
        hold(stage, store, ways.answering(frozenset()))


def go_on(session: str | None, ways: Ways) -> None:
    """Take up an interrupted interview where it was left."""
    settings = load_settings(ways.recordings)
    with ExitStack() as closing:
        store = resume_session(settings, session)
        closing.callback(store.close)
        language = store.manifest.language
        speak(language)
        ways = ways.as_before(store.manifest)
        means = ways.means(settings)
        stage = set_stage(language, means, closing)
        stage.presenter.notice(GOING_ON.get(language).format(folder=store.folder.name))
        for damaged in passed_over(means.settings, store) if session is None else ():
            told = {"folder": damaged.folder.name, "problem": damaged.problem}
            stage.presenter.notice(DAMAGED.get(language).format(**told))
        _say_unrated(ways, stage, language)
        hold(stage, store, ways.answering(_used(store)))


def _say_unrated(ways: Ways, stage: Stage, language: Language) -> None:
    if ways.self_rates and not ways.in_person:
        stage.presenter.notice(UNRATED.get(language))


def _used(store: SessionStore) -> frozenset[str]:
    turns = [record for record in store.records() if isinstance(record, Turn)]
    return frozenset(turn.answer.source for turn in turns if turn.answer.source)


def plan(wish: Wish, language: Language, catalog: Catalog | None = None) -> SessionManifest:
    """Return the description of a new session.

    Args:
        wish: What is asked for; the rest is chosen.
        language: Of the interview.
        catalog: What to choose from; None opens it.

    Raises:
        InvalidFiles: A file of the catalog is broken.
        UsageError: A name is unknown, or nothing fits the wish.
    """
    catalog = catalog or open_catalog()
    catalog.check()
    persona, company = _interviewer(wish, catalog)
    level = wish.level or LEVEL
    seed = secrets.randbelow(2**31) if wish.seed is None else wish.seed
    return SessionManifest(
        id=secrets.token_hex(4),
        created_at=utc_now(),
        language=language,
        level=level,
        seed=seed,
        persona=persona,
        company=company,
        questions=plan_questions(
            catalog.questions_in(language),
            persona,
            level,
            wish.count,
            seed,
            minutes=wish.minutes,
            topic=wish.topic,
            wanted=wish.wanted,
        ),
        rubric=tuple(entry.item for entry in catalog.frames),
    )


def _interviewer(wish: Wish, catalog: Catalog) -> tuple[Persona, Company | None]:
    """Return the persona, dressed for the company where one is asked for."""
    if wish.company is None:
        return catalog.persona(wish.persona or PERSONA), None
    company = catalog.company(wish.company)
    persona = catalog.persona(wish.persona or company.extends)
    return rehearsed(persona, company), company

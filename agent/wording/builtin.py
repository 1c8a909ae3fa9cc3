"""The persona's own words: templates, chosen by the seed, none of them used twice."""

from collections.abc import AsyncIterator, Mapping, Sequence

from agent.domain.dialogue import Ask, AskAgain, Close, Greet, Move, Probe
from agent.domain.interview import Utterance
from agent.domain.language import LocalizedTexts
from agent.domain.question import LocalizedQuestion
from agent.policy.chance import draw
from agent.policy.probes import part_name, phrasings, rung_name
from agent.ports import Scene
from agent.wording.lines import AGAIN, HELP, MOVE_ON, PLAIN_PROBE


class BuiltinWording:
    """Words a move from the persona's templates and the question's own follow-ups.

    What the candidate said is only ever repeated between quotation marks. No answer is rated and
    none is given away.
    """

    async def utter(self, move: Move, scene: Scene) -> AsyncIterator[Utterance]:
        """Yield what is said for `move`: an acknowledgement first where one is due."""
        for utterance in _utterances(move, scene):
            yield utterance


def _utterances(move: Move, scene: Scene) -> tuple[Utterance, ...]:
    if scene.cut_in and scene.persona.cut_in and not isinstance(move, Greet):
        lead = _acknowledge(
            scene.persona.cut_in.words.get(scene.language),
            scene,
            getattr(move, "question_id", None),
        )
        if lead:
            *_, asked = _worded(move, scene)
            return (*lead, asked)
    return _worded(move, scene)


def _worded(move: Move, scene: Scene) -> tuple[Utterance, ...]:
    match move:
        case Greet():
            return _acknowledge(scene.persona.opening.get(scene.language), scene)
        case Ask():
            return _ask(move, scene)
        case Probe():
            return (_probe(move, scene),)
        case AskAgain():
            return _ask_again(move, scene)
        case Close():
            texts = scene.persona.closing.get(scene.language)
            return (Utterance(kind="close", text=_unsaid(texts, scene) or texts[0]),)


def _ask(move: Ask, scene: Scene) -> tuple[Utterance, ...]:
    bridges: Mapping[str, LocalizedTexts] = {
        "answered": scene.persona.bridge,
        "gave_up": scene.persona.gave_up,
        "not_heard": MOVE_ON,
        "none": LocalizedTexts(),
    }
    texts = bridges[move.bridge].get(scene.language)
    prompt = _question(scene).prompt
    question = Utterance(kind="question", text=prompt, question_id=move.question_id)
    return (*_acknowledge(texts, scene, move.question_id), question)


def _ask_again(move: AskAgain, scene: Scene) -> tuple[Utterance, ...]:
    texts = _leads(move, scene)
    said = _unsaid(texts, scene) or texts[len(scene.said) % len(texts)]
    if move.why in {"think", "misheard"}:  # the question is known; hearing it would only disturb
        return (
            Utterance(
                kind="clarify", text=said, question_id=move.question_id, corrects=move.corrects
            ),
        )
    return (
        Utterance(kind="acknowledge", text=said, question_id=move.question_id),
        Utterance(
            kind="clarify",
            text=scene.pending or _question(scene).prompt,
            question_id=move.question_id,
        ),
    )


def _leads(move: AskAgain, scene: Scene) -> tuple[str, ...]:
    """Return what may be said before something is put again; help comes before comfort."""
    if move.why == "not_heard":
        return scene.persona.not_heard.get(scene.language)
    general = AGAIN[move.why].get(scene.language)
    return _help(move, scene) or general


def _help(move: AskAgain, scene: Scene) -> tuple[str, ...]:
    """Return help with this question in every wording, for the first thing not named yet.

    What is named is what an answer should cover, never what it should say.
    """
    wordings = HELP.get(move.why)
    if wordings is None:
        return ()
    wanted = [part_name(move.target or "", scene.language)]
    wanted += [rung_name(move.rung, scene.language) if move.rung else None]
    wanted += [part_name(criterion, scene.language) for criterion in scene.missing]
    names = list(dict.fromkeys(name for name in wanted if name))
    heard = "\n".join(scene.said)
    fresh = [name for name in names if name not in heard]
    texts = wordings.get(scene.language)
    return tuple(text.replace("{part}", name) for name in (fresh or names)[:1] for text in texts)


def _probe(move: Probe, scene: Scene) -> Utterance:
    texts = phrasings(_question(scene), scene.persona, move, scene.said)
    text = _unsaid(texts, scene) or PLAIN_PROBE.get(scene.language)
    return Utterance(
        kind="probe",
        text=text,
        question_id=move.question_id,
        reason=move.reason,
        rung=move.rung,
        target=move.target,
        quote=move.quote,
    )


def _acknowledge(
    texts: Sequence[str], scene: Scene, question_id: str | None = None
) -> tuple[Utterance, ...]:
    """Say one of `texts` that was not said yet; nothing when all were."""
    text = _unsaid(texts, scene)
    return (Utterance(kind="acknowledge", text=text, question_id=question_id),) if text else ()


def _unsaid(texts: Sequence[str], scene: Scene) -> str | None:
    fresh = [text for text in texts if text not in scene.said]
    return fresh[draw(scene.seed, str(len(scene.said)), *fresh) % len(fresh)] if fresh else None


def _question(scene: Scene) -> LocalizedQuestion:
    if scene.question is None:
        raise ValueError("a question cannot be worded without one in the scene")
    return scene.question

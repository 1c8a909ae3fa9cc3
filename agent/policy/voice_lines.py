"""What an interviewer will say, as far as it can be known before it is said, soonest first.

For voices that are slower than speech: what is rendered ahead is there when its time comes.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest

from agent.domain.interview import SessionManifest
from agent.domain.language import Language, LocalizedTexts
from agent.domain.persona import Persona
from agent.domain.question import LocalizedQuestion
from agent.policy.chance import draw
from agent.policy.probes import part_name
from agent.policy.sentences import split_clauses, split_sentences

SHORTEST_CLAUSE = 6
"""Characters; a shorter one is spoken together with the next."""


def coming_lines(manifest: SessionManifest, general: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the sentences of an interview in the order in which they may be needed.

    Cut as they are spoken, each once. Of wordings with a quote in them only the fixed clauses
    before and after it can be known.

    Args:
        manifest: Of the interview.
        general: What any interviewer may say, beside the persona's own words.
    """
    texts = _texts(manifest, general)
    return tuple(dict.fromkeys(line for text in texts for line in _lines(text, manifest.language)))


def _texts(manifest: SessionManifest, general: Sequence[str]) -> Iterator[str]:
    """Yield the texts; what was counted in held interviews to be said most comes first.

    That is prompts, the questions' own follow-ups, bridges, and what a criterion asks for in the
    persona's words; a wording that points at nothing is the persona's last resort.
    """
    persona, language = manifest.persona, manifest.language
    questions = [question.localized(language) for question in manifest.questions]
    yield from _opening(manifest)
    for question, after in zip_longest(questions, questions[1:]):
        yield question.prompt
        yield from (probe.ask for probe in question.probes)
        yield from persona.bridge.get(language)
        if after is not None:
            yield after.prompt
        yield from _pointed(persona, question, _criteria(manifest, question))
    cut_in = persona.cut_in.words if persona.cut_in else LocalizedTexts()
    for texts in (persona.closing, persona.not_heard, persona.gave_up, cut_in):
        yield from texts.get(language)
    yield from general
    for texts in (*persona.probes.wording.values(), *persona.probes.rungs.values()):
        yield from (text for text in texts.get(language) if "{point}" not in text)
    yield from persona.opening.get(language)


def _opening(manifest: SessionManifest) -> tuple[str, ...]:
    """Return the greeting that this seed draws."""
    texts = manifest.persona.opening.get(manifest.language)
    return (texts[draw(manifest.seed, "0", *texts) % len(texts)],) if texts else ()


def _criteria(manifest: SessionManifest, question: LocalizedQuestion) -> tuple[str, ...]:
    return tuple(
        criterion.id
        for frame in manifest.rubric
        if question.category in frame.categories
        for criterion in frame.criteria
    )


def _pointed(
    persona: Persona, question: LocalizedQuestion, criteria: Sequence[str]
) -> Iterator[str]:
    """Yield what the persona says to ask for each of `criteria`."""
    language = question.language
    for criterion in criteria:
        point = part_name(criterion, language)
        for reason in persona.probes.order:
            for text in persona.probes.wording[reason].get(language):
                if point and "{point}" in text:
                    yield text.replace("{point}", point)


def _lines(text: str, language: Language) -> Iterator[str]:
    for sentence in split_sentences(text, language):
        pieces = _around_quote(sentence) if "{" in sentence else (sentence,)
        yield from (piece for piece in pieces if any(sign.isalnum() for sign in piece))


def _around_quote(sentence: str) -> tuple[str, ...]:
    """Return the clauses before the first gap in `sentence`, and all that follows the last one."""
    clauses = split_clauses(sentence)
    gaps = [place for place, clause in enumerate(clauses) if "{" in clause or "}" in clause]
    before = _breaths(clauses[: gaps[0]], lambda _: False)
    return (*before, "".join(clauses[gaps[-1] + 1 :]))


def spoken_pieces(text: str, language: Language, at_hand: Callable[[str], bool]) -> tuple[str, ...]:
    """Cut `text` so that its first sound comes soon.

    Args:
        text: What is to be said.
        language: Its language.
        at_hand: Whether a piece is rendered; a sentence that is stays whole, as does the rest of
            a sentence after the clauses that are not.

    Returns:
        Pieces whose concatenation is `text`.
    """
    pieces: list[str] = []
    for sentence in split_sentences(text, language):
        whole = (sentence,) if at_hand(sentence) else split_clauses(sentence)
        pieces += _breaths(whole, at_hand)
    return tuple(pieces)


def _breaths(clauses: Iterable[str], at_hand: Callable[[str], bool]) -> list[str]:
    """Join clauses that are too short; what follows is kept whole where it is at hand."""
    rest, pieces = list(clauses), list[str]()
    while rest:
        if at_hand("".join(rest)):
            return [*pieces, "".join(rest)]
        piece = rest.pop(0)
        while rest and len(piece) < SHORTEST_CLAUSE and not at_hand("".join(rest)):
            piece += rest.pop(0)
        if pieces and len(piece) < SHORTEST_CLAUSE:
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return pieces

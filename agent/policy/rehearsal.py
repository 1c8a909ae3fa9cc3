"""An interviewer dressed for one company."""

from agent.domain.company import Company
from agent.domain.language import LocalizedText, LocalizedTexts
from agent.domain.persona import Persona


def rehearsed(persona: Persona, company: Company) -> Persona:
    """Return `persona` as it interviews in the style of `company`.

    What the company says stands above what the persona says: its focus is added to the persona's,
    its house words come first, and its openings, mix and weights take the place of the persona's
    where it has any. How the persona digs, waits and speaks stays.
    """
    return persona.model_copy(
        update={
            "style": LocalizedText(
                en=f"{persona.style.en} {company.style.en}",
                zh=f"{persona.style.zh}{company.style.zh}",
            ),
            "focus": {**persona.focus, **company.focus},
            "vocabulary": _joined(company.vocabulary, persona.vocabulary),
            "opening": LocalizedTexts(
                en=company.opening.en or persona.opening.en,
                zh=company.opening.zh or persona.opening.zh,
            ),
            "mix": company.mix or persona.mix,
            "weights": company.weights or persona.weights,
            "sources": tuple(dict.fromkeys((*company.sources, *persona.sources))),
        }
    )


def _joined(first: LocalizedTexts, second: LocalizedTexts) -> LocalizedTexts:
    return LocalizedTexts(
        en=tuple(dict.fromkeys((*first.en, *second.en))),
        zh=tuple(dict.fromkeys((*first.zh, *second.zh))),
    )

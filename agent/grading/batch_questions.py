"""Which question a row asks: one of the bank, or one made from what the row brings."""

from collections.abc import Sequence
from functools import lru_cache

from agent.domain.language import LANGUAGES, Language
from agent.domain.question import Category, LocalizedQuestion, Question
from agent.grading.rows import BadRow, GradingRow
from agent.policy.categories import guess_category
from agent.policy.folding import tokens
from agent.policy.nearness import VectorNearness
from agent.policy.question_match import match_question
from agent.policy.references import UNLISTED, points_from_reference
from agent.ports import SentenceEncoder

REMEMBERED = 2_000
"""Questions whose place is remembered: many rows ask the same one."""


class RowQuestions:
    """Finds the question of a row; each is looked for once.

    Args:
        bank: The questions that are known.
        encoder: Recognises reworded questions; None: only the same spelling is recognised.
    """

    def __init__(self, bank: Sequence[Question], encoder: SentenceEncoder | None) -> None:
        self._by_id = {item.id: item for item in bank}
        self._encoder = encoder
        self._bank: dict[Language, dict[str, LocalizedQuestion]] = {
            language: {
                item.id: item.localized(language) for item in bank if language in item.languages
            }
            for language in LANGUAGES
        }
        self._match = lru_cache(REMEMBERED)(self._matched)
        self._make = lru_cache(REMEMBERED)(_unlisted)

    def find(self, row: GradingRow) -> tuple[LocalizedQuestion, Category]:
        """Return the question and the category that its answer is judged as.

        Raises:
            BadRow: The row names a question that there is not, or not in its language.
        """
        listed = self._named(row) or self._match(row.lang, row.question or "")
        if listed:
            return listed, row.category or listed.category
        text = row.question or ""
        category = row.category or guess_category(text)
        made = self._make(text, row.lang, category, row.reference or "", row.audio is not None)
        return made, category

    def _named(self, row: GradingRow) -> LocalizedQuestion | None:
        if not row.question_id:
            return None
        if row.question_id in self._by_id:
            found = self._bank[row.lang].get(row.question_id)
            if found is None:
                raise BadRow(f"question {row.question_id!r} is not written in {row.lang}", row.id)
            return found
        if not (row.question or "").strip():
            raise BadRow(f"unknown question_id {row.question_id!r}", row.id)
        return None

    def _matched(self, language: Language, text: str) -> LocalizedQuestion | None:
        bank = list(self._bank[language].values())
        if self._encoder is None or not bank:
            return match_question(text, bank, None)
        texts = list(dict.fromkeys([text, *(item.prompt for item in bank)]))
        near = VectorNearness(dict(zip(texts, self._encoder.encode(texts), strict=True)))
        return match_question(text, bank, near)


def _unlisted(
    text: str, language: Language, category: Category, reference: str, spoken: bool
) -> LocalizedQuestion:
    terms = tuple(dict.fromkeys(word for word in tokens(text) if len(word) > 2))
    return LocalizedQuestion(
        id=UNLISTED,
        category=category,
        language=language,
        prompt=text,
        key_points=points_from_reference(reference) if reference else (),
        outline=reference,
        speech_terms=terms if spoken else (),
    )

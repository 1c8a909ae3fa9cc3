"""What a language model did for a session, and what was sent to it, as the report tells it."""

from collections import Counter
from collections.abc import Iterator, Sequence

from agent.app.report_texts import label
from agent.app.report_texts import words as words_in
from agent.domain.chat import ChatPurpose, ChatUse, ModelUse
from agent.domain.interview import SessionManifest, Turn, Utterance
from agent.domain.language import Language
from agent.policy.branches import branches
from agent.ports import SessionRecord

ROLE = "language_model"
"""Of a language model among the models of a session."""


def model_told(
    manifest: SessionManifest, records: Sequence[SessionRecord], language: Language
) -> tuple[tuple[str, str], ...]:
    """Return names and values of what a language model did; none where there was none."""
    uses = [item for item in records if isinstance(item, ChatUse)]
    if not uses and ROLE not in manifest.models:
        return ()
    words = words_in(language)
    names = dict.fromkeys([*(use.model for use in uses), manifest.models.get(ROLE, "")])
    rows = [
        (words["llm_name"], words["comma"].join(filter(None, names))),
        (words["llm_worded"], _worded(records, language)),
        (words["llm_stood_in"], _stood_in(uses, language)),
        (words["llm_graded"], _graded(records, [*names], language)),
        *((words["llm_used"], text) for text in _used(uses, language)),
        *((words["llm_sent"], text) for text in _sent(uses, language)),
    ]
    return tuple(row for row in rows if row[1])


def _worded(records: Sequence[SessionRecord], language: Language) -> str:
    said: list[Utterance] = []
    for turn in (item for item in records if isinstance(item, Turn)):
        said += [*turn.lead_in, turn.utterance]
    wordable = [
        item for item in said if item.kind == "probe" or (item.by_model and item.kind == "clarify")
    ]
    own = sum(item.by_model for item in wordable)
    words = words_in(language)
    return words["llm_worded_of"].format(count=own, of=len(wordable))


def _stood_in(uses: Sequence[ChatUse], language: Language) -> str:
    counts: Counter[str] = Counter()
    for use in uses:
        counts.update(use.stood_in)
    told = (f"{label('stood_in', why, language)} {count}" for why, count in counts.most_common())
    return words_in(language)["comma"].join(told)


def _graded(records: Sequence[SessionRecord], names: Sequence[str], language: Language) -> str:
    judged = [branch.result for branch in branches(records) if branch.result]
    own = sum(any(name and name in item.grader for name in names) for item in judged)
    words = words_in(language)
    return words["llm_graded_of"].format(count=own, of=len(judged))


def _used(uses: Sequence[ChatUse], language: Language) -> Iterator[str]:
    words = words_in(language)
    by_purpose: dict[ChatPurpose, list[ModelUse]] = {}
    for item in (item for use in uses for item in use.used):
        by_purpose.setdefault(item.purpose, []).append(item)
    for purpose, items in by_purpose.items():
        told = words["llm_tokens"].format(
            purpose=label("purpose", purpose, language),
            calls=sum(item.calls for item in items),
            failures=sum(item.failures for item in items),
            prompt=sum(item.prompt_tokens for item in items),
            reply=sum(item.reply_tokens for item in items),
        )
        costs = [item.cost for item in items if item.cost is not None]
        if any(item.estimated for item in items):
            told += words["llm_estimated"]
        if costs:
            told += words["llm_cost"].format(cost=f"{sum(costs):.4f}")
        yield told


def _sent(uses: Sequence[ChatUse], language: Language) -> Iterator[str]:
    words = words_in(language)
    requests: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for item in (item for use in uses for item in use.egress):
        requests[item.host] += item.requests
        sizes[item.host] += item.sent_bytes
    for host, count in requests.items():
        yield words["llm_sent_to"].format(host=host, count=count, size=f"{sizes[host] / 1000:.1f}")

"""The report for programs."""

import json
from collections.abc import Sequence

from agent.domain.assessment import Assessment, SessionScore
from agent.domain.chat import ChatUse
from agent.domain.interview import SelfRating, SessionManifest
from agent.domain.language import Frozen
from agent.policy.branches import Branch, branches, corrections, notices
from agent.policy.coaching import coaching_of
from agent.ports import SessionRecord

JSON_VERSION = 1
"""Of the JSON report; raised when a field changes its meaning or goes away."""


def as_json(
    manifest: SessionManifest, records: Sequence[SessionRecord], score: SessionScore | None
) -> str:
    """Return the whole session by question: `result` is what counts, `assessments` lead to it.

    `coaching` is in the session's language; `self_rating` is 1 to 5, null where none was given.
    """
    found = branches(records, [question.id for question in manifest.questions])
    ratings = {item.question_id: item.rating for item in records if isinstance(item, SelfRating)}
    whole = {
        "report_version": JSON_VERSION,
        "session": _plain(manifest),
        "score": _plain(score) if score else None,
        "questions": [
            {
                "question_id": branch.question_id,
                "turns": [_plain(turn) for turn in branch.turns],
                "assessments": [_plain(item) for item in branch.assessments],
                "result": _plain(branch.result) if branch.result else None,
                "coaching": _coaching(branch, manifest, records),
                "self_rating": ratings.get(branch.question_id or ""),
            }
            for branch in found
        ],
        "corrections": [_plain(item) for many in corrections(records).values() for item in many],
        "notices": [_plain(item) for item in notices(records)],
        "language_model": [_plain(item) for item in records if isinstance(item, ChatUse)],
        "graders": sorted({item.grader for item in records if isinstance(item, Assessment)}),
    }
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


def _coaching(
    branch: Branch, manifest: SessionManifest, records: Sequence[SessionRecord]
) -> object:
    coaching = coaching_of(manifest, records, branch.result) if branch.result else None
    return _plain(coaching) if coaching else None


def _plain(model: Frozen) -> object:
    return json.loads(model.model_dump_json())

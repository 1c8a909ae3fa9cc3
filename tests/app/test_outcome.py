import json

import pytest

from agent.app.outcome import render, score_of
from agent.domain.language import LANGUAGES, Language
from tests.app.sessions import PROJECT, judged, manifest, project_branch


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_total_and_the_page_agree_after_a_turn_is_graded_again(language: Language) -> None:
    records = (
        *project_branch(language),
        judged("star", PROJECT.id, 2, 41.0),
        judged("star", PROJECT.id, 1, 99.0),
    )
    session = manifest(language, questions=(PROJECT,))
    report = json.loads(render(session, records, None, "json"))
    (question,) = report["questions"]
    assert score_of(session, records).questions == {PROJECT.id: 41.0}
    assert question["result"]["score"] == report["score"]["questions"][PROJECT.id] == 41.0

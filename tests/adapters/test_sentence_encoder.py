"""The contract of `SentenceEncoder`, for the real one and for its stand-in."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from agent.adapters.sentence_encoder import UniversalSentenceEncoder, available
from agent.ports import SentenceEncoder
from agent.testing import WordEncoder

TEXTS = [
    "Data parallelism keeps a full copy of the model on every worker.",
    "数据并行里每张卡保存完整的模型副本。",
    "I like hiking in the mountains.",
]


@pytest.fixture(scope="module", params=[UniversalSentenceEncoder, WordEncoder])
def encoder(request: pytest.FixtureRequest) -> SentenceEncoder:
    return request.param()


def test_rows_are_normalised_and_equal_texts_have_equal_rows(encoder: SentenceEncoder) -> None:
    rows = encoder.encode([*TEXTS, TEXTS[0]])
    assert rows.dtype == np.float32
    assert rows.shape == (4, rows.shape[1])
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert np.array_equal(rows[0], rows[3])


def test_the_same_words_are_nearer_than_other_words(encoder: SentenceEncoder) -> None:
    first, shorter, other = encoder.encode(
        [TEXTS[0], "Data parallelism keeps a full copy of the model.", TEXTS[2]]
    )
    assert first @ shorter > first @ other + 0.3


def test_nothing_gives_no_rows_and_blank_gives_zeros(encoder: SentenceEncoder) -> None:
    assert encoder.encode([]).shape[0] == 0
    assert not encoder.encode(["  "]).any()


def test_a_row_does_not_depend_on_its_neighbours(encoder: SentenceEncoder) -> None:
    alone = encoder.encode([TEXTS[1]])[0]
    among = encoder.encode([TEXTS[2], TEXTS[1], TEXTS[0] * 20])[1]
    assert np.allclose(alone, among, atol=1e-5)


def test_threads_may_share_it(encoder: SentenceEncoder) -> None:
    wanted = encoder.encode(TEXTS)
    with ThreadPoolExecutor(4) as pool:
        for rows in pool.map(encoder.encode, [TEXTS] * 8):
            assert np.array_equal(rows, wanted)


def test_meaning_crosses_languages() -> None:
    assert available()
    english, chinese, other = UniversalSentenceEncoder().encode(TEXTS)
    assert english @ chinese > 0.5 > english @ other + 0.2

from hypothesis import given
from hypothesis import strategies as st

from agent.policy.segmentation import (
    DECODE_PAUSE,
    GUESS_PAUSE,
    LONGEST,
    MARGIN,
    STRETCH_PAUSE,
    Piece,
    Segmenter,
    windows,
)
from agent.policy.voice_activity import SpeechGate

RUNS = st.lists(
    st.tuples(st.integers(1, 1200), st.integers(1, 200), st.integers(0, 9)), max_size=12
)


def play(runs: list[tuple[int, int, int]]) -> tuple[Segmenter, list[Piece], list[bool]]:
    """Feed runs of (voiced, silent) windows; return all pieces and which windows were voiced."""
    segmenter, gate = Segmenter(), SpeechGate()
    pieces: list[Piece] = []
    voiced: list[bool] = []
    for loud, quiet, dip in runs:
        for index in range(loud + quiet):
            probability = 0.9 if index < loud else 0.05
            voiced.append(gate.voiced(probability))
            piece = segmenter.push(probability, 0.01 if index % 10 == dip else 0.5)
            if piece is not None:
                pieces.append(piece)
    rest = segmenter.flush()
    return segmenter, [*pieces, *([rest] if rest else [])], voiced


@given(RUNS)
def test_every_voiced_window_is_in_exactly_one_final_piece(
    runs: list[tuple[int, int, int]],
) -> None:
    _, pieces, voiced = play(runs)
    spans = [span for piece in pieces if piece.final for span in piece.spans]
    taken = [index for span in spans for index in range(span.start, span.end)]
    assert taken == sorted(set(taken))
    assert {index for index, flag in enumerate(voiced) if flag} <= set(taken)
    assert max(taken, default=0) <= len(voiced)


@given(RUNS)
def test_pieces_fit_into_whispers_window_and_leave_long_pauses_out(
    runs: list[tuple[int, int, int]],
) -> None:
    _, pieces, voiced = play(runs)
    for piece in pieces:
        assert sum(map(len, piece.spans)) <= LONGEST + 2 * MARGIN + STRETCH_PAUSE
        for span in piece.spans:
            silent = "".join("x" if flag else "." for flag in voiced[span.start : span.end])
            assert "." * (2 * MARGIN + STRETCH_PAUSE) not in silent


def wanted(runs: list[tuple[int, int, int]]) -> list[Piece]:
    return [piece for piece in play(runs)[1] if not piece.guess]


def finals(runs: list[tuple[int, int, int]]) -> list[list[tuple[int, int]]]:
    return [
        [(span.start, span.end) for span in piece.spans] for piece in play(runs)[1] if piece.final
    ]


def test_a_pause_hands_over_what_was_said_while_the_answer_goes_on() -> None:
    pieces = wanted([(windows(5), windows(1), 0), (windows(5), windows(1), 0)])
    assert [piece.final for piece in pieces] == [True, True]


def test_a_fragment_is_shown_at_once_and_joined_with_what_follows() -> None:
    pieces = wanted([(windows(0.6), windows(1), 0), (windows(5), windows(1), 0)])
    assert [(piece.final, len(piece.spans)) for piece in pieces] == [(False, 1), (True, 2)]


def test_a_fragment_before_a_long_pause_stands_alone_and_is_not_changed() -> None:
    pieces = wanted([(windows(0.6), windows(4), 0), (windows(5), windows(1), 0)])
    assert [piece.final for piece in pieces] == [False, True, True]
    assert pieces[0].spans == pieces[1].spans


def test_what_may_be_all_is_guessed_early_and_is_the_same_sound_when_it_is() -> None:
    segmenter = Segmenter()
    pieces: list[tuple[int, Piece]] = []
    for index in range(windows(4)):
        piece = segmenter.push(0.9 if index < windows(3) else 0.05, 0.1)
        if piece is not None:
            pieces.append((index + 1 - windows(3), piece))
    (early, guess), (late, final) = pieces
    assert (early, guess.guess, guess.final) == (GUESS_PAUSE, True, False)
    assert (late, final.guess, final.final) == (DECODE_PAUSE, False, True)
    assert guess.spans == final.spans


@given(RUNS)
def test_little_is_left_to_decode_at_any_end(runs: list[tuple[int, int, int]]) -> None:
    segmenter, pieces, _ = play(runs)
    taken = max((p.spans[-1].end for p in pieces[:-1] if p.final), default=0)
    left = sum(run.end - max(run.start, taken) for run in segmenter.voiced if run.end > taken)
    assert left <= LONGEST + 2 * MARGIN


@given(st.lists(st.integers(windows(0.2), windows(0.6)), min_size=8, max_size=30), st.data())
def test_pieces_are_joined_in_pauses_where_there_are_any(
    pauses: list[int], data: st.DataObject
) -> None:
    words = st.integers(windows(0.3), windows(3))
    runs = [(data.draw(words), pause + 1, 0) for pause in pauses]
    _, pieces, voiced = play(runs)
    ends = [piece.spans[-1].end for piece in pieces if piece.final]
    assert all(not any(voiced[end - 1 : end + 1]) for end in ends[:-1])


def test_short_pauses_stay_inside_a_stretch() -> None:
    assert len(finals([(60, 10, 0), (60, 60, 0)])) == 1
    assert len(finals([(60, 10, 0), (60, 60, 0)])[0]) == 1


def test_talk_without_a_pause_is_cut_at_the_quietest_place() -> None:
    cuts = [piece.spans[-1].end for piece in wanted([(windows(40), windows(1), 7)])[:-1]]
    assert cuts
    assert all(cut % 10 == 7 for cut in cuts)


def test_voiced_runs_have_no_margins() -> None:
    segmenter, _, _ = play([(10, 40, 0), (20, 5, 0)])
    assert [(run.start, run.end) for run in segmenter.voiced] == [(0, 10), (50, 70)]

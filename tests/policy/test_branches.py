from agent.domain.assessment import Assessment
from agent.domain.interview import Answer, Correction, Notice, Turn, Utterance, Word
from agent.policy.branches import as_corrected, branches, corrections, notices


def turn(number: int, question: str | None) -> Turn:
    return Turn(
        number=number,
        utterance=Utterance(kind="question", text="?", question_id=question),
        answer=Answer(text="a", raw_text="a", status="typed"),
    )


def judged(question: str, number: int | None, score: float | None) -> Assessment:
    return Assessment(
        turn=number,
        question_id=question,
        frame="star",
        score=score,
        grader="builtin",
        rubric_version="star 1",
    )


def test_turns_join_their_question_in_the_order_of_asking() -> None:
    records = [turn(1, None), turn(2, "b"), turn(3, None), turn(4, "a"), turn(5, "b")]
    found = branches(records, planned=["a", "b", "c"])
    assert [(item.question_id, [t.number for t in item.turns]) for item in found] == [
        (None, [1]),
        ("b", [2, 3, 5]),
        ("a", [4]),
        ("c", []),
    ]
    assert [item.result for item in found] == [None] * 4


def test_the_last_assessment_of_the_last_assessed_turn_is_the_result() -> None:
    records = [
        turn(1, "a"),
        judged("a", 1, 10),
        turn(2, "a"),
        judged("a", 2, 20),
        turn(3, "a"),
        judged("a", 2, 25),
        judged("a", 1, 15),
    ]
    (found,) = branches(records)
    assert [item.score for item in found.assessments] == [15, 25]
    assert found.result == judged("a", 2, 25)
    assert found.replaced == 2


def test_an_assessment_belongs_to_the_question_of_its_turn() -> None:
    found = branches([turn(1, "a"), judged("renamed", 1, 10), judged("b", None, 30)])
    assert [(item.question_id, item.result and item.result.score) for item in found] == [
        ("a", 10),
        ("b", 30),
    ]


def test_an_empty_log_still_has_its_plan() -> None:
    assert [item.question_id for item in branches([], ["a"])] == ["a"]
    assert branches([]) == ()


def test_corrections_and_notices_keep_their_order() -> None:
    first, second = Correction(turn=1, text="更正"), Correction(turn=1, text="again")
    notice = Notice(code="device", text="The microphone went away.")
    records = [turn(1, "a"), first, notice, second]
    assert corrections(records) == {1: (first, second)}
    assert notices(records) == (notice,)


def test_a_corrected_answer_has_the_last_words_and_no_times_of_the_misheard_ones() -> None:
    heard = turn(1, "a")
    timed = heard.answer.model_copy(update={"words": (Word("a", 0.0, 0.2),), "audio": "1.flac"})
    heard = heard.model_copy(update={"answer": timed})
    records = [heard, Correction(turn=1, text="甲"), turn(2, "a"), Correction(turn=1, text="乙")]
    first, second = as_corrected(records)
    assert (first.answer.text, first.answer.raw_text, first.answer.words) == ("乙", "a", ())
    assert (first.answer.status, first.answer.audio) == ("typed", "1.flac")
    assert second == records[2]
    silent = turn(3, "a").model_copy(
        update={"answer": Answer(text="", raw_text="", status="silent")}
    )
    (said,) = as_corrected([silent, Correction(turn=3, text="said")])
    assert said.answer.understood

"""Turn ends from scripted speech: (text so far, seconds of silence after it)."""

import pytest

from agent.domain.interview import ListeningHints
from agent.domain.language import Language
from agent.policy.endpointing import FLOOR_HELD_S, WORDLESS_S, Endpointer
from agent.policy.segmentation import DECODE_PAUSE, WINDOW_S
from agent.policy.turn_cues import Cue, cue

CUES: list[tuple[Language, str, Cue]] = [
    ("en", "That's my answer.", "done"),
    ("en", "We shipped it and that's all.", "done"),
    ("en", "I'm done, thank you.", "done"),
    ("zh", "我说完了。", "done"),
    ("zh", "以上就是我的回答，谢谢。", "done"),
    ("zh", "没有什么要补充的了", "done"),
    ("en", "That is a good question. Let me think for a second.", "thinking"),
    ("en", "Give me a minute to think", "thinking"),
    ("en", "Hmm, can I have a moment?", "thinking"),
    ("en", "That's a tough one.", "thinking"),
    ("zh", "让我想一下。", "thinking"),
    ("zh", "这个问题，我先整理一下思路", "thinking"),
    ("zh", "稍等一下", "thinking"),
    ("zh", "给我一点时间", "thinking"),
    ("zh", "乱模像，以下。", "thinking"),
    ("zh", "嗯，我享一想", "thinking"),
    ("zh", "先考绿一下", "thinking"),
    ("zh", "我们的方案主要的影响有以下", "open"),
    ("en", "I am sorry I have never used that so I do not know.", "gave_up"),
    ("en", "No idea.", "gave_up"),
    ("zh", "不好意思，这个我不太清楚。", "gave_up"),
    ("zh", "这个没有用过", "gave_up"),
    ("en", "We moved the optimizer to the CPU because", "hanging"),
    ("en", "So the first thing we did was to", "hanging"),
    ("en", "We used ZeRO. And, um...", "hanging"),
    ("zh", "我们把优化器状态切分，然后", "hanging"),
    ("zh", "损失一直在震荡，因为", "hanging"),
    ("zh", "我们先看了梯度，嗯", "hanging"),
    ("zh", "第一步我们做了性能分析，但是", "hanging"),
    ("en", "After that the loss converged and perplexity dropped by 12%.", "wrapped_up"),
    ("en", "We had a bug in the loader. Looking back, I would test it earlier.", "wrapped_up"),
    ("zh", "之后损失收敛稳定，困惑度下降了百分之十二。", "wrapped_up"),
    ("zh", "这套排查方法后来沉淀成了团队的规范。", "wrapped_up"),
    ("en", "Okay, so we trained.", "barely_begun"),
    ("zh", "我们训练的。", "barely_begun"),
    ("en", "We had sixteen cards in two nodes, connected by InfiniBand,", "unfinished"),
    ("zh", "我们当时有几个选择，数据并行、", "unfinished"),
    ("en", "The loss kept oscillating after twenty thousand steps of training.", "open"),
    ("zh", "我首先排除了数据质量问题和代码问题。", "open"),
]


@pytest.mark.parametrize(("language", "text", "expected"), CUES)
def test_last_words_tell_whether_the_answer_goes_on(
    language: Language, text: str, expected: Cue
) -> None:
    assert cue(text, language) == expected


def test_a_number_that_grew_earlier_does_not_wrap_up_the_next_sentence() -> None:
    text = "Throughput rose by 30 percent. The other thing was the data loader of the workers."
    assert cue(text, "en") == "open"


class Talk:
    """Speech and silence in windows, with the words that a decode gave."""

    def __init__(self, endpointer: Endpointer) -> None:
        self.endpointer = endpointer
        self.now_s = 0.0

    def speak(self, seconds: float, probability: float = 0.9) -> str | None:
        for _ in range(round(seconds / WINDOW_S)):
            self.now_s += WINDOW_S
            state = self.endpointer.observe(self.now_s, probability)
            if state.ended:
                return state.reason
        return None

    def silent(self, seconds: float) -> str | None:
        return self.speak(seconds, 0.02)

    def understood(self, text: str, voiced_s: float = 3.0) -> str | None:
        state = self.endpointer.confirm(text, self.now_s, voiced_s)
        return state.reason if state.ended else None

    def says(self, text: str, seconds: float = 4.0) -> None:
        assert self.speak(seconds) is None
        assert self.silent(DECODE_PAUSE * WINDOW_S) is None
        assert self.understood(text, seconds) is None

    def silence_until_end(self, limit_s: float = 60.0) -> float:
        began = self.now_s
        assert self.silent(limit_s) is not None
        return self.now_s - began + DECODE_PAUSE * WINDOW_S


def talk(language: Language = "en", patience_s: float = 2.0, *missing: str) -> Talk:
    return Talk(
        Endpointer(
            ListeningHints(
                language=language, frame="star", still_missing=missing, patience_s=patience_s
            )
        )
    )


OPEN: dict[Language, str] = {
    "en": "The loss kept oscillating after twenty thousand steps of training.",
    "zh": "我首先排除了数据质量问题和代码问题。",
}
HANGING: dict[Language, str] = {
    "en": "I looked at the gradient norm of every layer and",
    "zh": "我看了每一层的梯度范数，然后",
}
THINKING: dict[Language, str] = {"en": "Let me think.", "zh": "让我想一下。"}
DONE: dict[Language, str] = {"en": "That's my answer.", "zh": "我说完了。"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_wait_follows_the_last_words(language: Language) -> None:
    waits: list[float] = []
    for text in (DONE, OPEN, HANGING, THINKING):
        conversation = talk(language)
        conversation.says(text[language])
        waits.append(conversation.silence_until_end())
    done, open_, hanging, thinking = waits
    assert [round(wait) for wait in (done, open_, hanging)] == [1, 3, 6]
    assert FLOOR_HELD_S - 0.01 <= thinking < FLOOR_HELD_S + 0.2


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_the_frame_misses_is_waited_for(language: Language) -> None:
    complete, lacking = talk(language), talk(language, 2.0, "star.result")
    for conversation in (complete, lacking):
        conversation.says(OPEN[language])
    assert complete.silence_until_end() < lacking.silence_until_end()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_patience_stretches_the_wait_but_never_shortens_a_granted_one(language: Language) -> None:
    hasty, patient, thinking = talk(language, 1.0), talk(language, 4.0), talk(language, 1.0)
    hasty.says(OPEN[language])
    patient.says(OPEN[language])
    thinking.says(THINKING[language])
    assert hasty.silence_until_end() < 2
    assert patient.silence_until_end() > 6
    assert thinking.silence_until_end() >= FLOOR_HELD_S - 0.01


def test_going_on_after_a_pause_begins_the_wait_again() -> None:
    conversation = talk()
    conversation.says(OPEN["en"])
    assert conversation.silent(2.0) is None
    conversation.says(OPEN["en"] + " Then I lowered the clipping threshold of the run.")
    assert conversation.silence_until_end() > 2.9


def test_the_same_sound_confirmed_twice_changes_nothing() -> None:
    conversation = talk()
    conversation.says(THINKING["en"], 1.3)
    assert conversation.silent(0.9) is None
    assert conversation.endpointer.confirm(THINKING["en"], conversation.now_s - 1.2, 1.3)
    assert conversation.silent(8.0) is None


def test_there_is_no_timer_for_the_whole_answer() -> None:
    conversation = talk()
    text = ""
    for number in range(60):
        text += f" And sentence {number} says a little more about the cluster."
        conversation.says(text, 10.0)
    assert conversation.now_s > 600


def test_speech_that_is_not_decoded_yet_holds_the_turn() -> None:
    conversation = talk()
    conversation.says(DONE["en"])
    assert conversation.speak(0.3) is None
    assert conversation.silent(5.0) is None


def test_a_cough_does_not_begin_the_wait_again() -> None:
    conversation = talk()
    conversation.says(OPEN["en"])
    assert conversation.silent(1.5) is None
    assert conversation.speak(0.3) is None
    assert conversation.silent(0.6) is None
    assert conversation.understood(OPEN["en"], 0.3) is None
    assert conversation.silence_until_end() < 1.2


def test_speech_that_was_not_understood_may_be_a_wish_for_time() -> None:
    conversation = talk("zh")
    conversation.says(OPEN["zh"])
    conversation.says(OPEN["zh"], 1.3)
    assert conversation.silence_until_end() > 4.5


def test_noise_without_words_cannot_hold_the_turn() -> None:
    conversation = talk()
    conversation.says(OPEN["en"])
    reason = None
    while reason is None and conversation.now_s < 60:
        reason = conversation.speak(3.0) or conversation.understood(OPEN["en"], 3.0)
    assert reason is not None
    assert reason.startswith("noise")
    assert conversation.now_s < 4.6 + WORDLESS_S + 3.1


def test_silence_from_the_start_is_given_up() -> None:
    hasty, patient = talk(), talk("zh", 4.0)
    assert hasty.silence_until_end() == pytest.approx(10.6, abs=0.1)
    assert patient.silence_until_end() == pytest.approx(20.6, abs=0.1)


def test_the_reason_names_the_cue_and_the_silence() -> None:
    conversation = talk()
    conversation.says(DONE["en"])
    reason = conversation.silent(5.0)
    assert reason == "done: 0.8 s of silence, 0.8 s borne"


CUT_IN_S = 60.0
WRAPPED_UP: dict[Language, str] = {
    "en": "In the end the throughput rose by 30 percent.",
    "zh": "最后吞吐提升了百分之三十。",
}
UNFINISHED: dict[Language, str] = {
    "en": "We had sixteen cards in two nodes, connected by InfiniBand,",
    "zh": "我们当时有几个选择，数据并行、",
}
GAVE_UP: dict[Language, str] = {"en": "No idea.", "zh": "这个我不太清楚。"}
CUT_IN: list[tuple[dict[Language, str], bool]] = [
    (OPEN, True),
    (WRAPPED_UP, True),
    (HANGING, False),
    (UNFINISHED, False),
    (THINKING, False),
    (DONE, False),
    (GAVE_UP, False),
]


def rambling(language: Language, seconds: float, cut_in_s: float | None) -> Talk:
    """Somebody who has told things for `seconds`, without a pause between two sentences."""
    hints = ListeningHints(language=language, frame="star", cut_in_s=cut_in_s)
    conversation = Talk(Endpointer(hints))
    text = ""
    while conversation.now_s < seconds:
        text += OPEN[language] + " "
        assert conversation.speak(10.0) is None
        assert conversation.silent(0.2) is None
        assert conversation.understood(text, 10.0) is None
    return conversation


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("last", "cut"), CUT_IN)
def test_a_ramble_is_cut_at_a_pause_between_two_sentences(
    language: Language, last: dict[Language, str], cut: bool
) -> None:
    conversation = rambling(language, CUT_IN_S, CUT_IN_S)
    conversation.says((OPEN[language] + " ") * 9 + last[language])
    state = conversation.endpointer.observe(conversation.now_s + 0.11, 0.02)
    assert (state.ended, state.cut_in) == (cut, cut)
    assert state.reason.startswith("cut in") == cut
    if not cut:
        reason = conversation.silent(60.0)
        assert reason is not None
        assert not reason.startswith("cut in")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nobody_is_cut_before_the_time_or_by_an_interviewer_who_does_not(
    language: Language,
) -> None:
    for seconds, cut_in_s in ((CUT_IN_S / 2, CUT_IN_S), (600.0, None)):
        conversation = rambling(language, seconds, cut_in_s)
        conversation.says((OPEN[language] + " ") * 9 + WRAPPED_UP[language])
        assert conversation.silent(0.5) is None


def test_the_time_of_a_ramble_runs_from_the_first_word() -> None:
    conversation = Talk(
        Endpointer(ListeningHints(language="en", frame="star", cut_in_s=20.0, patience_s=4.0))
    )
    assert conversation.speak(0.4) is None  # a cough
    assert conversation.silent(0.6) is None
    assert conversation.understood("", 0.4) is None
    assert conversation.silent(15.0) is None
    conversation.says(OPEN["en"], 6.0)
    assert conversation.silent(1.0) is None
    conversation.says(OPEN["en"] * 2, 13.0)
    assert (conversation.silent(1.0) or "").startswith("cut in")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_key_ends_the_turn_and_nothing_else(language: Language) -> None:
    hints = ListeningHints(language=language, frame="star", cut_in_s=5.0)
    conversation = Talk(Endpointer(hints, by_key=True))
    assert conversation.silent(60.0) is None
    for text in (OPEN, DONE, GAVE_UP):
        conversation.says(text[language], 10.0)
        assert conversation.silent(60.0) is None
    for _ in range(5):
        assert conversation.speak(5.0) is None
        assert conversation.understood(GAVE_UP[language], 5.0) is None


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_pause_is_explained(language: Language) -> None:
    conversation = talk(language)
    conversation.says(HANGING[language])
    assert conversation.silent(1.4) is None
    conversation.says(DONE[language], 1.0)
    assert conversation.silent(3.0) is not None
    first, last = conversation.endpointer.judged
    assert (first.cue, first.ended, first.borne_s) == ("hanging", False, 6.0)
    assert round(first.to_s - first.from_s, 1) == 2.0
    assert (last.cue, last.ended) == ("done", True)
    assert last.borne_s is not None
    assert last.to_s - last.from_s >= last.borne_s

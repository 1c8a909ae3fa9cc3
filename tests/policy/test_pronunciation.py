import pytest

from agent.policy.pronunciation import aloud, letter_by_letter


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Why does ZeRO-3 help?", "Why does zero-3 help?"),
        ("为什么ZeRO可以节省显存？", "为什么zero可以节省显存？"),
        ("NCCL on InfiniBand", "nickel on infinny band"),
        ("QLoRA or LoRA", "Q Lora or Lora"),
        ("the MoEs and PyTorchX stay", "the MoEs and PyTorchX stay"),
        ("数据并行", "数据并行"),
    ],
)
def test_terms_are_respelt_for_the_ear(written: str, said: str) -> None:
    assert aloud(written) == said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("GPU", "G P U"),
        ("KV cache", "K V cache"),
        ("bf", "B F"),
        ("Adam", "Adam"),
        ("loss", "loss"),
        ("FlashAttention", "FlashAttention"),
        ("RLHF and DPO", "R L H F and D P O"),
        ("A", "A"),
        ("don't", "don't"),
    ],
)
def test_what_is_no_word_is_said_in_letters(words: str, said: str) -> None:
    assert letter_by_letter(words) == said

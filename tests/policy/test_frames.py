import pytest

from agent.adapters.yaml_catalog import data_root, load_frames
from agent.policy.clauses import split
from agent.policy.frames.readers import READERS
from agent.policy.frames.star import read

FRAMES = load_frames(data_root() / "rubrics" / "frames")


def test_a_reader_judges_the_criteria_of_its_frame() -> None:
    for item in FRAMES:
        judged = [part.criterion for part in READERS[item.id](split("I tuned the batch size."))]
        assert judged == [criterion.id for criterion in item.criteria]
        assert {part.level for part in READERS[item.id](())} == {0}


def test_every_frame_and_category_is_covered_once() -> None:
    categories = [category for frame in FRAMES for category in frame.categories]
    assert {frame.id for frame in FRAMES} == set(READERS)
    assert len(categories) == len(set(categories)) == 8


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("", (0, 0, 0)),
        ("Everybody did a lot together and it went quite well.", (0, 0, 1)),
        ("I tuned the micro batch size.", (0, 2, 0)),
        (
            (
                "I tuned the micro batch size because memory was short, and I chose ZeRO instead "
                "of tensor parallelism."
            ),
            (0, 4, 0),
        ),
        (
            "My responsibility was the data pipeline, and the target was at least 40 percent.",
            (4, 0, 0),
        ),
        ("Throughput rose from 100 to 130 samples.", (0, 0, 3)),
        ("大家一起做了很多，效果还不错。", (0, 0, 1)),
        ("我调了微批次大小。", (0, 2, 0)),
        ("我调了微批次大小，因为显存不够，我选择了 ZeRO，没有选张量并行。", (0, 4, 0)),
        ("我负责数据流水线，目标是利用率达到百分之四十以上。", (4, 0, 0)),
        ("吞吐比基线提升了百分之三十。", (0, 0, 3)),
    ],
)
def test_star_levels_of_task_action_and_result(text: str, levels: tuple[int, ...]) -> None:
    found = tuple(part.level for part in read(split(text)))
    assert found[1:] == levels

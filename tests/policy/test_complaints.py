"""What pydantic says of wrong data, in Chinese: asked of pydantic itself."""

from typing import Annotated, Any, Literal

import pytest
from annotated_types import Ge, Gt, Le, Lt
from pydantic import Field, StringConstraints, TypeAdapter, ValidationError

from agent.domain.language import Frozen, LocalizedText
from agent.policy.complaints import in_chinese


class Item(Frozen):
    """Something with a field."""

    name: str


@pytest.mark.parametrize(
    ("kind", "given", "chinese"),
    [
        (Item, {}, "缺少这一项"),
        (Item, {"name": "a", "other": 1}, "没有这个字段"),
        (Item, 3, "应为一组带名字的字段"),
        (LocalizedText, {"en": "a", "zh": " "}, "不能为空"),
        (dict[str, int], [], "应为一组带名字的字段"),
        (str, 3, "应为文本"),
        (int, "x", "应为整数"),
        (int, 1.5, "应为整数"),
        (float, "x", "应为数字"),
        (bool, "maybe", "应为 true 或 false"),
        (list[int], 3, "应为列表"),
        (tuple[int, ...], 3, "应为列表"),
        (Annotated[str, StringConstraints(min_length=3)], "ab", "至少要有 3 个字符"),
        (Annotated[str, StringConstraints(max_length=3)], "abcd", "最多只能有 3 个字符"),
        (Annotated[str, StringConstraints(pattern="^a$")], "b", "格式应为 '^a$'"),
        (Annotated[tuple[int, ...], Field(min_length=2)], [1], "至少 2 项，现在 1 项"),
        (Annotated[list[int], Field(max_length=1)], [1, 2], "最多 1 项，现在 2 项"),
        (Literal["a"], "b", "应为 'a'"),
        (Literal["a", "b", "c"], "d", "应为 'a', 'b' 或 'c'"),
        (Annotated[int, Ge(1)], 0, "应大于或等于 1"),
        (Annotated[float, Gt(0)], 0, "应大于 0"),
        (Annotated[float, Le(1)], 2, "应小于或等于 1"),
        (Annotated[float, Lt(1)], 2, "应小于 1"),
    ],
)
def test_a_complaint_is_told_in_chinese(kind: Any, given: object, chinese: str) -> None:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(kind).validate_python(given)
    assert [in_chinese(wrong["msg"]) for wrong in caught.value.errors()] == [chinese]


def test_what_is_not_known_stays_as_it_is() -> None:
    assert in_chinese("Something new") == "Something new"

"""What pydantic complains of, in Chinese."""

import re

_NUMBER = {
    "greater than": "大于",
    "greater than or equal to": "大于或等于",
    "less than": "小于",
    "less than or equal to": "小于或等于",
}
_TABLE = (
    (r"Field required", "缺少这一项"),
    (r"Extra inputs are not permitted", "没有这个字段"),
    (r"Input should be a valid string", "应为文本"),
    (r"Input should be a valid integer(?:, .*)?", "应为整数"),
    (r"Input should be a valid number(?:, .*)?", "应为数字"),
    (r"Input should be a finite number", "应为有限的数字"),
    (r"Input should be a valid boolean(?:, .*)?", "应为 true 或 false"),
    (r"Input should be a valid (?:list|tuple|array|set)", "应为列表"),
    (r"Input should be a valid (?:dictionary|mapping|object)(?: or .*)?", "应为一组带名字的字段"),
    (r"String should have at least 1 character", "不能为空"),
    (r"String should have at least (\d+) characters?", r"至少要有 \1 个字符"),
    (r"String should have at most (\d+) characters?", r"最多只能有 \1 个字符"),
    (
        r"\w+ should have at least (\d+) items? after validation, not (\d+)",
        r"至少 \1 项，现在 \2 项",
    ),
    (
        r"\w+ should have at most (\d+) items? after validation, not (\d+)",
        r"最多 \1 项，现在 \2 项",
    ),
    (r"String should match pattern (.*)", r"格式应为 \1"),
    (r"(?:Value error, )?('.*') is not one of (.*?)\.?", r"\1 不在可选值之内：\2"),
    (r"Input should be ((?:'.*'|\d+)(?:, .*)?) or (.*)", r"应为 \1 或 \2"),
    (r"Input should be ('.*')", r"应为 \1"),
    (r"Value error, (.*)", r"不符合规则：\1"),
)
_LIMIT = re.compile(rf"Input should be ({'|'.join(_NUMBER)}) (-?[\d.]+)")


def in_chinese(message: str) -> str:
    """Return a message of pydantic in Chinese; one that is not known stays as it is."""
    if found := _LIMIT.fullmatch(message):
        return f"应{_NUMBER[found[1]]} {found[2]}"
    for pattern, chinese in _TABLE:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            return found.expand(chinese)
    return message

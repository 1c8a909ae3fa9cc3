"""What an answer says to a question that can be answered with yes or no."""

import re

from agent.policy.folding import fold

OPENING = 14
"""Characters at the start in which a verdict is looked for."""
_YES = re.compile(
    r"\b(?:true|yes|correct|right)\b|"
    r"(?<!不)(?<!不是)正确|(?<!不)对[,，。、;；]|^对$|(?<!不)(?<!否)可以|(?<!不)能(?!够)"
)
_NO = re.compile(
    r"\b(?:false|no|wrong|incorrect)\b|错误|不正确|不对|错[,，。、;；]|^错$|不可以|不能|不一定"
)


def verdict(text: str) -> int:
    """Return 1 where `text` opens with a yes, -1 with a no (the first of them counts), else 0."""
    opening = fold(text.lstrip())[:OPENING]
    yes, no = _YES.search(opening), _NO.search(opening)
    if yes and no:
        return 1 if yes.start() < no.start() else -1
    return int(yes is not None) - int(no is not None)

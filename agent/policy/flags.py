"""Short names of what a grader notices in an answer."""

from typing import Literal

Flag = Literal[
    "gave_up",
    "off_topic",
    "injection",
    "echo",
    "repeated",
    "term_list",
    "misconception",
    "no_baseline",
    "we_without_i",
    "no_alternative",
]
"""What `Assessment.flags` may hold.

* `gave_up`: "I don't know" and nothing else that counts.
* `off_topic`: nothing said is near the question.
* `injection`: words to the examiner about rules or marks; they were left out.
* `echo`, `repeated`, `term_list`: the question said back, a clause said twice, bare terms or
  words in no order; they were left out.
* `misconception`: something wrong was claimed; the score is capped.
* `no_baseline`: an outcome in figures without what it was before.
* `we_without_i`: a team acts and the speaker does not.
* `no_alternative`: a decision without an option that was not taken.
"""

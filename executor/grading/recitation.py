"""How long an answer follows the gold word for word."""

from __future__ import annotations

import numpy as np

from index.cpp.body_offset import find_body_or_initializer_list_offset
from index.cpp.tokens import tokenize

LONG_RUN = 32
"""So many tokens in a row count as recited. Three quarters of YABLoCo's golds have a body that long; shorter runs are
often the only way to write a thing."""


def tokenize_body_or_whole_text(function: str) -> list[str]:
    """The tokens of a function's body, without comments; of the whole text where no body is found. The signature
    isn't among them: the prompt gives it."""
    offset = find_body_or_initializer_list_offset(function)
    return tokenize(function if offset is None else function[offset:])


def longest_recited_run(answer: str, gold: str) -> int:
    """The most tokens of the gold's body that stand in the answer's body in one row, in the same order."""
    wanted = tokenize_body_or_whole_text(gold)
    numbers = {token: number for number, token in enumerate(dict.fromkeys(wanted))}
    found = np.fromiter((numbers.get(token, -1) for token in tokenize_body_or_whole_text(answer)), dtype=np.int32)
    # ends[i]: how many tokens up to the answer's i-th are the gold's last ones so far.
    ends = np.zeros(len(found) + 1, dtype=np.int32)
    longest = 0
    for token in wanted:
        ends[1:] = np.where(found == numbers[token], ends[:-1] + 1, 0)
        longest = max(longest, int(ends.max()))
    return longest

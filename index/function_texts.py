"""The texts of several functions as one text, and back: the answer to a task of several holes, and its gold.

A line before each function says which one it is. So an answer is one text wherever it is stored, hashed, compared and
shown, and only who needs the functions apart cuts it. The text of a task of one function is that function's alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_HEAD_LINE = "// graft: function {number} of {count}"
_HEAD_PATTERN = re.compile(r"^// graft: function (\d{1,3}) of (\d{1,3})$", re.MULTILINE)


class FunctionPiece(NamedTuple):
    """The text of one function, and how many lines of the joined text stand before it."""

    text: str
    before: int


def join_present_functions_under_heads(texts: Sequence[str | None]) -> str:
    """The texts of a task's functions as one, in the order of its holes; None for one that isn't there."""
    if len(texts) == 1:
        return texts[0] or ""
    parts = []
    for number, text in enumerate(texts, start=1):
        if text is not None:
            # A line of the same form in an answer is only a comment.
            parts += [_HEAD_LINE.format(number=number, count=len(texts)), _HEAD_PATTERN.sub("//", text)]
    return "\n".join(parts)


def locate_functions(joined: str, count: int) -> tuple[FunctionPiece | None, ...]:
    """The functions in a joined text of `count` holes, in their order; None for one that isn't there."""
    if count == 1:
        return (FunctionPiece(joined, 0),)
    found: list[FunctionPiece | None] = [None] * count
    heads = [head for head in _HEAD_PATTERN.finditer(joined) if head[2] == str(count) and 1 <= int(head[1]) <= count]
    ends = [*(head.start() for head in heads[1:]), len(joined) + 1]
    for head, following in zip(heads, ends, strict=False):
        start = head.end() + 1
        if start <= len(joined):
            found[int(head[1]) - 1] = FunctionPiece(joined[start : following - 1], joined.count("\n", 0, start))
    return tuple(found)


def split_functions(joined: str, count: int) -> tuple[str | None, ...]:
    """The texts in a joined text alone."""
    return tuple(None if piece is None else piece.text for piece in locate_functions(joined, count))


def split_functions_or_empty(joined: str, count: int) -> tuple[str, ...]:
    """The texts of a joined text that lacks none, as a gold; "" for one that isn't there."""
    return tuple(piece or "" for piece in split_functions(joined, count))

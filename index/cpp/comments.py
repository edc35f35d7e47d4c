"""Docstrings: the comment that stands above a declaration, or behind a small one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node


_FARTHEST = 10_000
"""Bytes of white space between a comment and what it tells of: more isn't looked at."""


class Comments:
    """Finds the comment right above an offset (nothing but white space and one line end between), or behind it."""

    def __init__(self, nodes: Sequence[Node], data: bytes, source: bytes) -> None:
        self._spans = sorted((c.start_byte, c.end_byte) for c in nodes)
        self._ends = [end for _, end in self._spans]
        self._data = data
        self._source = source  # the blanked text: an attribute macro between is white space there

    def above(self, start: int) -> tuple[int, str]:
        """(where it begins, its text as written); (`start`, "") without one."""
        first = last = bisect_right(self._ends, start) - 1
        below = start
        while first >= 0 and self._adjacent(first, below):
            below = self._spans[first][0]
            first -= 1
        if below == start:
            return start, ""
        return below, self._data[below : self._ends[last]].decode("utf-8", "replace").rstrip()

    def behind(self, end: int) -> str:
        """The comment on the line where something ends, nothing but a `,` or `;` between, or ""."""
        index = bisect_left(self._spans, (end, end))
        if index == len(self._spans):
            return ""
        begin, stop = self._spans[index]
        if begin - end > 200 or self._data[end:begin].strip(b" \t,;"):
            return ""
        return self._data[begin:stop].decode("utf-8", "replace").rstrip()

    def _adjacent(self, index: int, below: int) -> bool:
        begin, end = self._spans[index]
        if below - end > _FARTHEST:
            return False
        between = self._source[end:below]
        if between.strip() or between.count(b"\n") > 1:
            return False
        line = self._data.rfind(b"\n", 0, begin) + 1
        return not self._data[line:begin].strip()

"""Docstrings: the comment above a declaration, or behind a small one."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node


_MOST_SPACE_BETWEEN = 10_000
"""The most bytes of white space between a comment and what it documents."""
_MARKERS = re.compile(r"^\s*(?:/\*|//)|\*/\s*$")
_LEADING_STAR = re.compile(r"^\s*\*(?![*/])\s?")
_RULE = r"([-=*#~_+/])\1{3,}"
_AT_EDGE = re.compile(rf"^\W*?{_RULE}|([-=*#~_+/])\2{{3,}}\W*$")
_LETTER = re.compile(r"\w", re.ASCII)
_MOST_TITLE_WORDS = 8


_OffsetAndText = tuple[int, str]


class CommentTable:
    """Finds the comment right above an offset (nothing but white space and one line end between), or behind it."""

    def __init__(self, nodes: Sequence[Node], data: bytes, source: bytes) -> None:
        """`source` is `data` as the parser saw it, where an attribute macro is white space."""
        self._spans = sorted((c.start_byte, c.end_byte) for c in nodes)
        self._ends = [end for _, end in self._spans]
        self._data = data
        self._source = source

    def find_docstring_above_or_empty(self, start: int) -> _OffsetAndText:
        """Where the docstring above `start` begins, and its text as written; (`start`, "") without one. The banner of
        a section is no docstring."""
        first = last = bisect_right(self._ends, start) - 1
        below = start
        while first >= 0 and self._is_comment_right_above(first, below):
            below = self._spans[first][0]
            first -= 1
        if below == start:
            return start, ""
        texts = [self._read_comment_with_markers(*self._spans[i]) for i in range(first + 1, last + 1)]
        skipped = count_comments_through_last_banner(texts)
        if skipped == len(texts):
            return start, ""
        below = self._spans[first + 1 + skipped][0]
        return below, self._read_comment_with_markers(below, self._ends[last])

    def find_comment_behind_on_same_line_or_empty(self, end: int) -> str:
        """The comment on the line where something ends, nothing but a `,` or `;` between, or ""."""
        index = bisect_left(self._spans, (end, end))
        if index == len(self._spans):
            return ""
        begin, stop = self._spans[index]
        if begin - end > 200 or self._data[end:begin].strip(b" \t,;"):
            return ""
        return self._read_comment_with_markers(begin, stop)

    def _read_comment_with_markers(self, start: int, end: int) -> str:
        return self._data[start:end].decode("utf-8", "replace").rstrip()

    def _is_comment_right_above(self, index: int, below: int) -> bool:
        begin, end = self._spans[index]
        if below - end > _MOST_SPACE_BETWEEN:
            return False
        between = self._source[end:below]
        if between.strip() or between.count(b"\n") > 1:
            return False
        line = self._data.rfind(b"\n", 0, begin) + 1
        return not self._data[line:begin].strip()


def count_comments_through_last_banner(comments: Sequence[str]) -> int:
    """How many of the comments, which stand one right below the other, belong to the banner of a section and to what
    stands above it: `/* ==== Streams ==== */`, or a title between two lines of dashes."""
    length = 0
    for i, text in enumerate(comments):
        in_block = text.startswith("/*")
        leads = in_block and length == i
        # Rules of line comments may also be a box around a sentence: they make a banner only above another comment.
        may_end_banner = in_block or i + 1 < len(comments)
        around_title = i >= 2 and _is_horizontal_rule(comments[i - 2]) and _is_title([_strip_markers(comments[i - 1])])
        if _is_title_between_rules(text) or (
            _is_horizontal_rule(text) and (leads or (may_end_banner and around_title))
        ):
            length = i + 1
    return length


def _is_title_between_rules(comment: str) -> bool:
    """Whether one comment is a title with rules around it."""
    lines = [content for line in comment.splitlines() if (content := _strip_markers(line))]
    if not lines or not (_AT_EDGE.search(lines[0]) and _AT_EDGE.search(lines[-1])):
        return False
    return _is_title([line for line in lines if _LETTER.search(line.replace("_", ""))])


def _is_title(lines: Sequence[str]) -> bool:
    """A few words on one line that don't end as a sentence does: a box around sentences is documentation."""
    words = " ".join(lines).strip("-=*#~_+/ \t")
    return len(lines) == 1 and 0 < len(words.split()) <= _MOST_TITLE_WORDS and not words.endswith((".", ";", ":"))


def _is_horizontal_rule(comment: str) -> bool:
    """Whether a comment holds no word but a rule, or nothing at all in a block."""
    content = _strip_markers(comment)
    return not _LETTER.search(content.replace("_", "")) and bool(_AT_EDGE.search(content) or comment.startswith("/*"))


def _strip_markers(line: str) -> str:
    return _LEADING_STAR.sub("", _MARKERS.sub("", line)).strip()

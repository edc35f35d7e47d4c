"""Hidden bytes of a file, and the text without them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from index.cpp.body_offset import find_body_or_initializer_list_offset
from index.cpp.tokens import NOT_CODE
from index.values import Span

PLACEHOLDER = b"{ /* body hidden */ }"
"""Replaces a hidden body. A hole that begins before the text that is shown is replaced by nothing."""

Lines = Mapping[str, Sequence[Span]]
"""Lines of files, by path: in order, and without overlaps."""
NO_LINES: Lines = MappingProxyType({})


class Hole(NamedTuple):
    """Hidden bytes of one file, end excluded."""

    start: int
    end: int


def locate_span_without_last_line_end(data: bytes, span: Span) -> Hole:
    """The bytes of the span's lines, without the end of the last line. Lines end at "\\n", as for a compiler. A span
    that reaches past the file ends with the file."""
    start = 0
    for _ in range(span.first - 1):
        start = data.find(b"\n", start) + 1
        if start == 0:
            return Hole(len(data), len(data))
    end = start
    for line in range(span.first, span.last + 1):
        end = data.find(b"\n", end)
        if end < 0:
            return Hole(start, len(data))
        end += line < span.last
    return Hole(start, end)


def locate_spans_with_line_ends(data: bytes, spans: Sequence[Span]) -> list[Hole]:
    """The bytes of each span's lines with the end of the last one. Spans come in order and don't overlap."""
    starts = [0, *(at.end() for at in re.finditer(b"\n", data))]
    last = len(starts) - 1
    return [
        Hole(starts[min(span.first - 1, last)], starts[span.last] if span.last <= last else len(data))
        for span in spans
    ]


def is_in_spans(line: int, spans: Sequence[Span]) -> bool:
    """Whether a line lies in one of the spans, which come in order and don't overlap."""
    at = bisect_right(spans, line, key=lambda span: span.first)
    return at > 0 and line <= spans[at - 1].last


def find_body_hole(data: bytes, span: Span, bodies: Iterable[Hole]) -> Hole:
    """The body of the function at `span`. `bodies` are those that the parser found under the target's name. When
    none of them begins in the span, the body is found by tokens, and when that fails the whole span is hidden:
    hiding a signature too many is better than showing a body."""
    whole = locate_span_without_last_line_end(data, span)
    inside = [b for b in bodies if whole.start <= b.start < whole.end]
    if not inside:
        text = data[whole.start : whole.end]
        # In `f(void) BEGIN ... if (a) { ... } END` the first brace isn't the body's.
        is_in_braces = NOT_CODE.sub(b"", text).rstrip(b"; \t\r\n").endswith(b"}")
        offset = find_body_or_initializer_list_offset(text.decode("latin-1")) if is_in_braces else None
        return Hole(whole.start + (offset or 0), whole.end)
    body = min(inside, key=lambda b: b.start)
    # The parser's end counts only when it lies on the span's last line: else the parser misread the body.
    rest_of_line = data[body.end : whole.end]
    end = body.end if b"\n" not in rest_of_line and body.end <= whole.end else max(body.end, whole.end)
    return Hole(body.start, end)


def merge_overlapping_holes(holes: Iterable[Hole]) -> tuple[Hole, ...]:
    """The holes in order, with overlapping holes joined."""
    out: list[Hole] = []
    for hole in sorted(holes):
        if out and hole.start < out[-1].end:
            out[-1] = Hole(out[-1].start, max(out[-1].end, hole.end))
        else:
            out.append(hole)
    return tuple(out)


def replace_holes_by_placeholder(data: bytes, start: int, end: int, holes: Sequence[Hole]) -> bytes:
    """`data[start:end]` with each hole replaced by `PLACEHOLDER`, or by nothing when the hole begins before
    `start`."""
    parts = []
    position = start
    for hole in holes:
        if hole.end <= position or hole.start >= end:
            continue
        if hole.start >= position:
            parts += [data[position : hole.start], PLACEHOLDER]
        position = min(hole.end, end)
    return b"".join((*parts, data[position:end]))


def has_overlapping_hole(start: int, end: int, holes: Sequence[Hole]) -> bool:
    """Whether a hole overlaps the bytes [start, end)."""
    return any(hole.start < end and start < hole.end for hole in holes)

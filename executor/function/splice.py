"""Puts a candidate into its file, or into its files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from index.errors import TaskError
from index.function_texts import split_functions
from index.source_text import (
    BOM,
    encode_source,
    explain_utf16_or_utf32_or_empty,
    put_text_above_first_line,
    split_byte_lines_keeping_ends,
)
from index.values import Span, Target


@dataclass(frozen=True, slots=True)
class Edit:
    """`text` stands in the place of the lines `span` of the file `path`, and `before` above its first line."""

    path: str
    span: Span
    text: str
    before: str = ""


def make_edits(target: Target, code: str) -> tuple[Edit, ...]:
    """What a candidate changes: one edit for each function of the target. Raises TaskError when one is missing."""
    holes = target.holes
    found = []
    for hole, text in zip(holes, split_functions(code, len(holes)), strict=True):
        if text is None:
            raise TaskError(f"{hole.path}:{hole.span.first}: the answer has no text for {hole.name}")
        found.append(Edit(hole.path, hole.span, text))
    return tuple(found)


def apply_edits(data: bytes, edits: Sequence[Edit]) -> bytes:
    """The file with several edits. Raises TaskError as `splice`."""
    for edit in sorted(edits, key=lambda edit: edit.span.first, reverse=True):
        data = splice_function(data, edit.span, edit.text)
    before = dict.fromkeys(edit.before for edit in edits)
    return put_text_above_first_line(data, "".join(before))


def splice_function(data: bytes, span: Span, code: str) -> bytes:
    """`data` with the lines of `span` replaced by `code`; not a byte changes before or after them.

    Lines end at b"\\n". The last replaced line's own ending (LF, CRLF, or none at the file's end) closes the
    candidate, so the text of the span spliced into its own file gives the same bytes again. A BOM isn't the span's.
    Raises TaskError when the span lies outside the file, and for a file in UTF-16.
    """
    if why := explain_utf16_or_utf32_or_empty(data):
        raise TaskError(f"the file can't be changed: {why}")
    mark = BOM if data.startswith(BOM) else b""
    lines = split_byte_lines_keeping_ends(data.removeprefix(mark))
    if not 1 <= span.first <= span.last <= len(lines):
        raise TaskError(f"span {span.first}..{span.last} lies outside the file, which has {len(lines)} lines")
    last = lines[span.last - 1]
    ending = last[len(_strip_line_ending(last)) :]
    body = _strip_line_ending(encode_source(code)) + ending
    return mark + b"".join(lines[: span.first - 1]) + body + b"".join(lines[span.last :])


def _strip_line_ending(line: bytes) -> bytes:
    return line[:-2] if line.endswith(b"\r\n") else line.removesuffix(b"\n")

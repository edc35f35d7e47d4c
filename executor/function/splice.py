"""Puts a candidate into its file."""

from __future__ import annotations

from index.errors import TaskError
from index.values import Span


def splice(data: bytes, span: Span, code: str) -> bytes:
    """`data` with the lines of `span` replaced by `code`; not a byte changes before or after them.

    Lines end at b"\\n". The last replaced line's own ending (LF, CRLF, or none at the file's end) closes the
    candidate, so the text of the span spliced into its own file gives the same bytes again. Raises TaskError
    when the span lies outside the file.
    """
    # Not bytes.splitlines: it also cuts at a lone CR, and then no line number after it is the compiler's.
    pieces = data.split(b"\n")
    lines = [line + b"\n" for line in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])
    if not 1 <= span.first <= span.last <= len(lines):
        raise TaskError(f"span {span.first}..{span.last} lies outside the file, which has {len(lines)} lines")
    last = lines[span.last - 1]
    ending = last[len(_without_ending(last)) :]
    body = _without_ending(encode(code)) + ending
    return b"".join(lines[: span.first - 1]) + body + b"".join(lines[span.last :])


def encode(code: str) -> bytes:
    """The bytes of `code`. Bytes that weren't UTF-8 come back as they were (surrogateescape). A lone surrogate, which
    a model's broken JSON can hold, becomes "?"."""
    try:
        return code.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return code.encode("utf-8", "replace")


def _without_ending(line: bytes) -> bytes:
    if line.endswith(b"\r\n"):
        return line[:-2]
    if line.endswith(b"\n"):
        return line[:-1]
    return line

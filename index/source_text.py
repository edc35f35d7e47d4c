"""The bytes of a source file as text, its lines, and text that is put into it.

A file may be in any encoding that holds ASCII as ASCII (UTF-8, Latin-1, Shift-JIS): what Graft doesn't change comes
out byte for byte. A line ends at "\\n" alone, as for a compiler: a form feed, a lone CR or a U+2028 inside a line
moves no line's number.
"""

from __future__ import annotations

import re
from io import BytesIO, StringIO

BOM = b"\xef\xbb\xbf"
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
# ASCII in UTF-16 without a mark: every second byte is NUL.
_WIDE_TEXT = re.compile(rb"(?:[\t-~]\0){8}|(?:\0[\t-~]){8}")


def decode_source(data: bytes) -> str:
    """The text of `data`: UTF-8 with surrogateescape, so that every byte can be written back."""
    return data.decode("utf-8", "surrogateescape")


def encode_source(text: str) -> bytes:
    """The bytes of `text`. Bytes that weren't UTF-8 come back as they were (surrogateescape). A lone surrogate, which
    a model's broken JSON can hold, becomes "?"."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def split_lines_keeping_ends(text: str) -> list[str]:
    """The lines with their ends."""
    return list(StringIO(text))


def split_lines_without_ends(text: str) -> list[str]:
    """The lines without their ends, "\\n" or "\\r\\n"."""
    return [line.removesuffix("\n").removesuffix("\r") for line in split_lines_keeping_ends(text)]


def split_byte_lines_keeping_ends(data: bytes) -> list[bytes]:
    """The lines of a file with their ends."""
    return list(BytesIO(data))


def put_text_above_first_line(data: bytes, text: str) -> bytes:
    """The file with `text` above its first line: behind a BOM, which is one at a file's start alone."""
    mark = BOM if text and data.startswith(BOM) else b""
    return mark + encode_source(text) + data.removeprefix(mark)


def explain_utf16_or_utf32_or_empty(data: bytes) -> str:
    """Why the file can't be read, where it is UTF-16 or UTF-32, which no C compiler reads; "" for any other."""
    if data.startswith(_WIDE_MARKS) or _WIDE_TEXT.match(data):
        return "its text is UTF-16 or UTF-32; convert it to UTF-8"
    return ""

"""The includes at the start of a unit, which can be parsed once for all drafts of a function further down."""

from __future__ import annotations

import re
from dataclasses import dataclass

from index.values import Span

# Literals first, so that a URL in one isn't taken for a comment.
_BLANKED = re.compile(
    rb""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?P<comment>//(?:\\\r?\n|[^\n])*|/\*.*?\*/)""", re.DOTALL
)
_CONTINUED = re.compile(rb"\\[ \t]*\r?$")
_DIRECTIVE = re.compile(rb"\s*#\s*(\w*)")
_OPENS = frozenset((b"if", b"ifdef", b"ifndef"))
# These change nothing but macros. A pragma or #line acts on all that follows, and not every compiler keeps it in a
# precompiled header.
_HARMLESS = frozenset((b"", b"define", b"undef", b"elif", b"else", b"error", b"warning"))


@dataclass(frozen=True, slots=True)
class Leading:
    """`text`: the first lines of the file, up to and including the last #include that only directives, comments and
    empty lines precede. `rest`: the file with these lines emptied, so that the others keep their numbers."""

    text: bytes
    rest: bytes


def split_leading_includes(spliced: bytes, span: Span) -> Leading | None:
    """Split off the leading includes of a file with a draft from line `span.first` on; None when it has none.

    `text` never holds a part of the draft: lines from `span.first` on aren't looked at."""
    lines = spliced.split(b"\n")
    before = b"\n".join(lines[: span.first - 1])
    count = _count_leading_include_lines(_replace_comments_by_continuations(before).split(b"\n"))
    if count == 0:
        return None
    text = b"\n".join(lines[:count]) + b"\n"
    return Leading(text, b"\n" * count + b"\n".join(lines[count:]))


def _count_leading_include_lines(lines: list[bytes]) -> int:
    """The number of lines that the leading includes take. Conditionals must be closed within them."""
    depth = last = number = 0
    inside = False
    while number < len(lines):
        first = number
        while number + 1 < len(lines) and _CONTINUED.search(lines[number]):
            number += 1
        number += 1
        logical = b" ".join(_CONTINUED.sub(b"", line) for line in lines[first:number])
        found = _DIRECTIVE.match(logical)
        if found is None:
            if logical.strip():
                break
            continue
        name = found[1]
        if name in _OPENS:
            depth += 1
        elif name == b"endif":
            depth -= 1
            if depth == 0 and inside:
                last, inside = number, False
        elif name in (b"include", b"include_next"):
            if depth:
                inside = True
            else:
                last = number
        elif name not in _HARMLESS:
            break
    return last


def _replace_comments_by_continuations(text: bytes) -> bytes:
    """Replace each comment by a space and its line ends by continuations, so that no cut falls inside a comment."""

    def replace_comment_by_continuations(found: re.Match[bytes]) -> bytes:
        return b" " + b"\\\n" * found[0].count(b"\n") if found["comment"] else found[0]

    return _BLANKED.sub(replace_comment_by_continuations, text)

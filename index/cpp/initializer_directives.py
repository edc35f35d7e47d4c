"""Directives within an initializer: `const Entry table[] = {`, a `#define`, an `#include` of the elements, `};`. The
grammar misreads what follows several of them, up to the next function or beyond: they are blanked for the parser."""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

from index.cpp.tokens import BRACES, blank_bytes_except_line_ends


class HiddenDefine(NamedTuple):
    """A `#define` that the parser doesn't see: [start, end) of its text, its name, and `NAME(a, b)` as written."""

    start: int
    end: int
    name: str
    head: str


_OPENING = re.compile(rb"=\s*\{")
_DEFINE = re.compile(rb"#[ \t]*define[ \t]+(([A-Za-z_]\w*)(?:\([^()\n]*\))?)")
_BEHIND = re.compile(rb"\s*[;,)}]")
_LONGEST_INITIALIZER = 200_000
_NEVER = sys.maxsize
_MOST_BYTES_READ = 4_000_000
"""Bytes of a file that are read for this. In a text of braces that never close, reading far for each would take
long."""


def blank_initializer_directives(out: bytearray, data: bytes) -> list[HiddenDefine]:
    """Blank in `out`, which has the text `data`, the directives within initializers. Returns the macros that these
    define, in order of place."""
    if b"#" not in data:
        return []
    found: list[HiddenDefine] = []
    at = sharp = ended = 0
    left = _MOST_BYTES_READ
    while left > 0 and (opening := _OPENING.search(data, at)) is not None:
        at = opening.end()
        # Nearly all hold no directive, which is seen without reading them.
        sharp = sharp if sharp >= at else data.find(b"#", at)
        ended = ended if ended >= at else data.find(b"};", at) % _NEVER
        if sharp < 0:
            break
        if ended < sharp or sharp > at + _LONGEST_INITIALIZER:
            continue
        directives, end = _find_directives_in_initializer(data, at - 1)
        left -= end - at
        for start, end in directives:
            define = _DEFINE.match(data, start)
            if define is not None:
                text = data[start:end].rstrip()
                name, head = (define[i].decode("utf-8", "replace") for i in (2, 1))
                found.append(HiddenDefine(start, start + len(text), name, head))
            blank_bytes_except_line_ends(out, start, end, b"\f")
        if directives:
            at = directives[-1][1]
    return found


def _find_directives_in_initializer(data: bytes, opening_brace: int) -> tuple[list[tuple[int, int]], int]:
    """[start, end) of the directives in the braces that open at `opening_brace`, none when these don't close as an
    initializer does; and how far the text was read."""
    found: list[tuple[int, int]] = []
    depth = 0
    for match in BRACES.finditer(data, opening_brace, opening_brace + _LONGEST_INITIALIZER):
        first = data[match.start()]
        if first == 123:
            depth += 1
        elif first == 125:
            depth -= 1
            if depth == 0:
                return (found if _BEHIND.match(data, match.end()) else []), match.end()
        elif (directive := match.group().lstrip(b" \t")).startswith(b"#"):
            found.append((match.end() - len(directive), match.end()))
    return [], opening_brace + _LONGEST_INITIALIZER

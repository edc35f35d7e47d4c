"""Directives within an initializer: `const Entry table[] = {`, a `#define`, an `#include` of the elements, `};`. The
grammar misreads what follows several of them, up to the next function or beyond: they are blanked for the parser. So
are those between a constructor's initializers, whose function the grammar loses."""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

from index.cpp.tokens import BRACES, blank_bytes_except_line_ends
from index.values import ByteRange


class HiddenDefine(NamedTuple):
    """A `#define` that the parser doesn't see: [start, end) of its text, its name, and `NAME(a, b)` as written."""

    start: int
    end: int
    name: str
    head: str


_SpansAndReadEnd = tuple[list[ByteRange], int]

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


def _find_directives_in_initializer(data: bytes, opening_brace: int) -> _SpansAndReadEnd:
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


_BEFORE_LIST = re.compile(rb"\)(?=(?:\s|noexcept\b|try\b|//[^\n]*|/\*.*?\*/|#[^\n]*)*+:(?!:))", re.DOTALL)
_PIECE = re.compile(BRACES.pattern + rb"|::|[A-Za-z_]\w*|\S", re.MULTILINE)
_NAME = re.compile(rb"[A-Za-z_]")
_NOT_IN_LISTS = frozenset(b"; / if for while switch do return case default else".split())
_LONGEST_LIST = 10_000


def blank_constructor_initializer_directives(out: bytearray, data: bytes) -> None:
    """Blank in `out`, which has the text `data`, the directives between the initializers of constructors."""
    left = _MOST_BYTES_READ if b"#" in data else 0
    at = 0
    while left > 0 and (before := _BEFORE_LIST.search(data, at)) is not None:
        at = before.end()
        if b"//" in data[data.rfind(b"\n", 0, at) + 1 : at]:
            continue
        directives, end = _find_directives_between_initializers(data, at)
        left -= end - at
        for span in directives:
            blank_bytes_except_line_ends(out, *span, b" ")


def _find_directives_between_initializers(data: bytes, at: int) -> _SpansAndReadEnd:
    """[start, end) of the directives between a header's `)` at `at` and its body, none where no list of initializers
    stands there; and how far the text was read."""
    found: list[tuple[int, int]] = []
    depth = colons = 0
    last = b""
    end = at
    for match in _PIECE.finditer(data, at, at + _LONGEST_LIST):
        piece, end = match.group().lstrip(b" \t"), match.end()
        if piece.startswith((b"#", b"//", b"/*")):
            found += [match.span()] if piece.startswith(b"#") and not depth else []
            continue
        if piece == b"{" and not depth and not (_NAME.match(last) or last == b">"):
            return (found if colons == 1 and last in (b")", b"}", b".") else []), end
        depth += (piece in (b"(", b"[", b"{")) - (piece in (b")", b"]", b"}"))
        colons += piece == b":" and not depth
        is_name_behind_name = colons and _NAME.match(last) and _NAME.match(piece)
        if depth < 0 or colons > 1 or (not depth and (is_name_behind_name or piece in _NOT_IN_LISTS)):
            break
        last = piece
    return [], end

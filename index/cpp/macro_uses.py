"""Uses of macros where the grammar can't read them: alone on a line, and in the head of a class.

`IMPLEMENT_ASN1_FUNCTIONS(X509)` without a `;` swallows the function after it; `class API Base` is read as a function.
A macro that the tree defines is known by its definition, others by the place where they stand.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from index.cpp.declaring_macros import DeclaringMacro, MacroSymbol, expand_macro_use
from index.cpp.tokens import blank_bytes_except_line_ends
from index.values import ByteRange


class MacroUse(NamedTuple):
    """A function-like macro's use at a line's start: `end` is behind its `)`, `following` the next byte of code."""

    start: int
    end: int
    name: str
    arguments: str
    following: bytes


Spans = Sequence[ByteRange]
"""[start, end) of parts of a text, in order of place."""
_SymbolsAndHeadersByStart = tuple[list[MacroSymbol], dict[int, MacroSymbol]]
_LONGEST_ARGUMENTS = 20_000
# Two patterns: the engine looks for a line's end much quicker than for the text's start or a line's end.
_USE = rb"[ \t]*(?:(?:static|extern|typedef)[ \t]+)?([A-Za-z_]\w*)[ \t]*(?=\()"
_FIRST_LINE_USE = re.compile(_USE)
_LINE_USE = re.compile(rb"\n" + _USE)
_LONE_WORDS = re.compile(rb"\n[ \t]+([A-Z][A-Z0-9_]{2,}(?:[ \t]+[A-Z][A-Z0-9_]{2,})*)[ \t]*(?=\r?\n)")
_WORD_BEFORE_NAMESPACE = re.compile(rb"\n([A-Z][A-Z0-9_]{2,})(?=\s+namespace\s*\{)")
_DIRECTIVE = re.compile(rb"#(?:[^\\\n]|\\\r?\n|\\.)*+")
_SPACE_AND_COMMENTS = re.compile(rb"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_CASTS = (b"unsigned(", b"signed(", b"long(", b"short(")
_CONDITION_BEFORE = re.compile(rb"\b(?:switch|if|while)\s*\(\s*\Z")
_LONGEST_CONDITION = 40
_PLAIN_HEADER = b"int ()"
_CONTINUING_BYTES = frozenset(bytes([c]) for c in b"{=,.)-+*/?<>&|:[(%^\"'\\")


def blank_macro_uses(
    out: bytearray, data: bytes, macros: Mapping[str, DeclaringMacro], directives: Spans
) -> _SymbolsAndHeadersByStart:
    """Blank in `out`, which has the text `data`, the uses of macros that the grammar can't read.

    Returns what uses of `macros` declare, by place; and the functions whose header a macro makes, as
    `DEFINE_RUN_ONCE(init) { ... }`, by where the use begins.
    """
    uses = list(_find_declaring_uses(data, macros, directives)) if macros else []
    symbols, headers = _expand_uses(uses, macros)
    _blank_unterminated_declaring_uses(out, data, uses)
    _blank_lone_macro_words(out, data, directives)
    # The type in `switch (unsigned(x))`: the grammar reads a declaration there, and loses the switch.
    for at, end in _find_all_places_of_substrings(data, _CASTS):
        if _CONDITION_BEFORE.search(data, max(0, at - _LONGEST_CONDITION), at):
            blank_bytes_except_line_ends(out, at, end - 1, b" ")
    _insert_plain_function_headers(out, headers)
    return symbols, headers


def _find_declaring_uses(data: bytes, macros: Mapping[str, DeclaringMacro], directives: Spans) -> Iterator[MacroUse]:
    """The uses of these macros at the start of lines, outside directives."""
    first = _FIRST_LINE_USE.match(data)
    for match in chain(() if first is None else (first,), _LINE_USE.finditer(data)):
        name, at, opening = match[1].decode(), match.start(1), match.end()
        if name in macros and not is_inside(at, directives):
            end = _find_end_of_parentheses(data, opening)
            if end is not None:
                # With the `static` before it.
                start = at - len(data[data.rfind(b"\n", 0, at) + 1 : at].lstrip())
                arguments = data[opening + 1 : end - 1].decode("utf-8", "replace")
                following = _skip_space_and_comments(data, end)
                yield MacroUse(start, end, name, arguments, data[following : following + 1])


def _expand_uses(uses: Sequence[MacroUse], macros: Mapping[str, DeclaringMacro]) -> _SymbolsAndHeadersByStart:
    """What these uses declare; and what those that a body follows are the header of, which declare nothing else."""
    symbols: list[MacroSymbol] = []
    headers = {}
    for use in uses:
        macro = macros[use.name]
        if use.following == b"{" and macro.parts and macro.parts[-1].kind == "prototype":
            macro = macro._replace(parts=macro.parts[-1:])
            for header in expand_macro_use(macro, use.name, use.arguments, use.start, use.end):
                headers[use.start] = header
        elif use.following not in _CONTINUING_BYTES:
            symbols += expand_macro_use(macro, use.name, use.arguments, use.start, use.end)
    return symbols, headers


def _insert_plain_function_headers(out: bytearray, headers: Mapping[int, MacroSymbol]) -> None:
    """Put a plain header of the same length where a use of a macro stands for one: no grammar reads
    `ONCE(init) { ... }`."""
    for header in headers.values():
        line = out.find(b"\n", header.start, header.end)
        more = (line if line >= 0 else header.end) - header.start - len(_PLAIN_HEADER)
        if more > 0:
            blank_bytes_except_line_ends(out, header.start, header.end, b" ")
            plain = _PLAIN_HEADER[:-2] + b"f" * more + b"()"
            out[header.start : header.start + len(plain)] = plain


def _blank_unterminated_declaring_uses(out: bytearray, data: bytes, uses: Sequence[MacroUse]) -> None:
    """Blank the uses that end in no `;`: what follows doesn't belong to them."""
    for use in uses:
        ended = use.following == b";"
        if use.following not in _CONTINUING_BYTES and not (ended and data.startswith(use.name.encode(), use.start)):
            # `static MAKE(x);` would leave `static ;`
            blank_bytes_except_line_ends(out, use.start, use.end + ended, b"\f")


def _blank_lone_macro_words(out: bytearray, data: bytes, directives: Spans) -> None:
    """Blank upper-case words that stand alone in a line where a statement may begin: macros without a semicolon; and
    before an unnamed namespace, which the grammar takes for a function of that type."""
    for match in _WORD_BEFORE_NAMESPACE.finditer(data):
        blank_bytes_except_line_ends(out, *match.span(1), b" ")
    for match in _LONE_WORDS.finditer(data):
        start, end = match.span(1)
        following = data[_skip_space_and_comments(data, match.end()) :][:1]
        is_code = following.isalpha() or following in (b"_", b"}")
        if is_code and _may_begin_statement(data, start) and not is_inside(start, directives):
            blank_bytes_except_line_ends(out, start, end, b" ")


def _find_all_places_of_substrings(data: bytes, substrings: Sequence[bytes]) -> Iterator[ByteRange]:
    """[start, end) of each place where one of the words stands."""
    for word in substrings:
        at = data.find(word)
        while at >= 0:
            yield at, at + len(word)
            at = data.find(word, at + len(word))


def find_directives(data: bytes) -> list[ByteRange]:
    """[start, end) of the preprocessor's lines."""
    return [
        match.span()
        for match in _DIRECTIVE.finditer(data)
        if not data[data.rfind(b"\n", 0, match.start()) + 1 : match.start()].strip()
    ]


def is_inside(at: int, spans: Spans) -> bool:
    index = bisect_right(spans, at, key=lambda span: span[0]) - 1
    return index >= 0 and at < spans[index][1]


def _skip_space_and_comments(data: bytes, at: int) -> int:
    """The first place from `at` on that is neither white space nor a comment."""
    space = _SPACE_AND_COMMENTS.match(data, at)
    return at if space is None else space.end()


def _may_begin_statement(data: bytes, start: int) -> bool:
    """Whether a statement or declaration may begin at `start`, by the last code before it."""
    for line in _iterate_lines_upwards(data, start):
        code = line.split(b"//")[0].rstrip()
        if not code:
            continue
        if code.lstrip().startswith(b"#") or code.endswith(b"*/"):
            return True
        return code[-1:] in (b";", b"{", b"}", b":", b")", b">")
    return True


def _iterate_lines_upwards(data: bytes, start: int) -> Iterator[bytes]:
    end = data.rfind(b"\n", 0, start)
    for _ in range(50):
        if end < 0:
            return
        begin = data.rfind(b"\n", 0, end)
        yield data[begin + 1 : end]
        end = begin


_BRACKET_OR_TEXT = re.compile(rb"[()]|\"(?:[^\"\\\n]|\\[\s\S])*+[\"\n]?|'(?:[^'\\\n]|\\[\s\S])*+['\n]?")


def _find_end_of_parentheses(data: bytes, opening: int) -> int | None:
    """The end of the brackets that open at `opening`, strings in them skipped; None past
    `_LONGEST_ARGUMENTS` bytes."""
    depth = 0
    for match in _BRACKET_OR_TEXT.finditer(data, opening, opening + _LONGEST_ARGUMENTS):
        byte = data[match.start()]
        depth += (byte == 40) - (byte == 41)
        if depth == 0:
            return match.end()
    return None

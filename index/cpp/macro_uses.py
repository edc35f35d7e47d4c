"""Uses of macros where the grammar can't read them: alone on a line, and in the head of a class.

`IMPLEMENT_ASN1_FUNCTIONS(X509)` without a `;` swallows the function after it; `class API Base` is read as a function.
A macro that the tree defines is known by its definition, others by the place where they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from index.cpp.declaring_macros import DeclaringMacro, MacroSymbol, expand_macro_use, split_macro_arguments


class MacroUse(NamedTuple):
    """A function-like macro's use at a line's start: `end` is behind its `)`, `following` the next byte of code."""

    start: int
    end: int
    name: str
    arguments: str
    following: bytes


MAX_ARGUMENTS = 20_000
_LINE_USE = re.compile(rb"(?:^|\n)[ \t]*(?:(?:static|extern|typedef)[ \t]+)?([A-Za-z_]\w*)[ \t]*(?=\()")
_UNKNOWN_USE = re.compile(rb"\n([A-Z][A-Z0-9_]{2,})[ \t]*(?=\()")
_UNKNOWN_WORD = re.compile(rb"\n[ \t]*([A-Z][A-Z0-9_]{3,})[ \t]*(?=\r?\n)")
_MACRO_BEHIND_PARAMETERS = re.compile(rb"\)\s*([A-Z_][A-Z0-9_]{3,})(?=\(|\s|\{)")
_DIRECTIVE = re.compile(rb"#(?:[^\\\n]|\\\r?\n|\\.)*+")
_SPACE_AND_COMMENTS = re.compile(rb"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_CALL = re.compile(rb"[A-Za-z_]\w*\s*\(")
_CLASS_WORDS = (b"class ", b"struct ", b"union ")
_CLASS_MACRO = re.compile(
    rb"(?:class|struct|union)[ \t]+([A-Z_][A-Z0-9_]{2,})[ \t]+(?!final\b)[A-Za-z_]\w*[\w:<>, \t]*?\s*(?::(?!:)|\{)"
)
_CASTS = (b"unsigned(", b"signed(", b"long(", b"short(")
_CONDITION_BEFORE = re.compile(rb"\b(?:switch|if|while)\s*\(\s*\Z")
_LONGEST_CONDITION = 40


def find_declaring_uses(data: bytes, makers: Mapping[str, DeclaringMacro]) -> list[MacroUse]:
    """The uses of these macros at the start of lines, outside directives."""
    found = []
    hidden: list[tuple[int, int]] | None = None
    for match in _LINE_USE.finditer(data):
        if match[1].decode() not in makers:
            continue
        if hidden is None:
            hidden = find_directives(data)
        if (
            not _is_inside(match.start(1), hidden)
            and (use := _read_use(data, match.start(1), match.end())) is not None
        ):
            begin = data.rfind(b"\n", 0, use.start) + 1
            found.append(use._replace(start=use.start - len(data[begin : use.start].lstrip())))
    return found


def expand_macro_symbols(uses: list[MacroUse], makers: Mapping[str, DeclaringMacro]) -> list[MacroSymbol]:
    """What these uses declare, by place. A use that a body follows declares nothing by itself."""
    out: list[MacroSymbol] = []
    for use in uses:
        if use.following not in _CONTINUING_BYTES:
            out += expand_macro_use(
                makers[use.name], use.name, split_macro_arguments(use.arguments), use.start, use.end
            )
    return out


def expand_macro_headers(uses: list[MacroUse], makers: Mapping[str, DeclaringMacro]) -> dict[int, MacroSymbol]:
    """The functions whose header a macro makes, `DEFINE_RUN_ONCE(init) { ... }`, by where the use begins."""
    out = {}
    for use in uses:
        parts = makers[use.name].parts
        if use.following == b"{" and parts and parts[-1].kind == "prototype":
            last = DeclaringMacro(makers[use.name].parameters, parts[-1:])
            for header in expand_macro_use(last, use.name, split_macro_arguments(use.arguments), use.start, use.end):
                out[use.start] = header
    return out


def insert_plain_headers(out: bytearray, headers: Mapping[int, MacroSymbol]) -> None:
    """Put a plain header of the same length where a use of a macro stands for one: no grammar reads
    `ONCE(init) { ... }`."""
    for header in headers.values():
        line = out.find(b"\n", header.start, header.end)
        length = (line if line >= 0 else header.end) - header.start
        if length > len(_PLAIN_HEADER):
            _blank_bytes(out, header.start, header.end, 32)
            out[header.start : header.start + length] = (
                _PLAIN_HEADER[:-2] + b"f" * (length - len(_PLAIN_HEADER)) + b"()"
            )


_PLAIN_HEADER = b"int ()"
_CONTINUING_BYTES = frozenset(bytes([c]) for c in b"{=,.)-+*/?<>&|:[(%^\"'\\")


def blank_declaring_uses(out: bytearray, data: bytes, uses: list[MacroUse]) -> None:
    """Blank the uses that end in no `;`: what follows doesn't belong to them."""
    for use in uses:
        if use.following in _CONTINUING_BYTES or (
            use.following == b";" and data.startswith(use.name.encode(), use.start)
        ):
            continue
        # `static MAKE(x);` would leave `static ;`
        _blank_bytes(out, use.start, use.end + (use.following == b";"), 12)


def blank_unknown_macros(out: bytearray, data: bytes) -> None:
    """Blank upper-case words that stand alone where only a macro can: at file level before a declaration,
    before what a class goes on with, and between a parameter list and a body."""
    hidden: list[tuple[int, int]] | None = None
    for match in _MACRO_BEHIND_PARAMETERS.finditer(data):
        end = find_closing_parenthesis(data, match.end(1), MAX_ARGUMENTS) if data[match.end(1)] == 40 else match.end(1)
        after = _SPACE_AND_COMMENTS.match(data, end) if end is not None else None
        if after is not None and data[after.end() : after.end() + 1] == b"{":
            _blank_bytes(out, match.start(1), end or 0, 32)
    for match in _UNKNOWN_USE.finditer(data):
        use = _read_use(data, match.start(1), match.end())
        if use is None or not (use.following.isalpha() or use.following in (b"_", b"}", b"#", b"")):
            continue
        after = _SPACE_AND_COMMENTS.match(data, use.end)
        assert after is not None
        if (
            b"\n" not in after.group()
            or _CALL.match(data, after.end())
            or not _may_begin_statement(data, match.start(1))
        ):
            continue
        if use.arguments.strip() in ("class", "struct", "union"):
            continue  # `ATTRIBUTE_ALIGNED16(class)` above the class's name
        if hidden is None:
            hidden = find_directives(data)
        if not _is_inside(use.start, hidden):
            _blank_bytes(out, use.start, use.end, 12)
    for match in _UNKNOWN_WORD.finditer(data):
        after = _SPACE_AND_COMMENTS.match(data, match.end())
        assert after is not None
        if not _WORD.match(data, after.end()) or not _may_begin_statement(data, match.start(1)):
            continue
        if hidden is None:
            hidden = find_directives(data)
        if not _is_inside(match.start(1), hidden):
            _blank_bytes(out, match.start(1), match.end(1), 32)


def blank_class_macros(out: bytearray, data: bytes) -> None:
    """Blank the macro in `class MACRO Name {`."""
    for word in _CLASS_WORDS:
        at = data.find(word)
        while at >= 0:
            match = _CLASS_MACRO.match(data, at)
            if match is not None:
                _blank_bytes(out, match.start(1), match.end(1), 32)
            at = data.find(word, at + len(word))


def blank_condition_casts(out: bytearray, data: bytes) -> None:
    """Blank the type in `switch (unsigned(x))`: the grammar reads a declaration there, and loses the switch."""
    for word in _CASTS:
        at = data.find(word)
        while at >= 0:
            if _CONDITION_BEFORE.search(data, max(0, at - _LONGEST_CONDITION), at):
                _blank_bytes(out, at, at + len(word) - 1, 32)
            at = data.find(word, at + len(word))


def find_directives(data: bytes) -> list[tuple[int, int]]:
    """[start, end) of the preprocessor's lines."""
    return [
        (m.start(), m.end())
        for m in _DIRECTIVE.finditer(data)
        if not data[data.rfind(b"\n", 0, m.start()) + 1 : m.start()].strip()
    ]


def _is_inside(at: int, spans: list[tuple[int, int]]) -> bool:
    low, high = 0, len(spans)
    while low < high:
        middle = (low + high) // 2
        if spans[middle][1] <= at:
            low = middle + 1
        else:
            high = middle
    return low < len(spans) and spans[low][0] <= at


def _read_use(data: bytes, start: int, opening: int) -> MacroUse | None:
    end = find_closing_parenthesis(data, opening, MAX_ARGUMENTS)
    if end is None:
        return None
    after = _SPACE_AND_COMMENTS.match(data, end)
    assert after is not None
    name = _WORD.match(data, start)
    assert name is not None
    arguments = data[opening + 1 : end - 1].decode("utf-8", "replace")
    return MacroUse(start, end, name.group().decode(), arguments, data[after.end() : after.end() + 1])


def _may_begin_statement(data: bytes, start: int) -> bool:
    """Whether a statement or declaration may begin at `start`, by the last code before it."""
    for line in _lines_before(data, start):
        code = line.split(b"//")[0].rstrip()
        if not code:
            continue
        if code.lstrip().startswith(b"#") or code.endswith(b"*/"):
            return True
        return code[-1:] in (b";", b"{", b"}", b":", b")", b">")
    return True


def _lines_before(data: bytes, start: int) -> Iterator[bytes]:
    end = data.rfind(b"\n", 0, start)
    for _ in range(50):
        if end < 0:
            return
        begin = data.rfind(b"\n", 0, end)
        yield data[begin + 1 : end]
        end = begin


def _blank_bytes(out: bytearray, start: int, end: int, filler: int) -> None:
    out[start:end] = bytes(c if c in b"\r\n" else filler for c in out[start:end])


def find_closing_parenthesis(data: bytes, opening: int, most: int) -> int | None:
    """The end of the brackets that open at `opening`, strings in them skipped; None past `most` bytes."""
    depth = 0
    quote = 0
    at = opening
    stop = min(len(data), opening + most)
    while at < stop:
        byte = data[at]
        if quote:
            if byte == 92:
                at += 1
            elif byte in (quote, 10):
                quote = 0
        elif byte in b"\"'":
            quote = byte
        elif byte == 40:
            depth += 1
        elif byte == 41:
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return None

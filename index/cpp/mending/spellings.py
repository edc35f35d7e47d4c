"""Digraphs, trigraphs and names that go on in the next line, written as every parser reads them."""

from __future__ import annotations

import re

from index.cpp.tokens import NOT_CODE

_PLAIN = {
    b"<%": b"{ ",
    b"%>": b" }",
    b"<:": b"[ ",
    b":>": b" ]",
    b"%:": b"# ",
    b"??<": b"{  ",
    b"??>": b"  }",
    b"??(": b"[  ",
    b"??)": b"  ]",
    b"??=": b"#  ",
    b"??/": b"\\  ",
    b"??'": b"^  ",
    b"??!": b"|  ",
    b"??-": b"~  ",
}
# `<::` is a `<` and a `::`, as C++ has it.
_SIGN = re.compile(NOT_CODE.pattern + rb"|<%|%>|<:(?!:[^:>])|(?<!:):>|%:|\?\?[<>()=/'!-]")
_TRIGRAPH = re.compile(rb"\?\?[<>()=/'!-]")
_MAYBE_CONTINUED = re.compile(rb"\\\r?\n\w")
_CONTINUED = re.compile(rb"(?<=\w)((?:\\\r?\n)+)(\w+)")


def replace_digraphs_and_join_continued_names(data: bytes) -> bytes:
    """`data` with the plain signs for digraphs and trigraphs, and the continued names whole, at the same length."""
    if _MAYBE_CONTINUED.search(data):
        joined = _CONTINUED.sub(rb"\2\1", data)
        while joined != data:
            data, joined = joined, _CONTINUED.sub(rb"\2\1", joined)
    if any(sign in data for sign in (b"<%", b"%>", b"<:")) or (b"??" in data and _TRIGRAPH.search(data)):
        data = _SIGN.sub(lambda match: _PLAIN.get(match.group(), match.group()), data)
    return data

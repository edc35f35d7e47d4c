"""Spellings by which a compiler reads a text otherwise than Graft's lexer does: what stands in a comment or a literal
for one of them is code for the other."""

from __future__ import annotations

import re

from index.cpp.tokens import tokenize

_ODD = (
    # Only some modes of a compiler know them.
    ("a trigraph", re.compile(r"\?\?[=/'()!<>-]")),
    # A comment ends at a carriage return for gcc.
    ("a control character", re.compile(r"[\0-\x08\x0e-\x1f\x7f]|\r(?!\n|\Z)")),
    ("white space behind a backslash", re.compile(r"\\[ \t\f\v]+\r?\n")),
)
_RAW = re.compile(r'(?:u8|[uUL])?R"')


def find_lexer_misleading_spelling_or_empty(code: str) -> str:
    """The first of these spellings that the text has, or "". Linear in the text."""
    found = next((name for name, pattern in _ODD if pattern.search(code)), "")
    # Some modes of C don't know them, and no continued line in one is joined.
    is_raw = not found and 'R"' in code and any(_RAW.match(token) for token in tokenize(code))
    return "a raw string" if is_raw else found

"""Finds the comment that documents a function: above its definition or a declaration, between its header and its
body, or behind a declaration."""

from __future__ import annotations

import re

from executor.tasks.made_datasets import strip_comment_markup
from index.repo_index import RepoIndex
from index.source_text import decode_source
from index.values import Entry, Symbol, SymbolKind

# A comment that says who may copy the file documents no function; neither does a line that only marks a section.
_NO_DOCUMENT = re.compile(r"(?i)copyright|spdx-license|all rights reserved|\blicen[cs]e[d]?\b.*\bunder\b")
_COMMENT = re.compile(r"/\*.*?\*/|(?://[^\n]*(?:\n[ \t]*)?)+", re.DOTALL)
# What may stand between a comment and its function: conditions of the preprocessor, and a macro alone on its line.
_BETWEEN = re.compile(
    rb"[ \t]*(?:#[ \t]*(?:if|ifdef|ifndef|else|elif|endif|pragma)\b.*|[A-Z_][A-Z0-9_]*(?:\(.*\))?;?)?[ \t\r]*"
)
_LINE_COMMENT = re.compile(rb"[ \t]*//")


def read_doc_text_or_empty(entry: Entry, index: RepoIndex) -> str:
    """The comment as plain text, "" without one."""
    return strip_comment_markup(find_doc_file_and_comment(entry, index)[1])


def find_doc_file_and_comment(entry: Entry, index: RepoIndex) -> tuple[str, str]:
    """The comment as it stands, and its file; both "" without one. That of the definition comes first."""
    own = entry.symbol
    here = index.read_file(own.path)
    found = [
        (own.path, _find_near_or_separated_comment_above(own, here)),
        (own.path, _find_comment_behind_parameters_or_empty(here[own.start_byte : max(entry.body, 0)])),
    ]
    for symbol in (other.symbol for other in index.entries_named(own.name)):
        if symbol.kind is SymbolKind.PROTOTYPE and symbol.qualified_name == own.qualified_name:
            text = index.read_file(symbol.path)
            found.append((symbol.path, _find_near_or_separated_comment_above(symbol, text)))
            found.append((symbol.path, _find_comment_behind_declaration_or_empty(text[symbol.end_byte :])))
    good = (pair for pair in found if strip_comment_markup(pair[1]) and not _NO_DOCUMENT.search(pair[1]))
    return next(good, ("", ""))


def _find_near_or_separated_comment_above(symbol: Symbol, text: bytes) -> str:
    return symbol.docstring or _find_separated_comment_or_empty(text[: symbol.start_byte])


def _find_separated_comment_or_empty(before: bytes) -> str:
    """The comment of several lines at the end of the text, with one blank line behind it, conditions of the
    preprocessor, or macros; "" without one. The first comment of a file isn't taken across them: it is the file's."""
    lines = before.split(b"\n")
    if lines[-1].strip():
        return ""
    lines.pop()
    blank = crossed = 0
    while lines and _BETWEEN.fullmatch(lines[-1]):
        is_blank = not lines.pop().strip()
        blank += is_blank
        crossed += not is_blank
    text = b"\n".join(lines).rstrip()
    if blank > 1 or not lines:
        return ""
    if _LINE_COMMENT.match(lines[-1]):
        first = len(lines)
        while first and _LINE_COMMENT.match(lines[first - 1]):
            first -= 1
        comment, ahead = b"\n".join(lines[first:]), b"\n".join(lines[:first])
    elif text.endswith(b"*/"):
        start = text.rfind(b"/*")
        comment, ahead = text[start:], text[:start]
        if ahead[ahead.rfind(b"\n") + 1 :].strip():
            return ""
    else:
        return ""
    if (blank and b"\n" not in comment) or (crossed and not ahead.strip()):
        return ""
    return decode_source(comment)


def _find_comment_behind_parameters_or_empty(header: bytes) -> str:
    """The comment between the header and the body, where older code has it."""
    text = decode_source(header)
    # Not that of a comment.
    closed = _COMMENT.sub(lambda found: " " * len(found[0]), text).rfind(")")
    comment = _COMMENT.search(text, closed) if closed >= 0 else None
    return comment[0] if comment else ""


def _find_comment_behind_declaration_or_empty(after: bytes) -> str:
    """The comment on the line where a declaration ends, and the lines that go on with it."""
    match = re.match(rb"[ \t]*;?[ \t]*(?=/[*/])", after)
    comment = _COMMENT.match(decode_source(after[match.end() :])) if match else None
    return comment[0] if comment else ""

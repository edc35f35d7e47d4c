"""One file's text -> its symbols and call sites, by tree-sitter, in bounded time whatever the text."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from index.cpp.language import (
    LANGUAGES,
    detect_language,
    has_ordinary_suffix_or_function_body,
    load_tree_sitter_grammar,
)
from index.cpp.macros import LearntMacros, ParserText, prepare_parser_text
from index.symbols.call_sites import SiteRow
from index.symbols.symbol_extraction import extract_symbols
from index.symbols.symbol_rows import SymbolRow
from index.values import Language

if TYPE_CHECKING:
    from tree_sitter import Node, Query, Tree

MAX_SECONDS = 10.0
"""CPU-seconds of the thread. By the clock a loaded machine would skip files that an idle machine reads."""
# A query takes time quadratic in an ERROR node's children (7 s at 100,000 in one file of open braces).
MAX_ERROR_CHILDREN = 20_000
MAX_DEPTH = 20_000
# A header without a sign of C++ that parses worse than this as C is tried as C++. Not the other way round: the C
# grammar reads `namespace a {` as a function without an error, and swallows what is in it.
DOUBTFUL_ERROR_SHARE = 0.02
_READ_BYTES = 1 << 14


class ParsedFile(NamedTuple):
    """What was read from a file. `reason` is "", or says why it was skipped. `error_bytes` is how many bytes lie
    under the parser's error nodes."""

    language: Language
    symbols: tuple[SymbolRow, ...]
    error_bytes: int
    reason: str = ""
    sites: Sequence[SiteRow] = ()


def parse_source(path: str, data: bytes, learnt: LearntMacros) -> ParsedFile:
    """The symbols of one file, in order. `learnt` are the macros to blank, from `learn_macros`. No text makes it fail:
    a file that is too slow or too broken is skipped, with its `reason`."""
    language = detect_language(path, data)
    if not has_ordinary_suffix_or_function_body(path, data):
        return ParsedFile(language, (), 0)
    source = prepare_parser_text(data, learnt, is_c=language == "c")
    parsed = _parse_text_as_language(language, data, source)
    other = LANGUAGES[language].header_alternative
    if other and path.endswith((".h", ".inc")) and parsed.error_bytes > DOUBTFUL_ERROR_SHARE * len(data):
        tried = _parse_text_as_language(other, data, source)
        if not tried.reason and (parsed.reason or tried.error_bytes < parsed.error_bytes):
            return tried
    return parsed


def _parse_text_as_language(language: Language, data: bytes, text: ParserText) -> ParsedFile:
    from tree_sitter import QueryCursor

    source = text.source
    tree = _parse_tree_within_time_limit(language, source)
    if tree is None:
        return ParsedFile(language, (), 0, f"parsing took longer than {MAX_SECONDS:.0f} s")
    deadline = time.thread_time() + MAX_SECONDS
    try:
        unfit = _explain_unqueryable_tree_or_empty(tree, source)
        if unfit:
            return ParsedFile(language, (), len(data), unfit)
        # Not with `progress_callback`: in tree-sitter 0.26 it ends the process on some files (examples/inventory's).
        found = QueryCursor(_compile_query(language)).captures(tree.root_node)
        if time.thread_time() > deadline:
            raise TimeoutError
        symbols, sites = extract_symbols(found, data, text, deadline, has_error=tree.root_node.has_error)
    except TimeoutError:
        return ParsedFile(language, (), 0, f"reading its syntax tree took longer than {MAX_SECONDS:.0f} s")
    return ParsedFile(language, symbols, _count_error_bytes(found.get("error", [])), sites=sites)


def _parse_tree_within_time_limit(language: Language, source: bytes) -> Tree | None:
    from tree_sitter import Parser

    deadline = time.thread_time() + MAX_SECONDS
    late = False
    whole = memoryview(source)
    views: list[memoryview] = []

    def read(offset: int, _point: object) -> memoryview | bytes:
        nonlocal late
        late = late or time.thread_time() > deadline
        if late:
            return b""
        views.append(whole[offset : offset + _READ_BYTES])
        return views[-1]

    tree = Parser(load_tree_sitter_grammar(language)).parse(read)
    # tree-sitter 0.26 forgets to free what it was given: of bytes, the whole text of each file.
    for view in views:
        view.release()
    return None if late else tree


@cache
def _compile_query(language: Language) -> Query:
    """Kept for the process: compiling the query takes longer (60 ms) than parsing most files."""
    from tree_sitter import Query

    return Query(load_tree_sitter_grammar(language), LANGUAGES[language].query)


def _explain_unqueryable_tree_or_empty(tree: Tree, source: bytes) -> str:
    """Why the tree can't be queried in bounded time, or "". It is walked by a cursor: nodes that are nested 10,000
    deep are slow to ask for their children, and past a depth of 65,535 so is the query."""
    root = tree.root_node
    if root.descendant_count <= min(MAX_ERROR_CHILDREN, MAX_DEPTH):
        return ""
    # Without a long stretch of text that ends no statement nothing nests so deep but braces, which count as errors
    # or cost nothing.
    maybe_deep = max(map(len, source.split(b";"))) > MAX_DEPTH
    if not root.has_error and not maybe_deep:
        return ""
    cursor = tree.walk()
    depth = 0
    inward = True
    while True:
        node = cursor.node
        if inward and node is not None and (maybe_deep or node.has_error):
            if node.is_error and node.child_count > MAX_ERROR_CHILDREN:
                return "not parseable as C or C++: one error covers most of it"
            if depth > MAX_DEPTH:
                return f"nested more than {MAX_DEPTH} deep"
            inward = cursor.goto_first_child()
            if inward:
                depth += 1
                continue
        inward = cursor.goto_next_sibling()
        if not inward:
            depth -= 1
            if not cursor.goto_parent():
                return ""


def _count_error_bytes(errors: Sequence[Node]) -> int:
    total = 0
    reached = 0
    for start, end in sorted((e.start_byte, e.end_byte) for e in errors):
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total

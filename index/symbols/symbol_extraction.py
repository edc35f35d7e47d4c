"""One parsed file -> its symbols and call sites. Queries, which run in C, capture the nodes of the tree. One sweep
over their spans then finds what stands inside what, so that no Python code walks the tree and nothing recurses."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from index.cpp.declarators import read_qualified_name_or_empty
from index.cpp.declaring_macros import MacroSymbol, read_name_in_function_header_or_empty
from index.cpp.docstrings import CommentTable
from index.cpp.macros import ParserText
from index.cpp.mending.headers import FoundFunction, find_functions_by_tokens
from index.symbols.call_site_nodes import FunctionExtent, find_call_sites
from index.symbols.call_sites import SiteRow
from index.symbols.symbol_rows import (
    CapturedNode,
    FileText,
    SymbolRow,
    make_branch_header_row,
    make_declaration_rows,
    make_define_row,
    make_definition_row,
    make_found_function_row,
    make_macro_symbol_row,
)
from index.values import SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node


class _Scope(NamedTuple):
    end: int
    name: str
    function: bool


# At the same start the wider comes first, a template before what it holds, a typedef before its struct.
_CAPTURE_ORDER = (
    *("namespace", "template", "typedef", "type", "function"),
    *("declaration", "field", "enumerator", "macro"),
)
_ANONYMOUS = re.compile(rb"typedef\s+(?:const\s+|volatile\s+)*(struct|union|enum)\s*\{")
_FRIEND = re.compile(rb"\bfriend\s+\Z")
_SCOPED_ENUM = re.compile(rb"enum\s+(?:class|struct)\b")
_PLAIN_ENUM = re.compile(rb"enum\b")
_NOT_IN_BODIES = frozenset({SymbolKind.FUNCTION.value, SymbolKind.PROTOTYPE.value, SymbolKind.GLOBAL.value})


def extract_symbols(
    found: Mapping[str, Sequence[Node]], data: bytes, text: ParserText, deadline: float, *, has_error: bool
) -> tuple[tuple[SymbolRow, ...], list[SiteRow]]:
    """The symbols in order of place, and the call sites in the functions among them.

    `found` are the captures of the language's query, `data` is the file and `text` what the parser saw of it. Where
    the tree `has_error`, functions are looked for by tokens too. Raises TimeoutError past `deadline`
    (time.thread_time), since nodes that are nested 10,000 deep are slow to query.
    """
    events = [
        CapturedNode(node.start_byte, -(end := node.end_byte), order, number, end, what, node)
        for order, what in enumerate(_CAPTURE_ORDER)
        for number, node in enumerate(found.get(what, ()))
    ]
    events.sort()
    source = text.source
    waiting = deque(text.macro_symbols)
    uses = {made.start for made in text.macro_symbols}
    file = FileText(data, source, CommentTable(found.get("comment", ()), data, source))
    rows: list[SymbolRow] = []
    extents: list[FunctionExtent] = []
    scopes: list[_Scope] = []
    template: CapturedNode | None = None
    for event in events:
        while waiting and waiting[0].start < event.start:
            _add_macro_symbol_outside_functions(rows, waiting.popleft(), scopes, file)
        if event.start in uses and event.what in ("declaration", "field", "function"):
            continue  # what the parser takes a macro's use for
        while scopes and scopes[-1].end <= event.start:
            scopes.pop()
        what = event.what
        if what == "template":
            # A member template of a class template has two template lines.
            template = event if template is None or template.end != event.end else template
            continue
        if what == "namespace":
            scopes.append(_Scope(event.end, read_qualified_name_or_empty(event.node, source), False))
            continue
        # `friend` and the template line belong to what is declared, the latter to nothing nested further in.
        friend = _FRIEND.search(source, max(0, event.start - 100), event.start) if scopes else None
        start = event.start if friend is None else friend.start()
        if template is not None and template.end >= event.end:
            start = template.start
        template = None
        if source is not data:
            start = _move_start_above_macros(start, data, source)
        names = [s.name for s in scopes if s.name and not s.function]
        if what in ("declaration", "field", "enumerator"):
            if what != "declaration" or not any(s.function for s in scopes):
                rows.extend(make_declaration_rows(event, start, names, file))
            continue
        row = make_definition_row(event, start, names, file)
        around = scopes[-1].name if what == "function" and scopes and scopes[-1].function else ""
        # A class whose head the parser misreads is such a scope too, and has constructors.
        if (
            row is not None
            and around not in ("", row.name.lstrip("~"))
            and _is_block_behind_macro(event.node, row.name)
        ):
            continue
        header = text.macro_headers.get(event.start) if what == "function" else None
        if row is not None and header is not None:
            qualified = "::".join((*names, header.name))
            row = row._replace(name=header.name, qualified_name=qualified, signature=header.signature)
        if row is not None:
            rows.append(row)
        if what == "type":
            plain_enum = _PLAIN_ENUM.match(data, event.start) and not _SCOPED_ENUM.match(data, event.start)
            scopes.append(
                _Scope(event.end, "" if plain_enum else read_qualified_name_or_empty(event.node, source), False)
            )
        elif what == "typedef" and row is not None:
            anonymous = _ANONYMOUS.match(data, event.start)
            if anonymous is not None and anonymous[1] != b"enum":
                scopes.append(_Scope(event.end, row.name, False))
        elif what == "function" and row is not None:
            scopes.append(_Scope(event.end, row.name, True))
            # Its header calls nothing: `__attribute__((format(printf, 1, 2)))`, `decltype(f(a))`.
            extents.append(FunctionExtent(max(event.start, row.body), event.end, len(rows) - 1))
    for made in waiting:
        _add_macro_symbol_outside_functions(rows, made, scopes, file)
    more = [make_define_row(define, file) for define in text.defines] + _make_rows_of_branch_headers(rows, text, file)
    if has_error:
        shown = list(find_functions_by_tokens(source))
        rows, extents = _end_functions_at_braces(rows, extents, shown, file)
        lost = _make_rows_of_lost_functions(rows, shown, file)
        extents += [FunctionExtent(row.body, row.end, len(rows) + len(more) + i) for i, row in enumerate(lost)]
        more += lost
    if more:
        rows, extents = _merge_rows_and_renumber_extents(rows, more, extents)
    sites = find_call_sites(found, sorted(extents), source, deadline)
    if text.made_names:
        rows = [_restore_macro_made_name(row, text.made_names) for row in rows]
        sites = [site._replace(name=text.made_names.get(site.name, site.name)) for site in sites]
    return tuple(rows), sites


def _is_block_behind_macro(node: Node, name: str) -> bool:
    """Whether what the parser takes for a function `name` within a function is `WITH_LOCK(m) { ... }`: it has no
    type."""
    declarator = node.child_by_field_name("declarator")
    kind = "" if declarator is None else declarator.type
    is_untyped = kind == "function_declarator" and node.child_by_field_name("type") is None and name.isupper()
    return is_untyped or kind == "parenthesized_declarator"


def _end_functions_at_braces(
    rows: Sequence[SymbolRow], extents: Sequence[FunctionExtent], shown: Sequence[FoundFunction], file: FileText
) -> tuple[list[SymbolRow], list[FunctionExtent]]:
    """The rows and extents, ended where the braces of their bodies close: around an error the parser may take what
    follows a function for a part of it, or a block in it for its end. What it then found in the rest of the body is no
    symbol of the file, and is left out."""
    ends = {function.body: function.end for function in shown}
    ended = list(rows)
    rest: set[int] = set()
    for owner in (extent.owner for extent in extents):
        row = rows[owner]
        end = ends.get(row.body, row.end)
        if end > row.end:
            starts = attrgetter("start")
            inner = range(bisect_left(rows, row.end, key=starts), bisect_left(rows, end, key=starts))
            if not _can_function_end_by_indentation(end, row, [rows[i] for i in inner], file):
                continue
            rest.update(i for i in inner if rows[i].kind in _NOT_IN_BODIES)
        last = row.first + file.data.count(b"\n", row.start, end)
        ended[owner] = row._replace(end=end, last=last)
    kept = [i for i in range(len(rows)) if i not in rest]
    place = {old: new for new, old in enumerate(kept)}
    return [ended[i] for i in kept], [
        extent._replace(owner=place[extent.owner], end=extent.end + ended[extent.owner].end - rows[extent.owner].end)
        for extent in extents
        if extent.owner in place
    ]


def _can_function_end_by_indentation(
    end: int, function: SymbolRow, inner_rows: Sequence[SymbolRow], file: FileText
) -> bool:
    """Whether the brace before `end` may close a function's body: neither it nor a function of the rows `inner_rows`
    before it stands further out than what belongs to the function."""
    own = _read_indentation(function.start, file.data)
    return file.source[end - 1 : end] == b"}" and all(
        (found := _read_indentation(at, file.data)).startswith(own) and (at == end or found != own)
        for at in (end, *(other.start for other in inner_rows if other.body >= 0))
    )


def _read_indentation(at: int, data: bytes) -> bytes:
    """The white space that the line before the byte `at` begins with."""
    line = data[data.rfind(b"\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _make_rows_of_lost_functions(
    rows: Sequence[SymbolRow], shown: Sequence[FoundFunction], file: FileText
) -> list[SymbolRow]:
    """A row for each function that the tokens show and that is no row's, since the parser found errors in it. One
    whose braces seem to close behind another function's first line isn't read rightly by its tokens either."""
    known = {row.body for row in rows}
    firsts = sorted(row.start for row in rows if row.body >= 0 and file.data[row.start - 1 : row.start] == b"\n")
    return [
        make_found_function_row(function, _move_start_above_macros(function.start, file.data, file.source), file)
        for function in shown
        if function.body not in known
        and function.brace not in known
        and bisect_left(firsts, function.body) == bisect_left(firsts, function.end)
    ]


def _restore_macro_made_name(row: SymbolRow, made_names: Mapping[str, str]) -> SymbolRow:
    """The row under the name that a macro makes, where another word stands for it."""
    name = made_names.get(row.name)
    if name is None:
        return row
    return row._replace(name=name, qualified_name=row.qualified_name[: -len(row.name)] + name)


def _add_macro_symbol_outside_functions(
    rows: list[SymbolRow], made: MacroSymbol, scopes: Sequence[_Scope], file: FileText
) -> None:
    open_scopes = [s for s in scopes if s.end > made.start]
    if not any(s.function for s in open_scopes):
        rows.append(make_macro_symbol_row(made, [s.name for s in open_scopes if s.name], file))


def _make_rows_of_branch_headers(rows: Sequence[SymbolRow], text: ParserText, file: FileText) -> list[SymbolRow]:
    """A row for each header that another `#if` branch gives a function. Hiding one of them hides all, since they share
    the body."""
    more: list[SymbolRow] = []
    by_body = {row.body: row for row in rows if row.body >= 0} if text.other_headers else {}
    for header in text.other_headers:
        shared = by_body.get(header.brace)
        name = read_name_in_function_header_or_empty(header.text)
        if shared is None or not name or shared.qualified_name.endswith(name):
            continue
        if header.body < 0:
            header = header._replace(body=shared.body)
        if header.body >= header.start:  # in broken code a brace of another branch may stand before the header
            more.append(make_branch_header_row(header, name, shared, file))
    return more


def _merge_rows_and_renumber_extents(
    rows: Sequence[SymbolRow], more: Sequence[SymbolRow], extents: Sequence[FunctionExtent]
) -> tuple[list[SymbolRow], list[FunctionExtent]]:
    """`rows` and `more` in order of place, and the extents with the new positions of their owners."""
    every = [*rows, *more]
    order = sorted(range(len(every)), key=lambda i: every[i].start)
    place = {old: new for new, old in enumerate(order)}
    return [every[i] for i in order], [extent._replace(owner=place[extent.owner]) for extent in extents]


def _move_start_above_macros(start: int, data: bytes, source: bytes) -> int:
    """`start`, moved up over the attribute macros that were blanked right before it, since they are part of the
    symbol."""
    begin = start
    while begin > 0 and source[begin - 1] in b" \t\r\n":
        begin -= 1
    hidden = data[begin:start].lstrip()
    return start - len(hidden) if hidden else start

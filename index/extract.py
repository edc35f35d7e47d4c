"""One parsed file -> its symbols and call sites.

The tree is asked by queries, which run in C; what stands inside what (namespaces, classes, functions) is then
found by one sweep over the captured spans, so that no Python code walks a tree and nothing recurses.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from index.body import body_offset
from index.comments import Comments
from index.ctokens import without_comments
from index.declarator import Declared, declared, declared_name, scope_name
from index.macros import Seen
from index.made import MadeSymbol, made_name
from index.site_nodes import CALL_QUERY, CPP_SITE_QUERY, Extent, site_rows
from index.sites import SiteRow
from index.values import SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node


class SymbolRow(NamedTuple):
    """One symbol as stored. Offsets are bytes of the file; `body` is where the body begins, -1 without one;
    `doc` is where the docstring begins (`start` without one, and with one that stands behind)."""

    kind: str
    name: str
    qualified_name: str
    first: int
    last: int
    start: int
    end: int
    body: int
    doc: int
    signature: str
    docstring: str


_HOLDERS = (
    "translation_unit",
    "declaration_list",
    "linkage_specification",
    "preproc_if",
    "preproc_ifdef",
    "preproc_else",
    "preproc_elif",
    "ERROR",
)
_COMMON = (
    """
(function_definition) @function
(struct_specifier name: (_) body: (_)) @type
(union_specifier name: (_) body: (_)) @type
(enum_specifier name: (_) body: (_)) @type
(type_definition) @typedef
(preproc_def) @macro
(preproc_function_def) @macro
(comment) @comment
(ERROR) @error
(enumerator) @enumerator
(field_declaration) @field
"""
    + "".join(f"({holder} (declaration) @declaration)\n" for holder in _HOLDERS)
    + CALL_QUERY
)
C_QUERY = _COMMON
CPP_QUERY = (
    _COMMON
    + """
(class_specifier name: (_) body: (_)) @type
(namespace_definition body: (_)) @namespace
(template_declaration) @template
(alias_declaration) @typedef
(field_declaration_list (declaration) @declaration)
(template_declaration (declaration) @declaration)
(friend_declaration (declaration) @declaration)
"""
    + CPP_SITE_QUERY
)


class _Scope(NamedTuple):
    end: int
    name: str
    function: bool


class _Found(NamedTuple):
    start: int
    before: int
    order: int
    number: int
    end: int
    what: str
    node: Node


# At the same start the wider comes first, a template before what it holds, a typedef before its struct.
_ORDER = (
    "namespace",
    "template",
    "typedef",
    "type",
    "function",
    "declaration",
    "field",
    "enumerator",
    "macro",
)
_ANONYMOUS = re.compile(rb"typedef\s+(?:const\s+|volatile\s+)*(struct|union|enum)\s*\{")
_SCOPED_ENUM = re.compile(rb"enum\s+(?:class|struct)\b")
_PLAIN_ENUM = re.compile(rb"enum\b")
_BRACES = re.compile(r"\{.*\}", re.DOTALL)


def extract(
    found: Mapping[str, Sequence[Node]], data: bytes, text: Seen, deadline: float
) -> tuple[tuple[SymbolRow, ...], list[SiteRow]]:
    """Symbols in order of place, and the call sites in the functions among them. `found` are the captures of one
    of the queries; `text` is what the parser saw, `data` what stands in the file. Raises TimeoutError past
    `deadline` (time.monotonic): nodes of trees that are nested 10,000 deep are slow to ask."""
    events = [
        _Found(node.start_byte, -(end := node.end_byte), order, number, end, what, node)
        for order, what in enumerate(_ORDER)
        for number, node in enumerate(found.get(what, ()))
    ]
    events.sort()
    source = text.source
    waiting = deque(text.made)
    uses = {one.start for one in text.made}
    comments = Comments(found.get("comment", ()), data, source)
    rows: list[SymbolRow] = []
    extents: list[Extent] = []
    scopes: list[_Scope] = []
    template: _Found | None = None
    for event in events:
        while waiting and waiting[0].start < event.start:
            _add_made(rows, waiting.popleft(), scopes, comments, data)
        if event.start in uses and event.what in ("declaration", "field", "function"):
            continue  # what the parser takes a macro's use for
        while scopes and scopes[-1].end <= event.start:
            scopes.pop()
        what = event.what
        if what == "template":
            template = event
            continue
        if what == "namespace":
            scopes.append(_Scope(event.end, scope_name(event.node), False))
            continue
        # The template line belongs to what it declares, and to nothing nested further in.
        start = event.start
        if template is not None and template.end >= event.end:
            start = template.start
        template = None
        if source is not data:
            start = _with_blanked(start, data, source)
        names = [s.name for s in scopes if s.name and not s.function]
        if what in ("declaration", "field", "enumerator"):
            if what != "declaration" or not any(s.function for s in scopes):
                rows.extend(_small(event, start, names, comments, data))
            continue
        row = _row(event, start, names, comments, data)
        header = text.bodied.get(event.start) if what == "function" else None
        if row is not None and header is not None:
            qualified = "::".join((*names, header.name))
            row = row._replace(name=header.name, qualified_name=qualified, signature=header.signature)
        if row is not None:
            rows.append(row)
        if what == "type":
            plain_enum = _PLAIN_ENUM.match(data, event.start) and not _SCOPED_ENUM.match(data, event.start)
            scopes.append(_Scope(event.end, "" if plain_enum else scope_name(event.node), False))
        elif what == "typedef" and row is not None:
            anonymous = _ANONYMOUS.match(data, event.start)
            if anonymous is not None and anonymous[1] != b"enum":
                scopes.append(_Scope(event.end, row.name, False))
        elif what == "function" and row is not None:
            scopes.append(_Scope(event.end, row.name, True))
            extents.append(Extent(event.start, event.end, len(rows) - 1))
    for one in waiting:
        _add_made(rows, one, scopes, comments, data)
    rows, extents = _with_other_headers(rows, extents, text, comments, data)
    return tuple(rows), site_rows(found, extents, data, deadline)


def _add_made(
    rows: list[SymbolRow], one: MadeSymbol, scopes: Sequence[_Scope], comments: Comments, data: bytes
) -> None:
    """A function or prototype that a macro's use declares: its text is that use, and there is no body."""
    open_scopes = [s for s in scopes if s.end > one.start]
    if any(s.function for s in open_scopes):
        return
    doc, docstring = comments.above(one.start)
    first = data.count(b"\n", 0, one.start) + 1
    rows.append(
        SymbolRow(
            kind=(SymbolKind.FUNCTION if one.function else SymbolKind.PROTOTYPE).value,
            name=_last_component(one.name),
            qualified_name="::".join((*(s.name for s in open_scopes if s.name), one.name)),
            first=first,
            last=first + data.count(b"\n", one.start, one.end),
            start=one.start,
            end=one.end,
            body=-1,
            doc=doc,
            signature=one.signature,
            docstring=docstring,
        )
    )


def _with_other_headers(
    rows: list[SymbolRow], extents: list[Extent], text: Seen, comments: Comments, data: bytes
) -> tuple[list[SymbolRow], list[Extent]]:
    """A function once more for each header that another `#if` branch gives it. Hiding one of them hides them all,
    for they share the body."""
    if not text.other_headers:
        return rows, extents
    by_body = {row.body: row for row in rows if row.body >= 0}
    more: list[SymbolRow] = []
    for header in text.other_headers:
        shared = by_body.get(header.brace)
        name = made_name(header.text)
        if shared is None or not name or shared.qualified_name.endswith(name):
            continue
        scope = shared.qualified_name[: len(shared.qualified_name) - len(shared.name)]
        doc, docstring = comments.above(header.start)
        more.append(
            shared._replace(
                name=_last_component(name),
                qualified_name=scope + name,
                first=data.count(b"\n", 0, header.start) + 1,
                start=header.start,
                body=header.body if header.body >= 0 else shared.body,
                doc=doc,
                signature=header.text,
                docstring=docstring,
            )
        )
    every = rows + more
    order = sorted(range(len(every)), key=lambda i: every[i].start)
    place = {old: new for new, old in enumerate(order)}
    moved = [extent._replace(owner=place[extent.owner]) for extent in extents]
    return [every[i] for i in order], moved


def _with_blanked(start: int, data: bytes, source: bytes) -> int:
    """`start`, moved up over the attribute macros that were blanked right before it: they are part of it."""
    begin = start
    while begin > 0 and source[begin - 1] in b" \t\r\n":
        begin -= 1
    hidden = data[begin:start].lstrip()
    return start - len(hidden) if hidden else start


def _small(
    event: _Found, start: int, scopes: Sequence[str], comments: Comments, data: bytes
) -> Iterator[SymbolRow]:
    """Declarations, fields and enumerators: one row for each name."""
    if event.what == "enumerator":
        name = _text(event.node.child_by_field_name("name"))
        if name:
            signature = _one_line(data[start : event.end])
            yield _placed(event, start, SymbolKind.ENUMERATOR, name, scopes, signature, comments, data)
        return
    for item in declared(event.node):
        if item.function:
            kind = SymbolKind.PROTOTYPE
            signature = _one_line(data[start : event.end])
            if event.what == "field" and data[event.end - 2 : event.end] == b"};":
                # `void f() {};` in a class: the grammar takes the body for an initializer
                body = event.node.child_by_field_name("default_value")
                if body is not None:
                    yield _bodied(event, start, item, body.start_byte, (scopes, comments, data))
                    continue
        else:
            kind = SymbolKind.FIELD if event.what == "field" else SymbolKind.GLOBAL
            signature = _without_value(item, data[start : event.end], start)
        yield _placed(event, start, kind, item.name, scopes, signature, comments, data)


def _bodied(
    event: _Found, start: int, item: Declared, body: int, around: tuple[Sequence[str], Comments, bytes]
) -> SymbolRow:
    data = around[2]
    row = _placed(event, start, SymbolKind.PROTOTYPE, item.name, around[0], "", around[1], data)
    end = event.end - 1
    return row._replace(
        kind=SymbolKind.FUNCTION.value,
        end=end,
        last=row.first + data.count(b"\n", start, end),
        body=body,
        signature=_one_line(data[start:body]),
    )


def _without_value(item: Declared, text: bytes, start: int) -> str:
    head = text[: item.value - start].rstrip(b" \t\r\n=") if item.value >= 0 else text
    return _BRACES.sub("{...}", _one_line(head))


def _placed(
    event: _Found,
    start: int,
    kind: SymbolKind,
    name: str,
    scopes: Sequence[str],
    signature: str,
    comments: Comments,
    data: bytes,
) -> SymbolRow:
    doc, docstring = comments.above(start)
    if not docstring and kind is not SymbolKind.PROTOTYPE:
        docstring = comments.behind(event.end)
    row = event.node.start_point.row + 1
    return SymbolRow(
        kind=kind.value,
        name=_last_component(name),
        qualified_name="::".join((*scopes, name)),
        first=row - data.count(b"\n", start, event.start),
        last=row + data.count(b"\n", event.start, event.end),
        start=start,
        end=event.end,
        body=-1,
        doc=doc,
        signature=signature,
        docstring=docstring,
    )


def _row(event: _Found, start: int, scopes: Sequence[str], comments: Comments, data: bytes) -> SymbolRow | None:
    node = event.node
    end = event.end
    body = -1
    if event.what == "function":
        name = declared_name(node)
        body = _body_start(node, data)
        kind = SymbolKind.FUNCTION if body >= 0 else SymbolKind.PROTOTYPE
        signature = _one_line(data[start : body if body >= 0 else end])
    elif event.what == "macro":
        kind = SymbolKind.MACRO
        end = start + len(data[start:end].rstrip())
        name = _text(node.child_by_field_name("name"))
        parameters = node.child_by_field_name("parameters")
        signature = f"#define {name}{_text(parameters)}"
    else:
        kind = SymbolKind.TYPE
        name = scope_name(node) if event.what == "type" else declared_name(node)
        brace = data.find(b"{", start, end)
        signature = _one_line(data[start : brace if brace >= 0 else end])
    if not name:
        return None
    doc, docstring = comments.above(start)
    row = node.start_point.row + 1
    return SymbolRow(
        kind=kind.value,
        name=_last_component(name),
        qualified_name=name if kind is SymbolKind.MACRO else "::".join((*scopes, name)),
        first=row - data.count(b"\n", start, event.start),
        last=row + data.count(b"\n", event.start, end),
        start=start,
        end=end,
        body=body,
        doc=doc,
        signature=signature,
        docstring=docstring,
    )


def _last_component(name: str) -> str:
    """`a::b::operator int` -> `operator int`; `operator ns::T` keeps its type."""
    at = name.find("operator")
    if at > 0 and name[at - 2 : at] == "::":
        return name[at:]
    return name if at == 0 else name.rsplit("::", 1)[-1]


_COLON = re.compile(rb"[^:]:(?!:)")


def _body_start(node: Node, data: bytes) -> int:
    """Offset where the body begins, the initializer list and `try` of a constructor included; -1 for `= default`
    and the like."""
    body = node.child_by_field_name("body")
    if body is None or _COLON.search(data, node.start_byte, body.start_byte) is not None:
        initializers = next((c for c in node.children if c.type == "field_initializer_list"), None)
        if initializers is not None:
            return initializers.start_byte
    if body is not None:
        return body.start_byte
    if any(
        c.type in ("default_method_clause", "delete_method_clause", "pure_virtual_clause") for c in node.children
    ):
        return -1
    text = (node.text or b"").decode("latin-1")
    offset = body_offset(text)
    return -1 if offset is None else node.start_byte + offset


def _text(node: Node | None) -> str:
    return "" if node is None or node.text is None else node.text.decode("utf-8", "replace")


def _one_line(data: bytes) -> str:
    return " ".join(without_comments(data.decode("utf-8", "replace")).split())

"""One captured node -> the rows of the symbols that it declares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from index.cpp.body import body_offset
from index.cpp.comments import Comments
from index.cpp.declarators import Declared, declared, declared_name, last_name, scope_name
from index.cpp.initializers import Define
from index.cpp.made_functions import MadeSymbol
from index.cpp.tokens import without_comments
from index.values import SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node


class SymbolRow(NamedTuple):
    """A symbol as it is stored. Offsets are bytes of the file. `body` is where the body begins, -1 without one.
    `doc` is where the docstring above begins, or `start` without one."""

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


class Found(NamedTuple):
    """A captured node and what it was captured as. `order` and `number` sort nodes that begin at the same place."""

    start: int
    before: int
    order: int
    number: int
    end: int
    what: str
    node: Node


class FileText(NamedTuple):
    """A file as it stands (`data`), as the parser saw it (`source`, of the same length), and its comments."""

    data: bytes
    source: bytes
    comments: Comments


_BRACES = re.compile(r"\{.*\}", re.DOTALL)


def made_row(made: MadeSymbol, scopes: Sequence[str], file: FileText) -> SymbolRow:
    """A function or prototype that a use of a macro declares. Its text is that use, and it has no body."""
    doc, docstring = file.comments.above(made.start)
    data = file.data
    first = data.count(b"\n", 0, made.start) + 1
    return SymbolRow(
        kind=(SymbolKind.FUNCTION if made.function else SymbolKind.PROTOTYPE).value,
        name=last_name(made.name),
        qualified_name="::".join((*scopes, made.name)),
        first=first,
        last=first + data.count(b"\n", made.start, made.end),
        start=made.start,
        end=made.end,
        body=-1,
        doc=doc,
        signature=made.signature,
        docstring=docstring,
    )


def define_row(define: Define, file: FileText) -> SymbolRow:
    """A macro whose definition is hidden from the parser."""
    doc, docstring = file.comments.above(define.start)
    first = file.data.count(b"\n", 0, define.start) + 1
    return SymbolRow(
        kind=SymbolKind.MACRO.value,
        name=define.name,
        qualified_name=define.name,
        first=first,
        last=first + file.data.count(b"\n", define.start, define.end),
        start=define.start,
        end=define.end,
        body=-1,
        doc=doc,
        signature=f"#define {define.head}",
        docstring=docstring,
    )


def small_rows(event: Found, start: int, scopes: Sequence[str], file: FileText) -> Iterator[SymbolRow]:
    """A row for each name of a declaration, field or enumerator. `start` is where the symbol begins: before its node
    when a template line or blanked macros belong to it."""
    data = file.data
    if event.what == "enumerator":
        name = _text(event.node.child_by_field_name("name"), file.source)
        if name:
            signature = _one_line(data[start : event.end])
            yield _placed(event, start, SymbolKind.ENUMERATOR, name, scopes, signature, file)
        return
    for item in declared(event.node, file.source):
        if item.function:
            kind = SymbolKind.PROTOTYPE
            signature = _one_line(data[start : event.end])
            if event.what == "field" and data[event.end - 2 : event.end] == b"};":
                # `void f() {};` in a class: the grammar takes the body for an initializer
                body = event.node.child_by_field_name("default_value")
                if body is not None:
                    yield _bodied(event, start, item, body.start_byte, scopes, file)
                    continue
        else:
            kind = SymbolKind.FIELD if event.what == "field" else SymbolKind.GLOBAL
            signature = _without_value(item, data[start : event.end], start)
        yield _placed(event, start, kind, item.name, scopes, signature, file)


def _bodied(event: Found, start: int, item: Declared, body: int, scopes: Sequence[str], file: FileText) -> SymbolRow:
    data = file.data
    row = _placed(event, start, SymbolKind.PROTOTYPE, item.name, scopes, "", file)
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
    event: Found,
    start: int,
    kind: SymbolKind,
    name: str,
    scopes: Sequence[str],
    signature: str,
    file: FileText,
) -> SymbolRow:
    data = file.data
    doc, docstring = file.comments.above(start)
    if not docstring and kind is not SymbolKind.PROTOTYPE:
        docstring = file.comments.behind(event.end)
    row = event.node.start_point.row + 1
    return SymbolRow(
        kind=kind.value,
        name=last_name(name),
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


def definition_row(event: Found, start: int, scopes: Sequence[str], file: FileText) -> SymbolRow | None:
    """The row of a function, macro, type or typedef; None when it has no name."""
    node = event.node
    data, source = file.data, file.source
    end = event.end
    body = -1
    if event.what == "function":
        name = _conversion(node, source) or declared_name(node, source)
        body = _body_start(node, file)
        kind = SymbolKind.FUNCTION if body >= 0 else SymbolKind.PROTOTYPE
        signature = _one_line(data[start : body if body >= 0 else end])
    elif event.what == "macro":
        kind = SymbolKind.MACRO
        end = start + len(data[start:end].rstrip())
        name = _text(node.child_by_field_name("name"), source)
        parameters = node.child_by_field_name("parameters")
        signature = f"#define {name}{_text(parameters, source)}"
    else:
        kind = SymbolKind.TYPE
        name = scope_name(node, source) if event.what == "type" else declared_name(node, source)
        brace = data.find(b"{", start, end)
        signature = _one_line(data[start : brace if brace >= 0 else end])
    if not name:
        return None
    doc, docstring = file.comments.above(start)
    row = node.start_point.row + 1
    return SymbolRow(
        kind=kind.value,
        name=last_name(name),
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


def _conversion(node: Node, source: bytes) -> str:
    """The name of a conversion such as `inline Box::operator bool() const`, or "" for anything else. Behind a
    specifier the grammar reads it as a type `Box::operator` and a function `bool`."""
    declarator = node.child_by_field_name("declarator")
    if declarator is None or not source[max(0, declarator.start_byte - 20) : declarator.start_byte].rstrip().endswith(
        b"::operator"
    ):
        return ""
    head = source[node.start_byte : declarator.start_byte].split()[-1].decode("utf-8", "replace")
    return f"{head} {declared_name(node, source)}"


_COLON = re.compile(rb"[^:]:(?!:)")


def _body_start(node: Node, file: FileText) -> int:
    """Offset where the body begins, the initializer list and `try` of a constructor included; -1 for `= default`
    and the like."""
    body = node.child_by_field_name("body")
    if body is None or _COLON.search(file.data, node.start_byte, body.start_byte) is not None:
        initializers = next((c for c in node.children if c.type == "field_initializer_list"), None)
        if initializers is not None:
            return initializers.start_byte
    if body is not None:
        return body.start_byte
    if any(c.type in ("default_method_clause", "delete_method_clause", "pure_virtual_clause") for c in node.children):
        return -1
    text = file.source[node.start_byte : node.end_byte].decode("latin-1")
    offset = body_offset(text)
    return -1 if offset is None else node.start_byte + offset


def _text(node: Node | None, source: bytes) -> str:
    return "" if node is None else source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _one_line(data: bytes) -> str:
    return " ".join(without_comments(data.decode("utf-8", "replace")).split())

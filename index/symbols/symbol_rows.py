"""One captured node -> the rows of the symbols that it declares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from index.cpp.body_offset import find_body_or_initializer_list_offset
from index.cpp.conditional_branches import BlankedHeader
from index.cpp.declarators import (
    DeclaredName,
    read_declared_name_or_empty,
    read_declared_names,
    read_node_text,
    read_qualified_name_or_empty,
    unqualified_name,
)
from index.cpp.declaring_macros import MacroSymbol
from index.cpp.docstrings import CommentTable
from index.cpp.initializer_directives import HiddenDefine
from index.cpp.keywords import word_set
from index.cpp.mending.headers import FoundFunction
from index.cpp.tokens import remove_comments
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


class CapturedNode(NamedTuple):
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
    comments: CommentTable


_STATEMENT_WORDS = word_set("if else for while do switch return catch")
_HEADER_MACRO = re.compile(r"[A-Z][A-Z0-9_]*\s*\(\s*(\w+)\s*\)")
"""`TEST(name)` for a header."""
_BRACES = re.compile(r"\{.*\}", re.DOTALL)


def make_macro_symbol_row(made: MacroSymbol, scopes: Sequence[str], file: FileText) -> SymbolRow:
    """A function or prototype that a use of a macro declares. Its text is that use, and it has no body."""
    kind = SymbolKind.FUNCTION if made.function else SymbolKind.PROTOTYPE
    return _make_row(file, kind, (*scopes, made.name), (made.start, made.end), made.signature)


def make_found_function_row(function: FoundFunction, start: int, file: FileText) -> SymbolRow:
    """A function that the parser lost. `start` is where it begins, blanked macros included."""
    signature = _join_lines_without_comments(file.data[start : function.body])
    named = _HEADER_MACRO.fullmatch(signature)
    name = named[1] if named is not None else function.name
    return _make_row(file, SymbolKind.FUNCTION, (name,), (start, function.end), signature, function.body)


def make_define_row(define: HiddenDefine, file: FileText) -> SymbolRow:
    """A macro whose definition is hidden from the parser."""
    span = (define.start, define.end)
    return _make_row(file, SymbolKind.MACRO, (define.name,), span, f"#define {define.head}")


def make_branch_header_row(header: BlankedHeader, name: str, function: SymbolRow, file: FileText) -> SymbolRow:
    """A function under the name that a header in another `#if` branch gives it."""
    scope = function.qualified_name[: -len(function.name)].removesuffix("::")
    names = (scope, name) if scope else (name,)
    span = (header.start, function.end)
    return _make_row(file, SymbolKind.FUNCTION, names, span, header.text, header.body)


def make_declaration_rows(
    event: CapturedNode, start: int, scopes: Sequence[str], file: FileText
) -> Iterator[SymbolRow]:
    """A row for each name of a declaration, field or enumerator. `start` is where the symbol begins: before its node
    when a template line or blanked macros belong to it."""
    text = file.data[start : event.end]
    first = _find_line_number_of_start(event, start, file)
    # `void f() {};` in a class: the grammar takes the body for an initializer
    may_have_body = event.what == "field" and text.endswith(b"};")
    body = event.node.child_by_field_name("default_value") if may_have_body else None
    if event.what == "enumerator":
        name = read_node_text(event.node.child_by_field_name("name"), file.source)
        items = [DeclaredName(name, False, -1)] if name else []
        variable = SymbolKind.ENUMERATOR
    else:
        items = list(read_declared_names(event.node, file.source))
        variable = SymbolKind.FIELD if event.what == "field" else SymbolKind.GLOBAL
    for item in items:
        names, span = (*scopes, item.name), (start, event.end)
        if not item.function:
            signature = (
                _join_lines_without_comments(text)
                if event.what == "enumerator"
                else _make_signature_without_value(item, text, start)
            )
            row = _make_row(file, variable, names, span, signature, first=first)
            if not row.docstring:
                row = row._replace(docstring=file.comments.find_comment_behind_on_same_line_or_empty(event.end))
            yield row
        elif body is not None:
            signature = _join_lines_without_comments(file.data[start : body.start_byte])
            span = (start, event.end - 1)
            yield _make_row(file, SymbolKind.FUNCTION, names, span, signature, body.start_byte, first)
        else:
            yield _make_row(file, SymbolKind.PROTOTYPE, names, span, _join_lines_without_comments(text), first=first)


def _make_signature_without_value(item: DeclaredName, text: bytes, start: int) -> str:
    head = text[: item.value - start].rstrip(b" \t\r\n=") if item.value >= 0 else text
    return _BRACES.sub("{...}", _join_lines_without_comments(head))


def make_definition_row(event: CapturedNode, start: int, scopes: Sequence[str], file: FileText) -> SymbolRow | None:
    """The row of a function, macro, type or typedef; None when it has no name."""
    node, data, source = event.node, file.data, file.source
    end, body = event.end, -1
    if event.what == "function":
        name = (
            _read_misparsed_conversion_name_or_empty(node, source)
            or _read_name_of_untyped_function_or_empty(node, source)
            or read_declared_name_or_empty(node, source)
        )
        body = _find_body_start_or_minus_one(node, file)
        kind = SymbolKind.FUNCTION if body >= 0 else SymbolKind.PROTOTYPE
        signature = _join_lines_without_comments(data[start : body if body >= 0 else end])
    elif event.what == "macro":
        kind = SymbolKind.MACRO
        end = start + len(data[start:end].rstrip())
        name = read_node_text(node.child_by_field_name("name"), source)
        signature = f"#define {name}{read_node_text(node.child_by_field_name('parameters'), source)}"
    else:
        kind = SymbolKind.TYPE
        name = (
            read_qualified_name_or_empty(node, source)
            if event.what == "type"
            else read_declared_name_or_empty(node, source)
        )
        brace = data.find(b"{", start, end)
        signature = _join_lines_without_comments(data[start : brace if brace >= 0 else end])
    if not name or name in _STATEMENT_WORDS:
        return None
    names = (name,) if kind is SymbolKind.MACRO else (*scopes, name)
    return _make_row(file, kind, names, (start, end), signature, body, _find_line_number_of_start(event, start, file))


def _find_line_number_of_start(event: CapturedNode, start: int, file: FileText) -> int:
    """The line of `start`, which is at or before the node: counting from the file's beginning would be slow."""
    return event.node.start_point.row + 1 - file.data.count(b"\n", start, event.start)


def _make_row(
    file: FileText,
    kind: SymbolKind,
    names: tuple[str, ...],
    span: tuple[int, int],
    signature: str,
    body: int = -1,
    first: int = 0,
) -> SymbolRow:
    """A row at the bytes `span`, from the line `first` on, which is counted where it isn't given. `names` are its
    scopes and its own name."""
    start, end = span
    first = first or file.data.count(b"\n", 0, start) + 1
    doc, docstring = file.comments.find_docstring_above_or_empty(start)
    return SymbolRow(
        kind=kind.value,
        name=unqualified_name(names[-1]),
        qualified_name="::".join(names),
        first=first,
        last=first + file.data.count(b"\n", start, end),
        start=start,
        end=end,
        body=body,
        doc=doc,
        signature=signature,
        docstring=docstring,
    )


def _read_misparsed_conversion_name_or_empty(node: Node, source: bytes) -> str:
    """The name of a conversion such as `inline Box::operator bool() const`, or "" for anything else. Behind a
    specifier the grammar reads it as a type `Box::operator` and a function `bool`."""
    declarator = node.child_by_field_name("declarator")
    if declarator is None or not source[max(0, declarator.start_byte - 20) : declarator.start_byte].rstrip().endswith(
        b"::operator"
    ):
        return ""
    head = source[node.start_byte : declarator.start_byte].split()[-1].decode("utf-8", "replace")
    return f"{head} {read_declared_name_or_empty(node, source)}"


def _read_name_of_untyped_function_or_empty(node: Node, source: bytes) -> str:
    """The name of a function without a type, `f(a) {`, or "" for any other: the grammar reads a type `f` there. A word
    in upper case is a macro that makes the header, `TEST(name) {`."""
    declarator = node.child_by_field_name("declarator")
    if declarator is None or declarator.type != "parenthesized_declarator":
        return ""
    inner = next(iter(declarator.named_children), None)
    name = read_node_text(node.child_by_field_name("type"), source) if inner and inner.type == "identifier" else ""
    return "" if name.isupper() else name


_COLON = re.compile(rb"[^:]:(?!:)")


def _find_body_start_or_minus_one(node: Node, file: FileText) -> int:
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
    offset = find_body_or_initializer_list_offset(text)
    return -1 if offset is None else node.start_byte + offset


def _join_lines_without_comments(data: bytes) -> str:
    return " ".join(remove_comments(data.decode("utf-8", "replace")).split())

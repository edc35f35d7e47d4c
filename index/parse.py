"""One file's text -> its symbols, by tree-sitter.

The tree is asked by queries, which run in C; what stands inside what (namespaces, classes, functions) is then
found by one sweep over the captured spans, so that no Python code walks a tree and nothing recurses.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from index.body import body_offset
from index.ctokens import without_comments
from index.declarator import declared_name, scope_name
from index.language import language_of
from index.macros import MacroForm, blank
from index.values import Language, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node, Query, Tree

MAX_BYTES = 4 * 1024 * 1024
MAX_SECONDS = 10.0
# A query takes time quadratic in an ERROR node's children (7 s at 100,000 in one file of open braces).
MAX_ERROR_CHILDREN = 20_000
# A header without a sign of C++ that parses worse than this as C is tried as C++. Not the other way round: the C
# grammar reads `namespace a {` as a function without an error, and swallows what is in it.
DOUBTFUL_ERROR_SHARE = 0.02
_READ_BYTES = 4096


class SymbolRow(NamedTuple):
    """One symbol as stored. Offsets are bytes of the file; `body` is where the body begins, -1 without one;
    `doc` is where the docstring begins (`start` without one); `calls` are (offset, name as written)."""

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
    calls: tuple[tuple[int, str], ...] = ()


class ParsedFile(NamedTuple):
    """`reason` is "" or why the file was skipped; `error_bytes` lie under the parser's error nodes."""

    language: Language
    symbols: tuple[SymbolRow, ...]
    error_bytes: int
    reason: str = ""


_DECLARATORS = (
    "(function_declarator)",
    "(pointer_declarator (function_declarator))",
    "(pointer_declarator (pointer_declarator (function_declarator)))",
)
_COMMON_QUERY = (
    """
(function_definition) @function
(struct_specifier name: (_) body: (_)) @type
(union_specifier name: (_) body: (_)) @type
(enum_specifier name: (_) body: (_)) @type
(type_definition) @typedef
(preproc_def) @macro
(preproc_function_def) @macro
(call_expression function: (_) @call)
(comment) @comment
(ERROR) @error
"""
    + "".join(f"(declaration declarator: {d}) @prototype\n" for d in _DECLARATORS)
    + "".join(f"(field_declaration declarator: {d}) @prototype\n" for d in _DECLARATORS)
)
_CPP_QUERY = (
    _COMMON_QUERY
    + """
(class_specifier name: (_) body: (_)) @type
(namespace_definition body: (_)) @namespace
(template_declaration) @template
(alias_declaration) @typedef
(declaration declarator: (reference_declarator (function_declarator))) @prototype
(field_declaration declarator: (reference_declarator (function_declarator))) @prototype
(declaration declarator: (operator_cast)) @prototype
"""
)


def parse_source(path: str, data: bytes, learnt: Mapping[str, MacroForm]) -> ParsedFile:
    """The symbols of one file, in order. Never raises for what the text holds: `reason` says why it was skipped
    (too large, too slow, too broken). `learnt` are the macros to blank, from `macros.learn`."""
    language = language_of(path, data)
    if len(data) > MAX_BYTES:
        return ParsedFile(language, (), 0, f"larger than {MAX_BYTES} bytes")
    source = blank(data, dict(learnt))
    parsed = _parse_as(language, data, source)
    if language == "c" and path.endswith(".h") and parsed.error_bytes > DOUBTFUL_ERROR_SHARE * len(data):
        other = _parse_as("cpp", data, source)
        if not other.reason and (parsed.reason or other.error_bytes < parsed.error_bytes):
            return other
    return parsed


def _parse_as(language: Language, data: bytes, source: bytes) -> ParsedFile:
    tree = _tree(language, source)
    if tree is None:
        return ParsedFile(language, (), 0, f"parsing took longer than {MAX_SECONDS:.0f} s")
    root = tree.root_node
    if root.has_error and _widest_error(root) > MAX_ERROR_CHILDREN:
        return ParsedFile(language, (), len(data), "not parseable as C or C++: one error covers most of it")
    found = _captures(language, root)
    return ParsedFile(language, _symbols(found, data, source), _covered(found.get("error", [])))


def _tree(language: Language, source: bytes) -> Tree | None:
    from tree_sitter import Parser

    deadline = time.monotonic() + MAX_SECONDS
    late = False

    def read(offset: int, _point: object) -> bytes:
        nonlocal late
        late = late or time.monotonic() > deadline
        return b"" if late else source[offset : offset + _READ_BYTES]

    tree = Parser(_tools(language).grammar).parse(read)
    return None if late else tree


class _Tools(NamedTuple):
    grammar: Grammar
    query: Query


@lru_cache(maxsize=2)
def _tools(language: Language) -> _Tools:
    """Kept for the process: compiling the query takes longer (60 ms) than parsing most files."""
    from tree_sitter import Language as Grammar
    from tree_sitter import Query

    if language == "c":
        import tree_sitter_c

        c = Grammar(tree_sitter_c.language())
        return _Tools(c, Query(c, _COMMON_QUERY))
    import tree_sitter_cpp

    cpp = Grammar(tree_sitter_cpp.language())
    return _Tools(cpp, Query(cpp, _CPP_QUERY))


def _captures(language: Language, root: Node) -> dict[str, list[Node]]:
    from tree_sitter import QueryCursor

    return QueryCursor(_tools(language).query).captures(root)


def _widest_error(root: Node) -> int:
    """The largest number of children of an ERROR node (or of the root, which may be one)."""
    widest = 0
    pending = [root]
    while pending:
        node = pending.pop()
        if node.is_error:
            widest = max(widest, node.child_count)
            if widest > MAX_ERROR_CHILDREN:
                return widest
        pending.extend(child for child in node.children if child.has_error)
    return widest


def _covered(errors: Sequence[Node]) -> int:
    total = 0
    reached = 0
    for start, end in sorted((e.start_byte, e.end_byte) for e in errors):
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total


class _Scope(NamedTuple):
    end: int
    name: str
    function: int
    """Position in the list of symbols, or -1 for a namespace or class."""


class _Found(NamedTuple):
    start: int
    order: int
    end: int
    what: str
    node: Node


# At the same start the wider comes first, a template before what it holds, a typedef before its struct.
_ORDER = ("namespace", "template", "typedef", "type", "function", "prototype", "macro", "call")


def _symbols(found: Mapping[str, Sequence[Node]], data: bytes, source: bytes) -> tuple[SymbolRow, ...]:
    events = [
        _Found(node.start_byte, order, node.end_byte, what, node)
        for order, what in enumerate(_ORDER)
        for node in found.get(what, ())
    ]
    events.sort(key=lambda e: (e.start, -e.end, e.order))
    comments = _Comments(found.get("comment", ()), data, source)
    rows: list[SymbolRow] = []
    calls: dict[int, list[tuple[int, str]]] = {}
    scopes: list[_Scope] = []
    template: _Found | None = None
    for event in events:
        while scopes and scopes[-1].end <= event.start:
            scopes.pop()
        if event.what == "template":
            template = event
            continue
        if event.what == "call":
            owner = next((s.function for s in reversed(scopes) if s.function >= 0), -1)
            if owner >= 0:
                calls.setdefault(owner, []).append((event.start, _callee(event.node)))
            continue
        names = [s.name for s in scopes if s.name and s.function < 0]
        if event.what == "namespace":
            scopes.append(_Scope(event.end, scope_name(event.node), -1))
            continue
        # The template line belongs to what it declares, and to nothing nested further in.
        start = event.start
        if template is not None and template.end >= event.end:
            start = template.start
        template = None
        start = _with_blanked(start, data, source)
        inside_function = any(s.function >= 0 for s in scopes)
        row = _row(event, start, names, comments, data, inside_function)
        if row is not None:
            rows.append(row)
        if event.what == "type":
            scopes.append(_Scope(event.end, scope_name(event.node), -1))
        elif event.what == "function" and row is not None:
            scopes.append(_Scope(event.end, row.name, len(rows) - 1))
    return tuple(row._replace(calls=tuple(calls[i])) if i in calls else row for i, row in enumerate(rows))


def _with_blanked(start: int, data: bytes, source: bytes) -> int:
    """`start`, moved up over the attribute macros that were blanked right before it: they are part of it."""
    begin = start
    while begin > 0 and source[begin - 1] in b" \t\r\n":
        begin -= 1
    hidden = data[begin:start].lstrip()
    return start - len(hidden) if hidden else start


def _row(
    event: _Found, start: int, scopes: Sequence[str], comments: _Comments, data: bytes, inside_function: bool
) -> SymbolRow | None:
    node = event.node
    end = event.end
    body = -1
    if event.what in ("function", "prototype"):
        if event.what == "prototype" and inside_function:
            return None  # a local variable with constructor arguments looks like one
        name = declared_name(node)
        kind = SymbolKind.PROTOTYPE
        if event.what == "function":
            body = _body_start(node)
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
    parts = name.split("::") if not name.startswith("operator") else [name]
    doc, docstring = comments.above(start)
    return SymbolRow(
        kind=kind.value,
        name=_last_component(name),
        qualified_name="::".join((*scopes, name)) if kind is not SymbolKind.MACRO else parts[0],
        first=node.start_point.row + 1 - data.count(b"\n", start, event.start),
        last=data.count(b"\n", event.start, end) + node.start_point.row + 1,
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


def _body_start(node: Node) -> int:
    """Offset where the body begins, the initializer list and `try` of a constructor included; -1 for `= default`
    and the like."""
    initializers = next((c for c in node.children if c.type == "field_initializer_list"), None)
    if initializers is not None:
        return initializers.start_byte
    body = node.child_by_field_name("body")
    if body is not None:
        return body.start_byte
    if any(
        c.type in ("default_method_clause", "delete_method_clause", "pure_virtual_clause") for c in node.children
    ):
        return -1
    text = (node.text or b"").decode("latin-1")
    offset = body_offset(text)
    return -1 if offset is None else node.start_byte + offset


def _callee(node: Node) -> str:
    """The called name as written, without template arguments and receiver: `x->f` is `f`, `a::g<int>` is `a::g`."""
    while node.type in ("field_expression", "template_function", "template_method", "dependent_name"):
        inner = node.child_by_field_name("field") or node.child_by_field_name("name")
        if inner is None:
            break
        node = inner
    if node.type == "qualified_identifier":
        return scope_name(node)
    if node.type == "parenthesized_expression":
        return ""
    return _one_line(node.text or b"")[:200]


class _Comments:
    """Finds the comment right above an offset: nothing but white space and one line end between."""

    def __init__(self, nodes: Sequence[Node], data: bytes, source: bytes) -> None:
        self._spans = sorted((c.start_byte, c.end_byte) for c in nodes)
        self._ends = [end for _, end in self._spans]
        self._data = data
        self._source = source  # the blanked text: an attribute macro between is white space there

    def above(self, start: int) -> tuple[int, str]:
        first = last = bisect_right(self._ends, start) - 1
        below = start
        while first >= 0 and self._adjacent(first, below):
            below = self._spans[first][0]
            first -= 1
        if below == start:
            return start, ""
        return below, self._data[below : self._ends[last]].decode("utf-8", "replace").rstrip()

    def _adjacent(self, index: int, below: int) -> bool:
        begin, end = self._spans[index]
        between = self._source[end:below]
        if between.strip() or between.count(b"\n") > 1:
            return False
        line = self._data.rfind(b"\n", 0, begin) + 1
        return not self._data[line:begin].strip()


_SPACES = re.compile(r"\s+")


def _text(node: Node | None) -> str:
    return "" if node is None or node.text is None else node.text.decode("utf-8", "replace")


def _one_line(data: bytes) -> str:
    return _SPACES.sub(" ", without_comments(data.decode("utf-8", "replace"))).strip()

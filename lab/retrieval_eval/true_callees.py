"""The truth of retrieval: which functions of the repository a target's own body calls. Used to score, never shown.

Two definitions:

`benchmark`  the data set's call list (YABLoCo's JSON: name, file and lines of each callee), resolved to symbols of
             the index by file and line. Where a task has no such list, its oracle texts are resolved instead.
`graph`      the edges of our own call graph that start in the target, with nothing hidden: the only definition for
             functions outside the benchmark.

A callee counts once however often it is called. Left out, each with its reason: calls that leave the repository,
calls through a parameter or a field, functions that a macro makes (they have no text of their own), the target
itself. A function whose text the index lacks stays in: nobody can find it, and that is our loss.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from executor.tasks.task_row import parse_json, read_file_bytes
from executor.tasks.yabloco import DATA
from executor.values import OracleItem
from index.callgraph.graph import EdgeKind
from index.cpp.declarators import unqualified_name
from index.cpp.tokens import tokenize
from index.errors import TaskError
from index.repo_index import RepoIndex
from index.values import Entry, Span, Symbol, SymbolKind, Target

Definition = Literal["benchmark", "graph"]
SymbolKey = tuple[str, int, int]
"""Path, first and last byte: identifies a symbol, whatever a view does to its text."""

YABLOCO_CALLS_FILE = DATA / "bench-v0.8.json"
LEAST_CALL_CONFIDENCE = 0.5
"""Confidence of an edge that counts: below, the name fits others at least as well."""
_HEAD_LINES = 6
"""A definition's name is in one of so many first lines: attributes, templates and the return type come before it."""
_FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.PROTOTYPE})
_OPEN, _CLOSED = frozenset("([{"), frozenset(")]}")
_QUALIFIERS = frozenset({"const", "volatile", "struct", "enum", "union", "class", "register", "restrict"})
_BUILTIN = frozenset({"bool", "char", "double", "float", "int", "long", "short", "signed", "unsigned", "void"})
_SPACES = re.compile(r"\s*([*&()<>\[\],=+\-/!|^%~])\s*")


@dataclass(frozen=True, slots=True)
class Callee:
    """`symbols` are those that count as it: its definition, the same function under another `#if` of the file, its
    declarations. Empty where the index lacks it."""

    name: str
    path: str
    symbols: tuple[Symbol, ...]

    @property
    def symbol_keys(self) -> frozenset[SymbolKey]:
        return frozenset(make_symbol_byte_range_key(symbol) for symbol in self.symbols)


@dataclass(frozen=True, slots=True)
class Truth:
    """`excluded`: (name, reason) of the calls that don't count."""

    callees: tuple[Callee, ...]
    excluded: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ListedCall:
    """An entry of a data set's call list. `path` is relative to the repository; lines are 1-based."""

    name: str
    path: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class CallList:
    """A task's calls that stay in the repository; `outside` are the names of the others."""

    calls: tuple[ListedCall, ...]
    outside: tuple[str, ...]


def make_symbol_byte_range_key(symbol: Symbol) -> SymbolKey:
    return symbol.path, symbol.start_byte, symbol.end_byte


def find_callees_in_list(listed: CallList, target: Target, index: RepoIndex) -> Truth:
    """The `benchmark` definition."""
    found: dict[SymbolKey | tuple[str, str], Callee] = {}
    excluded = [(name, "outside the repository") for name in listed.outside]
    for call in listed.calls:
        reason = _explain_no_function_at_lines(call, index)
        if reason:
            excluded.append((call.name, reason))
            continue
        entries = _find_listed_function(call, index)
        if any(_is_target(e.symbol, target) for e in entries):
            excluded.append((call.name, "the target itself"))
            continue
        callee = Callee(call.name, call.path, _find_all_symbols_of_function(entries, index))
        found.setdefault(min(callee.symbol_keys, default=(call.path, call.name)), callee)
    return Truth(tuple(found.values()), tuple(excluded))


def find_callees_of_oracle(items: Iterable[OracleItem], target: Target, index: RepoIndex) -> Truth:
    """The `benchmark` definition where a task has texts of its callees alone: the functions whose text is the same,
    white space and comments aside, else those of that file and name."""
    callees = []
    excluded: list[tuple[str, str]] = []
    for item in items:
        name = item.name or _find_name_before_parameters_or_empty(item.text)
        same = [e for e in index.entries_named(unqualified_name(name)) if e.symbol.kind is SymbolKind.FUNCTION]
        if item.path:
            same = [e for e in same if e.symbol.path == item.path] or same
        text = tokenize(item.text)
        exact = [e for e in same if tokenize(index.read_symbol_text(e.symbol).decode("utf-8", "replace")) == text] or (
            same if len(same) == 1 else []
        )
        if any(_is_target(e.symbol, target) for e in exact):
            excluded.append((name, "the target itself"))
        else:
            callees.append(Callee(name, item.path, _find_all_symbols_of_function(exact, index)))
    return Truth(tuple(callees), tuple(excluded))


def find_callees_in_graph(entry: Entry, index: RepoIndex) -> Truth:
    """The `graph` definition for the function `entry`: calls in its own text, resolved with a confidence of at least
    `LEAST`. Function-like macros aren't functions; the context's score counts them. What a macro calls isn't written
    by whoever uses the macro: the benchmark's lists leave it out too (they have 1 of the 49 such edges of its targets
    in redis, bullet3 and openssl), and calls through pointers as well."""
    edges = index.graph.edges_from(entry.id)
    entries = {callee.id: callee for callee in index.read_entries_sorted_by_place([int(i) for i in edges.ids])}
    callees: dict[SymbolKey, Callee] = {}
    excluded: dict[tuple[str, str], None] = {}
    for number, confidence, kind in zip(edges.ids, edges.confidence, edges.kind, strict=True):
        symbol = entries[int(number)].symbol
        if reason := _explain_edge_not_true_call(entry, entries[int(number)], float(confidence), EdgeKind(int(kind))):
            excluded[symbol.qualified_name, reason] = None
        else:
            callee = Callee(
                symbol.qualified_name, symbol.path, _find_all_symbols_of_function([entries[int(number)]], index)
            )
            callees.setdefault(min(callee.symbol_keys), callee)
    return Truth(tuple(callees.values()), tuple(excluded))


def _explain_edge_not_true_call(caller: Entry, callee: Entry, confidence: float, kind: EdgeKind) -> str:
    """Why an edge isn't a true call of a function, or ""."""
    if callee.symbol.kind is SymbolKind.MACRO:
        return "a macro"
    if callee.id == caller.id:
        return "the target itself"
    if kind & EdgeKind.THROUGH_MACRO:
        return "called by a macro that the body uses"
    if kind & EdgeKind.POINTER:
        return "a call through a pointer"
    return "" if confidence >= LEAST_CALL_CONFIDENCE else "can't be told from others of the name"


def find_entry_of_target(target: Target, index: RepoIndex) -> Entry | None:
    """The index's own entry for a target: the function of its name that overlaps its span, else the longest there."""
    span = target.span.first, target.span.last
    there = [
        e
        for e in index.entries_in_file(target.path)
        if e.symbol.kind is SymbolKind.FUNCTION and _is_span_overlapping(e.symbol.span, *span)
    ]
    named = [e for e in there if _is_same_unqualified_name(e.symbol.name, target.name)]
    return max(named or there, key=lambda e: e.symbol.end_byte - e.symbol.start_byte, default=None)


@cache
def load_yabloco_calls(path: Path = YABLOCO_CALLS_FILE) -> Mapping[str, CallList]:
    """Task id -> the calls of its body, from YABLoCo's JSON. Raises TaskError when it can't be read as that."""
    rows = parse_json(read_file_bytes(path), str(path))
    try:
        return {task_id: _parse_call_list(row["calls"]) for task_id, row in rows.items()}
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise TaskError(f"{path}: not a list of calls by task id ({type(error).__name__}: {error})") from error


def _parse_call_list(rows: Sequence[Mapping[str, Any]]) -> CallList:
    inside, outside = [], []
    for row in rows:
        head, slash, rest = str(row["path"]).partition("/")
        if head and slash:
            inside.append(ListedCall(str(row["name"]), rest, int(row["start"]["line"]), int(row["end"]["line"])))
        else:
            outside.append(str(row["name"]))
    return CallList(tuple(dict.fromkeys(inside)), tuple(dict.fromkeys(outside)))


def _explain_no_function_at_lines(call: ListedCall, index: RepoIndex) -> str:
    """Why an entry of a call list isn't a function of the repository's text, or "". By the text alone, so that what
    counts doesn't depend on how good the index is."""
    file = index.files.get(call.path)
    if file is None or file.reason:
        return "" if file is not None else "its file isn't in the tree"
    lines = index.read_file(call.path).decode("utf-8", "replace").split("\n")
    head = "\n".join(lines[call.first - 1 : min(call.last, call.first + _HEAD_LINES)])
    name = unqualified_name(call.name)
    if name.startswith("operator"):
        return "" if "operator" in head else "made by a macro"
    if re.search(rf"(?<!\w){re.escape(name)}\s*\(", head):
        return ""
    if re.search(rf"\b{re.escape(name)}\b", head):
        return "a call through a parameter or a field"
    return "made by a macro"


def _find_listed_function(call: ListedCall, index: RepoIndex) -> list[Entry]:
    """The function at the lines of a call list; its declaration where the lines are a declaration's."""
    there = [e for e in index.entries_in_file(call.path) if _is_span_overlapping(e.symbol.span, call.first, call.last)]
    for kind in (SymbolKind.FUNCTION, SymbolKind.PROTOTYPE):
        of_kind = [e for e in there if e.symbol.kind is kind]
        named = [e for e in of_kind if _is_same_unqualified_name(e.symbol.name, call.name)]
        # A conversion operator is listed under its resolved type, `operator const double *`, not as written.
        on_line = [e for e in of_kind if e.symbol.span.first == call.first and e.symbol.name.startswith("operator")]
        if named or on_line:
            return named or on_line
    return []


def _find_all_symbols_of_function(entries: Sequence[Entry], index: RepoIndex) -> tuple[Symbol, ...]:
    """All symbols that are the same function as one of the entries."""
    found: dict[SymbolKey, Symbol] = {}
    for entry in entries:
        symbol = entry.symbol
        found.setdefault(make_symbol_byte_range_key(symbol), symbol)
        for other in index.entries_named(symbol.name):
            candidate = other.symbol
            if candidate.qualified_name != symbol.qualified_name or _list_parameter_types(
                candidate
            ) != _list_parameter_types(symbol):
                continue
            declares = SymbolKind.PROTOTYPE in (candidate.kind, symbol.kind)
            branch = candidate.kind is SymbolKind.FUNCTION and candidate.path == symbol.path
            if candidate.kind in _FUNCTIONS and (declares or branch):
                found.setdefault(make_symbol_byte_range_key(candidate), candidate)
    return tuple(found.values())


def _list_parameter_types(symbol: Symbol) -> tuple[tuple[str, ...], ...]:
    """A signature's parameter types, token by token, without names and defaults, and what follows the list
    (`const`): equal for a definition and its declaration, different for overloads."""
    words = tokenize(symbol.signature)
    if "(" not in words:
        return ()
    out: list[list[str]] = [[]]
    depth = 0
    last = len(words)
    for at in range(words.index("("), len(words)):
        token = words[at]
        depth += (token in _OPEN) - (token in _CLOSED)
        if depth == 0:
            last = at + 1
            break
        if token == "," and depth == 1:
            out.append([])
        elif not (token == "(" and depth == 1):
            out[-1].append(token)
    after = [token for token in words[last:] if token == "const"]
    return (*(_strip_parameter_name_and_default(parameter) for parameter in out), tuple(after))


def _strip_parameter_name_and_default(parameter: Sequence[str]) -> tuple[str, ...]:
    kept = list(parameter[: parameter.index("=")] if "=" in parameter else parameter)
    words = [at for at, token in enumerate(kept) if token[0].isalpha() or token[0] == "_"]
    named = [at for at in words if kept[at] not in _QUALIFIERS]
    if len(named) > 1 and kept[named[-1]] not in _BUILTIN:
        del kept[named[-1]]
    return () if kept == ["void"] else tuple(kept)


def _is_target(symbol: Symbol, target: Target) -> bool:
    there = symbol.path == target.path and _is_span_overlapping(symbol.span, target.span.first, target.span.last)
    return there and _is_same_unqualified_name(symbol.name, target.name)


def _is_span_overlapping(span: Span, first: int, last: int) -> bool:
    return span.first <= last and first <= span.last


def _is_same_unqualified_name(name: str, other: str) -> bool:
    return _SPACES.sub(r"\1", unqualified_name(name)) == _SPACES.sub(r"\1", unqualified_name(other))


def _find_name_before_parameters_or_empty(text: str) -> str:
    found = re.search(r"((?:~?\w+\s*::\s*)*(?:~?\w+|operator\s*\S+?))\s*\(", text)
    return "".join(found[1].split()) if found else ""

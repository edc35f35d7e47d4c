"""The index against what clang saw: functions by name and span, functions invented, direct calls.

- "functions": what clang defines in the units that compile, whose name stands in the lines of its text, and whose body
  is written there. "found": the index has a function of that name that ends at that line, and whose header (from its
  first line to its body) holds the line where clang's begins. "whole": the same of functions that a macro's use makes,
  name and all.
- "invented": functions with a body that the index has in files that clang read, in lines that were compiled, and that
  clang doesn't define.
- "calls": pairs (caller, callee), each once, of functions that clang defines in the tree. "named": the callee's name
  stands in the caller's text. "implicit": constructors and operators that nobody writes by name, and copies. "made":
  a macro of the caller calls it, or makes the caller. Virtual calls are counted apart; calls through pointers have no
  callee.
- "wrong": an edge of the graph (confidence 0.5 and more) between two functions that clang defines, where clang has no
  such call, no virtual or unresolved call of that name, and the caller is no template.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.index.compiled_tree import ClangFunction, View
from benchmarks.index.coverage import strip_qualifiers
from index.callgraph.graph import EdgeKind
from index.repo_index import RepoIndex
from index.values import Entry

LEAST = 0.5
"""Edges of less confidence aren't claims: several candidates, of which one is meant."""


@dataclass
class Agreement:
    """One tree's figures."""

    units: int = 0
    failed: int = 0
    functions: int = 0
    found: int = 0
    whole: list[int] = field(default_factory=lambda: [0, 0])
    compared: int = 0
    invented: int = 0
    calls: dict[str, list[int]] = field(default_factory=dict)
    virtual: list[int] = field(default_factory=lambda: [0, 0])
    right: int = 0
    wrong: int = 0


def compare_tree(index: RepoIndex, view: View) -> Agreement:
    """The index of a tree against what clang sees of it."""
    result = Agreement(units=view.units, failed=len(view.failed))
    entries = _match_functions(index, view, result)
    _count_invented(index, view, set(entries.values()), result)
    _compare_calls(index, view, entries, result)
    return result


def _match_functions(index: RepoIndex, view: View, result: Agreement) -> dict[str, int]:
    """The id of the index's function for each of clang's, by USR."""
    by_end: dict[tuple[str, int], list[Entry]] = defaultdict(list)
    for entry in index.functions:
        by_end[entry.symbol.path, entry.symbol.span.last].append(entry)
    matched: dict[str, int] = {}
    for function in view.functions.values():
        if is_defaulted(index, function):
            continue
        is_whole = is_made_by_macro(index, function)
        result.whole[1] += is_whole
        result.functions += not is_whole
        near = by_end.get((function.path, function.last), [])
        named = [e for e in near if read_plain_name(e.symbol.name) == read_plain_name(function.name)]
        exact = [e for e in named if _holds_begin(index, e, function.first)]
        if exact:
            result.whole[0] += is_whole
            result.found += not is_whole
        if named:
            matched.setdefault(function.usr, (exact or named)[0].id)
    return matched


def read_lines(index: RepoIndex, function: ClangFunction) -> str:
    """The lines that clang says a function stands in."""
    lines = index.read_file(function.path).decode("latin-1").split("\n")
    return "\n".join(lines[function.first - 1 : function.last])


def is_defaulted(index: RepoIndex, function: ClangFunction) -> bool:
    """Whether the compiler writes the body: `= default`."""
    text = read_lines(index, function)
    return "{" not in text and re.search(r"=\s*default\b", text) is not None


def is_made_by_macro(index: RepoIndex, function: ClangFunction) -> bool:
    """Whether the function's name stands nowhere in its lines."""
    name = re.match(r"operator|~?\w*", function.name)
    return name is not None and name[0].lstrip("~") not in read_lines(index, function)


def read_plain_name(name: str) -> str:
    """A name as both sides spell it. The type of a conversion is left out: clang numbers a template's parameters."""
    if re.match(r"operator\s*(?:new|delete|co_await)\b|operator\W*$", name):
        return re.sub(r"\s+", "", name)
    return "operator" if re.match(r"operator\b", name) else strip_qualifiers(name)


def _holds_begin(index: RepoIndex, entry: Entry, line: int) -> bool:
    """Whether the line lies in the function's header: a template's line or an annotation may come before it."""
    symbol = entry.symbol
    first, last = symbol.span.first, symbol.span.last
    if entry.body >= 0:
        last = first + index.read_file(symbol.path).count(b"\n", symbol.start_byte, entry.body)
    if first <= line <= last:
        return True
    lines = index.read_file(symbol.path).split(b"\n")[first : line - 1] if line > last else []
    return any(text.lstrip().startswith(b"#") for text in lines)  # another branch's header of the same function


def _count_invented(index: RepoIndex, view: View, matched: set[int], result: Agreement) -> None:
    ends = {(f.path, f.last, read_plain_name(f.name)) for f in view.functions.values()}
    for entry in index.functions:
        symbol = entry.symbol
        ranges = view.skipped.get(symbol.path)
        if entry.body < 0 or ranges is None or _is_skipped(ranges, symbol.span.first, symbol.span.last):
            continue
        result.compared += 1
        if entry.id not in matched and (symbol.path, symbol.span.last, read_plain_name(symbol.name)) not in ends:
            result.invented += 1


def _is_skipped(ranges: Sequence[tuple[int, int]], first: int, last: int) -> bool:
    return any(low <= last and first <= high for low, high in ranges)


class _Callers:
    """The texts of callers, without the lines that weren't compiled."""

    def __init__(self, index: RepoIndex, view: View) -> None:
        self._index, self._view = index, view
        self._texts: dict[int, str] = {}

    def read_compiled(self, entry: Entry) -> str:
        found = self._texts.get(entry.id)
        if found is None:
            symbol = entry.symbol
            data = self._index.read_file(symbol.path)[symbol.start_byte : symbol.end_byte].decode("latin-1")
            ranges = self._view.skipped.get(symbol.path, ())
            lines = enumerate(data.split("\n"), symbol.span.first)
            found = "\n".join(line for number, line in lines if not any(a < number < b for a, b in ranges))
            self._texts[entry.id] = found
        return found

    def has_name(self, entry: Entry, name: str) -> bool:
        return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", self.read_compiled(entry)) is not None


def _compare_calls(index: RepoIndex, view: View, matched: Mapping[str, int], result: Agreement) -> None:
    callers = _Callers(index, view)
    functions: dict[str, ClangFunction] = {f.usr: f for f in view.functions.values()}
    made = {f.usr for f in functions.values() if is_made_by_macro(index, f)}
    edges = _read_edges(index, set(matched.values()))
    true_pairs: set[tuple[int, int]] = set()
    soft_names: dict[int, set[str]] = defaultdict(set)
    for usr, name in view.unresolved:
        if usr in matched:
            soft_names[matched[usr]].add(strip_qualifiers(name))
    counts: dict[str, Counter[bool]] = defaultdict(Counter)
    entry_of = {entry.id: entry for entry in index.functions}
    done: set[tuple[str, str]] = set()
    for call in sorted(view.calls):
        if call.caller not in functions or call.callee not in functions:
            continue
        caller, callee = matched.get(call.caller), matched.get(call.callee)
        if call.how == "virtual" and caller is not None:
            soft_names[caller].add(strip_qualifiers(call.name))
        if (call.caller, call.callee) in done:
            continue
        done.add((call.caller, call.callee))
        hit = caller is not None and callee is not None and callee in edges[caller]
        if caller is not None and callee is not None:
            true_pairs.add((caller, callee))
        if call.how == "virtual":
            result.virtual[0] += hit
            result.virtual[1] += 1
            continue
        how = "made"
        if call.caller not in made:
            how = _classify_call(functions[call.callee], call.name, caller, callers, entry_of)
        counts[how][hit] += 1
    result.calls = {how: [found[True], found.total()] for how, found in sorted(counts.items())}
    known = {number: usr for usr, number in matched.items()}
    for caller, callees in edges.items():
        for callee in callees:
            if callee not in known:
                continue
            if (caller, callee) in true_pairs:
                result.right += 1
                continue
            name = strip_qualifiers(entry_of[callee].symbol.name)
            is_open = functions[known[caller]].template or name in soft_names[caller]
            result.wrong += not is_open and callers.has_name(entry_of[caller], name)


def _classify_call(
    callee: ClangFunction, name: str, caller: int | None, callers: _Callers, entry_of: Mapping[int, Entry]
) -> str:
    plain = strip_qualifiers(name)
    if is_copy_constructor(callee.usr):
        return "implicit"
    if caller is None or callers.has_name(entry_of[caller], plain):
        return "named"
    is_constructor = "::" in callee.usr or "@F@" + plain + "#" in callee.usr
    return (
        "implicit"
        if plain.startswith("operator") or (is_constructor and plain in callee.usr.split("@F@")[0])
        else "made"
    )


def is_copy_constructor(usr: str) -> bool:
    """Whether a USR is that of a constructor that takes a reference to its own class: `c:CLASS@F@NAME#&1$CLASS#`."""
    owner, _, own = usr.removeprefix("c:").rpartition("@F@")
    return re.fullmatch(rf"\w+#&&?1?\$?{re.escape(owner)}#", own) is not None


def _read_edges(index: RepoIndex, callers: set[int]) -> dict[int, set[int]]:
    graph = index.graph
    found = {}
    for caller in callers:
        edges = graph.edges_from(caller)
        certain = (edges.confidence >= LEAST) & (edges.kind & (EdgeKind.POINTER | EdgeKind.MACRO) == 0)
        found[caller] = {int(i) for i in edges.ids[certain]}
    return found

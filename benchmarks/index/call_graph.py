"""The call graph against gcc's own view of it: precision and recall of edges between functions of the repository.

    python -m benchmarks.record benchmarks/records/call_graph.json -- python -m benchmarks.index.call_graph redis

Truth: units with known flags compiled at -O0 with -fcallgraph-info (`compiler_view.py`); what is compared are pairs
(caller, callee), each once. Prints one JSON value.

- A caller is the function of the index whose text holds the call (inlined functions and template instances fall to
  their text). One that the index lacks makes all its edges misses.
- A callee counts when it was compiled with a body somewhere in the tree: libraries' functions are in neither set.
- Left out: calls through pointers and virtual tables (gcc names no callee), functions without text (a class's implicit
  members), functions that a macro's use defines and the index hasn't got, destructors (nobody writes the call).
- "written": the callee's name stands in the caller's text. "implicit": a constructor or operator whose name isn't
  written there. "macro-made": neither; a macro's replacement calls it.
- An edge of the graph is judged only when gcc compiled the caller, and a line with the callee's name was compiled. It
  is right when gcc has it; one to a function that was never compiled, or at a line where gcc has an indirect call, is
  not judged and counted apart.
"""

from __future__ import annotations

import argparse
import bisect
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from benchmarks.index.compiler_view import REPOSITORIES, Node, Place, View, compile_units, list_units
from executor.cache import cache_root
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source, choose_mirror_folder
from experiments.consoles import print_line, set_up_stderr_logging
from index.build import build_index
from index.callgraph.graph import CallGraph, EdgeKind
from index.repo_index import RepoIndex, open_index
from index.values import Entry, SymbolKind

LEAST = 0.5
"""Edges of less confidence aren't claims: several candidates, of which one is meant."""

Pair = tuple[int, int]


@dataclass
class TrueCalls:
    """What gcc says, in the index's terms. `pairs` by kind of call; of those with an equal `group` and caller one is
    meant; `missing` places of callers and callees that the index lacks; `indirect` lines of calls by a pointer."""

    pairs: dict[Pair, str] = field(default_factory=dict)
    group: dict[Pair, int] = field(default_factory=dict)
    missing: set[Place | None] = field(default_factory=set)
    compiled: set[int] = field(default_factory=set)
    indirect: dict[int, set[int]] = field(default_factory=dict)


class SourceText:
    """The texts of the index's functions, and which of their lines gcc compiled."""

    def __init__(self, index: RepoIndex, view: View) -> None:
        self._index = index
        self._view = view
        self.read_lines = lru_cache(maxsize=None)(self._read_lines)
        self._find_dead = lru_cache(maxsize=None)(self._find_dead_lines)

    def _read_lines(self, path: str) -> list[str]:
        return self._index.read_file(path).decode("latin-1").split("\n")

    def _find_dead_lines(self, path: str) -> list[bool]:
        return find_dead_lines(self.read_lines(path), self._view.active.get(path, set()))

    def read_function(self, entry: Entry) -> str:
        symbol = entry.symbol
        return self._index.read_file(symbol.path)[symbol.start_byte : symbol.end_byte].decode("latin-1")

    def find_compiled_lines(self, entry: Entry, name: str) -> set[int]:
        """Numbers of the compiled lines of a function that hold the name as a word."""
        first, dead = entry.symbol.span.first, self._find_dead(entry.symbol.path)
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        lines = enumerate(self.read_function(entry).split("\n"), first)
        return {number for number, line in lines if word.search(line) and not dead[number - 1]}

    def may_call(self, entry: Entry, name: str) -> bool:
        """Whether a line with the name is compiled, or none has it (a macro or an operator)."""
        is_written = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", self.read_function(entry)) is not None
        return not is_written or bool(self.find_compiled_lines(entry, name))


def find_dead_lines(text: Sequence[str], active: Iterable[int]) -> list[bool]:
    """Per line, whether it lies in a branch of `#if` of which the compiler saw no line."""
    seen = sorted(active)
    dead = [False] * len(text)
    branches: list[int] = []
    for number, line in enumerate(text):
        word = re.match(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b", line)
        if word is None:
            continue
        if word[1] in ("elif", "else", "endif") and branches:
            start = branches.pop()
            at = bisect.bisect_left(seen, start + 2)
            if at == len(seen) or seen[at] > number:
                dead[start : number + 1] = [True] * (number + 1 - start)
        if word[1] != "endif":
            branches.append(number)
    return dead


class Locator:
    """Finds the function of the index that gcc means."""

    def __init__(self, index: RepoIndex, text: SourceText) -> None:
        self._text = text
        self._by_path: dict[str, list[Entry]] = {}
        for entry in index.functions:
            self._by_path.setdefault(entry.symbol.path, []).append(entry)
        self.find_definition = lru_cache(maxsize=None)(self._find_definition)

    def find_around(self, place: Place) -> list[Entry]:
        """The functions whose lines hold the place, the innermost last."""
        entries = self._by_path.get(place.path, ())
        return [entry for entry in entries if entry.symbol.span.first <= place.line <= entry.symbol.span.last]

    def _find_definition(self, node: Node) -> tuple[Entry | None, bool]:
        """The function that a node is; and, where there is none, whether the index lacks a written one."""
        place = node.place
        if place is None:
            return None, False
        name = read_short_name(node)
        lines = self._text.read_lines(place.path)
        line = lines[place.line - 1] if place.line <= len(lines) else ""
        rest = line[place.column - 1 :]
        # An out-of-line definition's place is where its qualified name begins.
        word = re.match(r"(?:\w+\s*(?:<[^<>]*>)?\s*::\s*)*(~?\w+)", rest)
        written = word[1] if word else ""
        if name.startswith("operator") and written == "operator":
            written = name
        same = [e for e in self.find_around(place) if e.symbol.name.replace(" ", "") == name.replace(" ", "")]
        if written != name:
            return (same[0], False) if len(same) == 1 else (None, False)
        if same:
            return same[-1], False
        is_implicit = re.match(r"[~\w]+\s*(?:$|[:{;,])", rest) or re.match(r"\s*(?:class|struct|union)\b", line)
        return None, not is_implicit

    def find_caller(self, source: Node, place: Place | None) -> Entry | None:
        """The function whose text holds a call."""
        own = self.find_definition(source)[0]
        around = self.find_around(place) if place is not None else []
        if own is not None and any(entry.id == own.id for entry in around):
            return own  # one of several that a macro's use makes on these lines
        return around[-1] if around else own


def read_short_name(node: Node) -> str:
    """The unqualified name out of gcc's label: `int A<T>::f(int) [with T = B]` -> `f`; C's labels are names."""
    label = node.label.partition(" [with ")[0]
    if "(" not in label and " " not in label:
        return label
    operator = re.search(r"operator\s*(\(\)|\[\]|[^\w\s(]+|new\[\]|delete\[\]|new|delete|[\w:&* ]+)", label)
    if operator:
        return "operator" + (operator[1] if not operator[1][0].isalpha() else " " + operator[1].strip())
    # Template arguments may hold brackets: they go first, from the innermost.
    while label != (shorter := re.sub(r"<[^<>]*>", "", label)):
        label = shorter
    head = label.partition("(")[0].split()
    return head[-1].rsplit("::", 1)[-1].lstrip("*&") if head else ""


def find_true_calls(view: View, locator: Locator, text: SourceText) -> TrueCalls:
    truth = TrueCalls()
    truth.compiled = {entry.id for node in view.functions if (entry := locator.find_definition(node)[0])}
    for source, place in view.indirect:
        caller = locator.find_caller(source, place)
        if caller is not None and place is not None:
            truth.indirect.setdefault(caller.id, set()).add(place.line)
    callees: dict[tuple[int, str, Place | None], list[Entry]] = {}
    callers: dict[int, Entry] = {}
    for source, target, place in view.edges:
        callee, is_lacking = locator.find_definition(target)
        if (callee is None and not is_lacking) or read_short_name(target).startswith("~"):
            continue
        caller = locator.find_caller(source, place)
        if caller is None:
            if locator.find_definition(source)[1]:
                truth.missing.add(source.place)
        elif callee is None:
            truth.missing.add(target.place)
        else:
            callers[caller.id] = caller
            callees.setdefault((caller.id, target.title.rpartition(":")[2], place), []).append(callee)
    words = {number: set(re.findall(r"\w+", text.read_function(caller))) for number, caller in callers.items()}
    for (number, _, _), alternatives in callees.items():
        for callee in alternatives:
            pair = (number, callee.id)
            truth.pairs[pair] = classify_call(callee, words[number])
            # Programs of one tree that define the name again: which one is linked isn't known, so any is right.
            truth.group[pair] = min(entry.id for entry in alternatives)
    return truth


def classify_call(callee: Entry, words: set[str]) -> str:
    name = callee.symbol.name
    if name in words:
        return "written"
    is_implicit = name.startswith("operator") or callee.symbol.qualified_name.endswith(f"{name}::{name}")
    return "implicit" if is_implicit else "macro-made"


def find_claims(graph: CallGraph, callers: Iterable[int]) -> set[Pair]:
    """The edges that count as claims; those to macros and through pointers don't."""
    claims: set[Pair] = set()
    for caller in callers:
        edges = graph.edges_from(caller)
        rows = zip(edges.ids.tolist(), edges.confidence.tolist(), edges.kind.tolist(), strict=True)
        for callee, confidence, kind in rows:
            if confidence >= LEAST and not kind & (EdgeKind.MACRO | EdgeKind.POINTER):
                claims.add((caller, callee))
    return claims


def compare_edges(index: RepoIndex, truth: TrueCalls, text: SourceText) -> dict[str, Any]:
    """True and found edges by kind of call; right and wrong claims, and those that aren't judged, by reason."""
    claims = find_claims(index.graph, truth.compiled)
    entries = {entry.id: entry for entry in (*index.entries_of_kind(SymbolKind.PROTOTYPE), *index.functions)}
    judged = Counter(judge_claim(pair, entries, truth, text) for pair in claims)
    kinds = {(pair[0], truth.group[pair]): kind for pair, kind in truth.pairs.items()}
    found = {(pair[0], truth.group[pair]) for pair in truth.pairs.keys() & claims}
    total, hit = Counter(kinds.values()), Counter(kinds[group] for group in found)
    return {
        "kinds": {kind: [hit[kind], total[kind]] for kind in sorted(total)},
        "missing": len(truth.missing),
        "right": judged.pop("right"),
        "wrong": judged.pop("wrong"),
        "not judged": dict(judged),
    }


def judge_claim(pair: Pair, entries: dict[int, Entry], truth: TrueCalls, text: SourceText) -> str:
    caller, callee = entries[pair[0]], entries[pair[1]]
    if pair in truth.pairs:
        return "right"
    if callee.id not in truth.compiled:
        return "callee never compiled"
    if callee.symbol.name.startswith("~"):
        return "destructor"
    if not text.may_call(caller, callee.symbol.name):
        return "left out by #if"
    if text.find_compiled_lines(caller, callee.symbol.name) & truth.indirect.get(caller.id, set()):
        return "at an indirect call"
    return "wrong"


def measure_repository(name: str, jobs: int) -> dict[str, Any]:
    tree = checkout_source(find_recipe(name), choose_mirror_folder(), cache_root())
    with tempfile.TemporaryDirectory(prefix="call-graph-") as folder:
        work = Path(folder)
        units = list_units(name, tree.root, work)
        view = compile_units(units, tree.root, work, jobs)
        build_index(tree.root, work / "index", workers=jobs)
        index = open_index(work / "index", tree.root)
        text = SourceText(index, view)
        truth = find_true_calls(view, Locator(index, text), text)
        return {"units": len(units), "failed": len(view.failed), **compare_edges(index, truth, text)}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("repos", nargs="+", choices=REPOSITORIES)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args(argv)
    print_line(json.dumps({repo: measure_repository(repo, args.jobs) for repo in args.repos}, indent=1))
    return 0


if __name__ == "__main__":
    set_up_stderr_logging()
    sys.exit(main())

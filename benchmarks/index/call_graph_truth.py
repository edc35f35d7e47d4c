"""gcc's view of a tree's calls -> pairs of the index's functions: the truth for `call_graph.py`."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from benchmarks.index.compiler_view import Node, Place, View
from index.repo_index import RepoIndex
from index.values import Entry

Pair = tuple[int, int]


@dataclass
class TrueCalls:
    """What gcc says, in the index's terms. `pairs` by kind of call; of those with an equal `group` and caller one
    is meant; `left_out` counts by reason."""

    pairs: dict[Pair, str] = field(default_factory=dict)
    group: dict[Pair, int] = field(default_factory=dict)
    missing: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    callers: set[int] = field(default_factory=set)
    compiled: set[int] = field(default_factory=set)
    indirect: dict[int, set[int]] = field(default_factory=dict)
    examples: list[str] = field(default_factory=list)


class Locator:
    """Finds the function of the index at a place."""

    def __init__(self, index: RepoIndex) -> None:
        self._index = index
        self._lines: dict[str, list[str]] = {}
        self._by_path: dict[str, list[Entry]] = {}
        for entry in index.functions:
            self._by_path.setdefault(entry.symbol.path, []).append(entry)
        self._kept: dict[tuple[str, int], Entry | None] = {}

    def around(self, place: Place) -> Entry | None:
        """The innermost function whose lines hold the place."""
        key = (place.path, place.line)
        if key not in self._kept:
            found = None
            for entry in self._by_path.get(place.path, ()):
                if entry.symbol.span.first > place.line:
                    break
                if entry.symbol.span.last >= place.line:
                    found = entry
            self._kept[key] = found
        return self._kept[key]

    def line(self, place: Place) -> str:
        if place.path not in self._lines:
            data = (self._index.root / place.path).read_bytes() if place.path else b""
            self._lines[place.path] = data.decode("latin-1").split("\n")
        lines = self._lines[place.path]
        return lines[place.line - 1] if place.line <= len(lines) else ""

    def defined(self, node: Node) -> tuple[Entry | None, str]:
        """The function that a node is, or why there's none: "implicit", "by a macro", "missing"."""
        place = node.place
        assert place is not None
        name = short_name(node)
        rest = self.line(place)[place.column - 1 :]
        # An out-of-line definition's place is where its qualified name begins.
        word = re.match(r"(?:\w+\s*(?:<[^<>]*>)?\s*::\s*)*(~?\w+)", rest)
        written = word[1] if word else ""
        if name.startswith("operator") and written == "operator":
            written = name
        made = [
            e
            for e in self._by_path.get(place.path, ())
            if e.symbol.name == name and e.symbol.span.first <= place.line <= e.symbol.span.last
        ]
        if written != name and len(made) == 1:
            return made[0], ""
        if written != name:
            return None, "implicit" if written and name.lstrip("~") == written.lstrip("~") else "by a macro"
        entry = self.around(place)
        if entry is not None and entry.symbol.name.replace(" ", "") == name.replace(" ", ""):
            return entry, ""
        same = [
            e
            for e in self._by_path.get(place.path, ())
            if e.symbol.span.first <= place.line <= e.symbol.span.last
            and e.symbol.name.replace(" ", "") == name.replace(" ", "")
        ]
        if same:
            return same[-1], ""
        if re.match(r"[~\w]+\s*(?:$|[:{;,])", rest) or re.match(r"\s*(?:class|struct|union)\b", self.line(place)):
            return None, "implicit"
        return None, "missing"


def short_name(node: Node) -> str:
    """The unqualified name out of gcc's label: `int A<T>::f(int) [with T = B]` -> `f`; C's labels are names."""
    label = node.label.partition(" [with ")[0]
    if "(" not in label and " " not in label:
        return label
    operator = re.search(r"operator\s*(\(\)|\[\]|[^\w\s(]+|new\[\]|delete\[\]|new|delete|[\w:&* ]+)", label)
    if operator:
        return "operator" + (operator[1] if not operator[1][0].isalpha() else " " + operator[1].strip())
    head = label
    depth = 0
    for i, c in enumerate(label):
        if c == "<":
            depth += 1
        elif c == ">":
            depth -= 1
        elif c == "(" and depth == 0:
            head = label[:i]
            break
    head = re.sub(r"<.*>", "", head)
    return head.split()[-1].rsplit("::", 1)[-1].lstrip("*&") if head.split() else ""


def truth_of(view: View, index: RepoIndex, locator: Locator) -> TrueCalls:
    truth = TrueCalls()
    where: dict[Node, tuple[Entry | None, str]] = {}

    def found(node: Node) -> tuple[Entry | None, str]:
        if node not in where:
            where[node] = locator.defined(node)
        return where[node]

    for node in view.functions:
        entry, _ = found(node)
        if entry is not None:
            truth.compiled.add(entry.id)
    truth.callers |= truth.compiled
    texts: dict[int, set[str]] = {}
    for source, place in view.indirect:
        entry = _caller(source, place, locator, found)
        if entry is not None and place is not None:
            truth.indirect.setdefault(entry.id, set()).add(place.line)
    unfound: set[tuple[Place | None, str]] = set()
    alternatives: dict[tuple[int, str, Place | None], list[Entry]] = {}
    for source, target, place in view.edges:
        callee, reason = found(target)
        name = short_name(target)
        if callee is None and reason != "missing":
            truth.left_out[f"callee {reason}"] += 1
            continue
        if name.startswith("~"):
            truth.left_out["destructor"] += 1
            continue
        caller = _caller(source, place, locator, found)
        if caller is None:
            reason = found(source)[1] if source.place is not None else "implicit"
            if reason == "missing":
                unfound.add((source.place, f"caller {name}"))
            else:
                truth.left_out[f"caller {reason}"] += 1
            continue
        if callee is None:
            if (target.place, "callee") not in unfound:
                unfound.add((target.place, "callee"))
                truth.examples.append(f"callee not in the index: {target.label} {target.place}")
            continue
        alternatives.setdefault((caller.id, target.title.rpartition(":")[2], place), []).append(callee)
    for (caller_id, _, _), callees in alternatives.items():
        # Programs of one tree that define the name again: which one is linked isn't known, so any is right.
        if caller_id not in texts:
            symbol = index.entries_by_id([caller_id])[0].symbol
            data = index.read(symbol.path)[symbol.start_byte : symbol.end_byte].decode("latin-1")
            texts[caller_id] = set(re.findall(r"\w+", data))
        for callee in callees:
            name = callee.symbol.name
            written = name in texts[caller_id]
            implicit = name.startswith("operator") or callee.symbol.qualified_name.endswith(f"{name}::{name}")
            kind = "written" if written else "implicit" if implicit else "macro-made"
            truth.pairs[caller_id, callee.id] = kind
            truth.group[caller_id, callee.id] = min(c.id for c in callees)
    truth.missing.update(reason.split()[0] for _, reason in unfound)
    return truth


def _caller(source: Node, place: Place | None, locator: Locator, found) -> Entry | None:  # type: ignore[no-untyped-def]
    if place is not None:
        own = found(source)[0] if source.place is not None else None
        if own is not None and own.symbol.path == place.path:
            span = own.symbol.span
            if span.first <= place.line <= span.last:
                return own  # one of several that a macro's use makes on these lines
        entry = locator.around(place)
        if entry is not None:
            return entry
    return found(source)[0] if source.place is not None else None

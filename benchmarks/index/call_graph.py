"""The call graph against gcc's own view of it: precision and recall of edges between functions of the repository.

    python -m benchmarks.index.call_graph --repo redis
    python -m benchmarks.index.call_graph --repo openssl --only crypto/bn,crypto/evp,ssl
    python -m benchmarks.index.call_graph --repo bullet3 --misses 40
    python -m benchmarks.index.call_graph --repo bullet3 --oracle  # YABLoCo's own lists of callees instead of gcc's

With --oracle: of the callees that the data set lists for its tasks, by name, how many the edges from the target's
own (unhidden) body hold. A list that was cut or names a library's function counts as it stands.

Truth: units with known flags compiled at -O0 with -fcallgraph-info (`compiler_view.py`); what is compared are pairs
(caller, callee), each once.

- A caller is the function of the index whose text holds the call (inlined functions and template instances fall to
  their text). One that the index lacks makes all its edges misses.
- A callee counts when it was compiled with a body somewhere in the tree: libraries' functions are in neither set.
- Left out and counted apart: calls through pointers and virtual tables (gcc names no callee), functions without
  text (a class's implicit members), functions that a macro's use defines and the index hasn't got, destructors
  (nobody writes the call).
- "written": the callee's name stands in the caller's text. "macro-made": it doesn't and the callee is no
  constructor or operator: a macro's replacement calls it. "implicit": a constructor or operator whose name isn't
  written there.
- An edge of the graph is judged only when gcc compiled the caller, and a line with the callee's name was
  compiled. It is right when gcc has it; one to a function that was never compiled, or at a line where gcc has
  an indirect call, is not judged and counted apart.
"""

from __future__ import annotations

import argparse
import bisect
import random
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.index.call_graph_truth import Locator, Pair, TrueCalls, truth_of
from benchmarks.index.compiler_view import View, compiler_view, units_of
from executor.cache import cache_root
from executor.repository.recipe import Recipe, RecipeSource, find_recipe, recipe_names
from executor.repository.source import checkout, mirror_from_env
from executor.tasks.load import bind, load_rows, select
from experiments.consoles import log_to_stderr, say
from index.build import build_index
from index.callgraph.graph import CallGraph, EdgeKind
from index.repo_index import RepoIndex, open_index
from index.values import Entry, SymbolKind

COMMITS = {"openssl": "d597b46f9bdb533761e36fcf1d96ce83f3f6f04d"}
LEAST = 0.5
"""Edges of less confidence aren't claims: several candidates, of which one is meant."""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--repo", required=True, choices=("redis", "openssl", "bullet3"))
    parser.add_argument("--only", default="", help="units whose path starts with one of these, separated by commas")
    parser.add_argument(
        "--root", type=Path, help="folder for the compiler's output and the index (default: the cache)"
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--least", type=float, default=LEAST, help="edges of less confidence are no claims")
    parser.add_argument("--misses", type=int, default=0, help="print so many missed and wrong edges, drawn at random")
    parser.add_argument("--oracle", action="store_true", help="score against YABLoCo's lists of callees")
    args = parser.parse_args(argv)
    work = (args.root or cache_root() / "call-graph") / args.repo
    work.mkdir(parents=True, exist_ok=True)
    tree = checkout(_recipe(args.repo), mirror_from_env(), cache_root())
    if args.oracle:
        build_index(tree.root, work / "index", workers=args.jobs)
        oracle_report(open_index(work / "index", tree.root), args.repo, args.misses)
        return 0
    units = units_of(args.repo, tree.root, work, args.only)
    view = compiler_view(units, tree.root, work, args.jobs)
    build_index(tree.root, work / "index", workers=args.jobs)
    index = open_index(work / "index", tree.root)
    began = time.process_time()
    graph = index.graph
    seconds = time.process_time() - began
    locator = Locator(index)
    truth = truth_of(view, index, locator)
    say(f"{args.repo}: {view.units} units, {len(view.failed)} don't compile; graph of {len(graph.callee)} edges")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    say(f"resolution {seconds:.2f} CPU-s (0.00: was made before), peak of this process {peak:.0f} MB")
    report(index, graph, truth, view, args.least, args.misses)
    return 0


def oracle_report(index: RepoIndex, repo: str, misses: int) -> None:
    """Print how many of the data set's callees the edges from each target hold."""
    listed = held = claimed = tasks = 0
    missed: list[str] = []
    for row in select(load_rows("yabloco"), repos=(repo,)):
        task = bind(row, index.root)
        target = next(
            (
                e
                for e in index.entries_of(task.target.path)
                if e.body >= 0 and e.symbol.span.first <= task.target.span.last <= e.symbol.span.last
            ),
            None,
        )
        tasks += bool(task.oracle)
        names: dict[str, float] = {}
        if target is not None:
            edges = index.graph.edges_from(target.id)
            called = {e.id: e.symbol.name for e in index.entries_by_id(edges.ids.tolist())}
            for number, confidence in zip(edges.ids.tolist(), edges.confidence.tolist(), strict=True):
                name = called[number].replace(" ", "")
                names[name] = max(names.get(name, 0.0), confidence)
        for item in task.oracle:
            header = re.sub(r"\s+", "", re.split(r"[{;]", item.text, maxsplit=1)[0])
            found = [c for n, c in names.items() if f"{n}(" in header]
            listed += 1
            held += bool(found)
            claimed += bool(found) and max(found) >= LEAST
            if not found:
                missed.append(f"{task.target.name} -> {' '.join(item.text.split())[:90]}")
    say(f"{repo}: {listed} callees listed in {tasks} tasks; the graph holds {held}, {claimed} of them as claims")
    for line in missed[:misses]:
        say(f"  missed {line}")


def _recipe(name: str) -> Recipe:
    if name in recipe_names():
        return find_recipe(name)
    source = RecipeSource(url=f"https://github.com/{name}/{name}", commit=COMMITS[name], may_lack=("*",))
    return Recipe.model_construct(name=name, source=source, folder=Path())


def report(index: RepoIndex, graph: CallGraph, truth: TrueCalls, view: View, least: float, misses: int) -> None:
    claims: dict[Pair, int] = {}
    for caller in truth.callers:
        edges = graph.edges_from(caller)
        for callee, confidence, kind in zip(
            edges.ids.tolist(), edges.confidence.tolist(), edges.kind.tolist(), strict=True
        ):
            if confidence >= least and not kind & (EdgeKind.MACRO | EdgeKind.POINTER):
                claims[caller, callee] = kind
    apart: Counter[str] = Counter()
    right: set[Pair] = set()
    wrong: list[Pair] = []
    names = {e.id: e for e in index.functions}
    names.update({e.id: e for e in index.entries(SymbolKind.PROTOTYPE)})
    activity = Activity(index, view)
    for pair in claims:
        callee = names[pair[1]]
        if pair in truth.pairs:
            right.add(pair)
        elif pair[1] not in truth.compiled:
            apart["callee never compiled"] += 1
        elif callee.symbol.name.startswith("~"):
            apart["destructor"] += 1
        elif not activity.mentioned(names[pair[0]], callee.symbol.name):
            apart["left out by #if"] += 1
        elif activity.lines(names[pair[0]], callee.symbol.name) & truth.indirect.get(pair[0], set()):
            apart["at an indirect call"] += 1
        else:
            wrong.append(pair)
    # Programs of one tree that define a function each: one is meant, and any of them is found.
    wanted: dict[Pair, str] = {}
    reached: set[Pair] = set()
    for pair, kind in truth.pairs.items():
        group = (pair[0], truth.group[pair])
        wanted[group] = kind
        if pair in claims:
            reached.add(group)
    kinds = Counter(wanted.values())
    hit = Counter(wanted[p] for p in reached)
    lost = sum(truth.missing.values())
    total, found = sum(kinds.values()), sum(hit.values())
    say(f"functions that gcc compiled: {len(truth.compiled)}")
    say(f"\n{'edges':32} {'true':>8} {'found':>8} {'recall':>8}")
    for kind in sorted(kinds):
        say(f"{kind:32} {kinds[kind]:8} {hit[kind]:8} {hit[kind] / kinds[kind]:8.3f}")
    say(f"{'caller or callee not in the index':32} {lost:8} {0:8}")
    say(f"{'all':32} {total + lost:8} {found:8} {found / (total + lost):8.3f}")
    precision = len(right) / max(1, len(right) + len(wrong))
    say(f"\nprecision {precision:.3f} ({len(right)} right, {len(wrong)} wrong); not judged: {dict(apart)}")
    say(f"left out of the truth: {dict(truth.left_out)}")
    calls = sum(len(v) for v in truth.indirect.values())
    by_pointer = sum(
        any(k & EdgeKind.POINTER for k in graph.edges_from(caller).kind.tolist()) for caller in truth.indirect
    )
    say(f"indirect: {calls} lines in {len(truth.indirect)} functions, {by_pointer} of which have an edge by a pointer")
    random.seed(1)
    missed = [p for p in truth.pairs if (p[0], truth.group[p]) not in reached]
    forms = Counter(form_of(index, names[p[0]], names[p[1]]) for p in missed if truth.group[p] == p[1])
    say("missed, by what stands in the caller's text:")
    for form, count in forms.most_common():
        say(f"  {count:6} {form}")
    often = Counter(p[1] for p in missed if truth.group[p] == p[1])
    for callee, count in often.most_common(min(misses, 20)):
        say(f"missed {count} times: {_spelt(names[callee])}")
    for title, pairs in (("missed", missed), ("wrong", wrong)):
        for caller, callee in random.sample(sorted(pairs), min(misses, len(pairs))):
            kind = truth.pairs.get((caller, callee), "")
            say(f"{title} {kind:12} {_spelt(names[caller])} -> {_spelt(names[callee])}")
    for line in truth.examples[:misses]:
        say(line)


def form_of(index: RepoIndex, caller: Entry, callee: Entry) -> str:
    """How the caller's text has a call of the callee: by regular expressions, so a rough count."""
    name = callee.symbol.name
    text = index.read(caller.symbol.path)[caller.symbol.start_byte : caller.symbol.end_byte].decode("latin-1")
    word = rf"(?<![\w:]){re.escape(name)}\b"
    if not callee.symbol.qualified_name.endswith(f"{name}::{name}"):
        if name in ("operator=", "operator()"):
            return f"{name}"
        if re.match(r"operator \w", name):
            return "a conversion, not written"
        if name.startswith("operator"):
            return "another operator"
        return "a call by name" if re.search(word, text) else "a name that isn't there (a macro's)"
    argument = r"\s*(?:<[^;{}]*>)?"
    if re.search(rf"{word}{argument}\s+\w+\s*(?:\[[^\]]*\]\s*)*(?:,[^;()]*)?;", text):
        return "constructor, `T v;`"
    if re.search(rf"{word}{argument}\s*[({{]", text):
        return "constructor, `T(x)`, `new T(x)`"
    if caller.symbol.qualified_name.endswith(f"{caller.symbol.name}::{caller.symbol.name}"):
        return "constructor of a base or member, not written"
    if re.search(rf"{word}[^;=]*=", text):
        return "constructor, `T v = x`"
    return "constructor of something temporary, not written"


def _spelt(entry: Entry) -> str:
    symbol = entry.symbol
    return f"{symbol.qualified_name} ({symbol.path}:{symbol.span.first})"


class Activity:
    """Which lines of a function were compiled, as far as `#if` decides."""

    def __init__(self, index: RepoIndex, view: View) -> None:
        self._index = index
        self._view = view
        self._dead: dict[str, list[bool]] = {}

    def lines(self, entry: Entry, name: str) -> set[int]:
        """Numbers of the compiled lines of a function that hold the name as a word."""
        symbol = entry.symbol
        text = self._index.read(symbol.path)[symbol.start_byte : symbol.end_byte].decode("latin-1")
        dead = self._dead_lines(symbol.path)
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        first = symbol.span.first
        return {first + i for i, line in enumerate(text.split("\n")) if word.search(line) and not dead[first + i - 1]}

    def mentioned(self, entry: Entry, name: str) -> bool:
        """Whether the name may be called: a line with it is compiled, or none has it (a macro or an operator)."""
        symbol = entry.symbol
        text = self._index.read(symbol.path)[symbol.start_byte : symbol.end_byte].decode("latin-1")
        return bool(self.lines(entry, name)) or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is None

    def _dead_lines(self, path: str) -> list[bool]:
        if path not in self._dead:
            text = self._index.read(path).decode("latin-1").split("\n")
            self._dead[path] = dead_lines(text, self._view.active.get(path, set()))
        return self._dead[path]


def dead_lines(text: Sequence[str], active: Iterable[int]) -> list[bool]:
    """Per line, whether it lies in a branch of `#if` of which the compiler saw no line."""
    seen = sorted(active)
    dead = [False] * len(text)
    branches: list[int] = []
    ends: list[tuple[int, int]] = []
    for i, line in enumerate(text):
        word = re.match(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b", line)
        if word is None:
            continue
        if word[1] in ("elif", "else", "endif") and branches:
            ends.append((branches.pop(), i))
        if word[1] != "endif":
            branches.append(i)
    for start, end in ends:
        at = bisect.bisect_left(seen, start + 2)
        if at == len(seen) or seen[at] > end:
            for i in range(start, end + 1):
                dead[i] = True
    return dead


if __name__ == "__main__":
    log_to_stderr()
    sys.exit(main())

"""The targets of an evaluation: the benchmark's, or functions drawn from a tree by the same rules.

The rules, from YABLoCo and its data: a documentation comment of more than 3 words, a body of 2 to 15 lines, few
callers (its 218 functions have 0 to 7). Ours beside them: no test code, and at least one callee in the repository,
since else there is nothing to find. Functions of the benchmark and their clones are never drawn.

The order of the draw is a hash of the function's place and name: the same functions are drawn again when others come
or go, and nobody chose them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import NamedTuple

from executor.values import Task
from index.repo_index import RepoIndex
from index.values import Entry, Symbol, Target
from lab.retrieval_eval.true_callees import (
    CallList,
    Definition,
    Truth,
    find_callees_in_graph,
    find_callees_in_list,
    find_callees_of_oracle,
    find_entry_of_target,
)
from retrieval.ranker.training_groups import make_target
from retrieval.test_code import is_test_code

MIN_DOC_WORDS = 4
BODY_LINES = range(2, 16)
"""Lines between the line of the opening brace and that of the closing one."""
MAX_CALLERS = 7
DEV_TARGETS = 400
DRAW_SEED = "graft development split 1"

_WORD = re.compile(r"[^\W\d_]\w*")


class EvaluationTarget(NamedTuple):
    """A target with its truth. `gold` is the function's text, for the controls and for the names that it needs.
    `missing` says why there is no truth, or is "". `oracle` is the data set's context, (text, path, name) each; None
    where there is no data set."""

    id: str
    target: Target
    truth: Truth
    gold: str
    missing: str = ""
    oracle: tuple[tuple[str, str, str], ...] | None = None


def make_benchmark_targets(
    tasks: Sequence[Task], calls: dict[str, CallList], index: RepoIndex, definition: Definition
) -> list[EvaluationTarget]:
    """The data set's own targets, of tasks of one function. By our call graph a target that the index lacks has no
    truth."""
    out = []
    for task in tasks:
        entry = find_entry_of_target(task.target, index)
        missing = ""
        if definition == "graph":
            truth = Truth(()) if entry is None else find_callees_in_graph(entry, index)
            missing = "the index has no function there" if entry is None else ""
        elif task.id in calls:
            truth = find_callees_in_list(calls[task.id], task.target, index)
        else:
            truth = find_callees_of_oracle(task.oracle, task.target, index)
        oracle = tuple((item.text, item.path, item.name) for item in task.oracle)
        out.append(EvaluationTarget(task.id, task.target, truth, task.gold, missing, oracle))
    return out


def draw_targets(index: RepoIndex, repo: str, count: int, benchmark: Sequence[Target] = ()) -> list[EvaluationTarget]:
    """At most `count` functions of the tree by the rules above; none of `benchmark`, nor their clones."""
    barred = _find_benchmark_functions_and_clones(index, benchmark)
    fitting = [e for e in index.functions if e.id not in barred and has_eligible_text_and_few_callers(e, index)]
    fitting.sort(key=lambda e: make_draw_key(repo, e.symbol))
    out: list[EvaluationTarget] = []
    for entry in fitting:
        if len(out) == count:
            break
        truth = find_callees_in_graph(entry, index)
        if truth.callees:
            out.append(
                EvaluationTarget(
                    f"{entry.symbol.path}:{entry.symbol.span.first}:{entry.symbol.qualified_name}",
                    make_target(entry.symbol, repo),
                    truth,
                    index.read_symbol_text(entry.symbol).decode("utf-8", "replace"),
                )
            )
    return out


def draw_dev_targets(index: RepoIndex, repo: str, benchmark: Sequence[Target]) -> tuple[Target, ...]:
    """The development split of a repository: what weights and features are chosen on, and what no trained ranker
    may learn from. The same for everybody who asks."""
    return tuple(target.target for target in draw_targets(index, repo, DEV_TARGETS, benchmark))


def has_eligible_text_and_few_callers(entry: Entry, index: RepoIndex) -> bool:
    return is_documented_and_of_fitting_length(entry, index) and len(index.graph.callers(entry.id)) <= MAX_CALLERS


def is_documented_and_of_fitting_length(entry: Entry, index: RepoIndex) -> bool:
    """Whether a function's own text fits the rules."""
    symbol = entry.symbol
    if entry.body < 0 or is_test_code(symbol.path) or len(_WORD.findall(symbol.docstring)) < MIN_DOC_WORDS:
        return False
    body = index.read_file(symbol.path)[entry.body : symbol.end_byte]
    return b"{" in body and body.rstrip().count(b"\n") - 1 in BODY_LINES


def _find_benchmark_functions_and_clones(index: RepoIndex, benchmark: Sequence[Target]) -> set[int]:
    places = set()
    barred = set()
    for target in benchmark:
        own = find_entry_of_target(target, index)
        if own is not None:
            barred.add(own.id)
        places |= {(c.path, c.start_byte) for c in index.hide(target, "strict").clones}
    for path in {path for path, _ in places}:
        barred |= {e.id for e in index.entries_in_file(path) if (path, e.symbol.start_byte) in places}
    return barred


def make_draw_key(repo: str, symbol: Symbol) -> bytes:
    """Functions are drawn in the order of this key."""
    text = f"{DRAW_SEED}\n{repo}\n{symbol.path}\n{symbol.qualified_name}\n{symbol.signature}"
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()

"""What a query costs, hiding included: every listed retriever, each in a process of its own.

    python -m benchmarks.retrieval.speed TREE [TREE ...] [--retrievers lexical,hybrid]

For each TREE the index is built (or found) in Graft's cache, and one process makes what a retriever keeps beside it
(`making`). Then a fresh process opens the index, runs one query (`first`: opening, mapping files, the first hide and
query) and then those for the other targets, which are drawn by the rules of the development split, callers aside.
Times are CPU-ms (user + system) of that process: a loaded machine doesn't move them much; `wall` is the median by the
clock. `peak` is the process's largest resident size, mapped pages of the arrays included.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.tables import TitledTable, print_tables
from experiments.arms.retrievers import find_retriever, list_retrievers, make_retriever
from experiments.consoles import print_line
from experiments.indexing.index_place import choose_index_place
from experiments.run.records import encode_json_value, read_json_file
from index.repo_index import open_index
from index.values import Target
from lab.retrieval_eval.run import open_updated_index
from lab.retrieval_eval.targets import is_documented_and_of_fitting_length, make_draw_key
from retrieval.protocol import RetrieverSettings
from retrieval.ranker.training_groups import make_target

LIMIT, TARGETS = 50, 60
COLUMNS = ("retriever", "making CPU-s", "first", "hide median", "query median", "sum median", "p95", "wall", "peak MB")


@dataclass(frozen=True, slots=True)
class _Targets:
    """What the processes are asked about."""

    targets: tuple[Target, ...]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--retrievers", default=",".join(list_retrievers()))
    parser.add_argument("--child", choices=("make", "ask"), help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        _measure_in_child(given.child, given.trees[0], given.retrievers, given.file)
        return 0
    names = tuple(dict.fromkeys(given.retrievers.split(",")))
    for name in names:
        find_retriever(name)
    print_tables([_measure_tree(tree, names) for tree in given.trees])
    return 0


def _measure_tree(tree: Path, names: Sequence[str]) -> TitledTable:
    index = open_updated_index(tree)
    repo = index.root.name
    fitting = [entry.symbol for entry in index.functions if is_documented_and_of_fitting_length(entry, index)]
    fitting.sort(key=lambda symbol: make_draw_key(repo, symbol))
    targets = [make_target(symbol, repo) for symbol in fitting[:TARGETS]]
    title = f"{repo}: {len(index.functions)} functions, {len(targets)} targets; CPU-ms"
    index.close()
    rows: list[tuple[str | float, ...]] = []
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "targets.json")
        file.write_bytes(encode_json_value(_Targets(tuple(targets))))
        for name in names:
            making = _run_child("make", tree, name, file)["cpu"]
            asked = _run_child("ask", tree, name, file)
            times = (round(asked[key], 1) for key in ("first", "hide", "query", "sum", "p95", "wall"))
            rows.append((name, round(making, 1), *times, round(asked["peak"])))
    return TitledTable(title, COLUMNS, tuple(rows))


def _run_child(what: str, tree: Path, name: str, file: Path) -> dict[str, float]:
    argv = [sys.executable, "-m", "benchmarks.retrieval.speed", str(tree)]
    argv += ["--child", what, "--retrievers", name, "--file", str(file)]
    # One thread for every library's own pool: a query has one core.
    env = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(argv, capture_output=True, text=True, env=env)
    if done.returncode:
        raise SystemExit(f"{name}: {done.stderr.strip().splitlines()[-1] if done.stderr else done.returncode}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _measure_in_child(what: str, tree: Path, name: str, file: Path) -> None:
    place = choose_index_place(tree, None)
    targets = read_json_file(_Targets, file).targets
    began = time.process_time()
    index = open_index(place.folder, place.root)
    retriever = make_retriever(name, index, RetrieverSettings(held_out=targets))
    hide, query, wall = [], [], []
    for target in targets[:1] if what == "make" else targets:
        clock = time.perf_counter()
        start = time.process_time()
        view = index.hide(target, "strict")
        hidden = time.process_time()
        retriever.retrieve(view, target, LIMIT)
        query.append(1000 * (time.process_time() - hidden))
        hide.append(1000 * (hidden - start))
        wall.append(1000 * (time.perf_counter() - clock))
        if len(query) == 1:
            first = 1000 * (time.process_time() - began)
    total = np.add(hide, query)[1:] if len(query) > 1 else np.add(hide, query)
    figures = {
        "cpu": time.process_time() - began,
        "first": first,
        "hide": float(np.median(hide[1:] or hide)),
        "query": float(np.median(query[1:] or query)),
        "sum": float(np.median(total)),
        "p95": float(np.quantile(total, 0.95)),
        "wall": float(np.median(wall[1:] or wall)),
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print_line(json.dumps(figures))


if __name__ == "__main__":
    sys.exit(main())

"""The embedded encoder: recall by its dimensions, functions encoded per second, and HNSW against exact search.

    .venv/bin/python benchmarks/retrieval/dense.py redis bullet3 openssl=DIR [--targets 100]
    .venv/bin/python benchmarks/retrieval/dense.py llvm=DIR --large  # HNSW where it is used: above 200,000 vectors

Names of repositories of the data set, with their sources from GRAFT_MIRROR, or NAME=DIR. Recall is micro over the
true callees (by the call graph) of drawn functions, each hidden strictly and held out of the fit; the benchmark's
targets and their clones are never among them, and are held out as well.

With --large nothing is held out: the encoder that the whole tree teaches encodes its functions and, to go beyond
the number that is searched exactly, its declarations and types; QUERIES functions, evenly drawn, ask. CPU time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from executor.tasks.load import bind, load_rows
from experiments.consoles import log_to_stderr, say
from experiments.retrieval_eval.evaluate import ranks
from experiments.retrieval_eval.run import indexed, root_of
from experiments.retrieval_eval.targets import Asked, drawn
from index.repo_index import RepoIndex
from index.values import Symbol, SymbolKind, Target
from retrieval.vectors.dense import DenseRetriever
from retrieval.vectors.nearest import FLAT, load, nearest, save
from retrieval.vectors.static_dense import excluded_functions, fitted_model
from retrieval.vectors.static_encoder import StaticEncoder

CUTS = (5, 10, 50)
DIMENSIONS = (64, 128, 256, 512)
NEIGHBOURS = 50
QUERIES = 500


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("repos", nargs="+")
    parser.add_argument("--targets", type=int, default=100)
    parser.add_argument("--large", action="store_true")
    args = parser.parse_args()
    if args.large:
        for word in args.repos:
            name, _, folder = word.partition("=")
            _large(name, indexed(Path(folder) if folder else root_of(name, None)))
        return 0
    rows = load_rows("yabloco")
    say("| repository | functions | dimensions | fit CPU-s | functions/s | " + " | ".join(f"@{c}" for c in CUTS))
    say("| --- |" + " --- |" * (4 + len(CUTS)))
    for word in args.repos:
        name, _, folder = word.partition("=")
        root = Path(folder) if folder else root_of(name, None)
        index = indexed(root)
        benchmark = [bind(row, root).target for row in rows if row.repository == name]
        asked = drawn(index, name, args.targets, benchmark)
        for dimensions in DIMENSIONS:
            _row(name, index, benchmark, asked, dimensions)
    return 0


def _row(name: str, index: RepoIndex, benchmark: Sequence[Target], asked: Sequence[Asked], dimensions: int) -> None:
    excluded = excluded_functions(index, [*benchmark, *(one.target for one in asked)])
    began = time.process_time()
    encoder = StaticEncoder(fitted_model(index, excluded, dimensions))
    seconds = time.process_time() - began
    texts = [_text(e.symbol) for e in index.functions]
    began = time.process_time()
    vectors = encoder.encode(texts)
    rate = len(texts) / (time.process_time() - began)
    dense = DenseRetriever(index, encoder, f"benchmark-{dimensions}", reads="heads")
    found = [0] * len(CUTS)
    for one in asked:
        places = ranks(dense.retrieve(index.hide(one.target, "strict"), one.target, max(CUTS)), one.truth.callees)
        for number, cut in enumerate(CUTS):
            found[number] += sum(0 < place <= cut for place in places)
    total = sum(len(one.truth.callees) for one in asked)
    recall = " | ".join(f"{count / total:.3f}" for count in found)
    say(f"| {name} | {len(texts)} | {dimensions} | {seconds:.1f} | {rate:.0f} | {recall} |")
    if dimensions == max(DIMENSIONS):
        say(f"HNSW finds {_shared(vectors, encoder.encode_query(texts[:QUERIES])):.4f} of the exact {NEIGHBOURS}")


def _large(name: str, index: RepoIndex) -> None:
    began = time.process_time()
    encoder = StaticEncoder(fitted_model(index, frozenset()))
    fitting = time.process_time() - began
    entries = (*index.functions, *index.entries(SymbolKind.PROTOTYPE), *index.entries(SymbolKind.TYPE))
    texts = [_text(e.symbol) for e in entries]
    began = time.process_time()
    vectors = encoder.encode(texts)
    rate = len(texts) / (time.process_time() - began)
    queries = encoder.encode_query(texts[: len(index.functions) : len(index.functions) // QUERIES][:QUERIES])
    with tempfile.TemporaryDirectory() as folder:
        exact, graph = Path(folder, "exact"), Path(folder, "graph")
        exact.mkdir()
        graph.mkdir()
        save(vectors, exact, flat=len(vectors))
        began = time.process_time()
        save(vectors, graph, flat=FLAT)
        building = time.process_time() - began
        files = load(exact), load(graph)
        ms, found = [], []
        for file in files:
            began = time.process_time()
            found.append([set(nearest(file, query[None], NEIGHBOURS)[1].tolist()) for query in queries])
            ms.append(1000 * (time.process_time() - began) / len(queries))
    both = sum(len(a & b) for a, b in zip(*found, strict=True)) / (len(queries) * NEIGHBOURS)
    head = ("functions", "vectors", "dimensions", "fit CPU-s", "vectors/s", "graph CPU-s", "exact ms", "HNSW ms")
    say("| tree | " + " | ".join(head) + f" | of the exact {NEIGHBOURS} |\n| --- |" + " ---: |" * (len(head) + 1))
    say(
        f"| {name} | {len(index.functions)} | {len(vectors)} | {vectors.shape[1]} | {fitting:.0f} | {rate:.0f} |"
        f" {building:.0f} | {ms[0]:.1f} | {ms[1]:.2f} | {both:.4f} |"
    )


def _text(symbol: Symbol) -> str:
    return f"{symbol.path} {symbol.qualified_name} {symbol.signature} {symbol.docstring}"


def _shared(vectors: np.ndarray, queries: np.ndarray) -> float:
    """The share of the exact neighbours that the graph finds."""
    with tempfile.TemporaryDirectory() as folder:
        exact, graph = Path(folder, "exact"), Path(folder, "graph")
        for path, flat in ((exact, len(vectors)), (graph, 0)):
            path.mkdir()
            save(vectors, path, flat=flat)
        files = load(exact), load(graph)
        both = 0
        for query in queries:
            first, second = (set(nearest(file, query[None], NEIGHBOURS)[1].tolist()) for file in files)
            both += len(first & second)
    return both / (len(queries) * NEIGHBOURS)


if __name__ == "__main__":
    log_to_stderr()
    sys.exit(main())

"""All calls of a tree resolved by two processes, each with half of the files.

Both processes come out of one fresh interpreter (`python -m index.callgraph.tree_resolution`), which reads the tree's
symbols and then forks. A fresh interpreter has no threads whose locks a fork would copy, and a pool of spawned
workers would run the caller's script again. The caller resolves neither half itself: a process that ends needn't
free its tables, which is a twelfth of the work.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from index.callgraph.file_resolution import build_graph_resolving_field_calls, resolve_calls_in_files
from index.callgraph.graph import CallGraph
from index.callgraph.resolution.calls import PartialGraph
from index.callgraph.symbol_table import SymbolTable
from index.store.reader import IndexReader, SourceFile
from index.worker_processes import pause_garbage_collection

LEAST_FUNCTIONS_FOR_TWO = 30_000
"""In smaller trees a second process takes longer to start than it saves."""
_PROCESSES = 2
_FILE_READING_COST = 1000
"""The cost of reading a file, in bytes of its sites."""


def open_or_make_call_graph(reader: IndexReader) -> CallGraph:
    """Who calls whom, resolved by name over the whole tree: made at its first use for each state of the index."""

    def resolve_graph(_: Path) -> CallGraph:
        with pause_garbage_collection():
            part = resolve_calls_in_whole_tree(reader)
        return build_graph_resolving_field_calls(part, reader.next_symbol_id())

    return reader.load_or_make_columns("graph", CallGraph, resolve_graph)


def resolve_calls_in_whole_tree(reader: IndexReader) -> PartialGraph:
    files = reader.source_files
    functions = sum(file.functions for file in files)
    if functions < LEAST_FUNCTIONS_FOR_TWO or len(os.sched_getaffinity(0)) < 2 or not sys.executable:
        return resolve_calls_in_files(reader, SymbolTable(reader), files)
    with tempfile.TemporaryDirectory(prefix="graft-graph-") as scratch:
        process = _start_process_resolving_both_halves(reader, Path(scratch))
        try:
            process.wait()
        except BaseException:
            process.kill()
            process.wait()
            raise
        if process.returncode:
            # The index was updated meanwhile, or memory ran out: go on in this process alone.
            return resolve_calls_in_files(reader, SymbolTable(reader), files)
        parts = [pickle.loads((Path(scratch) / str(half)).read_bytes()) for half in range(_PROCESSES)]
    return _join_partial_graphs(parts, files)


def _start_process_resolving_both_halves(reader: IndexReader, scratch: Path) -> subprocess.Popen[bytes]:
    """Start the process that resolves all files and leaves the two parts in `scratch`."""
    source = str(Path(__file__).resolve().parents[2])
    arguments = (str(reader.folder), str(reader.root), reader.state, str(scratch))
    paths = os.pathsep.join((source, os.environ.get("PYTHONPATH", "")))
    return subprocess.Popen(
        # -P: the working directory may hold a folder `index/` of its own.
        [sys.executable, "-P", "-m", "index.callgraph.tree_resolution", *arguments],
        env={**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _join_partial_graphs(parts: Sequence[PartialGraph], files: Sequence[SourceFile]) -> PartialGraph:
    joined = PartialGraph()
    for part in parts:
        numbers = np.array([joined.fields.setdefault(f, len(joined.fields)) for f in part.fields], dtype=np.int32)
        callee = np.array(part.callee, dtype=np.int32)
        through = callee < 0
        callee[through] = -1 - numbers[-1 - callee[through]]
        joined.caller.extend(part.caller)
        joined.callee.frombytes(callee.tobytes())
        joined.confidence.extend(part.confidence)
        joined.kind.extend(part.kind)
        joined.assigned += part.assigned
    order = {file.id: place for place, file in enumerate(files)}
    joined.assigned.sort(key=lambda pair: order[pair[0]])
    return joined


def fork_and_resolve_both_halves(argv: Sequence[str]) -> int:
    """Resolve all files of an index. The arguments are its folder, its tree's root, the state that it has to be in,
    and the folder for the parts. Returns the exit code."""
    folder, root, state, scratch = Path(argv[0]), Path(argv[1]), argv[2], Path(argv[3])
    with pause_garbage_collection():
        reader = _open_index_in_state(folder, root, state)
        if reader is None:
            return 1
        tree = SymbolTable(reader)
        # A SQLite connection doesn't survive a fork: each half opens the index for itself.
        reader.close()
        caller, own = os.getppid(), os.getpid()
        other = os.fork()
        code = 1
        try:
            half, parent = (1, caller) if other else (0, own)
            reader = _open_index_in_state(folder, root, state)
            if reader is not None:
                own_files = split_files_into_balanced_halves(reader)[half]
                part = resolve_calls_in_files(reader, tree, yield_files_or_exit_with_parent(parent, own_files))
                (scratch / str(half)).write_bytes(pickle.dumps(part))
                code = 0
            if other:
                code = code or int(os.waitpid(other, 0)[1] != 0)
        finally:
            os._exit(code)  # skips freeing millions of rows


def _open_index_in_state(folder: Path, root: Path, state: str) -> IndexReader | None:
    reader = IndexReader(folder, root)
    return reader if reader.state == state else None


def split_files_into_balanced_halves(reader: IndexReader) -> tuple[Sequence[SourceFile], Sequence[SourceFile]]:
    """The files in two parts that take about as long: each file, most sites first, goes to the lighter part."""
    sizes = reader.site_blob_sizes()
    load = [0, 0]
    parts: tuple[list[SourceFile], list[SourceFile]] = ([], [])
    for file in sorted(reader.source_files, key=lambda file: -sizes.get(file.id, 0)):
        lighter = int(load[1] < load[0])
        load[lighter] += sizes.get(file.id, 0) + _FILE_READING_COST
        parts[lighter].append(file)
    return sorted(parts[0], key=lambda file: file.path), sorted(parts[1], key=lambda file: file.path)


def yield_files_or_exit_with_parent(parent: int, files: Sequence[SourceFile]) -> Iterator[SourceFile]:
    """The files, one by one. Ends this process when its parent has ended, since nobody waits for the result then."""
    for file in files:
        if os.getppid() != parent:
            os._exit(1)
        yield file


if __name__ == "__main__":
    sys.exit(fork_and_resolve_both_halves(sys.argv[1:]))

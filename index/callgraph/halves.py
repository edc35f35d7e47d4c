"""A whole tree's calls resolved by two processes, half of the files each.

Both come out of one fresh interpreter (`python -m index.callgraph.halves`), which reads the tree's symbols and then
forks: it has no threads whose locks a fork would copy, and a pool of spawned workers would run the caller's script
again. Neither half is done by the caller, for a process that ends needn't take its tables apart: a twelfth of the
work.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from index.callgraph.tables import WholeTree
from index.callgraph.tree import Part, resolve_files
from index.parallel import uncollected

if TYPE_CHECKING:
    from index.repo_index import RepoIndex, SourceFile

WORTH_IT = 30_000
"""Functions from which a second process pays: before that it takes longer to start."""
_HALVES = 2
_A_FILE = 1000
"""What reading a file costs, in bytes of its sites."""
_OTHER_STATE = 3


def resolve_all(index: RepoIndex) -> Part:
    """The edges that start anywhere."""
    files = [f for f in index.files.values() if not f.reason]
    ((functions,),) = index.rows("SELECT COALESCE(SUM(functions), 0) FROM files")
    if functions < WORTH_IT or len(os.sched_getaffinity(0)) < 2 or not sys.executable:
        return resolve_files(index, WholeTree(index), files)
    with tempfile.TemporaryDirectory(prefix="graft-graph-") as scratch:
        process = _started(index, Path(scratch))
        try:
            process.wait()
        except BaseException:
            process.kill()
            process.wait()
            raise
        if process.returncode:
            # The index was updated meanwhile, or memory ran out: alone, then.
            return resolve_files(index, WholeTree(index), files)
        parts = [pickle.loads(_part(Path(scratch), half).read_bytes()) for half in range(_HALVES)]
    return _joined(parts, files)


def _started(index: RepoIndex, scratch: Path) -> subprocess.Popen[bytes]:
    """The process that resolves all files, in two that it forks, and leaves the parts in `scratch`."""
    home = str(Path(__file__).resolve().parents[2])
    of_index = (str(index.folder), str(index.root), index.state)
    paths = os.pathsep.join((home, os.environ.get("PYTHONPATH", "")))
    return subprocess.Popen(
        # -P: the working directory may hold a folder `index/` of its own.
        [sys.executable, "-P", "-m", "index.callgraph.halves", *of_index, str(scratch)],
        env={**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _part(scratch: Path, half: int) -> Path:
    return scratch / str(half)


def _joined(parts: Sequence[Part], files: Sequence[SourceFile]) -> Part:
    fields: dict[str, int] = {}
    callees = []
    for part in parts:
        numbers = np.array([fields.setdefault(f, len(fields)) for f in part.fields], dtype=np.int32)
        callee = part.callee.copy()
        through = callee < 0
        callee[through] = -1 - numbers[-1 - callee[through]]
        callees.append(callee)
    order = {file.id: place for place, file in enumerate(files)}
    return Part(
        np.concatenate([p.caller for p in parts]),
        np.concatenate(callees),
        np.concatenate([p.confidence for p in parts]),
        np.concatenate([p.kind for p in parts]),
        list(fields),
        sorted((a for p in parts for a in p.assigned), key=lambda pair: order[pair[0]]),
        [m for p in parts for m in p.macros],
        [n for p in parts for n in p.looked_up],
    )


def main(argv: Sequence[str]) -> int:
    """Resolve the files of the index `argv[0]` of the tree `argv[1]`, if that is in the state `argv[2]`; the folder
    `argv[3]` takes the parts."""
    with uncollected():
        index = _opened(argv)
        if index is None:
            return _OTHER_STATE
        tree = WholeTree(index)
        # SQLite knows of no fork: each half opens the index for itself.
        index.close()
        caller, own = os.getppid(), os.getpid()
        other = os.fork()
        code = 1
        try:
            code = _resolved(argv, tree, int(other > 0), caller if other else own)
            if other:
                code = code or int(os.waitpid(other, 0)[1] != 0)
        finally:
            os._exit(code)  # not by way of taking millions of rows apart


def halves(index: RepoIndex) -> tuple[Sequence[SourceFile], Sequence[SourceFile]]:
    """The files in two parts that take about as long: one after the other, most sites first, to the lighter one."""
    sizes = dict(index.rows("SELECT file_id, length(sites) FROM sites"))
    load = [0, 0]
    parts: tuple[list[SourceFile], list[SourceFile]] = ([], [])
    files = [f for f in index.files.values() if not f.reason]
    for file in sorted(files, key=lambda f: -sizes.get(f.id, 0)):
        lighter = int(load[1] < load[0])
        load[lighter] += sizes.get(file.id, 0) + _A_FILE
        parts[lighter].append(file)
    return sorted(parts[0], key=lambda f: f.path), sorted(parts[1], key=lambda f: f.path)


def while_alive(parent: int, files: Sequence[SourceFile]) -> Iterator[SourceFile]:
    """The files, one by one. Ends this process when its parent has ended: nobody waits for what it finds."""
    for file in files:
        if os.getppid() != parent:
            os._exit(1)
        yield file


def _opened(argv: Sequence[str]) -> RepoIndex | None:
    from index.repo_index import open_index

    index = open_index(Path(argv[0]), Path(argv[1]))
    return index if index.state == argv[2] else None


def _resolved(argv: Sequence[str], tree: WholeTree, half: int, parent: int) -> int:
    index = _opened(argv)
    if index is None:
        return _OTHER_STATE
    part = resolve_files(index, tree, while_alive(parent, halves(index)[half]))
    _part(Path(argv[3]), half).write_bytes(pickle.dumps(part))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

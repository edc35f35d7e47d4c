"""A whole tree's calls resolved by two processes, half of the files each.

They are fresh interpreters (`python -m index.graph_halves`): a fork would copy the threads' locks, and a pool of
spawned workers would run the caller's script again. Each reads the index for itself, which costs a tenth of the
work and no hand-over. Neither half is done by the caller, for a process that ends needn't take its tables apart:
that is a twelfth of the work.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from index.parallel import uncollected
from index.resolve_tables import WholeTree
from index.resolve_tree import Part, resolve_files

if TYPE_CHECKING:
    from index.repo_index import RepoIndex, SourceFile

WORTH_IT = 30_000
"""Functions from which a second process pays: before that it takes longer to start."""
_HALVES = 2
_OTHER_STATE = 3


def resolve_all(index: RepoIndex) -> Part:
    """The edges that start anywhere."""
    files = [f for f in index.files.values() if not f.reason]
    ((functions,),) = index.rows("SELECT COALESCE(SUM(functions), 0) FROM files")
    if functions < WORTH_IT or len(os.sched_getaffinity(0)) < 2 or not sys.executable:
        return resolve_files(index, WholeTree(index), files)
    with tempfile.TemporaryDirectory(prefix="graft-graph-") as scratch:
        outs = [Path(scratch, str(half)) for half in range(_HALVES)]
        halves = [_started(index, half, out) for half, out in enumerate(outs)]
        try:
            for process in halves:
                process.wait()
        except BaseException:
            for process in halves:
                process.kill()
                process.wait()
            raise
        parts = [
            # Else the index was updated meanwhile, or memory ran out: alone, then.
            resolve_files(index, WholeTree(index), files[half::_HALVES])
            if process.returncode
            else pickle.loads(outs[half].read_bytes())
            for half, process in enumerate(halves)
        ]
    return _joined(parts, files)


def _started(index: RepoIndex, half: int, out: Path) -> subprocess.Popen[bytes]:
    """The process that resolves every second file."""
    home = str(Path(__file__).resolve().parent.parent)
    of_index = (str(index.folder), str(index.root), index.state)
    return subprocess.Popen(
        [sys.executable, "-m", "index.graph_halves", *of_index, str(half), str(out)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((home, os.environ.get("PYTHONPATH", "")))},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


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
    """Resolve every second file, from number `argv[3]` on, of the index `argv[0]` of the tree `argv[1]`, if that is
    in the state `argv[2]`; the file `argv[4]` takes what was found."""
    from index.repo_index import open_index

    index = open_index(Path(argv[0]), Path(argv[1]))
    if index.state != argv[2]:
        return _OTHER_STATE
    files = [f for f in index.files.values() if not f.reason]
    with uncollected():
        part = resolve_files(index, WholeTree(index), files[int(argv[3]) :: _HALVES])
        Path(argv[4]).write_bytes(pickle.dumps(part))
        os._exit(0)  # not by way of taking millions of rows apart


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""A whole tree's calls resolved by two processes, half of the files each.

The other one is a fresh interpreter (`python -m index.graph_halves`): a fork would copy the threads' locks, and a
pool of spawned workers would run the caller's script again. Both read the index for themselves, which costs a tenth
of the work and no hand-over.
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
_OTHER_STATE = 3


def resolve_all(index: RepoIndex) -> Part:
    """The edges that start anywhere."""
    files = [f for f in index.files.values() if not f.reason]
    ((functions,),) = index.rows("SELECT COALESCE(SUM(functions), 0) FROM files")
    if functions < WORTH_IT or len(os.sched_getaffinity(0)) < 2 or not sys.executable:
        return resolve_files(index, WholeTree(index), files)
    with tempfile.TemporaryDirectory(prefix="graft-graph-") as scratch:
        out = Path(scratch, "part")
        other = _started(index, out)
        try:
            part = resolve_files(index, WholeTree(index), files[::2])
        except BaseException:
            other.kill()
            raise
        finally:
            other.communicate()
        if other.returncode:
            # The index was updated meanwhile, or memory ran out: alone, then.
            rest = resolve_files(index, WholeTree(index), files[1::2])
        else:
            rest = pickle.loads(out.read_bytes())
    return _joined((part, rest), files)


def _started(index: RepoIndex, out: Path) -> subprocess.Popen[bytes]:
    """The process that resolves every second file."""
    home = str(Path(__file__).resolve().parent.parent)
    return subprocess.Popen(
        [sys.executable, "-m", "index.graph_halves", str(index.folder), str(index.root), index.state, str(out)],
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
    """Resolve every second file of the index `argv[0]` of the tree `argv[1]` into the file `argv[3]`, if the index
    is in the state `argv[2]`."""
    from index.repo_index import open_index

    index = open_index(Path(argv[0]), Path(argv[1]))
    if index.state != argv[2]:
        return _OTHER_STATE
    files = [f for f in index.files.values() if not f.reason]
    with uncollected():
        part = resolve_files(index, WholeTree(index), files[1::2])
    Path(argv[3]).write_bytes(pickle.dumps(part))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The index against clang's own syntax trees: functions by name and span, functions invented, direct calls.

    python -m benchmarks.index.clang_agreement WORK --headers DIR

Each tree of `clang_trees.py` lies unpacked in WORK/PACKAGE/tree, prepared as it says there. `--headers` names clang's
own headers (Debian: libclang-common-16-dev). What clang saw is kept beside the tree, and isn't asked for again. Prints
one JSON value. What the figures mean stands in `compiled_agreement.py`.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks.index.clang_trees import TREES, Tree
from benchmarks.index.clang_view import view_units
from benchmarks.index.compiled_agreement import Agreement, compare_tree
from benchmarks.index.compiled_tree import View, dump_view, join_views, read_view
from executor.cache import replace_file
from experiments.consoles import print_line, set_up_stderr_logging
from index.build import build_index
from index.repo_index import open_index

_WORKERS = 2


def view_tree(tree: Tree, root: Path, headers: Path) -> View:
    """What clang sees of a tree, by two processes."""
    units = list(tree.list_units(root, headers))
    with ProcessPoolExecutor(_WORKERS) as processes:
        parts = [processes.submit(view_units, root, units[i::_WORKERS]) for i in range(_WORKERS)]
        return join_views(part.result() for part in parts)


def measure_trees(work: Path, headers: Path) -> Iterator[tuple[str, Agreement]]:
    for name, tree in TREES.items():
        root = (work / tree.package / "tree" / tree.folder).resolve()
        kept = work / tree.package / f"{name}-view.json"
        if not kept.is_file():
            replace_file(kept, json.dumps(dump_view(view_tree(tree, root, headers.resolve()))).encode())
        view = read_view(json.loads(kept.read_text(encoding="utf-8")))
        for path, why in sorted(view.failed.items())[:5]:
            sys.stderr.write(f"{name}: {path}: {why}\n")
        with tempfile.TemporaryDirectory(prefix="clang-agreement-") as scratch:
            build_index(root, Path(scratch), workers=_WORKERS)
            index = open_index(Path(scratch), root)
            yield name, compare_tree(index, view)
            index.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="the folder of the unpacked packages")
    parser.add_argument("--headers", type=Path, required=True, help="clang's own headers")
    args = parser.parse_args()
    set_up_stderr_logging()
    result = {}
    for name, found in measure_trees(args.work, args.headers):
        result[name] = vars(found)
        sys.stderr.write(f"{name}: {result[name]}\n")
    print_line(json.dumps(result, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

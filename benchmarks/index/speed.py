"""What building, updating and opening an index costs, against merely parsing the same files and against peers.

    python -m benchmarks.record benchmarks/records/index_speed.json --text -- \\
        python -m benchmarks.index.speed TREE [--aider PYTHON]

All in one run, on a copy of TREE's C and C++ files, each step a process of its own with two workers:

- `bare parse`: tree-sitter alone over the files that the index holds, with the same grammars;
- `symbols, sites`: `build_index` from nothing; then `graph` (the call graph) and `text` (the arrays of text search);
- `whole index`: all three from nothing, as `graft index build` makes them in one go;
- `update`: the index after one edited file; `opening`: with a first look-up of a name;
- `ctags`: universal-ctags, `ctags -R`, names only, one process;
- `aider`: the repo map of aider's own command (`--show-repo-map`), its cache of tags cold, in a git repository made
  of the copy. `--aider` names a Python that has the package aider-chat; without it the row is left out. It is stopped
  when it has used MOST_AIDER times the CPU of the whole index.

CPU is user + system of a step with all its children: that, and ratios of it, hold on a loaded machine; wall times
only on an idle one. `peak`: all processes of a step together, pages that they share counted once. Prints a Markdown
table.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from benchmarks.costs import Cost, measure_cost
from benchmarks.tables import Column, render_table
from index.symbols.source_files import find_source_paths
from index.values import Language

WORKERS = 2
MOST_AIDER = 20.0
# A file whose stamp is younger than this when it is indexed counts as changed.
STAMP_S = 2.5


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("--aider", type=Path, help="a Python that has the package aider-chat")
    parser.add_argument("--step", choices=tuple(STEPS), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.step:
        STEPS[args.step](args.tree, args.folder)
        return 0
    with tempfile.TemporaryDirectory(prefix="index-speed-") as scratch:
        copy, folder = Path(scratch, args.tree.name), Path(scratch, "index")
        paths = copy_files(args.tree, copy, find_source_paths(args.tree))
        lines = sum((copy / path).read_bytes().count(b"\n") for path in paths)
        time.sleep(STAMP_S)
        steps = [name for name in STEPS if name != "whole index"]
        costs = {name: measure_step(name, copy, folder) for name in ("symbols, sites", *steps[1:])}
        costs["whole index"] = measure_step("whole index", copy, Path(scratch, "whole"))
        costs["ctags"] = measure_cost(["ctags", "-R", "-f", str(Path(scratch, "tags")), "."], copy)
        if args.aider:
            costs["aider"] = measure_aider(args.aider, copy, MOST_AIDER * costs["whole index"].cpu)
    load = f"load at the end {os.getloadavg()[0]:.1f}"
    sys.stdout.write(f"{render_costs(costs)}\n\n{len(paths):,} files, {lines:,} lines; {WORKERS} workers; {load}\n")
    return 0


def copy_files(tree: Path, copy: Path, paths: Iterable[str]) -> list[str]:
    """Ordinary files only, into a folder that nothing else is in."""
    kept = [path for path in paths if not (tree / path).is_symlink() and (tree / path).is_file()]
    for path in kept:
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(tree / path, copy / path)
    return kept


def measure_step(name: str, tree: Path, folder: Path) -> Cost:
    argv = [sys.executable, "-m", "benchmarks.index.speed", str(tree), "--step", name, "--folder", str(folder)]
    return measure_cost(argv)


def measure_aider(python: Path, copy: Path, limit: float) -> Cost:
    """Aider's repo map, as its documentation has it: in a git repository, which is where it takes its list of files
    from. `limit`: CPU-seconds."""
    git = ["git", "-c", "user.name=benchmark", "-c", "user.email=benchmark@example.invalid", "-C", str(copy)]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "the tree"]):
        subprocess.run([*git, *command], check=True, stdout=subprocess.DEVNULL)
    argv = [str(python), "-m", "aider", "--show-repo-map", "--model", "gpt-4o", "--yes-always", "--no-gitignore"]
    quiet = ["--no-check-update", "--no-show-model-warnings", "--analytics-disable", "--no-show-release-notes"]
    env = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "OPENAI_API_KEY": "none", "HOME": str(copy.parent)}
    return measure_cost([*argv, *quiet], copy, env, limit)


def render_costs(costs: Mapping[str, Cost]) -> str:
    """A row for each step and peer; ">" before figures of one that was stopped before its end."""
    parse, whole = costs["bare parse"], costs["whole index"]

    def write(figure: Callable[[Cost], str]) -> Callable[[tuple[str, Cost]], str]:
        return lambda row: ("> " if row[1].stopped else "") + figure(row[1])

    columns = (
        Column("step", 0),
        Column("wall, s", write(lambda cost: f"{cost.wall:.1f}")),
        Column("CPU, s", write(lambda cost: f"{cost.cpu:.1f}")),
        Column("peak, MB", write(lambda cost: f"{cost.peak:.0f}")),
        Column("CPU / bare parse", write(lambda cost: f"{cost.cpu / parse.cpu:.2f}")),
        Column("CPU / whole index", write(lambda cost: f"{cost.cpu / whole.cpu:.2f}")),
    )
    order = ("bare parse", *(name for name in costs if name != "bare parse"))
    return render_table(columns, [(name, costs[name]) for name in order])


# What runs in a process of its own.


def build_symbols(tree: Path, folder: Path) -> None:
    from index.build import build_index

    build_index(tree, folder, workers=WORKERS)


def build_whole(tree: Path, folder: Path) -> None:
    from experiments.indexing.index_builds import derive_call_graph, derive_text_search
    from index.build import build_index

    build_index(tree, folder, workers=WORKERS, afterwards=(derive_text_search, derive_call_graph))


def build_graph(tree: Path, folder: Path) -> None:
    from index.repo_index import open_index

    len(open_index(folder, tree).graph.callee)


def build_text(tree: Path, folder: Path) -> None:
    from experiments.indexing.index_builds import derive_text_search

    derive_text_search((tree, folder))


def parse_files(tree: Path, folder: Path) -> None:
    from index.repo_index import open_index
    from index.worker_processes import WorkerPool, map_maybe_in_workers_as_completed

    files = [(file.path, file.language) for file in open_index(folder, tree).source_files]
    with WorkerPool(WORKERS) as workers:
        sum(map_maybe_in_workers_as_completed(parse_file, str(tree), files, workers))


def parse_file(tree: str, file: tuple[str, Language]) -> int:
    from tree_sitter import Parser

    from index.cpp.language import load_tree_sitter_grammar

    path, language = file
    return Parser(load_tree_sitter_grammar(language)).parse(Path(tree, path).read_bytes()).root_node.end_byte


def update_index(tree: Path, folder: Path) -> None:
    """After an edit of the file of the middle size."""
    paths: Sequence[str] = sorted(find_source_paths(tree), key=lambda path: ((tree / path).stat().st_size, path))
    with (tree / paths[len(paths) // 2]).open("ab") as file:
        file.write(b"\nint graft_edit(int a) { return a; }\n")
    build_symbols(tree, folder)


def open_and_look_up(tree: Path, folder: Path) -> None:
    from index.repo_index import open_index

    open_index(folder, tree).entries_named("main")


STEPS: Mapping[str, Callable[[Path, Path], None]] = {
    "symbols, sites": build_symbols,
    "graph": build_graph,
    "text": build_text,
    "bare parse": parse_files,
    "whole index": build_whole,
    "update": update_index,
    "opening": open_and_look_up,
}


if __name__ == "__main__":
    sys.exit(main())

"""What building, updating and opening an index costs, against merely parsing the same files and against peers.

    python -m benchmarks.index.speed TREE [--aider PYTHON] [--scaling] [--json FILE] [--work FOLDER]

All in one run, on a copy of TREE's C and C++ files in a folder of its own, two processes each:

- `bare parse`: tree-sitter alone over the files that the index holds, with the same grammars (pool start and
  reading included), which is the unit of the ratios;
- `symbols, sites`: `build_index` from nothing; then `graph` (the call graph) and `text` (the arrays of text
  search), each by a process of its own;
- `whole index`: all three from nothing as `graft index build` makes them, in one go: when the last file is parsed,
  the workers make the graph and the text search side by side (a large tree's graph has two processes more);
- `ctags`: universal-ctags, `ctags -R`, names only, one process;
- `aider`: the repo map of aider's own command (`--show-repo-map`), its cache of tags cold, in a git repository made
  of the copy. `--aider` names a Python that has the package aider-chat; without it the row is left out. It is
  stopped when it has used `--most-aider` (20) times the CPU of the whole index; the row says so.

Then an update after one edited file (median of five files), what the first answers after an update cost, an update
with nothing changed, opening, and the peak memory of a process that hides a function, reads its graph and searches
text. `--scaling` builds subsets of TREE of 10k, 100k, 1M and 2M lines and fits the exponent e of CPU = c * lines^e.

CPU is user + system of a step with all its children: that, and ratios of it, hold on a loaded machine; wall times
only on an idle one (the load at the beginning is printed). aider has one thread, ctags too: by the clock they are
held against an index that has two cores, so the ratio of CPU is the stricter one. `peak` is the largest sum of
resident memory over a step's processes, sampled every 50 ms (shared pages count once per process).
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.costs import Cost, cost_of
from benchmarks.index.peers import WORKERS, aider_map, compared, ctags
from index.symbols.scan import source_paths

EDITS = 5
IDLE_LOAD = 1.0
STEPS_OF_LINES = (10_000, 100_000, 1_000_000, 2_000_000)


def say(line: str) -> None:
    """Not by `experiments.consoles`: every worker process imports this file, and pays for what it imports."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("--aider", type=Path, help="a Python that has the package aider-chat")
    parser.add_argument("--most-aider", type=float, default=20.0, metavar="N")
    parser.add_argument("--no-whole", action="store_true", help="the scaling alone")
    parser.add_argument("--scaling", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--work", type=Path, help="where the copy and the index go; default: a temporary folder")
    parser.add_argument("--child", choices=tuple(CHILDREN))
    parser.add_argument("--folder", type=Path)
    args = parser.parse_args()
    if args.child:
        say(json.dumps(CHILDREN[args.child](args.tree, args.folder)))
        return 0
    with tempfile.TemporaryDirectory(dir=args.work, prefix="index-speed-") as scratch:
        found: dict[str, object] = {"tree": args.tree.name}
        if not args.no_whole:
            found |= _measure(args.tree.resolve(), Path(scratch), args.aider, args.most_aider)
        if args.scaling:
            found["scaling"] = _scaling(args.tree.resolve(), Path(scratch))
    if args.json:
        args.json.write_text(json.dumps(found, indent=1) + "\n")
    return 0


def _measure(tree: Path, scratch: Path, aider: Path | None, most: float) -> dict[str, object]:
    copy, folder = scratch / tree.name, scratch / "index"
    paths = _copied(tree, copy, list(source_paths(tree)))
    lines = sum((copy / p).read_bytes().count(b"\n") for p in paths)
    size = sum((copy / p).stat().st_size for p in paths)
    say(f"\n{tree.name}: {len(paths)} files, {lines} lines, {size / 2**20:.1f} MiB; {WORKERS} processes")
    load = os.getloadavg()[0]
    say(f"load at the beginning: {load:.1f}{'; wall times say nothing' if load > IDLE_LOAD else ''}\n")
    # Fresh stamps are no stamps: wait until a file that is as old as the copy counts as unchanged.
    time.sleep(2.5)
    costs: dict[str, Cost] = {}
    costs["symbols, sites"], built = _child("build", copy, folder)
    costs["graph"], costs["text"] = _side_by_side(("graph", "text"), copy, folder)
    costs["bare parse"], _ = _child("bare", copy, folder)
    costs["whole index"], _ = _child("whole", copy, scratch / "whole")
    costs["clone runs (for hiding)"], _ = _child("runs", copy, folder)
    costs["ctags"] = ctags(copy, scratch)
    if aider is None:
        say("aider: left out; --aider names a Python that has the package aider-chat\n")
    else:
        costs["aider"], told_by_aider = aider_map(aider, copy, paths, most * costs["whole index"].cpu)
        say(told_by_aider)
    say(f"{built['functions']} functions, {built['symbols']} symbols, {built['bytes'] / 2**20:.0f} MiB of index\n")
    for line in (*table_of(costs), *compared(costs)):
        say(line)
    small = _small(copy, folder)
    return {
        "files": len(paths),
        "lines": lines,
        "load": load,
        "index": built,
        "costs": {name: cost._asdict() for name, cost in costs.items()},
        "small": small,
    }


def _copied(tree: Path, copy: Path, paths: Sequence[str]) -> list[str]:
    """Ordinary files only, in a folder that nothing else is in."""
    kept = [p for p in paths if not (tree / p).is_symlink() and (tree / p).is_file()]
    for path in kept:
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(tree / path, copy / path)
    return kept


def table_of(costs: Mapping[str, Cost]) -> Iterator[str]:
    """The steps' rows, by the clock and in CPU."""
    unit = costs["bare parse"]
    yield "| step | wall s | CPU s | peak MB | wall / bare parse | CPU / bare parse |"
    yield "| --- |" + " ---: |" * 5
    order = (
        "bare parse",
        "symbols, sites",
        "graph",
        "text",
        "whole index",
        "clone runs (for hiding)",
        "ctags",
        "aider",
    )
    for name in (n for n in order if n in costs):
        c = costs[name]
        more = "> " if c.stopped else ""
        yield (
            f"| {name} | {more}{c.wall:.1f} | {more}{c.cpu:.1f} | {c.peak:.0f} | {more}{c.wall / unit.wall:.2f} |"
            f" {more}{c.cpu / unit.cpu:.2f} |"
        )


def _small(copy: Path, folder: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for name in ("update", "after", "unchanged", "open", "query"):
        cost, answer = _child(name, copy, folder)
        found[name] = {**answer, "peak": cost.peak}
        shown = ", ".join(f"{key} {value}" for key, value in answer.items())
        say(f"{'' if name != 'update' else chr(10)}{name}: {shown}; peak {cost.peak:.0f} MB")
    return found


def _scaling(tree: Path, scratch: Path) -> dict[str, object]:
    """Subsets drawn by file with a fixed seed: every folder is in each of them by its share."""
    paths = [p for p in source_paths(tree) if not (tree / p).is_symlink() and (tree / p).is_file()]
    random.Random(0).shuffle(paths)
    counted = [(p, (tree / p).read_bytes().count(b"\n")) for p in paths]
    total = sum(count for _, count in counted)
    say(
        "\n| lines | functions | bare CPU s | symbols, sites | graph | text | whole / bare | peak MB |\n|"
        + " ---: |" * 8
    )
    points: list[tuple[int, float]] = []
    rows = []
    for wanted in (*(n for n in STEPS_OF_LINES if n < total), total):
        taken, lines = [], 0
        for path, count in counted:
            if lines >= wanted:
                break
            taken.append(path)
            lines += count
        copy, folder = scratch / f"part-{wanted}", scratch / f"index-{wanted}"
        _copied(tree, copy, taken)
        time.sleep(2.5)
        build, built = _child("build", copy, folder)
        graph, text = _side_by_side(("graph", "text"), copy, folder)
        bare, _ = _child("bare", copy, folder)
        whole = build.cpu + graph.cpu + text.cpu
        points.append((lines, whole))
        rows.append([lines, built["functions"], bare.cpu, build.cpu, graph.cpu, text.cpu, whole])
        say(
            f"| {lines} | {built['functions']} | {bare.cpu:.2f} | {build.cpu:.2f} | {graph.cpu:.2f} |"
            f" {text.cpu:.2f} | {whole / bare.cpu:.2f} | {max(build.peak, graph.peak + text.peak):.0f} |"
        )
        shutil.rmtree(copy)
        shutil.rmtree(folder)
    exponent = _slope([(math.log(x), math.log(y)) for x, y in points])
    large = [(math.log(x), math.log(y)) for x, y in points if x >= STEPS_OF_LINES[1]]
    tail = _slope(large) if len(large) > 1 else float("nan")
    say(
        f"\nCPU grows with lines^{exponent:.2f}; from 100k lines on, where starting the processes no longer counts,"
        f" with lines^{tail:.2f}"
    )
    return {"rows": rows, "exponent": exponent, "exponent from 100k": tail}


def _slope(points: Sequence[tuple[float, float]]) -> float:
    """By least squares."""
    return statistics.linear_regression(*zip(*points, strict=True)).slope if len(points) > 1 else float("nan")


def _child(name: str, tree: Path, folder: Path) -> tuple[Cost, dict[str, float]]:
    argv = [sys.executable, "-m", "benchmarks.index.speed", str(tree), "--child", name, "--folder", str(folder)]
    cost, output = cost_of(argv)
    return cost, json.loads(output.splitlines()[-1])


def _side_by_side(names: Sequence[str], tree: Path, folder: Path) -> list[Cost]:
    costs: dict[str, Cost] = {}

    def keep(name: str) -> None:
        costs[name] = _child(name, tree, folder)[0]

    threads = [threading.Thread(target=keep, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [costs[name] for name in names]


# What runs in a process of its own.


def _build(tree: Path, folder: Path) -> dict[str, float]:
    from index.build import build_index

    report = build_index(tree, folder, workers=WORKERS)
    stored = sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())
    return {
        "files": report.files,
        "functions": report.functions,
        "symbols": report.symbols,
        "skipped": len(report.skipped),
        "bytes": stored,
    }


def _whole(tree: Path, folder: Path) -> dict[str, float]:
    from experiments.indexing.parts import make_graph, make_text
    from index.build import build_index

    return {"files": build_index(tree, folder, workers=WORKERS, afterwards=(make_text, make_graph)).files}


def _graph(tree: Path, folder: Path) -> dict[str, float]:
    from index.repo_index import open_index

    return {"edges": len(open_index(folder, tree).graph.callee)}


def _text(tree: Path, folder: Path) -> dict[str, float]:
    from experiments.indexing.parts import make_text

    make_text((tree, folder))
    return {}


def _runs(tree: Path, folder: Path) -> dict[str, float]:
    from index.repo_index import open_index

    return {"runs": len(open_index(folder, tree).runs.hashes)}


def _bare(tree: Path, folder: Path) -> dict[str, float]:
    from index.parallel import each
    from index.repo_index import open_index

    index = open_index(folder, tree)
    files = [(file.path, file.language) for file in index.source_files]
    return {"bytes": sum(each(_parse_only, str(tree), files, WORKERS))}


def _parse_only(tree: str, file: tuple[str, str]) -> int:
    import tree_sitter
    import tree_sitter_c
    import tree_sitter_cpp

    path, language = file
    grammar = tree_sitter.Language((tree_sitter_c if language == "c" else tree_sitter_cpp).language())
    data = Path(tree, path).read_bytes()
    return tree_sitter.Parser(grammar).parse(data).root_node.end_byte


def _update(tree: Path, folder: Path) -> dict[str, float]:
    """After an edit of one file of each size, from the smallest fifth to the largest. What it changed is in the
    index; the graph is made again by whoever asks for it next."""
    from index.build import build_index

    paths = sorted(source_paths(tree), key=lambda p: ((tree / p).stat().st_size, p))
    wall, cpu = [], []
    for number in range(EDITS):
        path = tree / paths[(2 * number + 1) * len(paths) // (2 * EDITS)]
        path.write_bytes(path.read_bytes() + f"\nint graft_edit_{number}(int a) {{ return a; }}\n".encode())
        clock, used = time.perf_counter(), time.process_time()
        report = build_index(tree, folder, workers=WORKERS)
        wall.append(time.perf_counter() - clock)
        cpu.append(time.process_time() - used)
        if report.reparsed == 0:
            raise SystemExit(f"{path}: an edit that the index didn't see")
        time.sleep(2.5)
    return {"wall s": round(statistics.median(wall), 3), "CPU s": round(statistics.median(cpu), 3)}


def _after(tree: Path, folder: Path) -> dict[str, float]:
    """CPU-seconds until the first answers after an update of one file in the middle: arrays are brought up to date
    when they are asked for. The graph's, the text search's and the clones' (for hiding); medians of the edits."""
    from index.build import build_index
    from index.repo_index import open_index
    from retrieval.text.lexical import LexicalRetriever

    path = tree / sorted(source_paths(tree), key=lambda p: ((tree / p).stat().st_size, p))[-20]
    spent: dict[str, list[float]] = {"update": [], "graph": [], "text": [], "runs": []}
    for number in range(EDITS):
        path.write_bytes(path.read_bytes() + f"\nint graft_after_{number}(int a) {{ return a; }}\n".encode())
        began = time.process_time()
        build_index(tree, folder, workers=WORKERS)
        spent["update"].append(time.process_time() - began)
        index = open_index(folder, tree)
        parts: tuple[tuple[str, Callable[[], object]], ...] = (
            ("graph", lambda i=index: i.graph),
            ("text", lambda i=index: LexicalRetriever(i)),
            ("runs", lambda i=index: i.runs),
        )
        for name, make in parts:
            began = time.process_time()
            make()
            spent[name].append(time.process_time() - began)
        index.close()
    # The first edit's arrays patch those of a state before the edits of `update`.
    return {f"{name} CPU s": round(statistics.median(found), 3) for name, found in spent.items()}


def _unchanged(tree: Path, folder: Path) -> dict[str, float]:
    from index.build import build_index

    build_index(tree, folder, workers=WORKERS)
    wall, cpu = [], []
    for _ in range(EDITS):
        clock, used = time.perf_counter(), time.process_time()
        build_index(tree, folder, workers=WORKERS)
        wall.append(time.perf_counter() - clock)
        cpu.append(time.process_time() - used)
    return {"wall s": round(statistics.median(wall), 3), "CPU s": round(statistics.median(cpu), 3)}


def _open(tree: Path, folder: Path) -> dict[str, float]:
    from index.repo_index import open_index

    wall = []
    for _ in range(EDITS):
        clock = time.perf_counter()
        index = open_index(folder, tree)
        len(index.entries_named("main"))
        wall.append(time.perf_counter() - clock)
        index.close()
    return {"wall ms, first look-up included": round(1000 * statistics.median(wall), 1)}


def _query(tree: Path, folder: Path) -> dict[str, float]:
    from index.repo_index import open_index
    from index.values import SymbolKind, Target
    from retrieval.text.lexical import LexicalRetriever

    index = open_index(folder, tree)
    lexical = LexicalRetriever(index)
    # Some function in the middle: a process that answers doesn't list them all.
    number = index.end_of_ids() // 2
    around = index.entries_by_id(range(number, number + 1000))
    s = next(e.symbol for e in around if e.symbol.kind is SymbolKind.FUNCTION and e.body >= 0)
    target = Target("tree", s.path, s.span, s.qualified_name, s.signature, s.docstring, s.language)
    view = index.hide(target, "strict")
    return {"hits": len(lexical.retrieve(view, target, 50)), "callers": len(view.callers_of_target())}


CHILDREN = {
    "build": _build,
    "whole": _whole,
    "graph": _graph,
    "text": _text,
    "runs": _runs,
    "bare": _bare,
    "update": _update,
    "after": _after,
    "unchanged": _unchanged,
    "open": _open,
    "query": _query,
}


if __name__ == "__main__":
    sys.exit(main())

"""Where an index's build spends its CPU: by stage, in units of a bare parse of the same files.

    python -m benchmarks.index.profile TREE [--files 400] [--passes 2] [--functions 0]

Draws that many of TREE's files (seed 0) and does in this one process what a build's workers do with them, with a
clock around each stage of `index/symbols/parse.py` and of `index/build.py`; a stage within another counts for itself
alone.
The cheapest of the passes counts, stage by stage. "database" is what the one writer does with it. `--functions N`
prints the N costliest functions of one more pass under cProfile, which makes small functions look dearer.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

from experiments.consoles import say
from index import build
from index.cpp.macros import learn
from index.parallel import uncollected
from index.store import writing as store
from index.symbols import extract as extraction
from index.symbols import parse
from index.symbols.scan import Scanned, scan_file, source_paths

_STAGES: tuple[tuple[str, Any, str], ...] = (
    ("macros found and blanked", parse, "seen"),
    ("parse (macros blanked)", parse, "_tree"),
    ("depth and errors checked", parse, "_unfit"),
    ("one query, captures as Python objects", parse, "_captures"),
    ("symbols from the captures", parse, "extract"),
    ("call sites from the captures", extraction, "site_rows"),
    ("hashed token runs of all bodies", build, "run_hashes"),
    ("sites packed", build, "pack"),
    ("includes", build, "include_lines"),
    ("read and hashed", build, "read_source"),
)
"""Name, and the function that is the stage, where its caller looks it up."""


class Clock:
    """CPU-seconds by stage, of the innermost stage at each moment."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        self._open: list[str] = []
        self._since = 0.0

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count what runs in here as `name`."""
        self._count()
        self._open.append(name)
        try:
            yield
        finally:
            self._count()
            self._open.pop()

    def _count(self) -> None:
        now = time.process_time()
        if self._open:
            self.spent[self._open[-1]] += now - self._since
        self._since = now


@contextmanager
def timed(clock: Clock) -> Iterator[None]:
    """The stages' functions with a clock around them."""
    before = [(module, name, getattr(module, name)) for _, module, name in _STAGES]
    for (stage, module, name), (_, _, function) in zip(_STAGES, before, strict=True):
        setattr(module, name, _clocked(clock, stage, function))
    try:
        yield
    finally:
        for module, name, function in before:
            setattr(module, name, function)


def _clocked(clock: Clock, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def inner(*args: Any, **kwargs: Any) -> Any:
        with clock.stage(stage):
            return function(*args, **kwargs)

    return inner


def bare_parse(root: Path, results: Sequence[store.FileResult]) -> float:
    """CPU-seconds of reading and parsing the files as they are."""
    from tree_sitter import Parser

    began = time.process_time()
    for result in results:
        grammar = parse._tools(result.parsed.language).grammar
        Parser(grammar).parse((root / result.scanned.path).read_bytes())
    return time.process_time() - began


def one_pass(root: Path, files: Sequence[Scanned], learnt: Any) -> tuple[dict[str, float], list[store.FileResult]]:
    """The stages' CPU-seconds over all files, and what came out."""
    clock = Clock()
    with uncollected(), timed(clock), clock.stage("the rest"):
        results = [build._parse((str(root), learnt), file) for file in files]
        with tempfile.TemporaryDirectory() as scratch, clock.stage("database"):
            connection = store.start_building(Path(scratch), None)
            connection.execute("BEGIN")
            for result in results:
                store.insert(connection, result)
            connection.execute("COMMIT")
            store.publish(connection, Path(scratch), "", learnt)
    return dict(clock.spent), results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--files", type=int, default=400)
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--functions", type=int, default=0, metavar="N")
    args = parser.parse_args()
    paths = list(source_paths(args.tree))
    random.Random(0).shuffle(paths)
    began = time.process_time()
    files = [s for s in (scan_file(str(args.tree), p) for p in paths[: args.files]) if not s.reason]
    scan = time.process_time() - began
    learnt = learn(d for s in files for d in s.macros)
    one_pass(args.tree, files[:1], learnt)  # compiles the queries, which a build does once
    spent: dict[str, float] = {}
    bare = float("inf")
    for _ in range(args.passes):
        found, results = one_pass(args.tree, files, learnt)
        spent = {name: min(found[name], spent.get(name, found[name])) for name in found}
        bare = min(bare, bare_parse(args.tree, results))
    spent["`#define`s found (first reading)"] = scan
    size = sum(s.size for s in files) / 2**20
    say(f"{args.tree.name}: {len(files)} files, {size:.1f} MiB; bare parse {bare:.2f} s\n")
    say("| stage | CPU s | in bare parses |\n| --- | ---: | ---: |")
    for name, seconds in (*spent.items(), ("together", sum(spent.values()))):
        say(f"| {name} | {seconds:.2f} | {seconds / bare:.2f} |")
    if args.functions:
        profile = cProfile.Profile()
        profile.runcall(one_pass, args.tree, files, learnt)
        pstats.Stats(profile).sort_stats("tottime").print_stats(args.functions)


if __name__ == "__main__":
    main()

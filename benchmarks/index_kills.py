"""Builds and updates of an index killed with SIGKILL at random moments: the next must equal a build from nothing.

    python -m benchmarks.index_kills redis bullet3 openssl TREE... [--kills 5] [--edit 20]

Each tree is copied and built in a process group of its own that is killed after a random part of the time that a
whole build took; then built to the end and compared with a fresh index: every symbol, call site, include and file.
Then `--edit` of its files get a line more, and at last 250 (so many that the update goes beside the old index); the
update is killed in the same way, and compared again. Exit status 1 when one differs.
"""

# ruff: noqa: T201 - a script speaks on its standard output
from __future__ import annotations

import argparse
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from executor.cache import cache_root
from executor.recipe import find_recipe, recipe_names
from executor.source import checkout, mirror_from_env
from index.build import build_index
from index.repo_index import open_index

BUILD = """
import sys
from pathlib import Path
from index.build import build_index
if __name__ == "__main__":
    build_index(Path(sys.argv[1]), Path(sys.argv[2]), workers=2)
"""


def content(folder: Path, root: Path) -> str:
    """A hash over all that a build determines, row ids left out."""
    index = open_index(folder, root)
    files = {f.id: f for f in index.files.values()}
    state = hashlib.blake2b()
    for file in sorted(files.values(), key=lambda f: f.path):
        rows = index.rows(
            'SELECT kind, name, qualified_name, first, last, start, "end", body, doc, signature, docstring'
            " FROM symbols WHERE file_id=? ORDER BY start, id",
            (file.id,),
        )
        table = index.site_table(file.path)
        sites = [table.site(i) for i in range(len(table.at))]
        state.update(repr((file.path, file.digest, file.reason, rows, sites, index.included(file.path))).encode())
    index.close()
    return state.hexdigest()


def killed(script: Path, root: Path, folder: Path, after: float) -> bool:
    """A build killed after so many seconds; False when it ended before."""
    process = subprocess.Popen([sys.executable, str(script), str(root), str(folder)], start_new_session=True)
    try:
        process.wait(after)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return True
    return False


def trial(tree: str, kills: int, edited: int, scratch: Path) -> bool:
    if tree in recipe_names():
        source = checkout(find_recipe(tree), mirror_from_env(), cache_root(), print).root
    else:
        source = Path(tree).resolve()
    root, folder = scratch / "tree", scratch / "index"
    shutil.copytree(source, root, symlinks=True)
    script = scratch / "build.py"
    script.write_text(BUILD)
    chance = random.Random(0)
    began = time.monotonic()
    build_index(root, scratch / "fresh", workers=2)
    took = time.monotonic() - began
    sound = True
    for what, changed in (("build", 0), ("update", edited), ("large update", max(250, edited))):
        paths = [f for f, one in sorted(open_paths(scratch / "fresh", root).items()) if not one]
        for path in chance.sample(paths, min(changed, len(paths))):
            with (root / path).open("ab") as file:
                file.write(b"\nint graft_added_line(void);\n")
        span = took if not changed else max(1.0, took * min(1.0, changed / max(1, len(paths))) + took / 10)
        # The early ones first: a build that ended leaves nothing to kill.
        moments = sorted(chance.uniform(0.02, 0.5) * span for _ in range(kills))
        hit = sum(killed(script, root, folder, moment) for moment in moments)
        build_index(root, folder, workers=2)
        if changed:
            shutil.rmtree(scratch / "fresh")
            build_index(root, scratch / "fresh", workers=2)
        same = content(folder, root) == content(scratch / "fresh", root)
        sound = sound and same
        print(
            f"| {Path(tree).name} | {what} | {changed} | {hit} of {kills} | {'equal' if same else 'DIFFERS'} |",
            flush=True,
        )
    return sound


def open_paths(folder: Path, root: Path) -> dict[str, str]:
    """path -> reason of every file of an index."""
    index = open_index(folder, root)
    try:
        return {f.path: f.reason for f in index.files.values()}
    finally:
        index.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", help="names of recipes, or paths")
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--edit", type=int, default=20, help="files edited before an update")
    args = parser.parse_args()
    print(
        "| tree | what was killed | files edited | kills that hit | against a fresh index |\n"
        "| --- | --- | --- | --- | --- |"
    )
    sound = True
    for tree in args.trees:
        with tempfile.TemporaryDirectory() as scratch:
            sound = trial(tree, args.kills, args.edit, Path(scratch)) and sound
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()

"""Builds and updates of an index killed with SIGKILL at random moments: the next must equal a build from nothing.

    python -m benchmarks.index.kills redis bullet3 openssl TREE... [--kills 4] [--edit 20]

Each tree is copied. A build from nothing, in a process group of its own, is killed `--kills` times, each one going
on where the one before was killed; then it is built to the end. Then `--edit` of the files get a line more, and at
last 250 (so many that the update goes beside the old index); these updates are killed in the same way. After each
of the three the index is compared with a fresh one: every symbol, call site, include and file.

The first kill comes at a random moment of the first second, the others a few random milliseconds after a file drawn
at random was put into the database: by the clock a loaded machine would have them all before the first file. An
update in place, which takes milliseconds, halts there.

"In the middle" are kills that left part of the files in the unfinished database, or (an update in place is one
transaction) that came between its first file and the commit. After each kill of an update the index must be the old
one or the new one. Exit status 1 when an index differs, or when no kill of a row came in the middle.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from executor.cache import cache_root
from executor.repository.recipe import find_recipe, recipe_names
from executor.repository.source import checkout, mirror_from_env
from experiments.consoles import log_to_stderr, say
from index.build import COMMITTED, IN_PLACE, build_index
from index.repo_index import open_index
from index.store.writing import BUILDING

LARGE = IN_PLACE + 50
"""Files of the large update: more than are changed in place."""
BUILD = """
import sys, time
from pathlib import Path
from index.store import writing as store
from index.build import build_index
real, halt, done = store.insert, int(sys.argv[3]), 0
def insert(connection, result):
    global done
    real(connection, result)
    done += 1
    print(done, flush=True)
    if done == halt:
        time.sleep(600)
if __name__ == "__main__":
    store.insert = insert
    build_index(Path(sys.argv[1]), Path(sys.argv[2]), workers=2)
"""


class Kill(NamedTuple):
    """Whether the process was alive, and whether the index was in the middle of it."""

    hit: bool
    middle: bool


def content(folder: Path, root: Path) -> str:
    """A hash over all that a build determines, row ids left out."""
    index = open_index(folder, root)
    files = {f.id: f for f in index.files.values()}
    state = hashlib.blake2b()
    for file in sorted(files.values(), key=lambda f: f.path):
        entries = [(entry.symbol, entry.body, entry.doc) for entry in index.entries_of(file.path)]
        *columns, strings = index.site_table(file.path)
        sites = [column.tobytes() for column in columns], strings
        state.update(repr((file.path, file.digest, file.reason, entries, sites, index.included(file.path))).encode())
    index.close()
    return state.hexdigest()


def killed_by_clock(script: Path, root: Path, folder: Path, seconds: float, files: int) -> Kill:
    """A build that is killed after so many seconds, of a tree of so many files."""
    process = _started(script, root, folder, 0)
    time.sleep(seconds)
    hit = process.poll() is None
    _kill(process)
    return Kill(hit, 0 < _unfinished(folder) < files)


def killed_at_file(script: Path, root: Path, folder: Path, inserted: int, halt: bool, seconds: float) -> Kill:
    """A build that is killed so many seconds after it has put that many files into the database; `halt`: where it
    waits for that. Not hit when it came to its end before."""
    process = _started(script, root, folder, inserted if halt else 0)
    assert process.stdout is not None
    for line in process.stdout:
        if int(line) >= inserted:
            time.sleep(seconds)
            break
    hit = process.poll() is None
    _kill(process)
    return Kill(hit, hit and (halt or _unfinished(folder) > 0))


def _started(script: Path, root: Path, folder: Path, halt: int) -> subprocess.Popen[bytes]:
    argv = [sys.executable, str(script), str(root), str(folder), str(halt)]
    return subprocess.Popen(argv, start_new_session=True, stdout=subprocess.PIPE)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):  # it had ended
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _unfinished(folder: Path) -> int:
    """Files in the database of a build that isn't whole, as whoever opens it sees them."""
    if not (folder / BUILDING).is_file():
        return 0
    connection = sqlite3.connect(folder / BUILDING)
    try:
        return int(connection.execute("SELECT COUNT(*) FROM files").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        connection.close()


def trial(tree: str, kills: int, edited: int, scratch: Path) -> bool:
    """All rows of one tree; True when they are as they should be."""
    if tree in recipe_names():
        source = checkout(find_recipe(tree), mirror_from_env(), cache_root()).root
    else:
        source = Path(tree).resolve()
    root, folder, fresh = scratch / "tree", scratch / "index", scratch / "fresh"
    shutil.copytree(source, root, symlinks=True)
    script = scratch / "build.py"
    script.write_text(BUILD)
    chance = random.Random(0)
    files = build_index(root, fresh, workers=2).files
    was = content(fresh, root)
    sound = True
    for what, changed in (("build", 0), ("update", edited), ("large update", LARGE)):
        _edit(root, fresh, changed, chance)
        found = []
        states: set[str] = set()
        left = changed or files
        for number in range(kills):
            if number == 0:
                found.append(killed_by_clock(script, root, folder, chance.uniform(0.0, 1.0), files))
            else:
                in_place = 0 < changed <= IN_PLACE
                # Past the first commit, and half of what is left for the kills that follow.
                few = 1 if in_place else min(COMMITTED + 1, left)
                inserted = chance.randint(few, max(few, left if in_place else left // 2))
                late = chance.uniform(0.0, 0.05)
                found.append(killed_at_file(script, root, folder, inserted, in_place, late))
                left -= 0 if in_place else inserted - inserted % COMMITTED
            if changed:
                states.add(content(folder, root))
        build_index(root, folder, workers=2)
        if changed:
            build_index(root, scratch / "again", workers=2)
            shutil.rmtree(fresh)
            (scratch / "again").rename(fresh)
        now = content(folder, root)
        same = now == content(fresh, root)
        unharmed = states <= {was, now}
        was = now
        middle = sum(kill.middle for kill in found)
        sound = sound and same and unharmed and middle > 0
        say(
            f"| {Path(tree).name} | {what} | {changed} of {files} | {len(found)} | {sum(k.hit for k in found)} |"
            f" {middle} | {'-' if not changed else 'old or new' if unharmed else 'DIFFERS'} |"
            f" {'equal' if same else 'DIFFERS'} |"
        )
    return sound


def _edit(root: Path, fresh: Path, count: int, chance: random.Random) -> None:
    """A line more for that many of the tree's files."""
    index = open_index(fresh, root)
    paths = sorted(path for path, file in index.files.items() if not file.reason)
    index.close()
    for path in chance.sample(paths, min(count, len(paths))):
        with (root / path).open("ab") as file:
            file.write(b"\nint graft_added_line(void);\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", help="names of recipes, or paths")
    parser.add_argument("--kills", type=int, default=4)
    parser.add_argument("--edit", type=int, default=20, help="files edited before an update")
    args = parser.parse_args()
    if not 0 < args.edit <= IN_PLACE:
        parser.error(f"--edit {args.edit}: 1 to {IN_PLACE} files are updated in place")
    say("| tree | what was killed | files edited | kills | hit | in the middle | after each | at the end |")
    say("| --- |" + " --- |" * 7)
    sound = True
    for tree in args.trees:
        with tempfile.TemporaryDirectory() as scratch:
            sound = trial(tree, args.kills, args.edit, Path(scratch)) and sound
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    log_to_stderr()
    main()

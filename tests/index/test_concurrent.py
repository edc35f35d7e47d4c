"""Prevents: a reader beside an update that sees half of it, mixes two states, or dies on arrays that went."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from index.build import build_index
from index.repo_index import open_index
from index.store.derived_arrays import load_or_make_derived_arrays, remove_stale_arrays_and_temporaries
from tests.support.indexes import Files, Tree

FILES = 12
UPDATES = 25

# In state N every file defines `state_N_of_I` and calls the next file's: an answer must hold one N alone.
READER = """
import sys
from pathlib import Path
from index.errors import StaleIndexError
from index.repo_index import open_index
folder, root, files = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
stopped = False
while not stopped:
    stopped = (folder / "stop").exists()
    index = open_index(folder, root)
    names = [e.symbol.name for e in index.functions]
    states = {name.split("_")[1] for name in names}
    assert len(names) == files and len(states) == 1, names
    by_name = {name: index.entries_named(name) for name in names}
    assert all(len(found) == 1 for found in by_name.values()), by_name
    called = {e.id: [s.name for s in index.call_sites(e.symbol)] for e in index.functions}
    assert all(len(c) == 1 and c[0].split("_")[1] in states for c in called.values()), called
    try:
        graph = index.graph
    except StaleIndexError as error:
        # The graph is made from the files as they stand: they may have gone on, and that is what it says.
        assert "changed since" in str(error)
    else:
        for entry in index.functions:
            callees = [e.symbol.name for e in index.read_entries_sorted_by_place(graph.callees(entry.id).tolist())]
            assert callees == called[entry.id], (entry.symbol.name, callees)
    index.close()
"""


def state(number: int) -> Files:
    return {
        f"f{i}.c": f"int state_{number}_of_{i}(int a)\n{{\n  return state_{number}_of_{(i + 1) % FILES}(a);\n}}\n"
        for i in range(FILES)
    }


def test_two_processes_ask_while_a_third_updates(tree: Tree, tmp_path: Path) -> None:
    root, folder = tree(state(0)), tmp_path / "index"
    build_index(root, folder, workers=1)
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", READER, str(folder), str(root), str(FILES)],
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    try:
        for number in range(1, UPDATES + 1):
            tree(state(number))
            build_index(root, folder, workers=1)
        (folder / "stop").touch()
        errors = [reader.communicate(timeout=60)[1] for reader in readers]
    finally:
        for reader in readers:
            reader.kill()
    assert [reader.returncode for reader in readers] == [0, 0], errors
    index = open_index(folder, root)
    assert {e.symbol.name.split("_")[1] for e in index.functions} == {str(UPDATES)}
    index.close()


def test_two_builds_of_one_folder_at_once_give_one_sound_index(tree: Tree, tmp_path: Path) -> None:
    root, folder = tree(state(0)), tmp_path / "index"
    script = "import sys; from pathlib import Path; from index.build import build_index as b; "
    script += "r = b(Path(sys.argv[1]), Path(sys.argv[2]), workers=1); print(r.functions, r.reparsed)"
    argv = [sys.executable, "-c", script, str(root), str(folder)]
    builds = [subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    outputs = sorted(build.communicate(timeout=60)[0].split() for build in builds)
    assert outputs == [[str(FILES), "0"], [str(FILES), "0"], [str(FILES), str(FILES)]]


def numbers(folder: Path) -> list[int]:
    """Two columns that are read one after the other, as a graph's are."""
    return [int((folder / name).read_text()) for name in ("first", "second")]


def write(folder: Path, number: int) -> None:
    folder.mkdir(exist_ok=True)
    for name in ("first", "second"):
        (folder / name).write_text(str(number))


def test_an_update_that_removes_the_arrays_of_before_does_not_fail_their_reader(tmp_path: Path) -> None:
    queries = []

    def load(folder: Path) -> list[int]:
        queries.append(folder)
        remove_stale_arrays_and_temporaries(tmp_path, "new")
        return numbers(folder)

    for _ in range(2):  # made, then found, and removed between the finding and the reading
        assert load_or_make_derived_arrays(tmp_path, "x", "old", lambda folder: write(folder, 1), load) == [1, 1]
        assert list((tmp_path / "derived").iterdir()) == [tmp_path / "derived/x-old"]
    assert len(queries) == 3

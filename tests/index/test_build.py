"""Prevents: one bad file that ends a build, an index that is half old and half new, an update that differs from a
fresh build, and an answer from a tree that has changed."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from index.build import build_index
from index.errors import RecipeError, StaleIndexError, TaskError
from index.repo_index import open_index
from index.store.manifest import MANIFEST
from index.symbols.source_files import ScannedFile, read_digest_and_macros
from index.worker_processes import MOST_ITEMS_IN_PROCESS, WorkerPool, map_maybe_in_workers_as_completed
from tests.support.indexes import FILES, Files, Indexed, Tree, content, database
from tests.support.progress import RecordedProgress


def many_files(form: str = "int f{0};\n") -> Files:
    """So many that processes are started."""
    return {f"f{number}.c": form.format(number) for number in range(MOST_ITEMS_IN_PROCESS + 20)}


def test_a_build_reports_what_it_holds_and_again_parses_nothing(tree: Tree, tmp_path: Path) -> None:
    root, folder = tree(FILES), tmp_path / "index"
    progress = RecordedProgress()
    report = build_index(root, folder, progress=progress)
    assert (report.files, report.functions, report.symbols, report.skipped) == (3, 3, 5, ())
    assert report.reparsed == 3
    assert progress.counts == [("files parsed", 3, 3)]
    again = build_index(root, folder)
    assert again.reparsed == 0
    assert (again.files, again.functions, again.symbols) == (3, 3, 5)


def test_an_update_parses_the_changed_files_alone_and_equals_a_fresh_build(tree: Tree, tmp_path: Path) -> None:
    root, folder = tree(FILES), tmp_path / "index"
    build_index(root, folder)
    (root / "a.c").write_text("int renamed(void) { return 1; }\n")
    (root / "sub/b.cpp").unlink()
    (root / "new.c").write_text("int fresh(void) { return renamed(); }\n")
    assert build_index(root, folder).reparsed == 2
    assert_equal_to_a_fresh_build(folder, root)


def assert_equal_to_a_fresh_build(folder: Path, root: Path) -> None:
    fresh = folder.with_name("fresh")
    build_index(root, fresh, workers=1)
    assert content(folder, root) == content(fresh, root)
    builds = [json.loads((each / MANIFEST).read_text())["build"] for each in (folder, fresh)]
    assert builds[0] == builds[1]


def test_a_macro_that_became_an_attribute_reparses_the_files_that_use_it(tree: Tree, tmp_path: Path) -> None:
    root = tree({"m.h": "#define API 1\n", "a.c": "API int *f(void) { return 0; }\n", "z.c": "int z;\n"})
    folder = tmp_path / "index"
    build_index(root, folder)
    (root / "m.h").write_text('#define API __attribute__((visibility("default")))\n')
    assert build_index(root, folder).reparsed == 2
    assert_equal_to_a_fresh_build(folder, root)


def test_of_two_definitions_an_update_takes_the_one_that_a_fresh_build_takes(
    tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # openssl's MAKE_ENCODER is in two files, with other parameters: the one that was not read again went first.
    files: dict[str, str | bytes] = {
        "a.c": "#define MAKE(kind) int kind##_make(void) { return 1; }\nMAKE(a)\n",
        "z.c": "#define MAKE(where, kind) int where##_make(void) { return 2; }\nMAKE(b, c)\n",
    }
    root, folder = tree(files), tmp_path / "index"
    monkeypatch.setattr("index.symbols.source_files.RACY_NS", -(10**18))
    build_index(root, folder, workers=1)
    with (root / "a.c").open("a") as file:
        file.write("#define MORE 1\n")
    build_index(root, folder, workers=1)
    assert_equal_to_a_fresh_build(folder, root)


def test_processes_give_what_one_process_gives(tree: Tree, tmp_path: Path) -> None:
    files = many_files("int f{0}(int a) {{ return f{0}(a - 1) + {0}; }}\n")
    root = tree(files)
    assert build_index(root, tmp_path / "two", workers=2).functions == len(files)
    build_index(root, tmp_path / "one", workers=1)
    assert content(tmp_path / "two", root) == content(tmp_path / "one", root)


ITEMS = list(range(MOST_ITEMS_IN_PROCESS + 20))


def test_an_item_that_kills_its_worker_costs_that_item_alone() -> None:
    with WorkerPool(2) as workers:
        got = list(map_maybe_in_workers_as_completed(return_item_or_die, {7}, ITEMS, workers, lambda item: -item))
    assert sorted(got) == sorted([-7, *(item for item in ITEMS if item != 7)])


def return_item_or_die(shared: set[int], item: int) -> int:
    """By a worker that dies of the shared items."""
    if item in shared:
        os._exit(9)
    return item


def pid_of(shared: set[int], item: int) -> int:
    return_item_or_die(shared, item)
    return os.getpid()


def test_one_set_of_processes_serves_all_passes_of_a_build_and_is_renewed_when_one_dies() -> None:
    def work(shared: set[int]) -> set[int]:
        return set(map_maybe_in_workers_as_completed(pid_of, shared, ITEMS, workers, lambda _: -1))

    with WorkerPool(2) as workers:
        first, second = work(set()), work(set())
        assert first | second <= {p.pid for p in multiprocessing.active_children()}
        assert len(first | second) <= 2
        assert -1 in work({7})
        third = work(set())
        assert third
        assert not third & (first | second)
    assert not third & {p.pid for p in multiprocessing.active_children()}


def write_pid(place: tuple[Path, Path]) -> None:
    root, folder = place
    with closing(open_index(folder, root)) as index:
        (folder / f"after-{os.getpid()}").write_text(str(len(index.functions)))


def die_elsewhere(place: tuple[Path, Path]) -> None:
    """Once: in the process that it is given to first."""
    mark = place[1] / "died"
    if not mark.exists():
        mark.touch()
        os._exit(9)
    write_pid(place)


def refuse(place: tuple[Path, Path]) -> None:
    raise TaskError(f"{place[0].name} is refused")


def test_what_is_derived_sees_the_whole_index_in_the_processes_that_parsed(tree: Tree, tmp_path: Path) -> None:
    many = many_files("int f{0}(void) {{ return {0}; }}\n")
    root, folder = tree(many), tmp_path / "index"
    build_index(root, folder, workers=2, afterwards=(write_pid,))
    (made,) = folder.glob("after-*")
    assert made.read_text() == str(len(many))
    assert made.name != f"after-{os.getpid()}"
    assert multiprocessing.active_children() == []


def test_for_a_few_files_no_process_is_started_to_derive_anything(tree: Tree, tmp_path: Path) -> None:
    root, folder = tree(FILES), tmp_path / "index"
    build_index(root, folder, workers=2, afterwards=(write_pid,))
    assert (folder / f"after-{os.getpid()}").read_text() == "3"


def test_what_a_worker_dies_over_afterwards_is_made_here_and_a_mistake_is_raised(tree: Tree, tmp_path: Path) -> None:
    root = tree(many_files())
    build_index(root, tmp_path / "a", workers=2, afterwards=(die_elsewhere, write_pid))
    assert (tmp_path / "a" / "died").exists()
    assert (tmp_path / "a" / f"after-{os.getpid()}").read_text() == "0"
    with pytest.raises(TaskError, match="is refused"):
        build_index(root, tmp_path / "b", workers=2, afterwards=(refuse,))
    assert open_index(tmp_path / "b", root).files


def test_workers_end_when_the_build_is_killed(tree: Tree, tmp_path: Path) -> None:
    # Each waited for work for ever, with a hundred megabytes: one build after the other that ran out of memory.
    root = tree(many_files())
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(f"""
            import os, time
            from pathlib import Path
            from index.build import build_index
            def halt(place):
                (place[1] / "worker").write_text(str(os.getpid()))
                time.sleep(600)
            if __name__ == "__main__":
                build_index(Path({str(root)!r}), Path({str(tmp_path / "index")!r}), workers=2, afterwards=(halt,))
        """)
    )
    pid_file = tmp_path / "index" / "worker"
    with subprocess.Popen([sys.executable, program]) as build:
        assert waited(lambda: pid_file.is_file() and pid_file.read_text() != "")
        worker = int(pid_file.read_text())
        children = [int(p) for p in Path(f"/proc/{build.pid}/task/{build.pid}/children").read_text().split()]
        assert worker in children
        build.send_signal(signal.SIGKILL)
    assert waited(lambda: not any(is_alive(pid) for pid in children))


def waited(true: Callable[[], bool]) -> bool:
    """Within a minute: a loaded machine starts processes slowly."""
    deadline = time.monotonic() + 60
    while not true() and time.monotonic() < deadline:
        time.sleep(0.05)
    return true()


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"  # in a container nobody may be there to collect it


def test_a_source_that_changed_since_is_refused(indexed: Indexed) -> None:
    index = indexed(FILES)
    (index.root / "a.c").write_text("int one(void) { return 2; }\n")
    with pytest.raises(StaleIndexError, match=r"a\.c.*rebuild"):
        index.read_file("a.c")
    with pytest.raises(TaskError, match="not a source file"):
        index.read_file("../outside.c")


def test_unfinished_files_of_a_killed_build_go_and_derived_arrays_follow(indexed: Indexed) -> None:
    index = indexed(FILES)
    index.load_or_make_arrays("x", lambda folder: None, lambda folder: None)
    (old,) = index.folder.glob("derived/x-*")
    index.close()
    left = index.folder / f"{MANIFEST}.tmp-999999999"
    left.write_text("half")
    (index.root / "a.c").write_text("int other(void) { return 1; }\n")
    build_index(index.root, index.folder)
    assert not left.exists()
    assert not old.exists()


def test_no_root_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="no such folder"):
        build_index(tmp_path / "nowhere", tmp_path / "index")


def test_a_reader_keeps_what_it_opened_while_an_update_changes_it(indexed: Indexed) -> None:
    index = indexed(FILES)
    (index.root / "a.c").write_text("int renamed(void) { return 1; }\n")
    before = database(index.folder)
    assert build_index(index.root, index.folder).reparsed == 1
    assert database(index.folder) == before
    assert [e.symbol.name for e in index.entries_in_file("a.c")] == ["one", "two"]
    assert index.entries_named("renamed") == ()
    with closing(open_index(index.folder, index.root)) as after:
        assert [e.symbol.name for e in after.entries_in_file("a.c")] == ["renamed"]


def test_an_unchanged_file_is_not_read_again(tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, folder = tree(FILES), tmp_path / "index"
    for path in root.rglob("*"):
        os.utime(path, (1, 1))
    monkeypatch.setattr("index.symbols.source_files.RACY_NS", -(10**18))
    build_index(root, folder)
    read: list[str] = []
    real = read_digest_and_macros

    def note_and_read(root: Path, path: str) -> ScannedFile:
        read.append(path)
        return real(root, path)

    monkeypatch.setattr("index.build.read_digest_and_macros", note_and_read)
    (root / "a.c").write_text("int renamed(void) { return 1; }\n")
    assert build_index(root, folder).reparsed == 1
    assert read == ["a.c"]


def test_going_back_to_an_older_state_does_not_bring_back_its_arrays(tree: Tree, tmp_path: Path) -> None:
    root, folder = tree(FILES), tmp_path / "index"
    seen = []
    for text in ("int one(void) { return 1; }\n", "int two(void) { return 1; }\n", "int one(void) { return 1; }\n"):
        (root / "a.c").write_text(text)
        build_index(root, folder)
        with closing(open_index(folder, root)) as index:
            index.load_or_make_arrays("x", lambda folder: None, lambda folder: None)
            seen.append((index.build, next(folder.glob("derived/x-*"))))
    assert seen[0][0] == seen[2][0]
    assert len({path for _, path in seen}) == 3


def test_a_program_without_a_main_guard_gets_one_clear_line(tree: Tree, tmp_path: Path) -> None:
    # A worker reads the program that started it, would build again and wait for the lock that its parent holds.
    root = tree(many_files())
    program = tmp_path / "program.py"
    program.write_text(
        "from pathlib import Path\nfrom index.build import build_index\n"
        f"build_index(Path({str(root)!r}), Path({str(tmp_path / 'index')!r}), workers=2)\n"
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert "index.errors.ConfigError: no worker process starts" in done.stderr.splitlines()[-1]
    program.write_text(program.read_text().replace("build_index(", 'if __name__ == "__main__":\n    build_index('))
    assert subprocess.run([sys.executable, program], timeout=60, check=False).returncode == 0


def test_in_a_large_tree_the_last_part_runs_alone_when_the_processes_have_ended(
    tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Boost's call graph beside its text search held more than two gigabytes."""
    monkeypatch.setattr("index.build.LARGE_TREE_FUNCTIONS", MOST_ITEMS_IN_PROCESS)
    root = tree(many_files("int f{0}(void) {{ return 0; }}\n"))
    alive: list[int] = []
    build_index(
        root,
        tmp_path / "index",
        workers=2,
        afterwards=(write_pid, lambda _place: alive.append(len(multiprocessing.active_children()))),
    )
    assert alive == [0]
    assert not (tmp_path / "index" / f"after-{os.getpid()}").exists()

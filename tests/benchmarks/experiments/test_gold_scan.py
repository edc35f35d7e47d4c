"""Prevents: a scan that finds nothing because it looks past what gives a body away."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.experiments.harbor.gold_scan import (
    Clues,
    Scanner,
    demangle_symbols,
    is_function,
    list_files,
    make_clues,
    read_functions,
)
from benchmarks.experiments.harbor.run_search import RunSearch
from executor.values import Task
from experiments.run.config import RunConfig
from experiments.run.workspace import read_tasks
from index.hiding.holes import PLACEHOLDER


def test_runs_are_counted_wherever_they_stand() -> None:
    drawn = random.Random(1)
    # Longer than what is searched at once.
    data = bytes(drawn.choices(range(20), k=600_000))
    places = [0, len(data) - 48, (1 << 16) - 20, (1 << 16) + 1, *(drawn.randrange(len(data) - 48) for _ in range(60))]
    runs = [data[at : at + length] for at in places for length in (16, 32, 48)] + [bytes(range(48))]
    brute = Counter({run: sum(data.startswith(run, at) for at in range(len(data))) for run in set(runs[:12])})
    search = RunSearch(runs)
    found = search.count_runs(data)
    assert {run: found[run] for run in brute} == brute
    assert set(found) == set(runs[:-1])
    assert search.count_runs(b"") == {}
    assert RunSearch([bytes(48)]).count_runs(bytes(100)) == {}


@pytest.fixture
def task(tmp_path: Path) -> Task:
    (found,) = read_tasks(
        RunConfig(dataset="example", model="gold", tasks=("array-reserve",)), tmp_path / "cache"
    ).tasks
    return found


def test_a_body_is_found_as_text_and_as_code_and_its_hole_is_not(task: Task, tmp_path: Path) -> None:
    root = tmp_path / "tree"
    shutil.copytree(Path(__file__).parents[3] / "examples" / "inventory", root)
    file, made = root / task.target.path, root / "array.o"
    subprocess.run(["gcc", "-c", "-Iinclude", "-Isrc", "-o", made, file], cwd=root, check=True)
    whole, built = file.read_bytes(), made.read_bytes()
    sources = [path.read_bytes() for path, _ in list_files(root) if path != made]
    clues = make_clues([task], sources, [built])[task.id]
    scanner = Scanner([clues])
    assert clues.list_kinds(scanner.search_data(whole)) == ["text"]
    assert clues.list_kinds(
        scanner.search_data(b"!<arch>\n" + b" " * 48 + f"{len(built):<10}`\n".encode() + built)
    ) == [
        "code",
        "symbol",
    ]
    body = task.gold[task.gold.index("{") :].rstrip().encode()
    assert body in whole
    assert clues.list_kinds(scanner.search_data(whole.replace(body, PLACEHOLDER))) == []
    # What another function says too is no secret.
    (code,) = (code for name, code in read_functions(built) if name == "array_reserve")
    other = built.replace(b"array_reserve", b"other_reserve").replace(code, code[:-1] + b"X")
    twice = make_clues([task], [*sources, whole], [built, other])[task.id]
    assert (twice.text, twice.symbols) == (set(), clues.symbols)
    assert all(code.endswith(run) for run in twice.code)


@pytest.mark.parametrize(
    ("symbol", "name", "wanted"),
    [
        ("dictFind", "dictFind", True),
        ("dictFind.part.0", "dictFind", True),
        ("dictFindIndex", "dictFind", False),
        ("_ZN5store4ItemC1Ei", "store::Item::Item", True),
        ("_ZN5store4ItemD1Ev", "store::Item::Item", False),
        ("_ZN5store9Warehouse8add_itemERKNS_4ItemE", "store::Item::Item", False),
        ("_ZN5store9Warehouse8add_itemERKNS_4ItemE", "Warehouse::add_item", True),
        ("_ZN12_GLOBAL__N_13addEii.cold", "add", True),
        ("_Z3addIiET_S0_", "add", True),
    ],
)
def test_a_symbol_is_the_functions_own(symbol: str, name: str, wanted: bool) -> None:
    assert is_function(demangle_symbols([symbol])[symbol], name) is wanted


def test_a_file_is_read_once_however_many_images_have_it(tmp_path: Path) -> None:
    text = bytes(range(65, 113))
    clues = Clues({text})
    (tmp_path / "one").write_bytes(b"x" * 9 + text)
    ((path, key),) = list_files(tmp_path)
    scanner = Scanner([clues])
    found = scanner.search_file(path, key)
    assert scanner.search_file(Path("/nowhere"), key) is found
    assert (scanner.count, clues.list_kinds(found)) == (1, ["text"])
    assert replace(clues, text={b"other"}).list_kinds(found) == []

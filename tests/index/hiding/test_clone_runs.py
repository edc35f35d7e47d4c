"""Prevents: clones told by runs that were patched after an edit: of a function that is gone, under an id that now
is another's, or a new clone that strict hiding doesn't see."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

from index.build import build_index
from index.hiding import clone_runs as run_arrays
from index.hiding.clones import RunTable
from index.repo_index import RepoIndex, open_index
from index.values import Span, Target


def body(number: int) -> str:
    return "".join(f"  total += weigh(list[{(number + i) % 5}], {number}) * {i};\n" for i in range(number % 4))


def text(numbers: list[int]) -> str:
    return "\n".join(f"int f{n}(int *list)\n{{\n{body(n)}}}" for n in numbers) + "\n"


def same(one: RunTable, other: RunTable) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in RunTable._fields)


def test_patched_runs_are_those_made_from_scratch(tmp_path: Path) -> None:
    root, folder = tmp_path / "tree", tmp_path / "index"
    root.mkdir()
    chance = random.Random(3)
    for i in range(6):
        (root / f"f{i}.c").write_text(text([i, i + 1, i + 9]))
    build_index(root, folder, workers=1)
    patched = 0
    for step in range(25):
        index = open_index(folder, root)
        kept = index.folder / "runs"
        before = run_arrays._patched(index, kept)
        patched += before is not None
        assert same(index.runs, run_arrays.made_runs(index)), step
        assert before is None or same(before, index.runs)
        index.close()
        for _ in range(chance.randint(1, 3)):
            path = root / f"f{chance.randrange(8)}.c"
            if chance.random() < 0.15:
                path.unlink(missing_ok=True)
            else:
                path.write_text(text(chance.sample(range(40), chance.randint(0, 5))))
        build_index(root, folder, workers=1)
    assert patched >= 20


def clones(index: RepoIndex, target: Target) -> list[str]:
    return [c.path for c in index.hide(target, "strict").clones]


def test_a_clone_that_an_edit_brings_is_hidden_and_one_that_it_takes_is_gone(tmp_path: Path) -> None:
    root, folder = tmp_path / "tree", tmp_path / "index"
    root.mkdir()
    for i in range(3):
        (root / f"f{i}.c").write_text(text([i]))
    (root / "f0.c").write_text(text([3]))
    target = Target("t", "f0.c", Span(1, 6), "f3", "int f3(int *list)", "", "c")
    build_index(root, folder, workers=1)
    seen = []
    for path, numbers in (("f1.c", [7, 3]), ("f2.c", [3]), ("f1.c", [2]), ("f2.c", [5])):
        index = open_index(folder, root)
        seen.append(clones(index, target))
        index.close()
        (root / path).write_text(text(numbers))
        build_index(root, folder, workers=1)
    index = open_index(folder, root)
    seen.append(clones(index, target))
    index.close()
    assert seen == [[], ["f1.c"], ["f1.c", "f2.c"], ["f2.c"], []]

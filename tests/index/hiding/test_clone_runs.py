"""Prevents: clones found by the runs and shapes of an earlier state of the index: a function that is gone, or a new
clone that strict hiding doesn't see."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from index.build import build_index
from index.repo_index import open_index
from index.values import Span, Target


def body(number: int) -> str:
    return "".join(f"  total += weigh(list[{(number + i) % 5}], {number}) * {i};\n" for i in range(number % 4))


def text(numbers: list[int]) -> str:
    return "\n".join(f"int f{n}(int *list)\n{{\n{body(n)}}}" for n in numbers) + "\n"


def test_a_clone_that_an_edit_brings_is_hidden_and_one_that_it_takes_is_gone(tmp_path: Path) -> None:
    root, folder = tmp_path / "tree", tmp_path / "index"
    root.mkdir()
    for i in range(3):
        (root / f"f{i}.c").write_text(text([i]))
    (root / "f0.c").write_text(text([3]))
    target = Target("t", "f0.c", Span(1, 6), "f3", "int f3(int *list)", "", "c")
    seen = []
    for path, numbers in (("f1.c", [1]), ("f1.c", [4, 3]), ("f2.c", [3]), ("f1.c", [4]), ("f2.c", [5])):
        (root / path).write_text(text(numbers))
        build_index(root, folder, workers=1)
        with closing(open_index(folder, root)) as index:
            seen.append([clone.path for clone in index.hide(target, "strict").clones])
    assert seen == [[], ["f1.c"], ["f1.c", "f2.c"], ["f2.c"], []]

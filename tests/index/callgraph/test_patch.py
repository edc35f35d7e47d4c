"""Prevents: a call graph that was patched after an edit and says something else than one made from scratch: an edge
to a function that is gone, a caller elsewhere that now means another overload, an id of an earlier state."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from index.build import build_index
from index.callgraph import halves as graph_halves
from index.callgraph.graph import CallGraph
from index.callgraph.patch import patched_graph
from index.callgraph.tree import graph_of, size_of
from index.repo_index import RepoIndex, open_index

HEADER = """\
#define CALL(x) low(x)
#define TWICE(x) (CALL(x) + CALL(x))
struct Ops { int (*open)(int); int (*close)(int); };
class Base { public: int area() { return 1; } int area(int a) { return a; } };
class Shape : public Base { public: Base inner; Base* next(); Shape(int x); };
typedef Shape Alias;
int low(int x);
int high(int x);
"""
FILES = {
    "api.h": HEADER,
    "made.h": "#define MAKE(t, f) int t##_twice_of(int x) { return f##_low(x) + help(x); }\nint help(int x);\n",
    "made.c": '#include "made.h"\nMAKE(one, my)\n',
    "seen.c": "int seen(int x) { return other_twice_of(x); }\n",
    "my.c": "int my_low(int x) { return x; }\nint help(int x) { return x; }\n",
    # What `part` is stands two files away from who calls through it.
    "holder.h": '#include "api.h"\nstruct Holder { Alias part; };\n',
    "far.cpp": '#include "holder.h"\nint far(Holder& h) { return h.part.next() != 0; }\n',
    "low.cpp": '#include "api.h"\nint low(int x) { return x; }\nstatic int mine(int x) { return low(x); }\n'
    "int high(int x) { return mine(x) + TWICE(x); }\n",
    "shape.cpp": '#include "api.h"\nShape::Shape(int x) : inner() { area(x); }\n'
    "Base* Shape::next() { return &inner; }\n"
    "int use(Alias& s) { return s.next()->area() + s.inner.area(2); }\n",
    "ops.c": '#include "api.h"\nstatic int my_open(int x) { return high(x); }\nint my_close(int x) { return x; }\n'
    "struct Ops table = { my_open, my_close };\n"
    "void put(struct Ops* o) { o->close = my_close; }\n",
    "run.c": '#include "api.h"\nint run(struct Ops* o) { return o->open(1) + o->close(2); }\n'
    "int other(int x) { return low(x) + high(x); }\n",
}
EDITS = [
    ("low.cpp", "return x;", "return high(x);"),
    ("my.c", "int my_low(int x) { return x; }", "int my_lower(int x) { return x; }"),
    ("my.c", "int help(int x) { return x; }", "static int help(int x) { return x; }"),
    ("low.cpp", "static int mine(int x) { return low(x); }", "static int mine2(int x) { return low(x); }"),
    ("low.cpp", "int low(int x) {", "static int low(int x) {"),
    ("low.cpp", "int low(int x) { return x; }", "int lower(int x) { return x; }"),
    ("shape.cpp", "Base* Shape::next() { return &inner; }", "Base* Shape::next(int a) { return &inner; }"),
    ("shape.cpp", "int use(", "int area(int q) { return q; }\nint use("),
    ("ops.c", "o->close = my_close", "o->close = my_open"),
    ("ops.c", "{ my_open, my_close }", "{ my_close }"),
    ("ops.c", "static int my_open(int x) { return high(x); }", "static int my_open(int x) { return low(x); }"),
    ("ops.c", "int my_close(int x) { return x; }", "int my_close(int x) { return my_open(x); }"),
    ("run.c", "int other", "int low(int x) { return 0; }\nint other"),
    ("run.c", "o->open(1) +", ""),
    ("api.h", "#define CALL(x) low(x)", "#define CALL(x) high(x)"),
    ("api.h", "typedef Shape Alias;", "typedef Base Alias;"),
    ("api.h", "class Shape : public Base {", "class Shape {"),
    ("api.h", "int (*open)(int); int (*close)(int);", "int (*close)(int); int (*open)(int);"),
    ("api.h", "int area(int a) { return a; }", ""),
    ("api.h", "Base inner;", "Ops inner;"),
]


def resolved_graph(index: RepoIndex) -> CallGraph:
    return graph_of(graph_halves.resolve_all(index), size_of(index))


def same(one: CallGraph, other: CallGraph) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in CallGraph._fields)


class Tree:
    """A tree with its index and the graph that is kept of its last state."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        self.folder = folder / "index"
        self.root.mkdir()
        for path, text in FILES.items():
            (self.root / path).write_text(text)
        self.opened().graph  # noqa: B018 - made and kept

    def opened(self) -> RepoIndex:
        build_index(self.root, self.folder, workers=1)
        return open_index(self.folder, self.root)


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


@pytest.mark.parametrize("edit", range(len(EDITS)))
def test_a_patched_graph_is_the_one_made_from_scratch(tree: Tree, edit: int) -> None:
    path, old, new = EDITS[edit]
    text = FILES[path]
    assert old in text
    (tree.root / path).write_text(text.replace(old, new, 1))
    index = tree.opened()
    patched = patched_graph(index, tree.folder / "graph")
    assert patched is not None
    assert same(patched[0], resolved_graph(index))


def test_after_many_edits_too(tree: Tree) -> None:
    rng = random.Random(7)
    for _ in range(25):
        for path, old, new in rng.sample(EDITS, rng.choice([1, 1, 2, 3])):
            text = (tree.root / path).read_text()
            old, new = (old, new) if old in text else (new, old)
            if old:
                (tree.root / path).write_text(text.replace(old, new, 1))
        if rng.random() < 0.3:
            tree.opened().close()  # an update that nobody asks a graph of
            (tree.root / "run.c").write_text((tree.root / "run.c").read_text() + "\n")
        index = tree.opened()
        assert patched_graph(index, tree.folder / "graph") is not None
        assert same(index.graph, resolved_graph(index))


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "new.c").write_text("int low(int x) { return 2; }\n"),
        lambda root: (root / "ops.c").unlink(),
        lambda root: (root / "api.h").write_text('#include "ops.c"\n' + HEADER),
        lambda root: (root / "api.h").write_text(HEADER + "int operator+(const Base& a, int b);\n"),
    ],
)
def test_what_names_do_not_tell_is_made_anew(tree: Tree, change: Callable[[Path], object]) -> None:
    change(tree.root)
    index = tree.opened()
    assert patched_graph(index, tree.folder / "graph") is None
    assert same(index.graph, resolved_graph(index))


def test_a_damaged_graph_is_not_patched(tree: Tree) -> None:
    (tree.folder / "graph" / "notes.npz").write_bytes(b"nothing")
    (tree.root / "run.c").write_text(FILES["run.c"] + "int more(void) { return low(1); }\n")
    index = tree.opened()
    assert patched_graph(index, tree.folder / "graph") is None
    assert same(index.graph, resolved_graph(index))


def test_two_processes_say_the_same_as_one(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    index = tree.opened()
    alone = resolved_graph(index)
    monkeypatch.setattr(graph_halves, "WORTH_IT", 0)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    assert same(resolved_graph(index), alone)


def test_a_second_process_that_fails_costs_nothing_but_time(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    index = tree.opened()
    alone = resolved_graph(index)
    monkeypatch.setattr(graph_halves, "WORTH_IT", 0)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert same(resolved_graph(index), alone)


@pytest.mark.parametrize(("parent", "code"), [("os.getppid()", 0), ("os.getpid()", 1)])
def test_a_half_ends_with_whoever_waits_for_it(parent: str, code: int) -> None:
    program = (
        f"import os\nfrom index.callgraph.halves import while_alive\nassert list(while_alive({parent}, [1])) == [1]"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[3]).returncode == code

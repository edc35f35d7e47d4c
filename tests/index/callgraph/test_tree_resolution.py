"""Prevents: a call graph that two processes make and that isn't the one that a single process makes, or a second
process that outlives its parent."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from index.callgraph import file_resolution, tree_resolution
from index.callgraph.file_resolution import build_graph_resolving_field_calls
from index.callgraph.graph import CallGraph
from index.callgraph.resolution.names import Names
from index.repo_index import RepoIndex
from index.worker_processes import pause_garbage_collection
from tests.support.indexes import Indexed

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


def resolved_graph(index: RepoIndex) -> CallGraph:
    return build_graph_resolving_field_calls(
        tree_resolution.resolve_calls_in_whole_tree(index), index.next_symbol_id()
    )


def assert_equal(graph: CallGraph, expected: CallGraph) -> None:
    for name in CallGraph._fields:
        assert np.array_equal(getattr(graph, name), getattr(expected, name)), name


@pytest.fixture
def two_processes(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Has the next graph be made by two processes."""

    def enable() -> None:
        monkeypatch.setattr(tree_resolution, "LEAST_FUNCTIONS_FOR_TWO", 0)
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})

    return enable


def test_two_processes_give_what_one_gives(indexed: Indexed, two_processes: Callable[[], None]) -> None:
    index = indexed(FILES)
    alone = resolved_graph(index)
    assert len(alone.callee) > 10
    two_processes()
    assert_equal(resolved_graph(index), alone)


def test_when_the_second_process_fails_this_one_resolves_all(
    indexed: Indexed, two_processes: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    index = indexed(FILES)
    alone = resolved_graph(index)
    two_processes()
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert_equal(resolved_graph(index), alone)


def test_what_is_forgotten_on_the_way_is_looked_up_again(indexed: Indexed, monkeypatch: pytest.MonkeyPatch) -> None:
    index = indexed(FILES)
    whole = resolved_graph(index)
    monkeypatch.setattr(file_resolution, "MOST_HELD_SYMBOLS", 0)
    with pause_garbage_collection():
        assert_equal(resolved_graph(index), whole)
        # Freed, although they hold each other: a build of the kernel forgets dozens of times.
        assert sum(type(kept) is Names for kept in gc.get_objects()) <= 2


@pytest.mark.parametrize(("parent", "code"), [("os.getppid()", 0), ("os.getpid()", 1)])
def test_a_half_ends_with_whoever_waits_for_it(parent: str, code: int) -> None:
    program = (
        "import os\nfrom index.callgraph.tree_resolution import yield_files_or_exit_with_parent as while_alive\n"
        f"assert list(while_alive({parent}, [1])) == [1]"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[3]).returncode == code

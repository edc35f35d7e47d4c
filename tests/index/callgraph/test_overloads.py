"""Prevents: an argument whose type isn't read, since it is taken to tell no overloads apart, although it does."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product

from index.callgraph.resolution.expressions import type_of_expression
from index.callgraph.resolution.names import Names
from index.callgraph.resolution.overloads import Overloads
from index.callgraph.resolution.types import Types
from index.callgraph.tables import WholeTree
from index.cpp.types import Type
from index.repo_index import RepoIndex

CODE = """
struct Base {}; struct Foo : Base {}; struct Bar {};
typedef Foo Other;
void f(int a, Foo b, int c) {}
void f(int a, Bar b, int c) {}
void f(int a, const Foo &b, int *c) {}
void f(int a, Base b) {}
void f(int a) {}
void f() {}
void f(int a, Other b, long c) {}
bool operator<(const Foo &a, const Foo &b) { return false; }
bool operator<(const Foo &a, const Bar &b) { return true; }
"""
KINDS = (None, Type("int"), Type("Foo"), Type("Bar", (), 1), Type("Foo", (), 0, True))


def test_only_arguments_that_tell_nothing_are_left_out(indexed: Callable[[dict[str, str]], RepoIndex]) -> None:
    index = indexed({"f.cpp": CODE})
    names = Names(WholeTree(index))
    types = Types(names, type_of_expression)
    overloads = Overloads(names, types)
    names.enter(index.files["f.cpp"].id)
    left_out = 0
    for name in ("f", "operator<"):
        rows = names[name].free
        assert len(rows) == (7 if name == "f" else 2)
        for some in (list(c) for size in range(2, len(rows) + 1) for c in combinations(rows, size)):
            telling = overloads.deciding_arguments(some)
            for given in product(KINDS, repeat=3):
                less = [kind if i in telling else None for i, kind in enumerate(given)]
                left_out += less != list(given)
                assert overloads.best(some, less) == overloads.best(some, given)
    assert left_out > 1000

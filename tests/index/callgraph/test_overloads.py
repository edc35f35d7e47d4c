"""Prevents: an argument whose type isn't read, since it is taken to tell no overloads apart, although it does."""

from __future__ import annotations

from itertools import combinations, product

from index.callgraph.resolution.declared_types import Types
from index.callgraph.resolution.expression_types import infer_expression_type
from index.callgraph.resolution.names import Names
from index.callgraph.resolution.overloads import Overloads
from index.callgraph.symbol_table import SymbolTable
from index.cpp.type_text import Type
from tests.support.indexes import Indexed

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


def test_only_arguments_that_tell_nothing_are_left_out(indexed: Indexed) -> None:
    index = indexed({"f.cpp": CODE})
    names = Names(SymbolTable(index))
    types = Types(names, infer_expression_type)
    overloads = Overloads(names, types)
    names.set_file_and_its_visibility(index.files["f.cpp"].id)
    left_out = 0
    for name in ("f", "operator<"):
        rows = names[name].free
        assert len(rows) == (7 if name == "f" else 2)
        for some in (list(c) for size in range(2, len(rows) + 1) for c in combinations(rows, size)):
            key = tuple(row.id for row in some)
            telling = overloads.find_deciding_arguments(key, some)
            for given in product(KINDS, repeat=3):
                less = tuple(kind if i in telling else None for i, kind in enumerate(given))
                left_out += less != given
                best = overloads.choose_best_overloads(key, some, given)
                assert overloads.choose_best_overloads(key, some, less) == best
    assert left_out > 1000

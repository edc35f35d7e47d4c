"""Prevents: a table of the index that shows what only a hidden body says: its local types, fields,
enumerators and macros, its calls, includes and assignments."""

from __future__ import annotations

import pytest

from agent.tools.name_table import NameTable
from index.hiding.hidden_view import HiddenView
from index.repo_index import RepoIndex
from index.values import Span, SymbolKind, Target
from tests.support.indexes import Indexed, TargetAt

TABLES = "struct table { int (*handler)(int); };\nstruct table shared_table;\nint open_enum(int);\n"
BODY = """\
static int target(struct table *t, int k)
{
#define secret_limit 3
#include "secret_part.h"
    struct secret_local { int secret_field; };
    enum secret_colour { secret_red, secret_blue };
    extern int secret_global;
    int secret_nested(int);
    t->handler = secret_callback;
    return secret_call(k) + visible(k) + secret_red;
}
"""
REST = """\
int visible(int k) { return k; }
int secret_callback(int k) { return visible(k); }
int user(struct table *t) { return t->handler(1) + target(t, 2); }
"""
LOCAL = {"secret_limit", "secret_local", "secret_field", "secret_colour", "secret_red", "secret_blue"}
"""Symbols of the body alone."""


@pytest.fixture(params=["a.c", "a.cpp"])
def opened(request: pytest.FixtureRequest, indexed: Indexed) -> tuple[RepoIndex, str]:
    path = request.param
    index = indexed({path: TABLES + BODY + REST, "secret_part.h": "int part;\n"})
    return index, path


@pytest.fixture
def view(opened: tuple[RepoIndex, str], target_at: TargetAt) -> HiddenView:
    index, path = opened
    return index.hide(target_at(index, path, "target"), "strict")


def test_the_index_itself_knows_what_lies_in_the_body(opened: tuple[RepoIndex, str]) -> None:
    """Else the tests below could not fail."""
    index, path = opened
    names = {e.symbol.name for kind in SymbolKind for e in index.entries_of_kind(kind)}
    assert names >= LOCAL
    target = next(e for e in index.functions if e.symbol.name == "target")
    assert {s.name for s in index.call_sites(target.symbol)} >= {"secret_call", "visible"}
    assert [i.text for i in index.includes_with_places(path)] == ['"secret_part.h"']
    user = next(e for e in index.functions if e.symbol.name == "user")
    callees = {e.symbol.name for e in index.read_entries_sorted_by_place(index.graph.callees(user.id).tolist())}
    assert "secret_callback" in callees


@pytest.mark.parametrize("kind", list(SymbolKind))
def test_no_kind_of_symbol_leaves_the_body(opened: tuple[RepoIndex, str], view: HiddenView, kind: SymbolKind) -> None:
    shown = {s.name for s in view.symbols(kind)} | {s.qualified_name for s in view.symbols(kind)}
    assert not shown & (LOCAL | {"target", "secret_global", "secret_nested", "secret_local::secret_field"})
    for symbol in view.symbols(kind):
        assert "secret_call(" not in view.text(symbol) + symbol.signature + symbol.docstring
        assert not LOCAL & set(view.text(symbol).replace("(", " ").split())


def test_by_name_and_by_file_nothing_of_it_is_shown(opened: tuple[RepoIndex, str], view: HiddenView) -> None:
    index, path = opened
    for name in LOCAL:
        assert view.symbols_named(name) == []
    assert not LOCAL & {s.name for s in view.symbols_in_file(path)}
    assert not any(name in view.file_text(path) for name in LOCAL)
    assert not any(name in view.lines(path, Span(1, 14)) for name in LOCAL)
    table = NameTable(index)
    for name in LOCAL:
        assert table.search_symbols(view, name, 20) == []
        assert not LOCAL & set(table.find_nearest_names(view, name, 20))


def test_its_calls_includes_and_assignments_are_not_shown(opened: tuple[RepoIndex, str], view: HiddenView) -> None:
    index, path = opened
    target = next(e.symbol for e in index.functions if e.symbol.name == "target")
    assert view.call_sites(target) == []
    assert view.called_names(target) == ()
    assert view.callees(target) == ()
    (visible,) = view.symbols_named("visible")
    assert [s.name for s in view.callers(visible)] == ["secret_callback"]
    assert view.include_texts(path) == view.includes(path) == ()
    (user,) = view.symbols_named("user")
    # That the field holds secret_callback stands in the hidden body alone.
    assert "secret_callback" not in [s.name for s in view.callees(user)]
    (callback,) = view.symbols_named("secret_callback")
    assert view.callers(callback) == ()
    assert [s.name for s in view.callers_of_target()] == ["user"]


def test_what_a_macro_makes_in_the_body_is_not_shown(indexed: Indexed) -> None:
    source = (
        "#define GETTER(n) int get_##n() const { return n; }\n"
        "int target()\n{\n  struct L {\n    GETTER(secret)\n    int secret;\n  };\n  return L().get_secret();\n}\n"
        "struct Open {\n  GETTER(open)\n  int open;\n};\n"
    )
    index = indexed({"a.cpp": source})
    view = index.hide(Target("t", "a.cpp", Span(2, 9), "target", "", "", "cpp"), "strict")
    names = {s.name for kind in SymbolKind for s in view.symbols(kind)}
    assert "get_open" in names
    assert not names & {"get_secret", "secret", "target"}
    assert view.symbols_named("get_secret") == []

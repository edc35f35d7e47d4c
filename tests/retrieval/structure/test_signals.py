"""Prevents: a signal that doesn't say what it is named for. Small trees in which one function can be found by one
signal alone.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from index.repo_index import RepoIndex
from retrieval.ranker.training_groups import find_sure_callees, make_target
from retrieval.structure.signal_maker import Signaller, Signals

Open = Callable[[dict[str, str]], RepoIndex]

TREE = {
    "db.c": """
static int rdb_load_len(int n) { return n; }
static int rdb_save_len(int n) { return n + 1; }
static int alone(int n) { return n * 3; }
static int in_table(int n) { return n * 4; }
int (*table[])(int) = { in_table };
/* alone() and "alone" in comments and strings are no use of it. */
const char *text = "alone";
int module_load_unsigned(int n) { return rdb_load_len(n); }
int module_save_unsigned(int n) { return alone(n); }
int report(int n) { return n; }
#define RAISE(n) report(n)
int noisy(int n) { return RAISE(n); }
""",
    "a.cpp": """
class A { public: int size() const; int rows() const; };
class B { public: int size() const; int rows() const; };
int A::rows() const { return 1; }
int B::rows() const { return 2; }
int A::size() const { return rows() * 2; }
int B::size() const { return 7; }
""",
}


def signals_of(index: RepoIndex, name: str) -> tuple[Signals, dict[str, int]]:
    """The signals of a function, and the candidates' places by qualified name."""
    signaller = Signaller(index)
    target = make_target(next(e.symbol for e in index.functions if e.symbol.qualified_name == name))
    signals = signaller.compute_signals(index.hide(target, "strict"), target)
    entries = {e.id: e.symbol.qualified_name for e in index.entries_by_id(signaller.tables.ids[signals.rows].tolist())}
    return signals, {entries[int(i)]: at for at, i in enumerate(signaller.tables.ids[signals.rows])}


@pytest.fixture
def index(opened: Open) -> RepoIndex:
    return opened(TREE)


def test_a_siblings_callee_is_renamed_as_the_sibling_is(index: RepoIndex) -> None:
    signals, place = signals_of(index, "module_save_unsigned")
    column = signals.find_column("analogous")
    assert column[place["rdb_save_len"]] > 0
    assert np.count_nonzero(column) == 1


def test_a_namesake_leads_to_the_method_of_the_own_class(index: RepoIndex) -> None:
    signals, place = signals_of(index, "B::size")
    column = signals.find_column("analogous")
    assert column[place["B::rows"]] > 0
    assert column[place["A::rows"]] == 0


def test_an_orphan_is_named_nowhere_outside_bodies(index: RepoIndex) -> None:
    signals, place = signals_of(index, "module_save_unsigned")
    orphan, outside = signals.find_column("orphan"), signals.find_column("outside")
    assert orphan[place["alone"]] == 1
    assert outside[place["alone"]] == 0
    assert outside[place["in_table"]] == 1
    assert orphan[place["rdb_load_len"]] == 0


def test_what_a_macro_calls_is_no_call(index: RepoIndex) -> None:
    signaller = Signaller(index)
    noisy = next(e for e in index.functions if e.symbol.name == "noisy")
    assert not len(find_sure_callees(signaller, int(signaller.tables.row_of[noisy.id])))
    signals, place = signals_of(index, "module_load_unsigned")
    assert signals.find_column("implied")[place["report"]] > 0
    assert signals.find_column("called")[place["report"]] == 0

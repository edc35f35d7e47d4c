"""Prevents: a truth that counts what isn't there (a parameter, the target itself), that leaves out what the index
missed and so flatters every retriever, or that takes an overload for another."""

from __future__ import annotations

import pytest

from executor.values import OracleItem
from index.errors import TaskError
from index.values import Span, Target
from lab.retrieval_eval.true_callees import (
    CallList,
    ListedCall,
    find_callees_in_graph,
    find_callees_in_list,
    find_callees_of_oracle,
    find_entry_of_target,
    load_yabloco_calls,
)

LIST_C = """\
#include "list.h"
#define MAKE_FREE(type) void type##_free(struct type *x)
MAKE_FREE(node);
static int weight_of(struct node *n, int (*scale)(int)) {
    return scale(n->value);
}
int *sum_of(struct node *head)
{
    return count(head, weight_of(head, head->scale));
}
#if WIDE
long count(struct node *n, int by) { return by; }
#else
long count(struct node *n, int by) { return by + 1; }
#endif
/* Add it all up, node by node. */
int total(struct node *head, int (*each)(int)) {
    head->scale(1);
    node_free(head);
    each(2);
    return *sum_of(head) + total(head->next, each);
}
"""
LIST_H = """\
struct node { struct node *next; int value; int (*scale)(int); };
int *sum_of(struct node *);
int *sum_of(struct node *first, int limit);
long count(struct node *n, int by);
"""
TOTAL = Target(
    "t", "list.c", Span(17, 22), "total", "int total(struct node *head, int (*each)(int))", "/* Add */", "c"
)


@pytest.fixture
def index(indexed):
    return indexed({"list.c": LIST_C, "list.h": LIST_H})


def calls(*rows):
    return CallList(tuple(ListedCall(*row) for row in rows), ("memcpy",))


@pytest.mark.parametrize(
    ("listed", "symbols"),
    [
        # The definition and its declaration, but no overload.
        (("sum_of", "list.c", 7, 10), [("list.c", 7), ("list.h", 2)]),
        # The other branch of an `#if` is the same function.
        (("count", "list.c", 14, 14), [("list.c", 12), ("list.c", 14), ("list.h", 4)]),
        # `weight_of(` stands in the text of the lines, but no symbol of that name does: it stays in the denominator.
        (("weight_of", "list.c", 9, 9), []),
    ],
)
def test_a_listed_call_resolves_to_all_that_is_the_same_function(index, listed, symbols):
    truth = find_callees_in_list(calls(listed), TOTAL, index)
    (callee,) = truth.callees
    assert sorted((s.path, s.span.first) for s in callee.symbols) == symbols
    assert truth.excluded == (("memcpy", "outside the repository"),)


def test_parameters_fields_macros_and_the_target_are_no_callees(index):
    listed = calls(
        ("each", "list.c", 17, 17),
        ("node::scale", "list.h", 1, 1),
        ("node_free", "list.c", 3, 3),
        ("total", "list.c", 17, 22),
        ("sum_of", "list.c", 7, 10),
        ("sum_of", "list.c", 7, 9),
    )
    truth = find_callees_in_list(listed, TOTAL, index)
    assert [c.name for c in truth.callees] == ["sum_of"]
    assert dict(truth.excluded) == {
        "memcpy": "outside the repository",
        "each": "a call through a parameter or a field",
        "node::scale": "a call through a parameter or a field",
        "node_free": "made by a macro",
        "total": "the target itself",
    }


def test_oracle_texts_resolve_by_their_tokens(index):
    text = "int * sum_of(struct node *head) { return count(head, weight_of(head, head->scale)); }"
    truth = find_callees_of_oracle((OracleItem(text), OracleItem("int gone(void) { }")), TOTAL, index)
    assert [(c.name, bool(c.symbols)) for c in truth.callees] == [("sum_of", True), ("gone", False)]


def test_the_graph_gives_what_the_body_calls(index):
    entry = find_entry_of_target(TOTAL, index)
    truth = find_callees_in_graph(entry, index)
    assert "sum_of" in [c.name for c in truth.callees]
    assert "total" not in [c.name for c in truth.callees]
    assert ("total", "the target itself") in truth.excluded


def test_what_a_macro_calls_is_not_the_bodys_call(indexed):
    index = indexed(
        {
            "a.c": "void fail(int line) { (void)line; }\nint step(int x) { return x; }\n"
            "#define CHECK(x) do { if (!(x)) fail(__LINE__); } while (0)\n"
            "int run(int x) {\n    CHECK(x);\n    return step(x);\n}\n"
        }
    )
    (run,) = index.entries_named("run")
    truth = find_callees_in_graph(run, index)
    assert [c.name for c in truth.callees] == ["step"]
    assert dict(truth.excluded) == {"CHECK": "a macro", "fail": "called by a macro that the body uses"}


def test_the_benchmarks_own_lists_are_read():
    listed = load_yabloco_calls()
    assert len(listed) == 218
    assert sum(len(calls.calls) for calls in listed.values()) == 303
    assert all(call.path and call.first <= call.last for calls in listed.values() for call in calls.calls)


@pytest.mark.parametrize("text", ["[", "[]", '{"a": {}}', '{"a": {"calls": [{"path": "r/x.c"}]}}'])
def test_another_file_is_a_users_error(tmp_path, text):
    path = tmp_path / "calls.json"
    path.write_text(text)
    with pytest.raises(TaskError, match=r"calls\.json"):
        load_yabloco_calls(path)
    with pytest.raises(TaskError, match=r"none\.json"):
        load_yabloco_calls(tmp_path / "none.json")

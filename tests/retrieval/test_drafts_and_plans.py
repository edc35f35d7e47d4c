"""Prevents: a plan in prose whose words are taken for names, whose helpers are found by words alone wherever they
stand, or that leads to nothing when it names what doesn't exist; and a plan that leads to the hidden body."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from index.repo_index import RepoIndex
from index.values import Target
from retrieval.context.assembly import Packing, make_retrieved_context
from retrieval.drafts_and_plans import retrieve_after_plan, split_plan_into_helpers
from retrieval.ranker.training_groups import make_target
from retrieval.text.lexical import LexicalRetriever
from retrieval.vectors.static_dense import StaticDenseRetriever

FILES = {
    "store.h": """\
struct list { int at; };
/* Look a key up in the table. Returns its value, or 0. */
int table_find(struct list *table, int key);
/* Send an error message to the client. */
void complain(int client);
""",
    "store.c": """\
#include "store.h"
/* Look a key up in the table. Returns its value, or 0. */
int table_find(struct list *table, int key) { return table->at == key; }
/* Send an error message to the client. */
void complain(int client) { client++; }
/* Forget the key of the table. */
static int drop_it(struct list *table, int key) { return table->at = key; }
int store_get(struct list *table, int key, int client) {
    int found = table_find(table, key);
    if (!found) complain(client);
    return found;
}
/* Take a key out. */
int store_cut(struct list *table, int key, int client) {
    if (!table_find(table, key)) { complain(client); return SECRET_THING; }
    return drop_it(table, key);
}
""",
    "far.c": """\
/* Look a key up in the table of the far side. */
int far_find(int key) { return key; }
int client(void) { return 1; }
int walk(int n) { return n; }
""",
}
PLAN = """\
Here is what I would call:
- look up a key in the table; takes the table and the key, returns the value
2. send_error: send an error message to the client
* `drop_it`, which forgets the key
"""


@pytest.fixture
def index(opened: Callable[[dict[str, str]], RepoIndex]) -> RepoIndex:
    return opened(FILES)


def cut_target(index: RepoIndex) -> Target:
    return make_target(next(e.symbol for e in index.functions if e.symbol.name == "store_cut"))


def test_a_plan_is_its_list_and_prose_without_one() -> None:
    assert split_plan_into_helpers(PLAN) == [
        "look up a key in the table; takes the table and the key, returns the value",
        "send_error: send an error message to the client",
        "`drop_it`, which forgets the key",
    ]
    assert split_plan_into_helpers("I would look it up.\n\n```c\nfind(it);\n```") == [
        "I would look it up.",
        "find(it);",
    ]
    assert split_plan_into_helpers("") == []


def test_helpers_are_found_by_name_then_by_what_they_do_and_where(index: RepoIndex) -> None:
    target = cut_target(index)
    view = index.hide(target, "strict")
    lexical = LexicalRetriever(index)
    meaning = StaticDenseRetriever(index, [target], described=True)
    hits = retrieve_after_plan(view, target, PLAN, lexical, meaning, lexical, 5)
    names = [hit.symbol.name for hit in hits]
    # Named, and then the best of each line in turn.
    assert names[0] == "drop_it"
    assert names[1] == "table_find" and "complain" in names[1:9]
    assert names.index("table_find") < names.index("far_find")
    assert "it fits what the plan describes: look up a key" in hits[1].reason
    base = lexical.retrieve(view, target, 5)
    assert hits[-len(base) :] == base
    # `client` and `list` are words of English here.
    named = [hit.symbol.name for hit in hits if not hit.reason.startswith("it fits")][: -len(base)]
    assert not {"client", "list"} & set(named)
    assert "store_cut" not in names


def test_a_plan_that_says_nothing_leaves_what_is_found_without_it(index: RepoIndex) -> None:
    target = cut_target(index)
    view = index.hide(target, "strict")
    lexical = LexicalRetriever(index)
    base = lexical.retrieve(view, target, 5)
    assert retrieve_after_plan(view, target, "\n", lexical, lexical, lexical, 5) == base


def test_what_is_named_comes_first_in_the_context_though_the_base_finds_it_too(index: RepoIndex) -> None:
    """A symbol that came twice stood at its last place: what a draft named sank to where the base had it."""
    target = cut_target(index)
    view = index.hide(target, "strict")
    base = LexicalRetriever(index).retrieve(view, target, 5)
    last = base[-1]
    context = make_retrieved_context(view, target, [last, *base], Packing(4000, hits=2, bodies="none"), "t")
    assert [s.title for s in context.snippets if s.source == "t"] == [last.symbol.name, base[0].symbol.name]

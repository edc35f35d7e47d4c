"""Prevents: a prompt that shows long bodies and lacks the one field, macro or constant that the body needs; half a
struct with half a comment; and a budget that is overspent."""

from __future__ import annotations

import pytest

from index.repo_index import RepoIndex
from index.values import Target
from retrieval.context.assembly import Packing, make_retrieved_context
from retrieval.context.token_budget import estimate_tokens
from retrieval.ranker.name_chances import NameFinder
from retrieval.values import Context, Hit, NameChance, SnippetGroup
from tests.support.indexes import Indexed
from tests.support.targets import find_function, find_target

EXTRAS = {SnippetGroup.EXAMPLES, SnippetGroup.INCLUDES, SnippetGroup.FILE}
HEADER = """\
typedef struct disk { int pages; } disk;
/* What is kept in memory. */
struct cache {
    disk *on; /* where it comes from */
    int used; /* how many pages, and
               * this goes on */
    int spare_1; int spare_2; int spare_3; int spare_4; int spare_5; int spare_6; int spare_7; int spare_8;
    int spare_a; int spare_b; int spare_c; int spare_d; int spare_e; int spare_f; int spare_g; int spare_h;
    union { int owner; int guest; };
};
struct both { int a; } both_of;
#define PAGE_LIMIT 64 /* a limit that \\
                         has a long comment */
#define OTHER_LIMIT 65
enum mode { MODE_READ = 1, MODE_WRITE };
extern int open_pages;
/* Tells how many. It is slow. */
int count_pages(struct cache *c);
"""
SOURCE = """\
#include "cache.h"
int open_pages;
int cache_get(struct cache *c) { if (c->used > PAGE_LIMIT) return MODE_READ; return open_pages; }
/* Put a page in. */
int cache_put(struct cache *c) { BODY }
int cache_cut(struct cache *c) { return c->used > PAGE_LIMIT ? open_pages : 0; }
"""
FAR = """\
#include "cache.h"
int count_pages(struct cache *c) { int sum = 0; sum += c->used; sum += c->on->pages; return sum + open_pages; }
int far_away(void) { return OTHER_LIMIT; }
"""


@pytest.fixture
def index(indexed: Indexed) -> RepoIndex:
    return indexed({"cache.h": HEADER, "cache.c": SOURCE.replace("BODY", "return c->used + 12345;"), "far.c": FAR})


def pack(index: RepoIndex, names: dict[str, float], hits: tuple[str, ...] = (), **packing: object) -> Context:
    """The context of these names and their chances."""
    target = find_target(index, "cache_put")
    view = index.hide(target, "strict")

    def find_names(*_: object) -> list[NameChance]:
        found = {name: view.symbols_named(name)[0] for name in names}
        return [NameChance(found[name], chance) for name, chance in names.items()]

    made = [Hit(find_function(index, name), 1.0, "") for name in hits]
    settings = Packing(**{"budget": 400, **packing})  # type: ignore[arg-type]
    return make_retrieved_context(view, target, made, settings, "t", find_names)


def texts(context: Context) -> dict[str, str]:
    return {snippet.title: snippet.text for snippet in context.snippets if snippet.source == "t"}


def test_each_name_is_shown_by_its_cheapest_declaration(index: RepoIndex) -> None:
    groups = frozenset(SnippetGroup) - EXTRAS
    names = ("on", "used", "guest", "PAGE_LIMIT", "MODE_READ", "open_pages", "count_pages", "both", "both_of")
    found = texts(pack(index, dict.fromkeys(names, 0.5), groups=groups))
    # A comment of several lines is left out whole; a union without a name has its fields where they stand.
    assert found["cache"].split("\n") == [
        "struct cache {", "    disk *on;  /* where it comes from */", "    int used;", "    int guest;",
        "    ...", "};",
    ]  # fmt: skip
    assert found["PAGE_LIMIT"] == "#define PAGE_LIMIT 64"
    assert found["enum"] == "enum {\n    MODE_READ = 1,\n    ...\n};"
    assert found["count_pages"] == "// Tells how many.\nint count_pages(struct cache *c);"
    assert "both_of" in found["both_of"] and "int a" in found["both"]


def test_the_dear_and_unlikely_gives_way(index: RepoIndex) -> None:
    names = {"PAGE_LIMIT": 0.4, "MODE_READ": 0.3, "count_pages": 0.02, "on": 0.01}
    small = pack(index, names, hits=("count_pages",), budget=24, groups=frozenset(SnippetGroup) - EXTRAS)
    assert {"PAGE_LIMIT", "enum"} <= texts(small).keys()
    assert "count_pages" not in texts(small)
    assert ("count_pages", "other names are likelier for their price") in {(d.title, d.reason) for d in small.dropped}
    large = pack(index, names, hits=("count_pages",), budget=4000)
    assert "sum += c->used" in texts(large)["count_pages"]
    bare = pack(index, names, hits=("count_pages",), budget=4000, bodies="none")
    assert "sum" not in texts(bare)["count_pages"]
    assert all(pack(index, names, budget=budget).tokens <= budget for budget in range(0, 120, 7))


def test_a_method_shown_whole_gives_back_its_line_alone(indexed: Indexed) -> None:
    """The frame of its class was given back too, though it stays: the budget was overspent."""
    body = "int sum = 0; for (int i = 0; i < size; ++i) sum += i * factor; return sum;"
    source = (
        f"class Box {{\npublic:\n  int size; int factor;\n  int add() {{ {body} }}\n  int put(int n) {{ BODY }}\n}};\n"
    )
    index = indexed({"box.cpp": source.replace("BODY", "return n + 12345;")})
    target = find_target(index, "put")
    view = index.hide(target, "strict")
    chances = {"add": 0.9, "size": 0.2}
    names = [NameChance(view.symbols_named(name)[0], chance) for name, chance in chances.items()]
    hits = [Hit(find_function(index, "add"), 1.0, "")]
    for budget in range(20, 120):
        packing = Packing(budget)
        context = make_retrieved_context(view, target, hits, packing, "t", lambda *_: names)
        assert sum(estimate_tokens(snippet.text) for snippet in context.snippets) <= budget
    assert "sum += i" in "".join(snippet.text for snippet in context.snippets)


def test_what_siblings_name_is_likely(index: RepoIndex) -> None:
    """By the trees that ship with Graft: the tree is too small for its own."""
    target = find_target(index, "cache_put")
    view = index.hide(target, "strict")
    names = NameFinder(index, (target,)).find_names(view, target, [])
    order = [name.symbol.name for name in names]
    assert [name.chance for name in names] == sorted((name.chance for name in names), reverse=True)
    assert {"used", "PAGE_LIMIT", "open_pages"} <= set(order[:6])
    assert order.index("PAGE_LIMIT") < order.index("OTHER_LIMIT")
    # What the signature names already isn't needed, nor what only the hidden body has.
    assert not {"cache", "cache_put", "far_away"} & set(order[:6])


def test_it_tells_of_no_target_that_is_held_out(indexed: Indexed) -> None:
    """The same names whatever the body of a function says that is held out."""

    def rank(body: str) -> list[tuple[str, float]]:
        files = {"cache.h": HEADER, "cache.c": SOURCE.replace("BODY", body), "far.c": FAR}
        index = indexed(files)
        target: Target = find_target(index, "cache_put")
        found = NameFinder(index, (target,)).find_names(index.hide(target, "strict"), target, [])
        return [(name.symbol.name, name.chance) for name in found]

    assert rank("return OTHER_LIMIT + c->spare_1;") == rank("return MODE_WRITE + c->on->pages;")

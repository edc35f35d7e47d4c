"""Prevents: a context that shows the functions to call and not the constants and types to call them with; and one
that learns them from the hidden body."""

from __future__ import annotations

import pytest

from index.repo_index import RepoIndex
from index.values import Target
from retrieval.context.assembly import Packing, make_retrieved_context
from retrieval.context.name_votes import count_name_votes, rename_like_sibling
from retrieval.context.related_symbols import find_related_symbols
from retrieval.values import Hit, SnippetGroup
from tests.support.targets import Open, find_function, find_target

HEADER = """\
typedef struct disk { int pages; } disk;
struct cache { disk *on; int used; };
#define PAGE_LIMIT 64
#define OTHER_LIMIT 65
enum mode { MODE_READ, MODE_WRITE };
extern int open_pages;
"""
SOURCE = """\
#include "cache.h"
int open_pages;
int cache_get(struct cache *c) { if (c->used > PAGE_LIMIT) return MODE_READ; return open_pages; }
/* Put a page in. */
int cache_put(struct cache *c) { BODY }
int cache_cut(struct cache *c) { return c->used > PAGE_LIMIT ? open_pages : 0; }
"""
FAR = "int far_away(void) { return OTHER_LIMIT; }\n"


def related_names(index: RepoIndex) -> tuple[Target, list[str]]:
    target = find_target(index, "cache_put")
    hits = find_related_symbols(index.hide(target, "strict"), target)
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)
    return target, [h.symbol.name for h in hits]


def test_siblings_tell_macros_constants_and_variables(opened: Open) -> None:
    body = "return c->used + 12345;"
    files = {"cache.h": HEADER, "cache.c": SOURCE.replace("BODY", body), "far.c": FAR}
    _, names = related_names(opened(files))
    assert names[0] == "cache"
    assert {"PAGE_LIMIT", "MODE_READ", "open_pages"} <= set(names)
    assert names.index("PAGE_LIMIT") < names.index("MODE_READ")
    assert "OTHER_LIMIT" not in names


def test_a_context_shows_them_each_in_its_group(opened: Open) -> None:
    index = opened({"cache.h": HEADER, "cache.c": SOURCE.replace("BODY", "return 0;")})
    target = find_target(index, "cache_put")
    shown = make_retrieved_context(index.hide(target, "strict"), target, [], Packing(budget=400, hits=8), "none")
    groups = {snippet.title: snippet.group for snippet in shown.snippets}
    assert groups["open_pages"] is SnippetGroup.GLOBALS
    assert groups["PAGE_LIMIT"] is SnippetGroup.MACROS
    assert groups["cache"] is SnippetGroup.TYPES


def test_the_hidden_body_tells_nothing(opened: Open) -> None:
    found = []
    for body in ("return c->used + 12345;", "return OTHER_LIMIT + MODE_WRITE + MODE_WRITE * sizeof(disk) + 9;"):
        found.append(
            related_names(opened({"cache.h": HEADER, "cache.c": SOURCE.replace("BODY", body), "far.c": FAR}))[1]
        )
    assert found[0] == found[1]
    assert "MODE_WRITE" not in found[0]


CALLED = """\
#define E_FULL 3
#define E_LOST 4
#define E_ODD 5
struct slot { int at; };
int insert(struct slot *s, int code);
"""
CALLERS = """\
#include "insert.h"
int other_way(struct slot *s) { if (!insert(s, E_FULL)) return E_LOST; return 1; }
int third_way(struct slot *s) { while (insert(s, E_FULL)) s = 0; return 7; }
"""
ALONE = """\
#include "insert.h"
/* Put it in. */
int this_way(struct slot *s) { BODY }
"""
TWIN = """\
#include "insert.h"
int TWIN_way(struct slot *s) { BODY }
"""


def test_other_callers_of_what_is_likely_called_tell_what_they_name_and_the_bodys_twin_does_not(opened: Open) -> None:
    body = "int n = 0; while (insert(s, E_ODD) && n < 9) { n += s->at; s->at = n * 2; } return n ? E_ODD : s->at;"
    index = opened(
        {
            "insert.h": CALLED,
            "insert.c": '#include "insert.h"\nint insert(struct slot *s, int code) { return s->at == code; }\n',
            "others.c": CALLERS,
            "alone.c": ALONE.replace("BODY", body),
            "twin.c": TWIN.replace("BODY", body).replace("TWIN", "that"),
        }
    )
    target = find_target(index, "this_way")
    view = index.hide(target, "strict")
    assert [twin.symbol.name for twin in view.twins] == ["that_way"]
    without = [h.symbol.name for h in find_related_symbols(view, target)]
    likely = [Hit(find_function(index, "insert"), 1.0, "")]
    hits = find_related_symbols(view, target, likely)
    names = [h.symbol.name for h in hits]
    # Without a likely callee nothing leads to them: the file has no other function.
    assert "E_FULL" not in without and {"E_FULL", "E_LOST"} <= set(names)
    assert names.index("E_FULL") < names.index("E_LOST") and "E_ODD" not in names
    assert all(0 < h.score < 1 and h.reason for h in hits)
    assert not [
        channel for channel, shares in count_name_votes(view, target, likely).shares.items() if "E_ODD" in shares
    ]
    assert "E_ODD" in count_name_votes(index.hide(target, "realistic"), target, likely).shares["cousins"]


@pytest.mark.parametrize(
    ("sibling", "target", "name", "becomes"),
    [
        ("key_set_kdf_type", "key_set_kdf_md", "KEY_CTRL_KDF_TYPE", ["KEY_CTRL_KDF_MD"]),
        ("dictAddRaw", "dictFindRaw", "dictAddFlags", ["dictFindFlags"]),
        ("load_count", "save_count", "loaded", []),
        ("ring_push", "ring_push_all", "RING_PUSH", []),
        ("a_b_c_d", "e_f_g_h", "A_B_C_D", []),
    ],
)
def test_a_name_in_a_sibling_turns_as_the_sibling_does(
    sibling: str, target: str, name: str, becomes: list[str]
) -> None:
    """What is exchanged is a whole word, and little of both names."""
    assert rename_like_sibling(sibling, target, [name]) == becomes


def test_a_siblings_macro_leads_to_the_targets(opened: Open) -> None:
    header = "#define CTRL_KDF_TYPE 1\n#define CTRL_KDF_MD 2\n#define CTRL_KDF_OUT 3\nint ctrl(int, int);\n"
    source = (
        '#include "ctrl.h"\nint set_kdf_type(int n) { return ctrl(CTRL_KDF_TYPE, n); }\n'
        "/* Set the digest. */\nint set_kdf_md(int n) { return n + 12345; }\n"
    )
    index = opened({"ctrl.h": header, "set.c": source})
    target = find_target(index, "set_kdf_md")
    found = [
        hit for hit in find_related_symbols(index.hide(target, "strict"), target) if hit.symbol.name.startswith("CTRL")
    ]
    scores = {hit.symbol.name: hit.score for hit in found}
    assert scores["CTRL_KDF_MD"] > scores.get("CTRL_KDF_OUT", 0.0)
    assert next(hit.reason for hit in found if hit.symbol.name == "CTRL_KDF_MD").startswith(
        "a function of a like name"
    )

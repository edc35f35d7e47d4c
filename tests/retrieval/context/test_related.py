"""Prevents: a context that shows the functions to call and not the constants and types to call them with; and one
that learns them from the hidden body."""

from __future__ import annotations

from collections.abc import Callable

from index.repo_index import RepoIndex
from index.values import Target
from retrieval.context.related import related
from retrieval.ranker.training import target_of

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
    target = target_of(next(e.symbol for e in index.functions if e.symbol.name == "cache_put"))
    hits = related(index.hide(target, "strict"), target)
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)
    return target, [h.symbol.name for h in hits]


def test_siblings_tell_macros_constants_and_variables(opened: Callable[[dict[str, str]], RepoIndex]) -> None:
    body = "return c->used + 12345;"
    files = {"cache.h": HEADER, "cache.c": SOURCE.replace("BODY", body), "far.c": FAR}
    _, names = related_names(opened(files))
    assert names[0] == "cache"
    assert {"PAGE_LIMIT", "MODE_READ", "open_pages"} <= set(names)
    assert names.index("PAGE_LIMIT") < names.index("MODE_READ")
    assert "OTHER_LIMIT" not in names


def test_the_hidden_body_tells_nothing(opened: Callable[[dict[str, str]], RepoIndex]) -> None:
    found = []
    for body in ("return c->used + 12345;", "return OTHER_LIMIT + MODE_WRITE + MODE_WRITE * sizeof(disk) + 9;"):
        found.append(
            related_names(opened({"cache.h": HEADER, "cache.c": SOURCE.replace("BODY", body), "far.c": FAR}))[1]
        )
    assert found[0] == found[1]
    assert "MODE_WRITE" not in found[0]

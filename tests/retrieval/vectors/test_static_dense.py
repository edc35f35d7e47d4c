"""Prevents: an encoder that has learnt from the calls of a hidden body, or of its clone."""

from __future__ import annotations

from pathlib import Path

import pytest

from index.build import build_index
from index.errors import TaskError
from index.repo_index import RepoIndex, open_index
from retrieval.vectors.static_dense import StaticDenseRetriever, find_excluded_functions
from tests.support.indexes import Indexed
from tests.support.targets import find_target


def module(name: str, verb: str, call: str) -> str:
    """Twelve functions of one module: each `<verb>_<name>_<n>` calls `<call>_<n>`, but the last, the target."""
    head = f"/* {verb} the {name} number"
    bodies = ((n, f"{{ return {call}_{n % 3}(x) + {n}; }}") for n in range(12))
    made = [f"{head} {n} */\nint {verb}_{name}_{n}(int x) {body}" for n, body in bodies]
    return "\n".join(made) + "\n"


CALLEES = "\n".join(
    f"/* {what} */\nint {name}_{n}(int x) {{ int y = x * {n + 2}; y ^= {n}; return y - x; }}"
    for name, what in (("page_write", "Write a page out."), ("token_read", "Read a token."))
    for n in range(3)
)
GOLD = "{ int z = token_read_1(x); if (z > 3) z = token_read_2(z) * 5; return z + token_read_0(z); }"


def files(gold: str) -> dict[str, str]:
    hidden = f"/* Flush the cache of the last shard. */\nint flush_cache_last(int x)\n{gold}\n"
    return {
        "cache.c": module("cache", "flush", "page_write") + hidden,
        "lexer.c": module("lexeme", "parse", "token_read"),
        "low.c": CALLEES,
    }


def hits(index: RepoIndex) -> list[tuple[str, float]]:
    target = find_target(index, "flush_cache_last")
    found = StaticDenseRetriever(index, [target]).retrieve(index.hide(target, "strict"), target, 50)
    return [(hit.symbol.name, hit.score) for hit in found]


def test_what_its_like_call_comes_first(indexed: Indexed) -> None:
    found = hits(indexed(files(GOLD)))
    assert {name for name, _ in found[:3]} == {"page_write_0", "page_write_1", "page_write_2"}
    assert "flush_cache_last" not in {name for name, _ in found}


def test_another_gold_gives_the_same_hits(indexed: Indexed) -> None:
    other = "{ while (x > 1) x = page_write_1(x) / 2; return x; }"
    assert hits(indexed(files(GOLD))) == hits(indexed(files(other)))


def test_a_target_that_was_learnt_from_is_refused(indexed: Indexed) -> None:
    index = indexed(files(GOLD))
    target = find_target(index, "flush_cache_last")
    retriever = StaticDenseRetriever(index, [])
    with pytest.raises(TaskError, match=r"^: cache\.c: the static encoder has learnt from flush_cache_last[^\n]*$"):
        retriever.retrieve(index.hide(target, "strict"), target, 5)


def test_a_clone_teaches_nothing_either(indexed: Indexed) -> None:
    twin = files(GOLD) | {"twin.c": f"int b3_flush_cache_last(int x)\n{GOLD}\n"}
    index = indexed(twin)
    names = {
        e.symbol.name
        for e in index.read_entries_sorted_by_place(
            sorted(find_excluded_functions(index, [find_target(index, "flush_cache_last")]))
        )
    }
    assert names == {"flush_cache_last", "b3_flush_cache_last"}


def test_another_set_of_targets_gets_a_fit_of_its_own(indexed: Indexed, tmp_path: Path) -> None:
    index = indexed(files(GOLD))
    StaticDenseRetriever(index, [find_target(index, "flush_cache_last")])
    StaticDenseRetriever(index, [])
    StaticDenseRetriever(index, [])
    assert len(list((index.folder / "derived").glob("static-*"))) == 2
    build_index(index.root, index.folder, workers=1)
    again = open_index(index.folder, index.root)
    assert hits(again)
    again.close()

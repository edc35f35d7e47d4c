"""Prevents: what a reader wrote of an error that is lost, or put to another one, when the errors are drawn again."""

from __future__ import annotations

from typing import Any

from benchmarks.retrieval.errors.draw import drawn, missed


def _row(callee: str, rank: int) -> dict[str, Any]:
    return {"repo": "redis", "target": "T", "callee": callee, "ranks": {"learned": rank}}


def test_a_reader_s_words_stay_with_the_error() -> None:
    rows = [_row(f"f{number}", 11 + number) for number in range(20)]
    first = drawn(rows, [], "learned", 5, 1)
    first[2]["kind"], first[2]["why"] = "silent", "the last line"
    more = drawn(list(reversed(rows)), first, "learned", 20, 1)
    assert [row["callee"] for row in more if row["why"]] == [first[2]["callee"]]
    assert first == drawn(rows, first, "learned", 5, 1)


def test_what_is_not_found_at_all_is_missed() -> None:
    assert [row["callee"] for row in missed([_row("a", 0), _row("b", 10), _row("c", 11)], "learned")] == ["a", "c"]

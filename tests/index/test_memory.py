"""Prevents: an index of the Linux kernel (six million symbols, 680,000 functions) that takes more memory than a small
machine has, because a stage of its build holds the whole tree as Python objects."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from index import worker_processes
from index.callgraph.symbol_table import SymbolTable
from index.cpp.macros import LearntMacros
from index.hiding import text_clones
from index.hiding.text_clones import RunTable
from index.store.reader import IndexReader, SourceFile, SymbolColumns
from index.symbols.source_parser import parse_source
from index.values import SymbolKind
from tests.support.indexes import Indexed


@contextmanager
def peak_bytes() -> Iterator[Callable[[], tuple[int, int]]]:
    """Gives a function that says what the block holds, and held at most."""
    gc.collect()
    tracemalloc.start()
    try:
        yield tracemalloc.get_traced_memory
    finally:
        tracemalloc.stop()


class ManySymbols:
    """What the call graph reads of an index: files of a hundred fields each."""

    def __init__(self, files: int) -> None:
        self.files = [SourceFile(n, f"f{n}.h", "", 1, "c", 0, "", 1 + 100 * n, 0) for n in range(files)]
        self.source_files = self.files

    def iterate_symbols_for_call_graph(self) -> Iterator[SymbolColumns]:
        for number in range(1, 1 + 100 * len(self.files)):
            field = f"field_{number}"
            yield (
                number,
                "field",
                (number - 1) // 100,
                field,
                f"owner::{field}",
                number,
                number + 9,
                -1,
                f"int {field}",
            )

    def iterate_macros_without_parameters(self) -> Iterator[tuple[int, int, str, int, int]]:
        yield 100 * len(self.files) + 1, 0, "field_7", 5, 9

    def all_includes(self) -> list[tuple[int, str]]:
        return [(1, '"f0.h"')]


def test_the_call_graphs_symbols_take_little_more_than_their_text() -> None:
    with peak_bytes() as held:
        tree = SymbolTable(cast(IndexReader, ManySymbols(300)))
        assert held()[0] < 30_000 * 170
    assert [row[0] for row in tree.find_by_name("field_7")] == [7, 30_001]
    assert tree.find_by_name("field_7")[0] == (7, "field", 0, "field_7", "owner::field_7", 7, 16, -1, "int field_7")
    assert [row[0] for row in tree.find_in_file(299, SymbolKind.FIELD)] == list(range(29_901, 30_001))
    assert not tree.find_by_name("nothing")
    assert not tree.find_in_file(3, SymbolKind.TYPE)
    assert (tree.mark_visible_files(1)[:3], tree.mark_visible_files(0)[:3]) == (b"\1\1\0", b"\1\0\0")


def test_runs_are_sorted_in_parts_as_they_would_be_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = np.random.default_rng(0)
    runs = [drawn.integers(0, 1 << 63, drawn.integers(0, 8000), dtype=np.uint64) * 2 for _ in range(300)]
    monkeypatch.setattr(text_clones, "_FUNCTIONS_PER_WRITE", 10)
    total = sum(map(len, runs))
    with peak_bytes() as held:
        text_clones.write_sorted_run_hash_columns(
            ((7 * n, hashes.tobytes()) for n, hashes in enumerate(runs)), tmp_path
        )
        assert held()[1] < 12 * total / 2
    found = RunTable(*(np.load(tmp_path / f"{name}.npy") for name in RunTable._fields))
    hashes = np.concatenate(runs)
    order = np.argsort(hashes, kind="stable")
    assert np.array_equal(found.hashes, hashes[order])
    assert np.array_equal(found.owners, np.repeat(7 * np.arange(300), list(map(len, runs)))[order])
    assert np.array_equal(found.counts[::7], list(map(len, runs)))
    assert [column.dtype for column in found] == [np.uint64, np.int32, np.int32]


def test_a_file_that_was_parsed_is_forgotten() -> None:
    text = b"int value = 1; /* a remark */\n" * 3_000
    parse_source("a.c", text, LearntMacros())
    with peak_bytes() as held:
        for _ in range(3):
            parse_source("a.c", text, LearntMacros())
        gc.collect()
        assert held()[0] < len(text) / 4


def test_functions_read_file_by_file_are_all_functions(indexed: Indexed) -> None:
    index = indexed(
        {"b.c": "int b(void) { return 1; }\nint c(void) { return 1; }\n", "a.cc": "int a() { return 2; }\n"}
    )
    assert tuple(index.iterate_functions()) == index.functions


def test_large_items_are_handed_out_alone() -> None:
    items = list(range(100))
    sizes = worker_processes._split_by_count_and_size_limits(
        items, lambda item: worker_processes.HEAVY_BATCH_BYTES if item < 5 else 1
    )
    assert [len(batch) for batch in sizes[:6]] == [1, 1, 1, 1, 1, worker_processes.BATCH_ITEMS]
    assert [item for batch in sizes for item in batch] == items
    assert [len(batch) for batch in worker_processes._split_by_count_and_size_limits(items, None)][:2] == [
        worker_processes.BATCH_ITEMS
    ] * 2

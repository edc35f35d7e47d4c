"""Functions of a tree, and all their candidates with all signals, as Parquet.

A tree's folder has three files. TARGETS has a row for each function that is drawn, CANDIDATES one for each of its
candidates, with every signal in a column of its name. FUNCTIONS has a row for whatever can be called in the tree, with
the words that a neural model or an association reads, and the rows that it surely calls. All are joined by `row`, the
number of a function in the tree's rank tables.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from executor.cache import short_digest
from index.cpp.declarators import unqualified_name
from index.cpp.tokens import split_identifier
from index.repo_index import RepoIndex
from index.store.manifest import FORMAT
from index.values import Entry
from lab.retrieval_eval.targets import has_eligible_text_and_few_callers, make_draw_key
from lab.retrieval_eval.true_callees import Callee, Truth, find_callees_in_graph
from retrieval.ranker.training_groups import find_sure_callees, make_target
from retrieval.structure.signal_maker import Signaller
from retrieval.structure.signals import SIGNAL_NAMES
from retrieval.structure.signature import list_parameter_types_and_names, parse_signature
from retrieval.structure.tables.rank_tables import TABLES_FOLDER, RankTables
from retrieval.test_code import is_test_code
from retrieval.text.terms import split_words

FUNCTIONS, TARGETS, CANDIDATES = "functions.parquet", "targets.parquet", "candidates.parquet"
VERSION_KEY = b"graft.version"
_GROUP = 25
"""Functions whose candidates are written at once: some 15 MB."""

Hashes = npt.NDArray[np.uint64]
Place = tuple[str, int]
"""A function's path and first line."""


def describe_signals() -> str:
    """Changes with the signals' names, and with what they are computed from."""
    return short_digest({"signals": SIGNAL_NAMES, "arrays": TABLES_FOLDER, "index": FORMAT})


class Drawn(NamedTuple):
    """A function that is drawn. `usual`: such as the benchmark has."""

    entry: Entry
    truth: Truth
    usual: bool


def hash_function_text(entry: Entry, index: RepoIndex) -> int:
    """A hash of the function's text without its white space."""
    symbol = entry.symbol
    return _hash_bytes(b"".join(index.read_file(symbol.path)[symbol.start_byte : symbol.end_byte].split()))


def _hash_bytes(data: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


def hash_function_texts(index: RepoIndex) -> Hashes:
    """The hashes of all functions' texts, sorted, each once."""
    return np.unique(np.array([hash_function_text(entry, index) for entry in index.functions], dtype=np.uint64))


def hash_function_names(index: RepoIndex) -> Hashes:
    """The hashes of all functions' names, sorted, each once."""
    names = {entry.symbol.qualified_name.encode("utf-8", "replace") for entry in index.functions}
    return np.unique(np.array([_hash_bytes(name) for name in names], dtype=np.uint64))


def count_fitting_functions(index: RepoIndex, most: int) -> int:
    """How many functions are such as the benchmark has; counted up to `most`."""
    found = (
        e
        for e in index.functions
        if has_eligible_text_and_few_callers(e, index) and find_callees_in_graph(e, index).callees
    )
    return sum(1 for _ in islice(found, most))


def draw_functions(index: RepoIndex, tree: str, seen: Hashes, others: bool) -> Iterator[Drawn]:
    """The functions of a tree in the order of the draw: such as the benchmark has, and with `others` one of another
    kind after every two. None whose text is one of `seen`."""
    order = sorted(index.functions, key=lambda entry: make_draw_key(tree, entry.symbol))
    fresh = [e for e in order if not is_test_code(e.symbol.path) and not _is_among(hash_function_text(e, index), seen)]
    usual = _keep_callers((e for e in fresh if has_eligible_text_and_few_callers(e, index)), index, usual=True)
    other = _keep_callers((e for e in fresh if not has_eligible_text_and_few_callers(e, index)), index, usual=False)
    while pair := list(islice(usual, 2)):
        yield from pair
        if others and len(pair) == 2:
            yield from islice(other, 1)


def find_functions(index: RepoIndex, places: Sequence[tuple[Place, bool]]) -> Iterator[Drawn]:
    """The functions at these places, each with whether it is usual. Left out where there is none, or no callee."""
    by_place: dict[Place, Entry] = {}
    for entry in index.functions:
        by_place.setdefault(get_place(entry), entry)
    for place, usual in places:
        if place in by_place:
            yield from _keep_callers(iter([by_place[place]]), index, usual)


def get_place(entry: Entry) -> Place:
    return entry.symbol.path, entry.symbol.span.first


def _keep_callers(entries: Iterator[Entry], index: RepoIndex, usual: bool) -> Iterator[Drawn]:
    for entry in entries:
        truth = find_callees_in_graph(entry, index)
        if truth.callees:
            yield Drawn(entry, truth, usual)


def _is_among(number: int, known: Hashes) -> bool:
    at = int(np.searchsorted(known, np.uint64(number)))
    return at < len(known) and int(known[at]) == number


def write_functions(index: RepoIndex, signaller: Signaller, file: Path) -> None:
    """The file FUNCTIONS."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables = signaller.tables
    entries = {entry.id: entry for entry in index.read_entries_sorted_by_place(tables.ids.tolist())}
    rows = [
        {
            "row": row,
            "test": is_test_code(entries[int(symbol)].symbol.path),
            "calls": find_sure_callees(signaller, row).tolist(),
            **_describe_declaration(entries[int(symbol)]),
        }
        for row, symbol in enumerate(tables.ids)
    ]
    texts, lists = ("name", "signature", "docstring"), ("name_words", "doc_words", "parameter_words")
    schema = pa.schema(
        [
            *(("row", pa.int32()), ("test", pa.bool_()), ("calls", pa.list_(pa.int32()))),
            *((name, pa.string()) for name in texts),
            *((name, pa.list_(pa.string())) for name in lists),
        ]
    )
    scratch = file.with_suffix(".new")
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), scratch, compression="zstd")
    scratch.rename(file)


def _describe_declaration(entry: Entry) -> dict[str, Any]:
    """What a function's declaration and comment say, in words too."""
    symbol = entry.symbol
    name = unqualified_name(symbol.name)
    signature = parse_signature(symbol.signature, name)
    return {
        "name": symbol.qualified_name,
        "signature": symbol.signature,
        "docstring": symbol.docstring,
        "name_words": split_identifier(name),
        "doc_words": _split_identifiers(split_words(symbol.docstring)),
        "parameter_words": _split_identifiers(list_parameter_types_and_names(signature)),
    }


def _split_identifiers(identifiers: Sequence[str]) -> list[str]:
    return [part for identifier in identifiers for part in split_identifier(identifier)]


def write_targets(index: RepoIndex, signaller: Signaller, drawn: Sequence[Drawn], folder: Path) -> None:
    """The files TARGETS and CANDIDATES. The latter comes into being last and by one rename: where it is, the tree is
    whole."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    facts = {VERSION_KEY: describe_signals()}
    names = SIGNAL_NAMES
    schema = pa.schema(
        [
            ("target", pa.int32()),
            ("row", pa.int32()),
            ("callee", pa.int16()),
            *((name, pa.float32()) for name in names),
        ],
        metadata=facts,
    )
    scratch = folder / f"{CANDIDATES}.new"
    targets = []
    with pq.ParquetWriter(scratch, schema, compression="zstd") as writer:
        for begin in range(0, len(drawn), _GROUP):
            tables = []
            for number, target in enumerate(drawn[begin : begin + _GROUP], begin):
                found, callees = _compute_candidates(index, signaller, target)
                tables.append((number, found.rows, callees, found.table))
                path, line = get_place(target.entry)
                row = int(signaller.tables.row_of[target.entry.id])
                targets.append((row, number, target.usual, len(target.truth.callees), path, line))
            sizes = [len(rows) for _, rows, _, _ in tables]
            table = np.concatenate([table for *_, table in tables])
            columns = [
                np.repeat(np.array([number for number, *_ in tables], dtype=np.int32), sizes),
                np.concatenate([rows for _, rows, _, _ in tables]),
                np.concatenate([callees for _, _, callees, _ in tables]),
                *(np.ascontiguousarray(table[:, at]) for at in range(len(names))),
            ]
            writer.write_table(pa.Table.from_arrays([pa.array(column) for column in columns], schema=schema))
    heads = ("row", "target", "usual", "callees", "path", "line")
    own = [dict(zip(heads, target, strict=True)) for target in targets]
    pq.write_table(pa.Table.from_pylist(own), folder / TARGETS, compression="zstd")
    scratch.rename(folder / CANDIDATES)


def _compute_candidates(index: RepoIndex, signaller: Signaller, drawn: Drawn) -> tuple[Any, npt.NDArray[np.int16]]:
    """The signals of the function's candidates, and for each the number of the callee that it is, else -1."""
    target = make_target(drawn.entry.symbol)
    signals = signaller.compute_signals(index.hide(target, "strict"), target)
    callees = np.full(len(signals.rows), -1, dtype=np.int16)
    for number, callee in enumerate(drawn.truth.callees):
        callees[np.isin(signals.rows, _find_rows(callee, index, signaller.tables))] = number
    return signals, callees


def _find_rows(callee: Callee, index: RepoIndex, tables: RankTables) -> list[int]:
    """The rows that count as the callee."""
    ids = [entry.id for path, start, _ in callee.symbol_keys for entry in index.entries_at(path, start)]
    return [int(tables.row_of[i]) for i in ids if i < len(tables.row_of) and tables.row_of[i] >= 0]


def is_whole(folder: Path) -> bool:
    """Whether the folder holds its tree's files with today's signals."""
    import pyarrow.parquet as pq

    file = folder / CANDIDATES
    return file.is_file() and (pq.read_schema(file).metadata or {}).get(VERSION_KEY) == describe_signals().encode()


def count_targets(folder: Path) -> int:
    """How many functions the folder holds, whatever their signals."""
    import pyarrow.parquet as pq

    return int(pq.read_metadata(folder / TARGETS).num_rows) if (folder / TARGETS).is_file() else 0

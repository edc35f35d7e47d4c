"""Functions of a tree, and all their candidates with all signals, as Parquet.

A *part* holds some functions of one tree, in the order in which they are drawn, in two files: TARGETS has a row for
each function, CANDIDATES one for each of its candidates, with every signal in a column of its name. FUNCTIONS has a
row for whatever can be called in the tree, with the words that a neural model or an association reads, and the rows
that it surely calls. All are joined by `row`, the number of a function in the tree's rank tables.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.record import describe_commit
from executor.cache import short_digest
from index.cpp.declarators import last_name
from index.cpp.tokens import split_identifier
from index.repo_index import RepoIndex
from index.store.manifest import FORMAT
from index.values import Entry
from lab.retrieval_eval.targets import fits_benchmark_rules, make_draw_key
from lab.retrieval_eval.true_callees import Callee, Truth, find_callees_in_graph
from retrieval.ranker.training_groups import find_sure_callees, make_target
from retrieval.structure.signal_maker import Signaller
from retrieval.structure.signals import SIGNAL_NAMES
from retrieval.structure.signature import list_offered_words, parse_signature
from retrieval.structure.tables.rank_tables import TABLES_FOLDER, RankTables
from retrieval.test_code import is_test_code
from retrieval.text.terms import split_words

log = logging.getLogger(__name__)

FUNCTIONS = "functions.parquet"
VERSION_KEY, EXHAUSTED_KEY, COMMIT_KEY = b"graft.version", b"graft.exhausted", b"graft.commit"
_GROUP = 25
"""Functions whose candidates are written at once: some 15 MB."""

Hashes = npt.NDArray[np.uint64]
Place = tuple[str, int]
"""A function's path and first line."""


def version() -> str:
    """Changes with the signals' names, and with what they are computed from."""
    return short_digest({"signals": SIGNAL_NAMES, "arrays": TABLES_FOLDER, "index": FORMAT})


class Drawn(NamedTuple):
    """A function that is drawn. `usual`: such as the benchmark has."""

    entry: Entry
    truth: Truth
    usual: bool


def function_text(entry: Entry, index: RepoIndex) -> int:
    """A hash of the function's text without its white space."""
    symbol = entry.symbol
    text = b"".join(index.read(symbol.path)[symbol.start_byte : symbol.end_byte].split())
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def function_texts(index: RepoIndex) -> Hashes:
    """The hashes of all functions' texts, sorted, each once."""
    return np.unique(np.array([function_text(entry, index) for entry in index.functions], dtype=np.uint64))


def function_names(index: RepoIndex) -> Hashes:
    """The hashes of all functions' names, sorted, each once."""
    names = {entry.symbol.qualified_name.encode("utf-8", "replace") for entry in index.functions}
    hashes = [int.from_bytes(hashlib.blake2b(name, digest_size=8).digest(), "little") for name in names]
    return np.unique(np.array(hashes, dtype=np.uint64))


def fitting(index: RepoIndex, most: int) -> int:
    """How many functions are such as the benchmark has; counted up to `most`."""
    found = (e for e in index.functions if fits_benchmark_rules(e, index) and find_callees_in_graph(e, index).callees)
    return sum(1 for _ in islice(found, most))


def drawn_functions(index: RepoIndex, tree: str, seen: Hashes, others: bool) -> Iterator[Drawn]:
    """The functions of a tree in the order of the draw: such as the benchmark has, and with `others` one of another
    kind after every two. None whose text is one of `seen`."""
    order = sorted(index.functions, key=lambda entry: make_draw_key(tree, entry.symbol))
    fresh = [e for e in order if not is_test_code(e.symbol.path) and not _among(function_text(e, index), seen)]
    usual = _calling((e for e in fresh if fits_benchmark_rules(e, index)), index, usual=True)
    other = _calling((e for e in fresh if not fits_benchmark_rules(e, index)), index, usual=False)
    while pair := list(islice(usual, 2)):
        yield from pair
        if others and len(pair) == 2:
            yield from islice(other, 1)


def at_places(index: RepoIndex, places: Sequence[tuple[Place, bool]]) -> Iterator[Drawn]:
    """The functions at these places, each with whether it is usual. Left out where there is none, or no callee."""
    by_place: dict[Place, Entry] = {}
    for entry in index.functions:
        by_place.setdefault(place_of(entry), entry)
    for place, usual in places:
        if place in by_place:
            yield from _calling(iter([by_place[place]]), index, usual)


def place_of(entry: Entry) -> Place:
    return entry.symbol.path, entry.symbol.span.first


def _calling(entries: Iterator[Entry], index: RepoIndex, usual: bool) -> Iterator[Drawn]:
    for entry in entries:
        truth = find_callees_in_graph(entry, index)
        if truth.callees:
            yield Drawn(entry, truth, usual)


def _among(number: int, known: Hashes) -> bool:
    at = int(np.searchsorted(known, np.uint64(number)))
    return at < len(known) and int(known[at]) == number


def write_functions(index: RepoIndex, signaller: Signaller, file: Path) -> None:
    """The file FUNCTIONS."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables = signaller.tables
    entries = {entry.id: entry for entry in index.entries_by_id(tables.ids.tolist())}
    rows = [
        {
            "row": row,
            "defined": bool(tables.defined[row]),
            "test": is_test_code(entries[int(symbol)].symbol.path),
            "calls": find_sure_callees(signaller, row).tolist(),
            **_declaration(entries[int(symbol)]),
        }
        for row, symbol in enumerate(tables.ids)
    ]
    schema = _schema(("defined", pa.bool_()), ("test", pa.bool_()), ("calls", pa.list_(pa.int32())))
    scratch = file.with_suffix(".new")
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), scratch, compression="zstd")
    scratch.rename(file)


def _declaration(entry: Entry) -> dict[str, Any]:
    """What a function's declaration and comment say, in words too."""
    symbol = entry.symbol
    name = last_name(symbol.name)
    signature = parse_signature(symbol.signature, name)
    return {
        "path": symbol.path,
        "line": symbol.span.first,
        "name": symbol.qualified_name,
        "signature": symbol.signature,
        "docstring": symbol.docstring,
        "language": symbol.language,
        "name_words": split_identifier(name),
        "doc_words": _parts(split_words(symbol.docstring)),
        "parameter_words": _parts(list_offered_words(signature)),
        "result_words": _parts(signature.returns),
    }


def _parts(identifiers: Sequence[str]) -> list[str]:
    return [part for identifier in identifiers for part in split_identifier(identifier)]


def _schema(*more: tuple[str, Any]) -> Any:
    import pyarrow as pa

    texts = ("path", "name", "signature", "docstring", "language")
    lists = ("name_words", "doc_words", "parameter_words", "result_words")
    return pa.schema(
        [
            ("row", pa.int32()),
            *more,
            ("line", pa.int32()),
            *((name, pa.string()) for name in texts),
            *((name, pa.list_(pa.string())) for name in lists),
        ]
    )


def part_files(folder: Path, first: int, end: int) -> tuple[Path, Path]:
    """TARGETS and CANDIDATES of the part that holds the functions from `first` to `end`."""
    return folder / f"targets-{first:04d}-{end:04d}.parquet", folder / f"candidates-{first:04d}-{end:04d}.parquet"


def write_part(
    index: RepoIndex, signaller: Signaller, drawn: Sequence[Drawn], folder: Path, first: int, end: int, exhausted: bool
) -> None:
    """Write a part. CANDIDATES comes into being last and by one rename: where it is, the part is whole. `exhausted`:
    the tree has no functions behind these."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    facts = {VERSION_KEY: version(), EXHAUSTED_KEY: str(int(exhausted)), COMMIT_KEY: describe_commit()}
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
    targets_file, candidates_file = part_files(folder, first, end)
    scratch = candidates_file.with_suffix(".new")
    targets = []
    with pq.ParquetWriter(scratch, schema, compression="zstd") as writer:
        for begin in range(0, len(drawn), _GROUP):
            tables = []
            for number, target in enumerate(drawn[begin : begin + _GROUP], first + begin):
                found, callees = _candidates(index, signaller, target)
                tables.append((number, found.rows, callees, found.table))
                targets.append(
                    {
                        "row": int(signaller.tables.row_of[target.entry.id]),
                        "target": number,
                        "usual": target.usual,
                        "callees": len(target.truth.callees),
                        **_declaration(target.entry),
                    }
                )
            sizes = [len(rows) for _, rows, _, _ in tables]
            table = np.concatenate([table for *_, table in tables])
            columns = [
                np.repeat(np.array([number for number, *_ in tables], dtype=np.int32), sizes),
                np.concatenate([rows for _, rows, _, _ in tables]),
                np.concatenate([callees for _, _, callees, _ in tables]),
                *(np.ascontiguousarray(table[:, at]) for at in range(len(names))),
            ]
            writer.write_table(pa.Table.from_arrays([pa.array(column) for column in columns], schema=schema))
    own = _schema(("target", pa.int32()), ("usual", pa.bool_()), ("callees", pa.int16())).with_metadata(facts)
    pq.write_table(pa.Table.from_pylist(targets, schema=own), targets_file, compression="zstd")
    scratch.rename(candidates_file)


def _candidates(index: RepoIndex, signaller: Signaller, drawn: Drawn) -> tuple[Any, npt.NDArray[np.int16]]:
    """The signals of the function's candidates, and for each the number of the callee that it is, else -1."""
    target = make_target(drawn.entry.symbol)
    signals = signaller.compute_signals(index.hide(target, "strict"), target)
    callees = np.full(len(signals.rows), -1, dtype=np.int16)
    for number, callee in enumerate(drawn.truth.callees):
        callees[np.isin(signals.rows, _rows_of(callee, index, signaller.tables))] = number
    return signals, callees


def _rows_of(callee: Callee, index: RepoIndex, tables: RankTables) -> list[int]:
    """The rows that count as the callee."""
    ids = [entry.id for path, start, _ in callee.symbol_keys for entry in index.entries_at(path, start)]
    return [int(tables.row_of[i]) for i in ids if i < len(tables.row_of) and tables.row_of[i] >= 0]


class Coverage(NamedTuple):
    """A folder's files CANDIDATES with today's signals, in order and without a gap; how many functions they hold; and
    whether the tree has no more."""

    files: list[Path]
    end: int
    exhausted: bool


def coverage(folder: Path) -> Coverage:
    """What the folder holds of its tree. Parts with other signals don't count, nor do those behind a gap."""
    import pyarrow.parquet as pq

    found = Coverage([], 0, False)
    for file in sorted(folder.glob("candidates-*.parquet")):
        _, first, end = file.stem.split("-")
        facts = pq.read_schema(file).metadata or {}
        if int(first) == found.end and facts.get(VERSION_KEY) == version().encode():
            found = Coverage([*found.files, file], int(end), facts.get(EXHAUSTED_KEY) == b"1")
    return found


def remove_others(folder: Path, kept: Sequence[Path]) -> None:
    """Remove the parts of a folder but for those `kept`."""
    for file in folder.glob("candidates-*.parquet"):
        if file not in kept:
            log.info(f"{folder.name}: {file.name} has other signals or stands behind a gap: made again")
            file.unlink()
            file.with_name(file.name.replace("candidates", "targets")).unlink(missing_ok=True)


def held(folder: Path) -> int:
    """How many functions the folder holds, whatever their signals."""
    import pyarrow.parquet as pq

    return sum(pq.read_metadata(file).num_rows for file in folder.glob("targets-*.parquet"))

"""Clones by text: functions elsewhere that hold most of the target's body, but for prefixes of names: bullet3's
`b3Vector3::dot` and `btVector3::dot` are alike. Bodies are compared by hashes of runs of tokens, in milliseconds among
200,000 functions."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from index.hiding.body_tokens import BodyTokens
from index.store.reader import IndexReader
from index.values import SymbolId

Hashes = npt.NDArray[np.uint64]

RUN_TOKENS = 6
"""Tokens in a run. Shorter runs (`( self -> x )`) are everywhere, longer runs miss edited clones."""
LEAST_CLONE_SHARE = 0.6
"""The least share of the target's runs that a clone holds: a twin with a statement more or less is still a clone."""
SHORT_BODY_TOKENS = 24
"""A shorter body is mostly idiom (`{ return m_x; }`): its clone must also have the target's normalised name, or hold
exactly the same runs."""

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SORTED_PARTS = 16
"""The hashes are sorted in parts, by their first bits: the kernel's 100 million at once would take 4 GB."""
_FIRST_BITS = np.uint64(60)
_FUNCTIONS_PER_WRITE = 5000
_RUN = np.dtype([("hash", np.uint64), ("owner", np.int32)])


def hash_token_runs_per_body(tokens: BodyTokens) -> list[Hashes]:
    """For each body the sorted hashes of its runs of `RUN_TOKENS` normalised tokens, each once. A shorter body is one
    run."""
    values = tokens.texts
    # All bodies at once; runs that begin in one body and end in the next are left out.
    runs = _hash_windows(values, RUN_TOKENS) if len(values) >= RUN_TOKENS else values[:0]
    spans = tokens.token_range_of_each_body
    for start, end in spans:
        runs[start : max(start, end - RUN_TOKENS + 1)].sort()
    first = np.ones(len(runs), dtype=bool)
    first[1:] = runs[1:] != runs[:-1]
    out = []
    for start, end in spans:
        if end - start >= RUN_TOKENS:
            first[start] = True
            own = slice(start, end - RUN_TOKENS + 1)
            out.append(runs[own][first[own]])
        else:
            out.append(_hash_windows(values[start:end], end - start))
    return out


def _hash_windows(values: Hashes, width: int) -> Hashes:
    if width == 0:
        return values
    total = np.zeros(len(values) - width + 1, dtype=np.uint64)
    for i in range(width):
        total = (total ^ values[i : len(values) - width + 1 + i]) * _MULTIPLIER
        total ^= total >> np.uint64(29)
    return total


class RunTable(NamedTuple):
    """The runs of all functions: the sorted `hashes`, the id of the function that each belongs to, and each function's
    number of runs by id."""

    hashes: Hashes
    owners: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int32]


def open_or_make_run_table(reader: IndexReader) -> RunTable:
    """The table of an index, made at its first use for each state of it, then mapped into memory."""
    return reader.load_or_make_columns(
        "runs", RunTable, lambda folder: write_sorted_run_hash_columns(reader.body_blobs("hashes"), folder)
    )


def write_sorted_run_hash_columns(functions: Iterable[tuple[SymbolId, bytes]], folder: Path) -> None:
    """Write the columns of the table of functions, given as (id, bytes of its run hashes) by id."""
    ids, lengths = array("i"), array("i")
    waiting = iter(functions)
    with ExitStack() as stack:
        parts = [stack.enter_context(TemporaryFile(dir=folder)) for _ in range(_SORTED_PARTS)]
        while some := list(islice(waiting, _FUNCTIONS_PER_WRITE)):
            numbers, blobs = zip(*some, strict=True)
            ids.extend(numbers)
            lengths.extend(len(blob) // 8 for blob in blobs)
            found = np.empty(sum(lengths[-len(some) :]), dtype=_RUN)
            found["hash"] = np.frombuffer(b"".join(blobs), dtype=np.uint64)
            found["owner"] = np.repeat(numbers, lengths[-len(some) :])
            part = (found["hash"] >> _FIRST_BITS).astype(np.uint8)
            cuts = np.cumsum(np.bincount(part, minlength=_SORTED_PARTS))[:-1]
            for file, rows in zip(parts, np.split(found[np.argsort(part, kind="stable")], cuts), strict=True):
                file.write(rows.tobytes())
        total = sum(lengths)
        hashes = stack.enter_context(_open_npy_file_to_append_values(folder / "hashes.npy", np.uint64, total))
        owners = stack.enter_context(_open_npy_file_to_append_values(folder / "owners.npy", np.int32, total))
        for file in parts:
            file.seek(0)
            rows = np.frombuffer(file.read(), dtype=_RUN)
            rows = rows[np.argsort(rows["hash"], kind="stable")]
            hashes.write(rows["hash"].tobytes())
            owners.write(rows["owner"].tobytes())
    counts = np.zeros(max(ids, default=-1) + 1, dtype=np.int32)
    counts[np.frombuffer(ids, dtype=np.int32)] = lengths
    np.save(folder / "counts.npy", counts)


@contextmanager
def _open_npy_file_to_append_values(path: Path, dtype: npt.DTypeLike, value_count: int) -> Iterator[BinaryIO]:
    """A file for an array of `value_count` values, which is written piece by piece, as `np.save` would write it at
    once."""
    head = {"descr": np.lib.format.dtype_to_descr(np.dtype(dtype)), "fortran_order": False, "shape": (value_count,)}
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, head)
        yield file


class RunSimilarity(NamedTuple):
    """A function that shares runs with a body: the share of the body's runs, and of the function's own."""

    id: int
    of_target: float
    of_other: float


def find_similar_functions(table: RunTable, body: BodyTokens) -> list[RunSimilarity]:
    """The functions that hold at least `LEAST_CLONE_SHARE` of the runs of `body`, which is one body, best first."""
    (wanted,) = hash_token_runs_per_body(body)
    left = np.searchsorted(table.hashes, wanted, "left")
    right = np.searchsorted(table.hashes, wanted, "right")
    parts = [table.owners[a:b] for a, b in zip(left, right, strict=True) if b > a]
    if not parts:
        return []
    ids, shared = np.unique(np.concatenate(parts), return_counts=True)
    keep = shared >= LEAST_CLONE_SHARE * len(wanted)
    found = [
        RunSimilarity(int(i), float(n) / len(wanted), float(n) / max(1, int(table.counts[i])))
        for i, n in zip(ids[keep], shared[keep], strict=True)
    ]
    return sorted(found, key=lambda c: (-c.of_target, -c.of_other, c.id))


def is_clone(likeness: RunSimilarity, *, body_token_count: int, same_name: bool) -> bool:
    """Whether a function with this likeness to a body is its clone. `same_name`: their normalised names are equal."""
    if body_token_count >= SHORT_BODY_TOKENS or same_name:
        return likeness.of_target >= LEAST_CLONE_SHARE
    return likeness.of_target == 1.0 and likeness.of_other == 1.0

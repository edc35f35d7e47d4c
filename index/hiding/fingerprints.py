"""Fingerprints of files: hashes of runs of tokens, by which all files that share a long run with a text are found.

Of the hashes of all runs of a length, the least of each few neighbours is kept ("winnowing": Schleimer, Wilkerson,
Aiken, 2003). Two texts that share a run of `length + window - 1` tokens share such a hash, so that a few hashes a line
are enough to miss none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from index.arrays import sort_distinct
from index.hiding.text_tokens import Integers, Values, collapse_names_and_numbers
from index.store.reader import IndexReader
from index.values import FileId

Hashes = npt.NDArray[np.uint32]
Places = Integers

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_HALF = np.uint64(32)
_FILE = np.uint64(0xFFFFFFFF)
_PATTERN = 4
"""Tokens of the patterns that are counted in a run: of one that says something at least half are different. A table's
(`0, 0, 0, 0`) and a switch's (`case A: return B;`) come again and again."""
_MOST_FILES = 100
"""A run in more files than that is idiom, and no copy is told by it."""


class RunScheme(NamedTuple):
    """`length`: tokens in a hashed run; `window`: neighbours of which one is kept. `least`: the fewest tokens of a
    shared run that gives a text of `size` tokens away, 0 where none does."""

    length: int
    window: int
    least: Callable[[int], int]


def _compute_least_run_keeping_names_or_zero(text_tokens: int) -> int:
    return 0 if text_tokens < _NAMED.length + _NAMED.window - 1 else min(24, max(16, -(-text_tokens // 2)))


def _compute_least_run_blanking_names_or_zero(text_tokens: int) -> int:
    return 0 if text_tokens < 40 else min(60, max(40, -(-2 * text_tokens // 3)))


_NAMED = RunScheme(10, 7, _compute_least_run_keeping_names_or_zero)
_BLANKED = RunScheme(24, 17, _compute_least_run_blanking_names_or_zero)
SCHEMES = (_NAMED, _BLANKED)
"""With names as they are, and with names blanked. The figures behind the lengths: docs/measured/twins.md."""


SchemeValuesPositions = tuple[RunScheme, Values, Integers]


def spell_values_by_scheme(
    values: Values, schemes: Sequence[RunScheme] = SCHEMES
) -> tuple[SchemeValuesPositions, ...]:
    """The values as each scheme compares them, and where in `values` they stand."""
    named, blanked = schemes
    return (named, values, np.arange(len(values))), (blanked, *collapse_names_and_numbers(values))


def make_fingerprint(values: Values) -> bytes:
    """What an index stores of a file: the bytes of its kept hashes, sorted, each once."""
    kept = [_hash_and_winnow_runs(spelt, scheme) for scheme, spelt, _ in spell_values_by_scheme(values)]
    return sort_distinct(np.concatenate(kept)).tobytes()


def hash_token_runs(values: Values, length: int) -> Hashes:
    """The hash of each run of `length` tokens, in order; none for fewer tokens."""
    if len(values) < length:
        return np.empty(0, dtype=np.uint32)
    mixed = _reduce_sliding_windows(values.astype(np.uint64), length, _mix_hashes)
    return ((mixed * _MULTIPLIER) >> _HALF).astype(np.uint32)


def _hash_and_winnow_runs(values: Values, scheme: RunScheme) -> Hashes:
    hashes = hash_token_runs(values, scheme.length)
    return _reduce_sliding_windows(hashes, min(scheme.window, len(hashes)), np.minimum) if len(hashes) else hashes


def _reduce_sliding_windows(
    values: npt.NDArray[Any], width: int, join: Callable[..., npt.NDArray[Any]]
) -> npt.NDArray[Any]:
    """`join` over each window of `width` neighbours, made of windows of 1, 2, 4, ... of them."""
    whole, taken, size = values, 0, 1
    while True:
        if width & size:
            count = len(values) - taken
            whole = join(whole[:count], values[taken:]) if taken else values
            taken += size
        if taken == width:
            return whole
        values = join(values[:-size], values[size:])
        size *= 2


def _mix_hashes(left: npt.NDArray[np.uint64], right: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    mixed = (left ^ (left >> _SHIFT)) * _MULTIPLIER
    mixed += right
    return mixed


class FingerprintTable(NamedTuple):
    """The fingerprints of all files, sorted: a hash in the upper half, the id of its file in the lower."""

    rows: npt.NDArray[np.uint64]


def open_or_make_fingerprint_table(reader: IndexReader) -> FingerprintTable:
    def sort_fingerprints(_: Path) -> FingerprintTable:
        stored = reader.read_file_fingerprints()
        rows = np.frombuffer(b"".join(blob for _, blob in stored), dtype=np.uint32).astype(np.uint64) << _HALF
        files = np.array([number for number, _ in stored], dtype=np.uint64)
        rows |= np.repeat(files, [len(blob) // 4 for _, blob in stored])
        rows.sort()
        return FingerprintTable(rows)

    return reader.load_or_make_columns("fingerprints", FingerprintTable, sort_fingerprints)


class Hits(NamedTuple):
    """What a file's fingerprint has in common with a text in one spelling: where the common runs begin in the text."""

    scheme: RunScheme
    spelt: Values
    at: Integers

    @property
    def required_run_length(self) -> int:
        return self.scheme.least(len(self.spelt))


def find_files_maybe_sharing_runs(
    table: FingerprintTable, values: Values, schemes: Sequence[RunScheme] = SCHEMES
) -> Iterator[tuple[FileId, Hits]]:
    """(id, hits) of all files that may share a run with these values that gives them away."""
    for scheme, spelt, _ in spell_values_by_scheme(values, schemes):
        if least := scheme.least(len(spelt)):
            for number, at in _find_files_with_near_hashes(
                table, hash_runs_with_varied_patterns(spelt, scheme.length), scheme, least
            ):
                yield number, Hits(scheme, spelt, at)


HashesAndPlaces = tuple[Hashes, Integers]


def hash_runs_with_varied_patterns(values: Values, length: int) -> HashesAndPlaces:
    """The hashes of the runs that say something, and where they begin."""
    hashes = hash_token_runs(values, length)
    if not len(hashes):
        return hashes, np.empty(0, dtype=np.int64)
    places = np.flatnonzero(count_distinct_patterns_per_run(values, length) >= (length - _PATTERN + 2) // 2)
    return hashes[places], places


def count_distinct_patterns_per_run(values: Values, length: int) -> Integers:
    """How many different patterns each run of `length` tokens has."""
    patterns = np.lib.stride_tricks.sliding_window_view(hash_token_runs(values, _PATTERN), length - _PATTERN + 1)
    ordered = np.sort(patterns, axis=1)
    changes: Integers = np.count_nonzero(ordered[:, 1:] != ordered[:, :-1], axis=1)
    return changes + 1


def _find_files_with_near_hashes(
    table: FingerprintTable, runs: HashesAndPlaces, scheme: RunScheme, least_run_tokens: int
) -> Iterator[tuple[FileId, Places]]:
    """(id, where) of the files that hold hashes of a text so near each other that a run of `least_run_tokens` tokens
    may be common."""
    hashes, places = runs
    wanted = hashes.astype(np.uint64) << _HALF
    left = np.searchsorted(table.rows, wanted, "left")
    right = np.searchsorted(table.rows, wanted | _FILE, "right")
    counts = np.where(right - left <= _MOST_FILES, right - left, 0)
    if not counts.any():
        return
    rows = np.repeat(left, counts) + np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    files = (table.rows[rows] & _FILE).astype(np.int64)
    at = np.repeat(places, counts)
    order = np.lexsort((at, files))
    files, at = files[order], at[order]
    first = np.ones(len(files), dtype=bool)
    first[1:] = (files[1:] != files[:-1]) | (at[1:] - at[:-1] > scheme.window)
    begins = np.flatnonzero(first)
    ends = np.append(begins[1:], len(files))
    # Before its first kept hash and behind its last a run may go on for a window each.
    longest = at[ends - 1] - at[begins] + scheme.length + 2 * (scheme.window - 1)
    for begin, end in zip(begins[longest >= least_run_tokens], ends[longest >= least_run_tokens], strict=True):
        yield int(files[begin]), at[begin:end]

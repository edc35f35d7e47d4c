"""Clones: functions elsewhere whose body tells the target's.

A body is compared as runs of normalised tokens, so that bullet3's `b3Vector3::dot` and `btVector3::dot` meet.
Runs are stored as hashes, so that the clones of one body are found in milliseconds among 200,000 functions.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from index.ctokens import tokens

Hashes = npt.NDArray[np.uint64]

RUN_TOKENS = 6
"""Tokens in a run. Shorter ones (`( self -> x )`) are in everything, longer ones miss edited clones."""
CLONE_SHARE = 0.6
"""Share of the target's runs that a clone holds: a twin with one statement more or less stays one."""
SHORT_BODY_TOKENS = 24
"""Below this, most bodies are idiom (`{ return m_x; }`): a clone must also have the target's normalised name, or
hold every run and be as short."""

# b3Vector3 and btVector3, m_size and size, are taken for one name.
_PREFIX = re.compile(r"^(?:m_|s_|g_|k)?_*(?:[a-z][a-z0-9]{0,2}(?=[A-Z]))?_*")
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def normalised_name(identifier: str) -> str:
    """`identifier` without a project's or a member's prefix."""
    rest = identifier[_PREFIX.match(identifier).end() :]  # type: ignore[union-attr]  # it matches the empty string
    return (rest or identifier).lower()


def run_hashes(body: str) -> Hashes:
    """Hashes of the body's runs of `RUN_TOKENS` normalised tokens, sorted, without duplicates. A shorter body is
    one run."""
    cache: dict[str, int] = {}
    values = []
    for token in tokens(body):
        value = cache.get(token)
        if value is None:
            text = normalised_name(token) if token[0].isalpha() or token[0] == "_" else token
            value = cache[token] = zlib.crc32(text.encode("utf-8", "replace"))
        values.append(value)
    return np.unique(_rolling(np.array(values, dtype=np.uint64)))


def _rolling(values: Hashes) -> Hashes:
    width = min(RUN_TOKENS, len(values))
    if width == 0:
        return values
    total = np.zeros(len(values) - width + 1, dtype=np.uint64)
    for i in range(width):
        total = (total ^ values[i : len(values) - width + 1 + i]) * _MULTIPLIER
        total ^= total >> np.uint64(29)
    return total


class RunTable(NamedTuple):
    """All runs of all functions: `hashes` sorted, `owners` the functions' ids beside them, and each function's
    number of runs by id."""

    hashes: Hashes
    owners: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int32]


def run_table(ids: Sequence[int], runs: Sequence[Hashes]) -> RunTable:
    """The table over functions `ids`, `runs` beside them."""
    counts = np.zeros(max(ids, default=-1) + 1, dtype=np.int32)
    lengths = np.array([len(r) for r in runs], dtype=np.int64)
    counts[np.array(ids, dtype=np.int64)] = lengths
    hashes = np.concatenate(runs) if runs else np.zeros(0, dtype=np.uint64)
    owners = np.repeat(np.array(ids, dtype=np.int32), lengths)
    order = np.argsort(hashes, kind="stable")
    return RunTable(hashes[order], owners[order], counts)


class Likeness(NamedTuple):
    """A function that shares runs with a body: share of the body's runs, and of its own."""

    id: int
    of_target: float
    of_other: float


def alike(table: RunTable, body: str) -> list[Likeness]:
    """The functions that hold at least `CLONE_SHARE` of the body's runs, best first."""
    wanted = run_hashes(body)
    if len(wanted) == 0:
        return []
    left = np.searchsorted(table.hashes, wanted, "left")
    right = np.searchsorted(table.hashes, wanted, "right")
    parts = [table.owners[a:b] for a, b in zip(left, right, strict=True) if b > a]
    if not parts:
        return []
    ids, shared = np.unique(np.concatenate(parts), return_counts=True)
    keep = shared >= CLONE_SHARE * len(wanted)
    found = [
        Likeness(int(i), float(n) / len(wanted), float(n) / max(1, int(table.counts[i])))
        for i, n in zip(ids[keep], shared[keep], strict=True)
    ]
    return sorted(found, key=lambda c: (-c.of_target, -c.of_other, c.id))


def is_clone(likeness: Likeness, *, body_tokens: int, same_name: bool) -> bool:
    """Whether a function as alike as this tells the body. `same_name`: normalised last components are equal."""
    if body_tokens >= SHORT_BODY_TOKENS or same_name:
        return likeness.of_target >= CLONE_SHARE
    return likeness.of_target == 1.0 and likeness.of_other == 1.0

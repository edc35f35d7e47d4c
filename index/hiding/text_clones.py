"""Clones by text: functions elsewhere that hold most of the target's body, but for prefixes of names: bullet3's
`b3Vector3::dot` and `btVector3::dot` are alike. Bodies are compared by hashes of runs of tokens, in milliseconds among
200,000 functions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from index.hiding.body_tokens import BodyTokens

Hashes = npt.NDArray[np.uint64]

RUN_TOKENS = 6
"""Tokens in a run. Shorter runs (`( self -> x )`) are everywhere, longer runs miss edited clones."""
LEAST_CLONE_SHARE = 0.6
"""The least share of the target's runs that a clone holds: a twin with a statement more or less is still a clone."""
SHORT_BODY_TOKENS = 24
"""A shorter body is mostly idiom (`{ return m_x; }`): its clone must also have the target's normalised name, or hold
exactly the same runs."""

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


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


class RunSimilarity(NamedTuple):
    """A function that shares runs with a body: the share of the body's runs, and of the function's own."""

    id: int
    of_target: float
    of_other: float


def find_similar_functions(table: RunTable, body: BodyTokens) -> list[RunSimilarity]:
    """The functions that hold at least `LEAST_CLONE_SHARE` of the runs of `body`, which is one body, best first."""
    (wanted,) = hash_token_runs_per_body(body)
    if len(wanted) == 0:
        return []
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


def is_clone(likeness: RunSimilarity, *, body_tokens: int, same_name: bool) -> bool:
    """Whether a function with this likeness to a body is its clone. `same_name`: their normalised names are equal."""
    if body_tokens >= SHORT_BODY_TOKENS or same_name:
        return likeness.of_target >= LEAST_CLONE_SHARE
    return likeness.of_target == 1.0 and likeness.of_other == 1.0

"""From ranks to figures: recall, MRR, intervals over targets, paired tests. Pure functions of frozen values.

A rank is the place in the list that a retriever gave, from 1: its own order counts, and it can't know the truth,
since ties within it go by path and place. No tie is ever broken in a callee's favour here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

CUTS = (1, 3, 5, 10, 20, 50)
ALL_CUTS = (10, 50)
BUDGETS = (1000, 2000, 4000, 8000)
"""Tokens, by `retrieval.context.pack.estimate_tokens`."""
LIMIT = 200
"""Hits that a retriever is asked for; a callee below counts as not found, in MRR too."""

_RESAMPLES = 2000
_SEED = 20261121

Used = Literal["callees", "types", "macros", "globals"]
USED: tuple[Used, ...] = ("callees", "types", "macros", "globals")


class Shown(NamedTuple):
    """How many of the things that the gold body uses a context of `budget` tokens shows, of how many."""

    budget: int
    used: Used
    found: int
    total: int


@dataclass(frozen=True, slots=True)
class Scored:
    """One target and one retriever. `ranks`: one per callee, 0 where it isn't among the hits; `hidden`: how many of
    them strict masking hid as clones of the target. Times are CPU milliseconds of this process."""

    repo: str
    id: str
    retriever: str
    ranks: tuple[int, ...]
    hidden: int
    shown: tuple[Shown, ...]
    hide_ms: float
    query_ms: float


class Figure(NamedTuple):
    """A share or a mean with its 95 % interval over targets (percentile bootstrap); NaN where there is nothing."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Summary:
    """A retriever's figures over some targets. Recall is micro: found callees over all callees. `mrr`: mean over
    targets of 1 / rank of the first callee found, 0 without one; `all_found`: share of targets none of whose
    callees is missing. Latency is hiding and query together, CPU milliseconds."""

    targets: int
    callees: int
    hidden: int
    recall: tuple[tuple[int, Figure], ...]
    mrr: Figure
    all_found: tuple[tuple[int, Figure], ...]
    shown: tuple[tuple[int, Used, Figure, int], ...]
    median_ms: float
    p95_ms: float
    hide_median_ms: float


class Paired(NamedTuple):
    """Two retrievers on the same targets at one cut. `difference`: of recall, first minus second; `p`: two-sided,
    exact sign-flip permutation test over targets, not corrected for the number of tests."""

    first: str
    second: str
    cut: int
    difference: float
    p: float


def summarise(scored: Sequence[Scored]) -> Summary:
    """Figures of one retriever. Targets without callees don't belong here."""
    callees = np.array([len(s.ranks) for s in scored], dtype=np.float64)
    ones = np.ones(len(scored))
    picks = _picks(len(scored))
    times = np.array([s.hide_ms + s.query_ms for s in scored])
    reciprocal = np.array([max((1 / r for r in s.ranks if r), default=0.0) for s in scored])
    return Summary(
        targets=len(scored),
        callees=int(callees.sum()),
        hidden=sum(s.hidden for s in scored),
        recall=tuple((cut, _ratio(found_at(scored, cut), callees, picks)) for cut in CUTS),
        mrr=_ratio(reciprocal, ones, picks),
        all_found=tuple(
            (cut, _ratio((found_at(scored, cut) == callees).astype(np.float64), ones, picks)) for cut in ALL_CUTS
        ),
        shown=tuple(_shown(scored, picks)),
        median_ms=_quantile(times, 0.5),
        p95_ms=_quantile(times, 0.95),
        hide_median_ms=_quantile(np.array([s.hide_ms for s in scored]), 0.5),
    )


def found_at(scored: Sequence[Scored], cut: int) -> npt.NDArray[np.float64]:
    """Callees among the first `cut` hits, target by target."""
    return np.array([sum(0 < r <= cut for r in s.ranks) for s in scored], dtype=np.float64)


def paired(first: Sequence[Scored], second: Sequence[Scored], cut: int) -> Paired:
    """The test between two retrievers. ValueError when they weren't asked for the same targets in the same
    order."""
    if [(s.repo, s.id) for s in first] != [(s.repo, s.id) for s in second] or not first:
        raise ValueError("a paired test needs the same targets for both, at least one")
    difference = found_at(first, cut) - found_at(second, cut)
    callees = sum(len(s.ranks) for s in first)
    p = sign_flip_p([int(d) for d in difference])
    return Paired(first[0].retriever, second[0].retriever, cut, float(difference.sum()) / max(callees, 1), p)


def sign_flip_p(differences: Sequence[int]) -> float:
    """P(|sum of +-d| >= |observed sum|) with each sign a fair coin: the exact permutation test of paired data
    (Fisher 1935), by convolution over the integers."""
    observed = abs(sum(differences))
    reach = sum(abs(d) for d in differences)
    chance = np.zeros(2 * reach + 1)
    chance[reach] = 1.0
    for d in differences:
        if d:
            chance = 0.5 * (np.roll(chance, d) + np.roll(chance, -d))
    sums = np.abs(np.arange(-reach, reach + 1))
    return min(1.0, float(chance[sums >= observed].sum()))


def _shown(scored: Sequence[Scored], picks: npt.NDArray[np.int64]) -> list[tuple[int, Used, Figure, int]]:
    out: list[tuple[int, Used, Figure, int]] = []
    for budget in sorted({one.budget for s in scored for one in s.shown}):
        for used in USED:
            of = [[one for one in s.shown if one.budget == budget and one.used == used] for s in scored]
            found = np.array([sum(one.found for one in some) for some in of], dtype=np.float64)
            total = np.array([sum(one.total for one in some) for some in of], dtype=np.float64)
            out.append((budget, used, _ratio(found, total, picks), int(total.sum())))
    return out


def _picks(size: int) -> npt.NDArray[np.int64]:
    return np.random.default_rng(_SEED).integers(0, max(size, 1), size=(_RESAMPLES, size))


def _ratio(over: npt.NDArray[np.float64], under: npt.NDArray[np.float64], picks: npt.NDArray[np.int64]) -> Figure:
    if len(over) == 0 or under.sum() == 0:
        return Figure(math.nan, math.nan, math.nan)
    sums = under[picks].sum(axis=1)
    again = over[picks].sum(axis=1)[sums > 0] / sums[sums > 0]
    low, high = np.quantile(again, (0.025, 0.975))
    return Figure(float(over.sum() / under.sum()), float(low), float(high))


def _quantile(values: npt.NDArray[np.float64], share: float) -> float:
    return float(np.quantile(values, share)) if len(values) else math.nan

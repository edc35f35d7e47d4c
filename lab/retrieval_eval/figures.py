"""From ranks to figures: recall, MRR, intervals over targets, paired tests. A rank is the place in the list that a
retriever gave, from 1; no tie in it is broken in a callee's favour here."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from executor.grading.paired_tests import sign_flip_test
from index.values import SymbolKind

RECALL_CUTS = (1, 3, 5, 10, 20, 50)
ALL_FOUND_CUTS = (10, 50)
CONTEXT_BUDGETS = (1000, 2000, 4000, 6000, 8000, 16000, 32000)
"""Tokens, by `retrieval.context.token_budget.estimate_tokens`."""
HITS_PER_QUERY = 200
"""Hits that a retriever is asked for; a callee below counts as not found, in MRR too."""

_RESAMPLES = 2000
_SEED = 20261121

NAME_KINDS: Mapping[SymbolKind, str] = {
    SymbolKind.FUNCTION: "functions",
    SymbolKind.MACRO: "macros",
    SymbolKind.FIELD: "fields",
    SymbolKind.GLOBAL: "globals",
    SymbolKind.TYPE: "types",
    SymbolKind.ENUMERATOR: "enumerators",
}
"""The kinds of names that a body needs, as figures call them."""
ANSWERABLE, NAMES, TOKENS = "answerable", "names", "tokens"
"""Figures of prompts, beside one for each kind of name."""
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PromptScore:
    """The prompt for one target in a `row` (a retriever or an arm) with a context of at most `budget` tokens. `needed`
    counts the names that the gold uses, by the kinds of NAME_KINDS, and `shown` those of them that the prompt has."""

    repo: str
    id: str
    row: str
    budget: int
    tokens: int
    needed: tuple[int, ...]
    shown: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TargetScore:
    """One target and one retriever. `ranks`: one per callee, 0 where it isn't among the hits; `hidden`: how many of
    them strict masking hid as clones of the target. Times are CPU milliseconds of this process."""

    repo: str
    id: str
    retriever: str
    ranks: tuple[int, ...]
    hidden: int
    hide_ms: float
    query_ms: float


class Figure(NamedTuple):
    """A share or a mean with its 95 % interval over targets (percentile bootstrap); NaN where there is nothing."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Summary:
    """A retriever's figures over some targets.

    figures     recall@CUT: found callees over all callees; mrr: the mean over targets of 1 / rank of the first callee
                found, 0 without one; all_found@CUT: the share of targets none of whose callees is missing
    latency_ms  of hiding and query together, and of hiding alone, in CPU milliseconds
    """

    targets: int
    callees: int
    hidden: int
    figures: Mapping[str, Figure]
    latency_ms: Mapping[str, float]


class PairedTest(NamedTuple):
    """Two retrievers on the same targets at one cut. `difference`: of recall, first minus second; `p`: two-sided,
    exact sign-flip permutation test over targets, not corrected for the number of tests."""

    first: str
    second: str
    cut: int
    difference: float
    p: float


class RecallLoss(NamedTuple):
    """One retriever's recall at one cut on the same callees in two trees. `difference`: the second less the first;
    `p` as in `Paired`."""

    cut: int
    original: float
    renamed: float
    difference: Figure
    p: float


def summarise_scores(scores: Sequence[TargetScore]) -> Summary:
    """The figures of one retriever. Every target has at least one callee."""
    callees = np.array([len(s.ranks) for s in scores], dtype=np.float64)
    targets = np.ones(len(scores))
    reciprocal = np.array([max((1 / rank for rank in s.ranks if rank), default=0.0) for s in scores])
    ratios: dict[str, tuple[Numbers, Numbers]] = {
        f"recall@{cut}": (count_found_callees(scores, cut), callees) for cut in RECALL_CUTS
    }
    ratios["mrr"] = (reciprocal, targets)
    for cut in ALL_FOUND_CUTS:
        ratios[f"all_found@{cut}"] = ((count_found_callees(scores, cut) == callees).astype(np.float64), targets)
    drawn = _draw_resamples(len(scores))
    both = np.array([s.hide_ms + s.query_ms for s in scores])
    return Summary(
        targets=len(scores),
        callees=int(callees.sum()),
        hidden=sum(s.hidden for s in scores),
        figures={name: _estimate_ratio_with_interval(over, under, drawn) for name, (over, under) in ratios.items()},
        latency_ms={
            "median": _compute_quantile_or_nan(both, 0.5),
            "p95": _compute_quantile_or_nan(both, 0.95),
            "hide_median": _compute_quantile_or_nan(np.array([s.hide_ms for s in scores]), 0.5),
        },
    )


def summarise_prompts(prompts: Sequence[PromptScore]) -> dict[str, Figure]:
    """The figures of one row, each as NAME@BUDGETtokens: the share of prompts that show every needed name (so does one
    that needs none), the share of names that are shown, of all and by kind, and the mean size of the contexts."""
    out = {}
    for budget in sorted({prompt.budget for prompt in prompts}):
        found = [prompt for prompt in prompts if prompt.budget == budget]
        needed = np.array([prompt.needed for prompt in found], dtype=np.float64)
        shown = np.array([prompt.shown for prompt in found], dtype=np.float64)
        each = np.ones(len(found))
        ratios: dict[str, tuple[Numbers, Numbers]] = {
            ANSWERABLE: ((needed == shown).all(axis=1).astype(np.float64), each),
            NAMES: (shown.sum(axis=1), needed.sum(axis=1)),
            **{kind: (shown[:, at], needed[:, at]) for at, kind in enumerate(NAME_KINDS.values())},
            TOKENS: (np.array([prompt.tokens for prompt in found], dtype=np.float64), each),
        }
        drawn = _draw_resamples(len(found))
        out.update(
            {
                f"{name}@{budget}tokens": _estimate_ratio_with_interval(over, under, drawn)
                for name, (over, under) in ratios.items()
            }
        )
    return out


def count_found_callees(scores: Sequence[TargetScore], cut: int) -> Numbers:
    """Callees among the first `cut` hits, target by target."""
    return np.array([sum(0 < rank <= cut for rank in s.ranks) for s in scores], dtype=np.float64)


def compare_retriever_recall(first: Sequence[TargetScore], second: Sequence[TargetScore], cut: int) -> PairedTest:
    """The test between two retrievers. Raises ValueError when they didn't get the same targets in the same order."""
    if [(s.repo, s.id) for s in first] != [(s.repo, s.id) for s in second] or not first:
        raise ValueError("a paired test needs the same targets for both, at least one")
    difference = count_found_callees(first, cut) - count_found_callees(second, cut)
    callees = sum(len(s.ranks) for s in first)
    p = sign_flip_test(difference.tolist())
    return PairedTest(first[0].retriever, second[0].retriever, cut, float(difference.sum()) / max(callees, 1), p)


def measure_renaming_loss(original: Sequence[TargetScore], renamed: Sequence[TargetScore], cut: int) -> RecallLoss:
    """What renaming costs a retriever. Raises ValueError as `paired` does."""
    test = compare_retriever_recall(renamed, original, cut)
    before, after = count_found_callees(original, cut), count_found_callees(renamed, cut)
    callees = np.array([len(s.ranks) for s in original], dtype=np.float64)
    total = max(float(callees.sum()), 1.0)
    difference = _estimate_ratio_with_interval(after - before, callees, _draw_resamples(len(callees)))
    return RecallLoss(cut, float(before.sum()) / total, float(after.sum()) / total, difference, test.p)


def _draw_resamples(size: int) -> npt.NDArray[np.int64]:
    """The bootstrap's targets, one row a resample; the same for all figures. scipy.stats.bootstrap has no ratio of
    two sums that leaves out resamples without a denominator."""
    return np.random.default_rng(_SEED).integers(0, max(size, 1), size=(_RESAMPLES, size))


def _estimate_ratio_with_interval(
    numerators: Numbers, denominators: Numbers, resamples: npt.NDArray[np.int64]
) -> Figure:
    if len(numerators) == 0 or denominators.sum() == 0:
        return Figure(math.nan, math.nan, math.nan)
    sums = denominators[resamples].sum(axis=1)
    again = numerators[resamples].sum(axis=1)[sums > 0] / sums[sums > 0]
    low, high = np.quantile(again, (0.025, 0.975))
    return Figure(float(numerators.sum() / denominators.sum()), float(low), float(high))


def _compute_quantile_or_nan(values: Numbers, share: float) -> float:
    return float(np.quantile(values, share)) if len(values) else math.nan

"""Means over tasks with their intervals, and pass@k of one task's samples.

Pure functions of numbers. The unit of an interval is the task: samples of one task aren't independent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over `tasks` tasks with its 95 % interval (see `wilson_interval`). The three figures are NaN without a
    task."""

    value: float
    low: float
    high: float
    tasks: int


def pass_at_k(n: int, c: int, k: int) -> float:
    """Unbiased estimate of P(at least one of k samples passes) from c passes among n (Chen et al. 2021, eq. 1).

    ValueError unless 0 <= c <= n and 1 <= k <= n: with fewer samples than k there is no unbiased estimate.
    """
    if not 0 <= c <= n or not 1 <= k <= n:
        raise ValueError(f"pass_at_k needs 0 <= c <= n and 1 <= k <= n, got n={n} c={c} k={k}")
    if n - c < k:
        return 1.0
    return 1.0 - math.comb(n - c, k) / math.comb(n, k)


def wilson_interval(values: Sequence[float], clusters: Sequence[str] = ()) -> tuple[float, float]:
    """The 95 % interval of the mean of `values`, one for each task, each in 0..1: Wilson's score interval for as many
    independent answers as the spread over tasks is worth, with Student's t (Korn and Graubard 1998 do so for shares
    in clustered surveys). A task is one cluster, however many samples it has. With one sample a task it is Wilson's
    own interval but for t, so it is no point at 0 or n of n. One task says nothing of others: (0, 1).

    `clusters` names for each task what it was drawn with, as its repository. Where there are several, the answers are
    worth no more than the spread over clusters says, and t is that of so many.

    benchmarks/executor/verdict/interval_coverage.py simulates how often it covers the truth. ValueError without a
    value.
    """
    if not values:
        raise ValueError("an interval needs at least one value")
    n = len(values)
    if n == 1:
        return 0.0, 1.0
    mean, units = math.fsum(values) / n, n
    answers = _estimate_effective_sample_size(values, mean, range(n))
    if len(set(clusters)) > 1:
        units, answers = len(set(clusters)), min(answers, _estimate_effective_sample_size(values, mean, clusters))
    spread = _student_t_quantile_975(units - 1) ** 2 / answers
    middle = (mean + spread / 2) / (1 + spread)
    reach = math.sqrt(max(mean * (1 - mean), 0.0) * spread + spread**2 / 4) / (1 + spread)
    # Rounding mustn't put the mean itself outside.
    return max(0.0, min(middle - reach, mean)), min(1.0, max(middle + reach, mean))


def _estimate_effective_sample_size(values: Sequence[float], mean: float, clusters: Sequence[object]) -> float:
    """As many independent answers spread about the mean as these clusters do."""
    sums: dict[object, float] = {}
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + value - mean
    squares = math.fsum(part**2 for part in sums.values()) / len(values) ** 2
    variance = squares * len(sums) / (len(sums) - 1)
    # Samples of one task can't make fewer answers of n tasks; equal values leave the spread unknown.
    return max(mean * (1 - mean) / variance, len(sums)) if variance > 0 else len(values)


@lru_cache(maxsize=1024)
def _student_t_quantile_975(degrees_of_freedom: int) -> float:
    # Importing scipy.special takes long, which only a report has to pay.
    from scipy.special import stdtrit

    return float(stdtrit(degrees_of_freedom, 0.975))


def estimate_mean(values: Sequence[float], clusters: Sequence[str] = ()) -> Estimate:
    """The mean of values in 0..1, one for each task, with its interval. `clusters` as in `wilson_interval`."""
    if not values:
        return Estimate(math.nan, math.nan, math.nan, 0)
    return Estimate(math.fsum(values) / len(values), *wilson_interval(values, clusters), len(values))

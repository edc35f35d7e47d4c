"""Scores of samples: pass@k, built rate, exact match, edit similarity, each with its interval.

Pure functions of frozen records. The unit of an interval is the task: samples of one task aren't independent.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from executor.values import Outcome

_RESAMPLES = 2000
_SEED = 20240607


@dataclass(frozen=True, slots=True)
class SampleScore:
    """One sample's scores. `exact` is the strict match, `official_exact` the benchmark's; `edit` in 0..1."""

    task_id: str
    sample: int
    outcome: Outcome
    built: bool
    exact: bool
    official_exact: bool
    edit: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over tasks with its 95 % interval. All three figures are NaN when there is no task."""

    value: float
    low: float
    high: float
    method: Literal["wilson", "bootstrap", "none"]


@dataclass(frozen=True, slots=True)
class GroupScore:
    """The scores of a group of samples. `tasks` and `samples` are the numbers that count. `infra_errors` is how many
    samples were left out because Graft itself failed, and `unscored` how many tasks have no other sample."""

    tasks: int
    samples: int
    infra_errors: int
    unscored: int
    pass_at_1: Estimate
    built: Estimate
    exact_match: Estimate
    official_exact_match: Estimate
    edit_similarity: Estimate


def pass_at_k(n: int, c: int, k: int) -> float:
    """Unbiased estimate of P(at least one of k samples passes) from c passes among n (Chen et al. 2021, eq. 1).

    ValueError unless 0 <= c <= n and 1 <= k <= n: with fewer samples than k there is no unbiased estimate.
    """
    if not 0 <= c <= n or not 1 <= k <= n:
        raise ValueError(f"pass_at_k needs 0 <= c <= n and 1 <= k <= n, got n={n} c={c} k={k}")
    if n - c < k:
        return 1.0
    return 1.0 - math.comb(n - c, k) / math.comb(n, k)


def pass_at(scores: Iterable[SampleScore], k: int) -> Estimate:
    """pass@k over the tasks that have at least k counted samples."""
    tasks = [task for task in _by_task(_counted(scores)) if len(task) >= k]
    values = [pass_at_k(len(task), sum(score.outcome is Outcome.PASSED for score in task), k) for task in tasks]
    return _estimate(values, proportion=all(len(task) == 1 for task in tasks))


def summarise_samples(scores: Sequence[SampleScore]) -> GroupScore:
    """The scores of one group. Infrastructure errors are counted and scored nowhere."""
    counted = _counted(scores)
    tasks = _by_task(counted)
    single = all(len(task) == 1 for task in tasks)

    def mean(value: Callable[[SampleScore], float], *, proportion: bool = single) -> Estimate:
        return _estimate([sum(map(value, task)) / len(task) for task in tasks], proportion=proportion)

    return GroupScore(
        tasks=len(tasks),
        samples=len(counted),
        infra_errors=len(scores) - len(counted),
        unscored=len({score.task_id for score in scores}) - len(tasks),
        pass_at_1=mean(_passed),
        built=mean(lambda score: score.built),
        exact_match=mean(lambda score: score.exact),
        official_exact_match=mean(lambda score: score.official_exact),
        edit_similarity=mean(lambda score: score.edit, proportion=False),
    )


def wilson(successes: int, n: int) -> tuple[float, float]:
    """Wilson's 95 % score interval: it stays inside 0..1 and isn't a point at 0 of n or n of n. `n` is at least 1."""
    # Importing scipy.stats takes most of a second, which only a report has to pay.
    from scipy.stats import binomtest

    interval = binomtest(successes, n).proportion_ci(0.95, method="wilson")
    return float(interval.low), float(interval.high)


def bootstrap(values: Sequence[float]) -> tuple[float, float]:
    """95 % percentile bootstrap over tasks. The seed is fixed, so the same scores give the same report."""
    if not values:
        raise ValueError("bootstrap needs at least one value")
    data = np.asarray(values, dtype=np.float64)
    picks = np.random.default_rng(_SEED).integers(0, len(data), size=(_RESAMPLES, len(data)))
    low, high = np.quantile(data[picks].mean(axis=1), (0.025, 0.975))
    return float(low), float(high)


def _estimate(values: Sequence[float], *, proportion: bool) -> Estimate:
    if not values:
        return Estimate(math.nan, math.nan, math.nan, "none")
    mean = math.fsum(values) / len(values)
    if proportion:
        return Estimate(mean, *wilson(round(math.fsum(values)), len(values)), "wilson")
    return Estimate(mean, *bootstrap(values), "bootstrap")


def _passed(score: SampleScore) -> float:
    return float(score.outcome is Outcome.PASSED)


def _counted(scores: Iterable[SampleScore]) -> list[SampleScore]:
    return [score for score in scores if score.outcome is not Outcome.INFRA_ERROR]


def _by_task(scores: Iterable[SampleScore]) -> list[list[SampleScore]]:
    tasks: dict[str, list[SampleScore]] = defaultdict(list)
    for score in scores:
        tasks[score.task_id].append(score)
    return list(tasks.values())

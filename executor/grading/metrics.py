"""Scores of samples: pass@k, built rate, exact match, edit similarity, each with its interval.

Pure functions of frozen records. The unit of an interval is the task: samples of one task aren't independent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from executor.values import Outcome


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
class TaskScore:
    """How many samples of a task count, and of these how many passed, were built and so on; `edit` is a sum.
    `infra_errors` is how many don't count because Graft itself failed."""

    samples: int
    infra_errors: int
    passed: int
    built: int
    exact: int
    official_exact: int
    edit: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over `tasks` tasks with its 95 % interval (see `wilson_interval`). The three figures are NaN without a
    task."""

    value: float
    low: float
    high: float
    tasks: int


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


def estimate_pass_at_k(tasks: Iterable[TaskScore], k: int) -> Estimate:
    """pass@k over the tasks that have at least k counted samples."""
    return estimate_mean([pass_at_k(task.samples, task.passed, k) for task in tasks if task.samples >= k])


def count_samples_per_task(tasks: Iterable[TaskScore]) -> tuple[int, int]:
    """The fewest and the most counted samples that a task has; (0, 0) without a task."""
    sizes = [task.samples for task in tasks if task.samples]
    return min(sizes, default=0), max(sizes, default=0)


def summarise_group(tasks: Sequence[TaskScore]) -> GroupScore:
    """The scores of one group. Infrastructure errors are counted and scored nowhere."""
    counted = [task for task in tasks if task.samples]

    def mean(sum_of: Callable[[TaskScore], float]) -> Estimate:
        return estimate_mean([sum_of(task) / task.samples for task in counted])

    return GroupScore(
        tasks=len(counted),
        samples=sum(task.samples for task in counted),
        infra_errors=sum(task.infra_errors for task in tasks),
        unscored=len(tasks) - len(counted),
        pass_at_1=mean(lambda task: task.passed),
        built=mean(lambda task: task.built),
        exact_match=mean(lambda task: task.exact),
        official_exact_match=mean(lambda task: task.official_exact),
        edit_similarity=mean(lambda task: task.edit),
    )


def score_task(samples: Sequence[SampleScore]) -> TaskScore:
    """The samples of one task, counted."""
    counted = [score for score in samples if score.outcome is not Outcome.INFRA_ERROR]
    return TaskScore(
        samples=len(counted),
        infra_errors=len(samples) - len(counted),
        passed=sum(score.outcome is Outcome.PASSED for score in counted),
        built=sum(score.built for score in counted),
        exact=sum(score.exact for score in counted),
        official_exact=sum(score.official_exact for score in counted),
        edit=sum(score.edit for score in counted),
    )


def wilson_interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of the mean of `values`, one for each task, each in 0..1: Wilson's score interval for as many
    independent answers as the spread over tasks is worth, with Student's t (Korn and Graubard 1998 do so for shares
    in clustered surveys). A task is one cluster, however many samples it has. With one sample a task it is Wilson's
    own interval but for t, so it is no point at 0 or n of n. One task says nothing of others: (0, 1).

    benchmarks/executor/verdict/interval_coverage.py simulates how often it covers the truth. ValueError without a
    value.
    """
    if not values:
        raise ValueError("an interval needs at least one value")
    n = len(values)
    if n == 1:
        return 0.0, 1.0
    mean = math.fsum(values) / n
    variance = math.fsum((value - mean) ** 2 for value in values) / (n * (n - 1))
    # Samples of one task can't make fewer answers of n tasks; equal values leave the spread unknown.
    answers = max(mean * (1 - mean) / variance, n) if variance > 0 else n
    spread = _t_quantile(n - 1) ** 2 / answers
    middle = (mean + spread / 2) / (1 + spread)
    reach = math.sqrt(max(mean * (1 - mean), 0.0) * spread + spread**2 / 4) / (1 + spread)
    # Rounding mustn't put the mean itself outside.
    return max(0.0, min(middle - reach, mean)), min(1.0, max(middle + reach, mean))


@lru_cache(maxsize=1024)
def _t_quantile(freedom: int) -> float:
    # Importing scipy.special takes long, which only a report has to pay.
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975))


def estimate_mean(values: Sequence[float]) -> Estimate:
    """The mean of values in 0..1, one for each task, with its interval."""
    if not values:
        return Estimate(math.nan, math.nan, math.nan, 0)
    return Estimate(math.fsum(values) / len(values), *wilson_interval(values), len(values))

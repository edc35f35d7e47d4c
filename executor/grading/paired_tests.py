"""What a change does to a score: the difference between two means over the same tasks.

Pure functions of figures in 0..1, one a task and side. A task is one cluster: its samples are averaged before.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from executor.grading.metrics import wilson_interval

METHOD = (
    "95 % intervals of the paired difference: Newcombe's hybrid of both means' score intervals, joined by their"
    " correlation over tasks; p: exact sign-flip test over tasks (McNemar's exact test where a task has one sample)"
)
# Differences of tasks are multiples of a fraction with a small denominator; this one is divisible by 1 to 10.
_GRID = 2520
# 2 * 0.5 ** 6 is the first p below 0.05 of a sign test.
_FEWEST = 6
# The normal distribution's quantiles 0.975 and 0.8.
_POWER = 1.959964 + 0.841621


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of `first - second` over `tasks` tasks, its 95 % interval, and the two-sided p of no difference. In
    `higher` tasks the first was better, in `lower` ones the second. Figures are NaN and p is 1 without a task."""

    first: float
    second: float
    value: float
    low: float
    high: float
    p: float
    higher: int
    lower: int
    tasks: int


def estimate_paired_difference(first: Sequence[float], second: Sequence[float]) -> Difference:
    """The difference between two sides, given as one mean in 0..1 for each task, in the same order.

    The interval is method 10 of Newcombe (1998, Statistics in Medicine 17:2635), which Zou and Donner (2008) carry
    over to any two means that have an interval. It is no point where all tasks differ alike. The test flips the sign
    of each task's difference in every way.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} tasks can't be paired with {len(second)}")
    if not first:
        return Difference(math.nan, math.nan, math.nan, math.nan, math.nan, 1.0, 0, 0, 0)
    n = len(first)
    one, two = math.fsum(first) / n, math.fsum(second) / n
    (low_one, high_one), (low_two, high_two) = wilson_interval(first), wilson_interval(second)
    together = _estimate_correlation_by_newcombe(first, second)
    down = _combine_limit_distances(one - low_one, high_two - two, together)
    up = _combine_limit_distances(high_one - one, two - low_two, together)
    differences = [a - b for a, b in zip(first, second, strict=True)]
    return Difference(
        one,
        two,
        one - two,
        max(-1.0, one - two - down),
        min(1.0, one - two + up),
        sign_flip_test(differences),
        sum(value > 0 for value in differences),
        sum(value < 0 for value in differences),
        n,
    )


def sign_flip_test(differences: Sequence[float]) -> float:
    """The two-sided p of a mean as far from 0 as this one, were each task's difference as likely to have the other
    sign. Exact for differences that are multiples of 1/1 to 1/10; others are rounded to 1/2520."""
    steps = [round(abs(value) * _GRID) for value in differences]
    steps = [step for step in steps if step]
    if not steps:
        return 1.0
    unit = math.gcd(*steps)
    reached = abs(sum(round(value * _GRID) for value in differences)) // unit
    most = sum(steps) // unit
    # chances[i]: how likely the sum is i - most. Signs of one difference after the other are drawn.
    chances = np.zeros(2 * most + 1)
    chances[most] = 1.0
    for step in (step // unit for step in steps):
        chances = (np.roll(chances, step) + np.roll(chances, -step)) / 2
    return float(min(1.0, chances[: most - reached + 1].sum() + chances[most + reached :].sum()))


def correct_by_holm(p_values: Sequence[float]) -> list[float]:
    """The p of several tests, corrected for their number (Holm 1979): the smallest is multiplied by it, the next by
    one less, and none becomes smaller than one before it."""
    corrected = [0.0] * len(p_values)
    reached = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        reached = max(reached, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = reached
    return corrected


def smallest_detectable_difference_or_nan(differences: Sequence[float]) -> float:
    """The smallest true difference that this many tasks, which spread as these do, show at the 5 % level in 80 % of
    runs: (z(0.975) + z(0.8)) standard errors. At least six tasks must differ one way, as the exact test needs. NaN for
    fewer than six tasks, which can show nothing."""
    n = len(differences)
    if n < _FEWEST:
        return math.nan
    mean = math.fsum(differences) / n
    variance = math.fsum((value - mean) ** 2 for value in differences) / (n - 1)
    return min(1.0, max(_FEWEST / n, _POWER * math.sqrt(variance / n)))


def _combine_limit_distances(distance: float, other_distance: float, correlation: float) -> float:
    return math.sqrt(max(distance**2 - 2 * correlation * distance * other_distance + other_distance**2, 0.0))


def _estimate_correlation_by_newcombe(first: Sequence[float], second: Sequence[float]) -> float:
    """Pearson's, by Newcombe's correction nearer to 0 where it is positive and would narrow the interval; 0 where a
    side is the same on every task. He takes half a count off, for figures of 0 and 1; the means of k samples come in
    steps of 1/k, and a step of theirs is what is halved: with all of it off, intervals of 20 tasks with 5 samples
    covered 99 %."""
    one, two = (np.asarray(side, dtype=np.float64) - math.fsum(side) / len(side) for side in (first, second))
    scale = math.sqrt(float(one @ one) * float(two @ two))
    joint = float(one @ two)
    if joint > 0:
        # What all values of a side are multiples of, as far as `_GRID` shows it.
        steps = (math.gcd(*(round(value * _GRID) for value in side)) / _GRID for side in (first, second))
        joint = max(joint - math.prod(steps) / 2, 0.0)
    return max(-1.0, joint / scale) if scale > 1e-12 else 0.0

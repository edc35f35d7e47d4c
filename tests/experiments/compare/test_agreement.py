"""Prevents: a figure of `graft compare` that another library's code wouldn't give for the same samples."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from scipy.stats import norm, pearsonr, permutation_test, sem, t
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import NormalIndPower
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from executor.grading import metrics
from executor.grading.paired_tests import Difference, estimate_paired_difference
from executor.values import Outcome
from experiments.compare.pairs import Pair, compare_sides
from experiments.compare.sides import read_sides
from tests.support.runs import make_run, record

ARMS = ("none", "lexical", "oracle", "hybrid")
TASKS = 13
EXACT = 1e-6

Means = dict[str, list[float]]


def drawn_pairs(folder: Path, samples: int) -> tuple[Means, tuple[Pair, ...]]:
    """Four arms on the same tasks, some harder than others: each arm's means by task, and what compare says."""
    rng = random.Random(samples)
    ease = [rng.random() for _ in range(TASKS)]
    passed = {
        (arm, task, sample): rng.random() < (ease[task] + 0.25 * number) / 1.6
        for number, arm in enumerate(ARMS)
        for task in range(TASKS)
        for sample in range(samples)
    }
    records = [
        record(f"t{task:02}", Outcome.PASSED if good else Outcome.TESTS_FAILED, arm, sample)
        for (arm, task, sample), good in passed.items()
    ]
    tasks, numbers = range(TASKS), range(samples)
    means = {arm: [fmean(passed[arm, task, sample] for sample in numbers) for task in tasks] for arm in ARMS}
    return means, compare_sides(read_sides([str(make_run(folder / "run", records, arms=ARMS))])).pairs


def score_interval(values: Sequence[float]) -> tuple[float, float]:
    """statsmodels' Wilson interval for as many answers as the spread over tasks is worth, with t for z."""
    n, mean, error = len(values), fmean(values), float(sem(values))
    answers = max(mean * (1 - mean) / error**2, n) if error else n
    low, high = proportion_confint(mean * answers, answers, alpha=alpha(n), method="wilson")
    return float(low), float(high)


def alpha(n: int) -> float:
    """At which the normal distribution's quantile is that of t at 5 %."""
    return float(2 * norm.sf(t.ppf(0.975, n - 1)))


def newcombe(first: Sequence[float], second: Sequence[float], samples: int) -> tuple[float, float]:
    """Square and add, with Pearson's correlation by scipy; Newcombe takes n/2 off ad - bc where it is positive, which
    count whole answers: of means of k samples 1/k each."""
    (l1, u1), (l2, u2), p1, p2 = score_interval(first), score_interval(second), fmean(first), fmean(second)
    spread = np.std(first) * np.std(second)
    together = float(pearsonr(first, second).statistic) if spread else 0.0
    if together > 0:
        together = max(together - 0.5 / samples**2 / (len(first) * spread), 0.0)
    down = (p1 - l1) ** 2 - 2 * together * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2
    up = (u1 - p1) ** 2 - 2 * together * (u1 - p1) * (p2 - l2) + (p2 - l2) ** 2
    return max(-1.0, p1 - p2 - down**0.5), min(1.0, p1 - p2 + up**0.5)


@pytest.mark.parametrize("samples", [1, 3])
def test_every_figure_of_a_pair_is_another_librarys(tmp_path: Path, samples: int) -> None:
    means, pairs = drawn_pairs(tmp_path, samples)
    assert len(pairs) == 6
    for pair in pairs:
        first, second = np.array(means[pair.first]), np.array(means[pair.second])
        found = pair.difference
        assert (found.first, found.second) == pytest.approx((first.mean(), second.mean()), abs=EXACT)
        assert found.value == pytest.approx(float((first - second).mean()), abs=EXACT)
        expected = newcombe(means[pair.first], means[pair.second], samples)
        assert (found.low, found.high) == pytest.approx(expected, abs=EXACT)
        flipped = permutation_test(
            (first - second,), np.mean, permutation_type="samples", n_resamples=np.inf, vectorized=True
        )
        assert found.p == pytest.approx(float(flipped.pvalue), abs=EXACT)
        # Both tails; the far one is a millionth.
        effect = NormalIndPower().solve_power(nobs1=TASKS, alpha=0.05, power=0.8, ratio=0)
        least = effect * np.std(first - second, ddof=1)
        assert pair.seen_from == pytest.approx(min(1.0, max(6 / TASKS, least)), abs=1e-5)
        assert len(pair.first_only) == int(((first > 0) & (second == 0)).sum())
        assert len(pair.second_only) == int(((second > 0) & (first == 0)).sum())
        if samples == 1:
            both = list(zip(means[pair.first], means[pair.second], strict=True))
            table = [[both.count((first, second)) for second in (1.0, 0.0)] for first in (1.0, 0.0)]
            assert found.p == pytest.approx(float(mcnemar(table, exact=True).pvalue), abs=EXACT)
    corrected = multipletests([pair.difference.p for pair in pairs], method="holm")[1]
    assert [pair.p_holm for pair in pairs] == pytest.approx(corrected.tolist(), abs=EXACT)


def test_sides_without_a_link_have_statsmodels_newcombe_interval() -> None:
    for both, first, second, neither in ((6, 6, 4, 4), (2, 8, 3, 12), (9, 3, 3, 1)):
        one = [1.0] * (both + first) + [0.0] * (second + neither)
        two = [1.0] * both + [0.0] * first + [1.0] * second + [0.0] * neither
        n = len(one)
        expected = confint_proportions_2indep(sum(one), n, sum(two), n, method="newcomb", alpha=alpha(n))
        found = estimate_paired_difference(one, two)
        assert (found.low, found.high) == pytest.approx(expected, abs=EXACT)


def test_with_the_normal_quantile_it_is_the_published_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fagerland, Lydersen and Laake (2014), airway reactivity: Newcombe's interval is -0.507 to -0.026."""
    monkeypatch.setattr(metrics, "_student_t_quantile_975", lambda freedom: float(norm.ppf(0.975)))
    found: Difference = estimate_paired_difference([1.0] * 2 + [0.0] * 19, [1.0] + [0.0] + [1.0] * 7 + [0.0] * 12)
    assert (found.low, found.high) == pytest.approx((-0.507, -0.026), abs=5e-4)


@pytest.mark.parametrize("samples", [1, 4])
def test_the_interval_of_a_mean(samples: int) -> None:
    rng = np.random.default_rng(samples)
    for n in (2, 7, 40):
        values = (rng.binomial(samples, rng.beta(0.5, 0.5, n)) / samples).tolist()
        assert metrics.wilson_interval(values) == pytest.approx(score_interval(values), abs=EXACT)

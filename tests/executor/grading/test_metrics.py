"""Prevents: an interval over samples that aren't independent, and a pass@k that is no probability."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from executor.grading.metrics import pass_at_k, wilson_interval

counts = st.integers(1, 40).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))


@given(counts, st.data())
def test_pass_at_k_is_a_probability_that_grows_with_k(pair: tuple[int, int], data: st.DataObject) -> None:
    n, c = pair
    k = data.draw(st.integers(1, n))
    assert 0.0 <= pass_at_k(n, c, k) <= 1.0
    if k > 1:
        assert pass_at_k(n, c, k) >= pass_at_k(n, c, k - 1) - 1e-12


@pytest.mark.parametrize(("n", "c"), [(5, 2), (6, 1), (4, 4), (4, 0)])
def test_pass_at_k_is_the_mean_over_all_choices_of_k_samples(n: int, c: int) -> None:
    passed = [True] * c + [False] * (n - c)
    for k in range(1, n + 1):
        draws = [any(draw) for draw in itertools.combinations(passed, k)]
        assert pass_at_k(n, c, k) == pytest.approx(sum(draws) / len(draws))


@pytest.mark.parametrize(("n", "c", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0), (3, 1, 4), (0, 0, 1)])
def test_pass_at_k_refuses_what_has_no_estimate(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match="pass_at_k needs"):
        pass_at_k(n, c, k)


def test_many_samples_of_one_task_say_nothing_of_other_tasks() -> None:
    """Prevents: "[100, 100]" over one task."""
    assert wilson_interval([1.0]) == (0.0, 1.0)
    low, high = wilson_interval([1.0, 1.0, 1.0])
    assert (low < 0.5, high) == (True, 1.0)


@pytest.mark.parametrize("samples", [1, 3, 10])
@pytest.mark.parametrize("shape", [(0.3, 0.3), (3.0, 1.0), (20.0, 20.0)])
def test_intervals_cover_the_truth_as_often_as_they_say(samples: int, shape: tuple[float, float]) -> None:
    """The benchmark benchmarks/executor/verdict/interval_coverage.py takes more draws, sizes and shapes."""
    rng = np.random.default_rng(7)
    truth = shape[0] / sum(shape)
    covered = 0
    for _ in range(1500):
        values = rng.binomial(samples, rng.beta(*shape, 60)) / samples
        low, high = wilson_interval(values.tolist())
        covered += low <= truth <= high
    assert 0.93 <= covered / 1500 <= 0.975


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_an_interval_holds_the_mean_and_stays_between_0_and_1(values: list[float]) -> None:
    low, high = wilson_interval(values)
    assert 0.0 <= low <= math.fsum(values) / len(values) <= high <= 1.0


@pytest.mark.parametrize("repositories", [3, 12])
def test_repositories_that_differ_make_a_wider_interval_which_covers_the_truth(repositories: int) -> None:
    """Prevents: a pooled score of packages whose interval says what other tasks of the same packages would do."""
    rng = np.random.default_rng(repositories)
    covered = np.zeros(2)
    for _ in range(400):
        chances = 1 / (1 + np.exp(-rng.normal(0, 1, repositories)))
        sizes = rng.integers(10, 31, repositories)
        values = (
            np.concatenate([rng.random(n) < p for n, p in zip(sizes, chances, strict=True)]).astype(float).tolist()
        )
        clusters = [str(repo) for repo, n in enumerate(sizes) for _ in range(n)]
        found = wilson_interval(values), wilson_interval(values, clusters)
        covered += [low <= 0.5 <= high for low, high in found]
    over_tasks, over_repositories = covered / 400
    assert over_tasks < 0.75 and over_repositories > 0.92


def test_one_cluster_says_as_much_as_none() -> None:
    values = [1.0, 0.0, 1.0, 1.0]
    assert wilson_interval(values, ["a"] * 4) == wilson_interval(values) == wilson_interval(values, [""] * 4)
    low, high = wilson_interval([1.0] * 40, ["a"] * 20 + ["b"] * 20)
    assert (low < wilson_interval([1.0] * 40)[0], high) == (True, 1.0)
